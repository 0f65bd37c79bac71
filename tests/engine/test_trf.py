"""Report files: what is read comes back, and what contradicts itself is named with its line."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments.engine import swiss, trf
from tournaments.engine.scoring import totals
from tournaments.engine.trf import Dialect, TrfError, TrfFile
from tournaments.engine.types import (
    STANDARD,
    Adjustment,
    Board,
    Colour,
    ForbiddenGroup,
    Outcome,
    Player,
    RequestedBye,
    Round,
    Tournament,
    VirtualPoints,
)

SHARED = Path(__file__).resolve().parents[3] / "shared" / "pairing"
SHARED_FILES = sorted([*SHARED.rglob("*.trf"), *SHARED.rglob("*.trf16x")])

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "trf"


def row(number: int, points: str, *cells: str, name: str = "") -> str:
    head = f"001 {number:>4} m    {name or f'Player {number}':<33} {2000 - number:>4} NED {'':>11} {'':>10} {points:>4} {'':>4}"
    return head + "".join(f"  {cell:<8}" for cell in cells)


FOUR = "\n".join(
    [
        "012 Four",
        row(1, "1.5", "   3 w 1", "   2 b ="),
        row(2, "0.5", "   4 b 0", "   1 w ="),
        row(3, "1.0", "   1 b 0", "   4 w +"),
        row(4, "1.0", "   2 w 1", "   3 b -"),
        "",
    ]
)


@pytest.mark.skipif(not SHARED_FILES, reason="the reference tournaments in ../shared are not on this machine")
@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: path.name)
def test_reference_file_comes_back_byte_for_byte(path: Path) -> None:
    text = path.read_bytes().decode()

    assert trf.write(trf.read(text)) == text


@pytest.mark.skipif(not SHARED_FILES, reason="the reference tournaments in ../shared are not on this machine")
def test_both_scales_of_a_reference_file_are_the_same_tournament() -> None:
    pairs = [path for path in SHARED_FILES if path.name.endswith(".210.trf")]
    assert pairs

    for doubled in pairs:
        halves = doubled.with_name(doubled.name.replace(".210.trf", ".trf"))
        one, two = trf.read(halves.read_text()), trf.read(doubled.read_text())

        assert one.tournament == two.tournament
        assert (one.unit, two.unit) == (5, 10)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.trf")), ids=lambda path: path.name)
def test_own_file_comes_back_byte_for_byte(path: Path) -> None:
    text = path.read_bytes().decode()

    assert trf.write(trf.read(text)) == text


def test_golden_folder_is_not_empty() -> None:
    assert len(list(GOLDEN.glob("*.trf"))) >= 3


def test_boards_come_in_published_order_with_points_doubled() -> None:
    tournament = trf.read(FOUR).tournament

    assert tournament.name == "Four"
    assert tournament.scheme.code == "STD"
    assert tournament.initial_colour is Colour.WHITE
    assert tournament.rounds == (
        Round(
            number=1,
            boards=(
                Board(number=1, white=1, black=3, outcome=Outcome.WHITE),
                Board(number=2, white=4, black=2, outcome=Outcome.WHITE),
            ),
        ),
        Round(
            number=2,
            boards=(
                Board(number=1, white=2, black=1, outcome=Outcome.DRAW),
                Board(number=2, white=3, black=4, outcome=Outcome.BLACK_FORFEITS),
            ),
        ),
    )


@pytest.mark.parametrize("newline", ["\n", "\r", "\r\n"])
def test_line_ends_are_read_and_given_back(newline: str) -> None:
    text = FOUR.replace("\n", newline)

    file = trf.read(text)

    assert file.tournament == trf.read(FOUR).tournament
    assert trf.write(file) == text


def test_every_result_code_has_its_outcome() -> None:
    text = "\n".join(
        [
            "142 2",
            row(1, "1.0", "   2 w W", "0000 - Z"),
            row(2, "0.5", "   1 b L", "0000 - H"),
            row(3, "1.5", "   4 b D", "0000 - F"),
            row(4, "1.5", "   3 w D", "0000 - U"),
            row(5, "0.0", "   6 w -", ""),
            row(6, "0.0", "   5 b -", "   7 w 0"),
            row(7, "0.0", "", "   6 b 0"),
            row(8, "1.0", "   9 - +", "   9 w  "),
            row(9, "0.0", "   8 - -", "   8 b  "),
            "",
        ]
    )

    file = trf.read(text)

    first, second = file.tournament.rounds
    assert {(board.white, board.black, board.outcome) for board in first.boards} == {
        (1, 2, Outcome.WHITE),
        (4, 3, Outcome.DRAW),
        (5, 6, Outcome.BOTH_FORFEIT),
        (8, 9, Outcome.BLACK_FORFEITS),
    }
    assert {(board.white, board.black, board.outcome) for board in second.boards} == {
        (1, None, Outcome.ZERO_BYE),
        (2, None, Outcome.HALF_BYE),
        (3, None, Outcome.BYE),
        (4, None, Outcome.BYE),
        (6, 7, Outcome.BOTH_LOSE),
        (8, 9, Outcome.UNPLAYED),
    }
    assert trf.write(file).split("\n")[:8] == [line.rstrip() for line in text.split("\n")[:8]]


def test_a_changed_result_is_written_and_an_old_way_of_writing_is_not_kept_for_it() -> None:
    text = "\n".join([row(1, "1.0", "   2 w W"), row(2, "0.0", "   1 b L"), ""])
    file = trf.read(text)
    board = replace(file.tournament.rounds[0].boards[0], outcome=Outcome.DRAW)
    changed = replace(file.tournament, rounds=(Round(number=1, boards=(board,)),))

    again = trf.write(replace(file, tournament=changed))

    assert "   2 w =" in again
    assert trf.read(again).tournament == changed


def test_column_after_the_last_round_is_a_request_not_a_round() -> None:
    text = "\n".join(
        [
            "XXR 5",
            "XXC black1",
            row(1, "1.0", "   2 b 1"),
            row(2, "0.0", "   1 w 0", "0000 - Z"),
            row(3, "1.0", "0000 - U", "0000 - H"),
            "",
        ]
    )

    file = trf.read(text)

    assert file.dialect is Dialect.TRF16
    assert len(file.tournament.rounds) == 1
    assert file.tournament.initial_colour is Colour.BLACK
    assert file.absent == {2, 3}
    assert file.tournament.requested_byes == (
        RequestedBye(player=2, round=2, kind=Outcome.ZERO_BYE),
        RequestedBye(player=3, round=2, kind=Outcome.HALF_BYE),
    )
    assert trf.write(file) == text


def test_points_that_hold_the_requested_half_point_are_understood_and_given_back() -> None:
    text = "\n".join(
        [
            "XXR 5",
            "XXC white1",
            row(1, "1.0", "   2 w 1"),
            row(2, "0.5", "   1 b 0", "0000 - H"),
            "",
        ]
    )

    file = trf.read(text)

    assert file.points_with_requested
    assert trf.write(file) == text


def test_two_one_nought_without_a_record_is_concluded_from_the_points() -> None:
    text = "\n".join([row(1, "2.0", "   2 w 1", "   2 b ="), "", ""])
    text = "\n".join([row(1, "3.0", "   2 w 1", "   2 b ="), row(2, "1.0", "   1 b 0", "   1 w ="), ""])

    file = trf.read(text)

    assert file.unit == 10
    assert file.tournament.scheme.code == "STD"


def test_another_point_system_is_a_scheme_of_its_own() -> None:
    text = "\n".join(
        [
            "162  W 3.0    D 1.0    P 2.0",
            row(1, "5.0", "   2 w 1", "0000 - U"),
            row(2, "3.0", "   1 b 0", "0000 - F"),
            "",
        ]
    )

    file = trf.read(text)

    scheme = file.tournament.scheme
    assert (scheme.win, scheme.draw, scheme.loss, scheme.bye) == (3, 1, 0, 2)
    assert [board.grade for board in file.tournament.rounds[1].boards] == ["F", ""]
    assert "162  W 3.0    D 1.0    P 2.0" in trf.write(file)
    assert trf.read(trf.write(file)) == trf.read(trf.write(trf.read(trf.write(file))))


def test_old_and_new_records_say_the_same() -> None:
    rows = [row(n, "0.0") for n in range(1, 7)]
    old = ["XXR 7", "XXC black1", "BBW  2.0", "BBD  1.0", "XXP 1 2", "XXA    1  2.0  2.0  1.0", "XXZ 5 6"]
    new = ["142 7", "152 B", "162  W 2.0    D 1.0", "260   1 999    1    2"]
    new += ["250       2.0 001 002 0001 0001", "250       1.0 003 003 0001 0001", "240 Z   1    5    6"]

    one, two = trf.read("\n".join(old + rows)), trf.read("\n".join(new + rows))

    assert one.tournament == two.tournament
    assert one.tournament.forbidden == (ForbiddenGroup(players=frozenset({1, 2})),)
    assert one.tournament.virtual_points == (
        VirtualPoints(points=2, first_round=1, last_round=2, players=frozenset({1})),
        VirtualPoints(points=1, first_round=3, last_round=3, players=frozenset({1})),
    )
    for source, file in ((old, one), (new, two)):
        assert trf.write(file).split("\n")[: len(source)] == source


def test_javafo_points_record_is_read() -> None:
    rows = [row(1, "3.0", "   2 w 1"), row(2, "0.0", "   1 b 0")]

    scheme = trf.read("\n".join(["XXS W=3.0 D=1 PAB=2.0", *rows])).tournament.scheme

    assert (scheme.win, scheme.draw, scheme.bye, scheme.forfeit_win) == (3, 1, 2, 3)


def test_rulings_on_points_come_back() -> None:
    text = "\n".join(
        [
            "142 3",
            "152 W",
            "162  W 2.0    D 1.0",
            row(1, "1.0", "   2 w 1"),
            row(2, "0.0", "   1 b 0"),
            "299          -1.0  001    1",
            "",
        ]
    )

    file = trf.read(text)

    assert file.tournament.adjustments == (Adjustment(player=1, points=-1, after_round=1),)
    assert trf.write(file) == text


def test_a_tournament_of_our_own_is_written_and_read_in_both_dialects_and_scales() -> None:
    tournament = Tournament(
        name="分站赛",
        players=tuple(
            Player(number=n, name=f"棋手{n}", rating=2000 + n, federation="CHN", sex="w", title="MF")
            for n in range(1, 6)
        ),
        rounds=(
            Round(
                number=1,
                boards=(
                    Board(number=1, white=1, black=3, outcome=Outcome.WHITE_FORFEITS),
                    Board(number=2, white=4, black=2, outcome=Outcome.BOTH_LOSE),
                    Board(number=0, white=5, black=None, outcome=Outcome.BYE),
                ),
            ),
        ),
        rounds_total=5,
        initial_colour=Colour.WHITE,
        forbidden=(ForbiddenGroup(players=frozenset({1, 2}), first_round=2, last_round=3),),
        requested_byes=(RequestedBye(player=1, round=2, kind=Outcome.HALF_BYE),),
        adjustments=(Adjustment(player=2, points=-1, after_round=1),),
    )

    for dialect in Dialect:
        for unit in (5, 10):
            file = TrfFile(tournament=tournament, dialect=dialect, unit=unit, ranks={3: 1})
            again = trf.read(trf.write(file))
            assert again.tournament == tournament
            assert again.unit == unit
            assert again.ranks == {3: 1}


def test_points_of_a_graded_result_come_back_as_a_grade() -> None:
    text = "\n".join(
        [
            "142 1",
            "152 W",
            "162  W 4.0    D 2.0",
            row(1, "3.0", "   2 w ="),
            row(2, "1.0", "   1 b ="),
            "299 D         3.0  001    1",
            "299 D         1.0  001    2",
            "",
        ]
    )

    file = trf.read(text)

    board = file.tournament.rounds[0].boards[0]
    assert (board.grade, board.outcome) == ("3-1", Outcome.DRAW)
    assert trf.write(file) == text


def test_unknown_lines_stay_where_they_were() -> None:
    text = (
        "### made by hand\n012 Four\n192 FIDE_DUTCH_2025\n" + FOUR.split("\n", 1)[1] + "801 anything at all\n"
    )
    text = text.replace("012 Four\n", "012 Four\n142 5\n152 W\n")

    file = trf.read(text)

    assert file.extra == ("### made by hand", "192 FIDE_DUTCH_2025", "801 anything at all")
    assert trf.write(file) == text


def test_what_the_format_cannot_hold_is_named() -> None:
    player = Player(number=1, name="N" * 40, club="Club", withdrawn_after=2)
    file = TrfFile(tournament=Tournament(players=(player,)))

    assert [loss.what for loss in trf.losses(file)] == ["name", "club", "withdrawal"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é 王".encode(), "é 王"),
        ("é 王".encode("utf-8-sig"), "é 王"),
        ("王".encode("utf-16"), "王"),
    ],
)
def test_encodings(data: bytes, text: str) -> None:
    assert trf.decode(data) == text


@pytest.mark.parametrize("codec", ["gb18030", "cp1252"])
def test_other_encodings_are_named_and_never_guessed(codec: str) -> None:
    text = "001 ü\n"

    with pytest.raises(trf.TrfError, match="--encoding"):
        trf.decode(text.encode(codec))

    assert trf.decode(text.encode(codec), encoding=codec) == text


def broken(old: str, new: str) -> str:
    assert old in FOUR
    return FOUR.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "code", "line", "part"),
    [
        ("012 Empty\n", "trf-empty", None, "no player line"),
        (broken("001    4", "001    3"), "trf-player-twice", 5, "player 3 has a line already (line 4)"),
        (broken("001    4", "001   x4"), "trf-number", 5, "'x4'"),
        (broken("   3 w 1", "   9 w 1"), "trf-unknown-player", 2, "opponent 9"),
        (broken("   3 w 1", "   1 w 1"), "trf-opponent-self", 2, "player 1"),
        (broken("   3 w 1", "   4 w 1"), "trf-no-mirror", 2, "opponent 2"),
        (broken("   3 w 1", "   3 b 1"), "trf-no-mirror", 2, "colour b"),
        (broken("   3 w 1", "   3 x 1"), "trf-colour", 2, "'x'"),
        (broken("   3 w 1", "   3 - 1"), "trf-colour", 2, "w or b"),
        (broken("   3 w 1", "   3 w ?"), "trf-result-code", 2, "round 1 of player 1"),
        (broken("   3 w 1", "   3 w H"), "trf-result-code", 2, "beside an opponent"),
        (broken("   3 w 1", "0000 - 1"), "trf-result-code", 2, "without an opponent"),
        (broken("   3 w 1", "   3 w +"), "trf-results-contradict", 2, "+ and 0"),
        (broken("   3 w 1", "   3w  1"), "trf-shifted", 2, "round 1 of player 1"),
        (broken(" 1.5 ", " 2.5 "), "trf-points-mismatch", 2, "2.5 points, but the results give 1.5"),
        (broken(" 1.5 ", " x.5 "), "trf-number", 2, "the points"),
        ("142 five\n" + FOUR, "trf-number", 1, "the number of rounds"),
        ("152 green\n" + FOUR, "trf-record", 1, "W or B"),
        ("162  Q 2.0\n" + FOUR, "trf-record", 1, "W, D, L, A, P or X"),
        ("XXC red1\n" + FOUR, "trf-record", 1, "white1"),
        ("240 Z   3    9\n" + FOUR, "trf-unknown-player", 1, "9"),
        ("240 Z   1    1\n" + FOUR, "trf-bye-contradicts", 1, "an opponent"),
        ("240 Q   3    1\n" + FOUR, "trf-record", 1, "F, H or Z"),
        ("260   1   9    1    8\n" + FOUR, "trf-unknown-player", 1, "8"),
        ("XXP 1 8\n" + FOUR, "trf-unknown-player", 1, "8"),
        ("250       2.0 003 002 0001 0002\n" + FOUR, "trf-record", 1, "lower to the higher"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(text: str, code: str, line: int | None, part: str) -> None:
    with pytest.raises(TrfError) as caught:
        trf.read(text)

    assert caught.value.code == code
    assert caught.value.values.get("line") == line
    assert part in str(caught.value)
    assert (f"line {line}" if line else "file") in str(caught.value)


@pytest.mark.parametrize("seed", range(300))
def test_a_damaged_file_is_refused_by_name_or_read_and_given_back(seed: int) -> None:
    chance = random.Random(seed)
    letters = list(chance.choice(sorted(GOLDEN.glob("*.trf"))).read_bytes().decode())
    for _ in range(chance.choice([1, 1, 2, 4])):
        place = chance.randrange(len(letters))
        letters[place : place + chance.choice([0, 1])] = chance.choice([*"0123456789 wb-+=1HFUZWDLX.\n", ""])

    try:
        file = trf.read("".join(letters))
    except TrfError as error:
        assert str(error)
        return

    assert trf.read(trf.write(file)).tournament == file.tournament


def rows(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def player_row(number: int, points: str, *results: str) -> str:
    head = f"001 {number:>4} m    {f'Player {number}':<33} 2000 CHN {'':>11} {'':>10} {points:>4} {number:>4}"
    return head + "".join("  " + cell for cell in results)


@pytest.mark.parametrize(
    ("white", "black", "outcome", "points"),
    [
        ("=", "0", Outcome.DRAW, (1, 0)),
        ("0", "=", Outcome.DRAW, (0, 1)),
        ("1", "=", Outcome.WHITE, (2, 1)),
        ("=", "1", Outcome.BLACK, (1, 2)),
    ],
)
def test_a_result_given_to_one_side_and_not_the_other_is_read_as_written(
    white: str, black: str, outcome: Outcome, points: tuple[int, int]
) -> None:
    stated = {"=": "0.5", "0": "0.0", "1": "1.0"}
    text = rows(
        player_row(1, stated[white], f"   2 w {white}"), player_row(2, stated[black], f"   1 b {black}")
    )

    file = trf.read(text)

    board = file.tournament.rounds[0].boards[0]
    assert board.outcome is outcome
    assert totals(file.tournament) == {1: points[0], 2: points[1]}
    assert trf.write(file) == text
    fresh = trf.TrfFile(tournament=file.tournament, unit=file.unit)
    assert totals(trf.read(trf.write(fresh)).tournament) == totals(file.tournament)


def test_a_bye_given_beforehand_leaves_the_round_to_be_paired() -> None:
    text = rows(
        player_row(1, "1.0", "   2 w 1"),
        player_row(2, "0.0", "   1 b 0"),
        player_row(3, "1.0", "   4 w 1"),
        player_row(4, "1.0", "   3 b 0", "0000 - U"),
        player_row(5, "1.0", "0000 - U"),
    )

    file = trf.read("XXR 5\n" + text)

    assert len(file.tournament.rounds) == 1
    assert file.tournament.requested_byes == (
        RequestedBye(player=4, round=2, kind=Outcome.BYE, allocated=True),
    )
    assert trf.write(file) == "XXR 5\n" + text
    for dialect in trf.Dialect:
        again = trf.read(trf.write(trf.TrfFile(tournament=file.tournament, dialect=dialect)))
        assert again.tournament.requested_byes == file.tournament.requested_byes
    paired = swiss.pair_round(file.tournament)
    assert paired.round == 2
    assert {frozenset((board.white, board.black)) for board in paired.boards} <= {
        frozenset(pair) for pair in ((1, 3), (1, 5), (3, 5), (2, 1), (2, 3), (2, 5))
    }
    assert len(paired.boards) == 2


@pytest.mark.parametrize(
    ("record", "points"),
    [
        ("XXS W=2 D=1 L=0 PAB=1", (2, 0, 1)),
        ("XXS WW=2.0 BW=2.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0 PAB=2.0", (2, 0, 2)),
        ("XXS W=3 D=1", (3, 0, 1)),
        ("XXS W=3 D=1", (3, 0, 3)),
        ("XXS FL=0 W=3 D=2 PAB=2 WL=1 BL=1 ZPB=1", (3, 1, 2)),
    ],
)
def test_point_systems_of_pairing_programs_are_applied(record: str, points: tuple[int, int, int]) -> None:
    cells = ("   2 w 1", "   1 b 0", "0000 - U")
    lines = [player_row(n, f"{points[n - 1]}.0", cells[n - 1]) for n in (1, 2, 3)]

    file = trf.read(rows(record, *lines))

    assert totals(file.tournament) == dict(zip((1, 2, 3), points, strict=True))
    assert totals(trf.read(trf.write(file)).tournament) == totals(file.tournament)


def test_points_of_forfeits_and_half_byes_come_back() -> None:
    scheme = replace(STANDARD, code="X", forfeit_win=1, half_bye=0, bye=1)
    for dialect in trf.Dialect:
        for unit in (5, 10):
            tournament = Tournament(
                players=tuple(Player(number=n) for n in range(1, 5)),
                rounds=(
                    Round(
                        number=1,
                        boards=(
                            Board(number=1, white=1, black=2, outcome=Outcome.BLACK_FORFEITS),
                            Board(number=0, white=3, black=None, outcome=Outcome.BYE),
                            Board(number=0, white=4, black=None, outcome=Outcome.HALF_BYE),
                        ),
                    ),
                ),
                scheme=scheme,
            )
            file = trf.TrfFile(tournament=tournament, dialect=dialect, unit=unit)
            assert trf.losses(file) == ()
            assert totals(trf.read(trf.write(file)).tournament) == totals(tournament)


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["XXS WW=2 BW=3"], "trf-points-by-colour", 1),
        (["XXS WD=1"], "trf-points-by-colour", 1),
        (["XXS QQ=1"], "trf-record", 1),
        (["192 FIDE_TEAM_BAKU", "250  2          1   1    1    2"], "trf-team-file", 1),
        (["162  P 5.0", "310   1 Russia"], "trf-team-file", 2),
    ],
)
def test_what_cannot_be_counted_is_named_with_its_line(lines: list[str], code: str, line: int) -> None:
    text = rows(*lines, player_row(1, "0.0", "0000 - U"), player_row(2, "0.0", "0000 - Z"))
    with pytest.raises(TrfError) as caught:
        trf.read(text)
    assert (caught.value.code, caught.value.values["line"]) == (code, line)
