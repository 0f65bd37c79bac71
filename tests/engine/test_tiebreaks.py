"""Tie-breaks: equal to an independent program's values, and to tables worked out by hand."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.engine.builders import tournament
from tournaments.engine import trf
from tournaments.engine.policies import ByeOpponentScore, DirectRule, TieBreakPolicy
from tournaments.engine.roundrobin import schedule
from tournaments.engine.scoring import PLUS
from tournaments.engine.standings import StandingsRow, compute
from tournaments.engine.tiebreaks import TIEBREAKS, UnknownTieBreak, find
from tournaments.engine.types import Adjustment, Outcome, Tournament
from tournaments.engine.workings import working

SHARED = Path(__file__).resolve().parents[3] / "shared"
REFERENCE = sorted((SHARED / "standings").glob("*.json"))

SCALARS = [
    "SOLKOFF",
    "SOLKOFF_MEDIAN",
    "SOLKOFF_TRUNC_SHORT",
    "SOLKOFF_TRUNC_2",
    "SOLKOFF_PLUS",
    "SB",
    "WINS",
    "CUM",
    "CUM_DROP_1",
    "games_black",
    "wins_black",
    "RATING_SUM",
    "KOYA",
]


def only(row: StandingsRow) -> object:
    (found,) = row.values.values()
    return found


def value(event: Tournament, player: int, code: str, policy: TieBreakPolicy | None = None) -> object:
    table = compute(event, tiebreaks=[code], policy=policy or TieBreakPolicy())
    return table.row(player).values[code]


@pytest.mark.skipif(not REFERENCE, reason="the reference tie-breaks in ../shared are not on this machine")
@pytest.mark.parametrize("path", REFERENCE, ids=lambda path: path.stem)
def test_every_reference_value_comes_out_the_same(path: Path) -> None:
    reference = json.loads(path.read_text())
    event = trf.read((SHARED / "pairing" / reference["tournament"]).read_text()).tournament
    codes = [code for code in reference["players"]["1"] if code != "points"]

    table = compute(event, tiebreaks=codes, after_round=reference["rounds_played"])

    assert len(table.rows) == len(reference["players"])
    for row in table.rows:
        expected = reference["players"][str(row.number)]
        got = dict(zip(codes, tuple(row.values.values()), strict=True))
        got["ARO"] = int(got["ARO"] + Fraction(1, 2))
        assert {"points": row.points, **got} == expected


# Five players. Player 5 has the bye of round 1, 4 forfeits to 1 in round 2, 3 is absent in round 3.
FIVE = tournament(
    5,
    "1-2:1 3-4:= 5:U",
    "4-1:- 2-5:= 3:H",
    "1-5:= 4-2:1",
    ratings=[2000, 1900, 1800, 1700, 0],
)
#   round   1        2         3
#   1       2 W 2    4 forf 2  5 D 1   = 5
#   2       1 L 0    5 D 1     4 L 0   = 1
#   3       4 D 1    half 1    absent  = 2
#   4       3 D 1    1 forf 0  2 W 2   = 3
#   5       bye 2    2 D 1     1 D 1   = 4


def test_points_of_the_table_worked_by_hand() -> None:
    table = compute(FIVE, tiebreaks=[])

    assert [(row.number, row.points) for row in table.rows] == [(1, 5), (5, 4), (4, 3), (3, 2), (2, 1)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("SOLKOFF", [1 + 0 + 4, 5 + 4 + 3, 3 + 0 + 0, 2 + 0 + 1, 0 + 1 + 5]),
        ("SOLKOFF_MEDIAN", [1, 4, 0, 1, 1]),
        ("SOLKOFF_TRUNC_SHORT", [5, 9, 3, 3, 6]),
        ("SOLKOFF_TRUNC_FULL", [(5, 4), (9, 5), (3, 3), (3, 2), (6, 5)]),
        ("SOLKOFF_TRUNC_2", [4, 5, 3, 2, 5]),
        ("SOLKOFF_PLUS", [12 + 6, 5 + 6 + 3, 3, 3 + 12, 12 + 5]),
        ("SB", [2 * 1 + 0 + 1 * 4, 0 + 1 * 4 + 0, 1 * 3, 1 * 2 + 2 * 1, 1 * 1 + 1 * 5]),
        ("WINS", [1, 0, 0, 1, 0]),
        ("CUM", [2 + 4 + 5, 0 + 1 + 1, 1 + 2 + 2, 1 + 1 + 3, 2 + 3 + 4]),
        ("CUM_FULL", [(11, 9, 5), (2, 2, 1), (5, 4, 2), (5, 4, 3), (9, 7, 4)]),
        ("CUM_DROP_1", [9, 2, 4, 4, 7]),
        ("games_black", [0, 2, 0, 1, 2]),
        ("wins_black", [0, 0, 0, 0, 0]),
        ("RATING_SUM", [1900, 2000 + 1700, 1700, 1800 + 1900, 1900 + 2000]),
        ("ARO", [Fraction(1900), Fraction(1850), Fraction(1700), Fraction(1850), Fraction(1950)]),
        (
            "PERFORMANCE",
            [
                Fraction(2400),
                Fraction(1500 + 1200, 2),
                Fraction(1700),
                Fraction(1800 + 2400, 2),
                Fraction(1950),
            ],
        ),
    ],
)
def test_values_worked_by_hand_with_a_bye_a_forfeit_and_an_absence(code: str, expected: list[object]) -> None:
    assert [value(FIVE, player, code) for player in range(1, 6)] == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (TieBreakPolicy(), [5, 12, 3, 3, 6]),
        (TieBreakPolicy(forfeits_in_solkoff=True), [1 + 3 + 4, 12, 3, 2 + 5 + 1, 6]),
        (
            TieBreakPolicy(bye_opponent_score=ByeOpponentScore.OWN_SCORE),
            [1 + 5 + 4, 12, 3 + 2 + 0, 3, 4 + 1 + 5],
        ),
        (
            TieBreakPolicy(bye_opponent_score=ByeOpponentScore.MIN_POSITIVE),
            [1 + 1 + 4, 12, 3 + 1 + 0, 3, 1 + 1 + 5],
        ),
        (
            TieBreakPolicy(bye_opponent_score=ByeOpponentScore.MIN_POSITIVE, credit_absences=True),
            [1 + 1 + 4, 12, 3 + 1 + 1, 2 + 1 + 1, 1 + 1 + 5],
        ),
        # before the round + (win - taken) + a draw for each later round
        (
            TieBreakPolicy(bye_opponent_score=ByeOpponentScore.VIRTUAL),
            [1 + (2 + 0 + 1) + 4, 12, 3 + (1 + 1 + 1) + 0, 3, (0 + 0 + 2) + 1 + 5],
        ),
    ],
)
def test_the_section_chooses_what_a_round_without_a_game_gives(
    policy: TieBreakPolicy, expected: list[int]
) -> None:
    assert [value(FIVE, player, "SOLKOFF", policy) for player in range(1, 6)] == expected


def test_forfeits_and_byes_are_wins_only_by_choice() -> None:
    assert [value(FIVE, player, "WINS") for player in (1, 5)] == [1, 0]
    assert value(FIVE, 1, "WINS", TieBreakPolicy(forfeits_in_wins=True)) == 2
    assert value(FIVE, 5, "WINS", TieBreakPolicy(byes_in_wins=True)) == 1


def test_a_ruling_on_points_reaches_the_opponents_only_by_choice() -> None:
    event = replace(FIVE, adjustments=(Adjustment(player=5, points=-1, after_round=3),))

    assert value(event, 1, "SOLKOFF") == 1 + 0 + 3
    assert value(event, 1, "SOLKOFF", TieBreakPolicy(adjustments_in_solkoff=False)) == 1 + 0 + 4
    row = compute(event, tiebreaks=[]).row(5)
    assert (row.points, row.adjustment) == (3, -1)
    assert compute(event, tiebreaks=[], after_round=2).row(5).adjustment == 0


def test_plus_draws_are_balanced_by_colour() -> None:
    event = replace(tournament(2, "1-2:=", "2-1:="), scheme=PLUS)
    first, second = event.rounds
    first = replace(first, boards=(replace(first.boards[0], grade="1+1-"),))
    second = replace(second, boards=(replace(second.boards[0], grade="1+1-"),))

    one = compute(replace(event, rounds=(first,)), tiebreaks=["PLUS_DRAWS"])
    two = compute(replace(event, rounds=(first, second)), tiebreaks=["PLUS_DRAWS"])

    assert [only(one.row(player)) for player in (1, 2)] == [1, -1]
    assert [only(two.row(player)) for player in (1, 2)] == [0, 0]
    assert [row.points for row in two.rows] == [2, 2]


# Direct encounter -----------------------------------------------------------------------------------------------


def test_direct_encounter_of_three_who_have_all_met() -> None:
    # 1, 2, 3 have 4 points each; among them 1 beat 2, 2 beat 3, 1 drew 3: 3, 2, 1
    event = tournament(4, "1-2:1 3-4:1", "2-3:1 4-1:=", "1-3:= 2-4:1", "3-4:= 1-2:x")
    table = compute(event, tiebreaks=["DIRECT"])

    assert [(row.number, row.points, only(row)) for row in table.rows[:3]] == [
        (1, 4, 3),
        (2, 4, 2),
        (3, 4, 1),
    ]
    assert [row.separated_by for row in table.rows] == ["", "DIRECT", "DIRECT", "POINTS"]


def test_direct_encounter_of_three_who_have_not_all_met_separates_nobody() -> None:
    # 1 beat 2, 2 beat 3, but 1 and 3 never met; all three have 3 points
    event = tournament(6, "1-2:1 3-4:1 5-6:=", "2-3:1 1-5:= 4-6:=", "2-5:= 3-6:= 1-4:0")
    points = {row.number: row.points for row in compute(event, tiebreaks=[]).rows}
    assert [points[player] for player in (1, 2, 3)] == [3, 3, 3]

    tied = compute(event, tiebreaks=["DIRECT"])

    assert {row.number: row.rank for row in tied.rows if row.points == 3}[1] == 1
    assert all(row.rank == 1 and row.shared and only(row) is None for row in tied.rows if row.points == 3)


def test_direct_encounter_on_what_was_played_when_the_section_says_so() -> None:
    event = tournament(4, "1-2:1 3-4:0", "2-3:1 4-1:1", "1-4:x 2-3:x")

    table = compute(event, tiebreaks=["DIRECT"], policy=TieBreakPolicy(direct=DirectRule.ANY))

    assert [(row.number, row.points, only(row)) for row in table.rows] == [
        (4, 4, None),
        (1, 2, 2),
        (2, 2, 0),
        (3, 0, None),
    ]


def test_direct_encounter_of_two_who_met_twice_adds_both_games() -> None:
    # 1 and 2: a win for 1 and a draw, 3 : 1; both end with 5 points
    event = tournament(3, "1-2:1 3:Z", "2-1:= 3:Z", "2-3:1 1:Z", "3-1:= 2:Z", "1-3:= 2:Z", "3-2:1 1:Z")
    event = replace(event, adjustments=(Adjustment(player=2, points=2, after_round=6),))

    table = compute(event, tiebreaks=["DIRECT"])

    assert [(row.number, row.points, only(row)) for row in table.rows[:2]] == [
        (1, 5, 3),
        (2, 5, 1),
    ]
    assert table.rows[1].separated_by == "DIRECT"


def test_direct_encounter_asks_again_among_those_it_leaves_tied() -> None:
    # Among 1, 2, 3, 4 (all met): 1 has 4 and 2, 3, 4 have 2, 3, 3; of 3 and 4 the game between them decides
    event = tournament(4, "1-2:1 3-4:1", "1-3:1 2-4:=", "4-1:1 2-3:=")
    even = {1: 2, 2: 4, 3: 3, 4: 3}
    event = replace(
        event,
        adjustments=tuple(Adjustment(player=p, points=even[p], after_round=3) for p in even),
    )

    table = compute(event, tiebreaks=["DIRECT"])

    assert [(row.number, row.points, only(row)) for row in table.rows] == [
        (1, 6, 4),
        (3, 6, 3),
        (4, 6, 3),
        (2, 6, 2),
    ]
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]


def test_direct_encounter_takes_a_forfeit_as_played_unless_the_section_says_no() -> None:
    event = tournament(2, "1-2:+")
    event = replace(event, adjustments=(Adjustment(player=2, points=2, after_round=1),))

    assert [row.rank for row in compute(event, tiebreaks=["DIRECT"]).rows] == [1, 2]
    strict = TieBreakPolicy(forfeits_in_direct=False)
    assert [row.rank for row in compute(event, tiebreaks=["DIRECT"], policy=strict).rows] == [1, 1]


def test_score_against_the_strongest_is_compared_from_the_top() -> None:
    # 2 and 3 have 3 points each; 2 drew the winner, 3 lost to him but did better below
    event = tournament(4, "1-2:= 3-4:1", "1-3:1 2-4:=", "1-4:1 2-3:=")

    table = compute(event, tiebreaks=["VS_STRONGEST"])

    assert [(row.number, row.points) for row in table.rows] == [(1, 5), (2, 3), (3, 3), (4, 1)]
    assert [only(row) for row in table.rows[1:3]] == [(1, 1, 1), (0, 1, 2)]


# Koya ------------------------------------------------------------------------------------------------------------

KOYA = json.loads((Path(__file__).resolve().parents[1] / "golden/tiebreaks/koya.json").read_text("utf-8"))


def published_round_robin() -> Tournament:
    """The published cross table, by Berger's rounds."""
    rows = KOYA["cross_table"]
    lines = []
    for round_ in schedule(len(rows), double=False):
        games = [(b.white, b.black) for b in round_.boards if b.black is not None]
        rests = [b.white for b in round_.boards if b.black is None]
        lines.append(
            " ".join([f"{w}-{b}:{rows[w - 1][b - 1]}" for w, b in games] + [f"{n}:Z" for n in rests])
        )
    return tournament(len(rows), *lines)


def test_koya_is_that_of_the_published_table() -> None:
    event = published_round_robin()

    table = compute(event, tiebreaks=["KOYA"])

    assert [table.row(n).points for n in range(1, 8)] == KOYA["points"]
    assert [only(table.row(n)) for n in range(1, 8)] == KOYA["koya"]
    assert [row.number for row in table.rows] == [1, 2, 3, 4, 5, 6, 7]
    opened = working(event, 4, "KOYA")
    assert {line.opponent: (line.gave, line.counted, line.reason) for line in opened.lines} == {
        0: (0, False, "absent"),
        1: (0, True, "counted"),
        2: (1, True, "counted"),
        3: (1, True, "counted"),
        5: (2, False, "under-half"),
        6: (2, False, "under-half"),
        7: (2, False, "under-half"),
    }


def test_koya_counts_an_opponent_with_just_half_of_his_points_and_leaves_annulled_games_out() -> None:
    # 2 has 3 points of 3 games, 3 has 2 of 2 (the game with 4 is annulled), 4 has 1 of 2
    event = tournament(4, "1-2:1 3-4:x", "2-3:= 4-1:=", "1-3:= 2-4:1")

    assert [value(event, player, "KOYA") for player in (1, 2, 3, 4)] == [2 + 1, 0 + 1, 1 + 1, 1 + 0]


# Workings and the registry ---------------------------------------------------------------------------------------


def random_event(seed: int, players: int = 9, played: int = 5) -> Tournament:
    chance = random.Random(seed)
    lines = []
    for _ in range(played):
        order = list(range(1, players + 1))
        chance.shuffle(order)
        line = []
        while len(order) > 1:
            if chance.random() < 0.15:
                line.append(f"{order.pop()}:{chance.choice('UHZ')}")
                continue
            code = chance.choice(["1", "0", "=", "1", "0", "=", "+", "-", "--", "00", "?", "x"])
            line.append(f"{order.pop()}-{order.pop()}:{code}")
        lines.append(" ".join(line))
    ratings = [chance.choice([0, 1500 + chance.randrange(900)]) for _ in range(players)]
    return tournament(players, *lines, ratings=ratings)


POLICIES = [
    TieBreakPolicy(),
    TieBreakPolicy(forfeits_in_solkoff=True, forfeits_in_wins=True, byes_in_wins=True),
    TieBreakPolicy(bye_opponent_score=ByeOpponentScore.VIRTUAL, credit_absences=True),
]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", range(5))
def test_the_lines_of_a_working_add_up_to_the_value(seed: int, policy: TieBreakPolicy) -> None:
    event = random_event(seed)

    for code in SCALARS:
        for player in range(1, 10):
            opened = working(event, player, code, policy=policy)
            assert opened.value == value(event, player, code, policy)
            assert sum(line.gave for line in opened.lines if line.counted) == opened.value, code


@pytest.mark.parametrize("seed", range(5))
def test_the_working_of_a_mean_and_of_lists_adds_up(seed: int) -> None:
    event = random_event(seed)

    for player in range(1, 10):
        for code in ("ARO", "PERFORMANCE"):
            opened = working(event, player, code)
            counted = [line.gave for line in opened.lines if line.counted]
            assert opened.value == (Fraction(sum(counted), len(counted)) if counted else 0)
        opened = working(event, player, "SOLKOFF_TRUNC_FULL")
        total = [
            sum(line.gave for line in opened.lines if not line.dropped or line.dropped > step)
            for step in range(1, 5)
        ]
        assert tuple(total) == opened.value


def test_the_working_names_who_gave_what_and_why_it_is_left_out() -> None:
    opened = working(FIVE, 1, "SOLKOFF_MEDIAN")

    assert [(line.round, line.opponent, line.gave, line.counted, line.reason) for line in opened.lines] == [
        (1, 2, 1, True, "opponent"),
        (2, 4, 0, False, "lowest"),
        (3, 5, 4, False, "highest"),
    ]


def test_the_working_of_direct_encounter_names_the_tied() -> None:
    event = tournament(4, "1-2:1 3-4:1", "2-3:1 4-1:=", "1-3:= 2-4:1")

    opened = working(event, 2, "DIRECT", tiebreaks=["DIRECT", "SB"])

    assert opened.tied == (1, 2)
    assert [(line.round, line.opponent, line.gave, line.counted) for line in opened.lines] == [
        (1, 1, 0, True)
    ]


def test_every_tie_break_can_be_computed_and_opened() -> None:
    event = random_event(11)

    for code in TIEBREAKS:
        assert working(event, 1, code, fouls={1: 2}, lot_seed=5).code == code


def test_codes_are_found_in_any_case_and_an_unknown_one_is_refused_with_the_list() -> None:
    assert find("solkoff").code == "SOLKOFF"
    assert find("WINS_BLACK").code == "wins_black"
    assert find("solkoff_trunc_3").code == "SOLKOFF_TRUNC_3"
    for wrong in ("BUCHHOLZ", "SOLKOFF_TRUNC_0", "SOLKOFF_TRUNC_", ""):
        with pytest.raises(UnknownTieBreak, match="expected one of SOLKOFF, "):
            find(wrong)


def test_every_tie_break_says_what_it_is_and_where_it_comes_from() -> None:
    for code, tiebreak in TIEBREAKS.items():
        assert tiebreak.code == code
        assert tiebreak.label and tiebreak.formula and tiebreak.source


@pytest.mark.parametrize("seed", range(20))
def test_values_agree_with_a_plain_count_over_the_boards(seed: int) -> None:
    event = random_event(seed)
    win = {Outcome.WHITE: (2, 0), Outcome.DRAW: (1, 1), Outcome.BLACK: (0, 2), Outcome.BOTH_LOSE: (0, 0)}
    other = {Outcome.WHITE_FORFEITS: (0, 2), Outcome.BLACK_FORFEITS: (2, 0), Outcome.BYE: (2, 0)}
    other[Outcome.HALF_BYE] = (1, 0)
    points = dict.fromkeys(range(1, 10), 0)
    met: list[tuple[int, int, int]] = []  # player, opponent, taken
    for round_ in event.rounds:
        for board in round_.boards:
            white, black = {**win, **other}.get(board.outcome, (0, 0))
            points[board.white] += white
            if board.black is not None:
                points[board.black] += black
            if board.outcome in win and board.black is not None:
                met += [(board.white, board.black, white), (board.black, board.white, black)]

    table = compute(event, tiebreaks=["SOLKOFF", "SB", "WINS", "games_black"])

    for row in table.rows:
        mine = [(opponent, taken) for player, opponent, taken in met if player == row.number]
        assert row.points == points[row.number]
        assert row.values["SOLKOFF"] == sum(points[opponent] for opponent, _ in mine)
        assert row.values["SB"] == sum(points[opponent] * taken for opponent, taken in mine)
        assert row.values["WINS"] == sum(taken == 2 for _, taken in mine)
        assert (row.played, row.wins + row.draws + row.losses) == (len(mine), len(mine))
    keys = [(-row.points, [-int(str(value)) for value in row.values.values()]) for row in table.rows]
    assert keys == sorted(keys)
