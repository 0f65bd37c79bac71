"""Report files of teams become sections of teams: line-ups, boards, forfeits, byes, or a sentence with the line."""

from __future__ import annotations

import pytest
from django.utils import translation

from tests.tournaments import builders as b
from tournaments.audit import SYSTEM
from tournaments.engine import trf
from tournaments.errors import BadInput
from tournaments.models import Event, Section
from tournaments.selectors import matches
from tournaments.services.trf_import import import_trf

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return Event.objects.create(code="e", name="团体赛", state=Event.State.OPEN)


def player(number: int, *cells: str) -> str:
    head = f"001 {number:>4} m    {f'Player {number}':<33} {2400 - number:>4} CHN {'':>11} {'':>10} {'':>4} {'':>4}"
    return head + "".join(f"  {cell:<8}" for cell in cells)


def team(number: int, name: str, points: str, *members: int) -> str:
    return f"310 {number:>3} {name:<32} {'':>5} {2000:>6} {points:>6} {'':>6} {'':>3}  " + " ".join(
        f"{m:>4}" for m in members
    )


PLAYERS = (
    player(1, "   4 w 1", "   7 b 0", "0000 - U"),
    player(2, "   5 b =", "0000 - -", "0000 - U"),
    player(3, "0000 - -", "   8 w 1", "0000 - -"),
    player(4, "   1 b 0", "0000 - U", "   7 w +"),
    player(5, "   2 w =", "0000 - U", "   8 b 1"),
    player(7, "0000 - U", "   1 w 1", "   4 b -"),
    player(8, "0000 - U", "   3 b 0", "   5 w 0"),
)
TEAMS = (team(1, "Beijing", "4.0", 1, 2, 3), team(2, "上海", "4.0", 4, 5), team(3, "Chengdu", "4.0", 7, 8))


def file(*lines: str, teams: tuple[str, ...] = TEAMS, players: tuple[str, ...] = PLAYERS) -> bytes:
    records = (
        "012 Teams",
        "142 3",
        "162  W 1.0    D 0.5    L 0.0    P 5.0",
        "192 FIDE_TEAM_BAKU",
        "352 WB",
        "362 TW 2     TD 1     TL 0",
    )
    return "\r\n".join((*records, *players, *teams, *lines, "")).encode()


PAB = "320  2.0  1.0   3   2   1"


def points(section: Section) -> dict[str, tuple[int, int]]:
    b.work_all(section)
    table = section.standings.order_by("-after_round").first()
    assert table is not None
    names = dict(section.entries.values_list("number", "player__name"))
    return {names[row["number"]]: (row["points"], row["values"]["BOARD_POINTS"]) for row in table.rows}


def test_a_file_of_teams_becomes_their_section(event: Event) -> None:
    done = import_trf(SYSTEM, event.pk, file(PAB))

    section = done.section
    assert (section.format, section.team_boards, section.preset) == ("TEAM_ROUND_ROBIN", 2, "TEAM")
    assert [str(m) for m in section.entries.get(number=1).members.order_by("position")] == [
        "Player 1", "Player 2", "Player 3",
    ]  # fmt: skip
    first = matches.public_matches(section, 1)[0]
    assert [(str(g.first), str(g.second), g.outcome) for g in first.games] == [
        ("Player 1", "Player 4", "WHITE"),
        ("Player 2", "Player 5", "DRAW"),
    ]
    second = matches.public_matches(section, 2)[0]
    assert [(str(g.first), str(g.second), g.outcome) for g in second.games] == [
        ("Player 7", "Player 1", "WHITE"),
        ("Player 8", "Player 3", "WHITE"),
    ]
    assert points(section) == {"Beijing": (5, 3 + 2 + 2), "上海": (4, 1 + 2 + 4), "Chengdu": (3, 2 + 2 + 0)}
    assert {left.what for left in done.left_out} == {"line", "match points"}


def test_the_order_of_a_round_and_forfeited_matches_are_read(event: Event) -> None:
    players = (
        player(1, "0000 - -", "0000 - +"),
        player(2, "   5 w 1", "0000 - +"),
        player(3, "   4 b =", "0000 - -"),
        player(4, "   3 w =", "0000 - -"),
        player(5, "   2 b 0", "0000 - -"),
    )
    teams = ("013 Beijing" + " " * 25 + "   1    2    3", "013 Shanghai" + " " * 24 + "   4    5")
    content = file(
        "300   1   1   2    2    3",
        "300   1   2   1    5    4",
        "330 +-   2   1   2",
        teams=teams,
        players=players,
    )

    section = import_trf(SYSTEM, event.pk, content, name="队").section

    assert section.format == "TEAM_SWISS"
    first = matches.public_matches(section, 1)[0]
    assert [(str(g.first), str(g.second), g.outcome) for g in first.games] == [
        ("Player 2", "Player 5", "WHITE"),
        ("Player 3", "Player 4", "DRAW"),
    ]
    assert section.rounds.get(number=2).pairings.get().outcome == "BLACK_FORFEITS"
    assert points(section) == {"Beijing": (4, 3), "Shanghai": (0, 1)}


def test_an_empty_chair_is_lost_and_byes_count_as_the_file_says(event: Event) -> None:
    players = (
        player(1, "   4 w 1", "0000 - F"),
        player(2, "0000 - -", "0000 - -"),
        player(4, "   1 b 0", "0000 - U"),
        player(5, "0000 - +", "0000 - U"),
    )
    teams = (team(1, "Beijing", "3.0", 1, 2), team(2, "Shanghai", "2.0", 4, 5))
    content = file("240 F   2    1", "320  1.0  1.0 000   2", teams=teams, players=players)

    done = import_trf(SYSTEM, event.pk, content)

    (match,) = matches.public_matches(done.section, 1)
    assert [(game.outcome, game.first is None) for game in match.games] == [
        ("WHITE", False),
        ("BLACK_FORFEITS", True),
    ]
    assert {name: found[0] for name, found in points(done.section).items()} == {"Beijing": 3, "Shanghai": 2}
    assert [left.what for left in done.left_out if left.what != "line"] == []


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (file(teams=("310   1 Beijing" + " " * 57 + "  99",)), "99"),
        (file(teams=(team(1, "A", "0.0", 1, 2), team(2, "B", "0.0", 2))), "2"),
        (file("362 TW 3"), "counts 2, 1, 0"),
        (file("162  W 3.0    D 1.0"), "counts 2, 1, 0"),
        (file("330 ++   1   1   2"), "330"),
        (file(players=(player(1, "   2 w 1"), *PLAYERS[1:])), "“2” names no player"),
        (
            b"012 x\n192 FIDE_TEAM_BAKU\n250  2          1   1    1    2\n" + player(1).encode(),
            "names no teams",
        ),
    ],
)
def test_what_is_no_file_of_teams_is_refused_with_a_sentence(event: Event, content: bytes, says: str) -> None:
    with translation.override("en"), pytest.raises(BadInput) as told:
        import_trf(SYSTEM, event.pk, content)
    assert says in told.value.values["reason"]
    assert not event.sections.exists()


def test_the_engine_says_where_such_a_file_is_read() -> None:
    with pytest.raises(trf.TrfError, match="import_trf"):
        trf.read(file(PAB, "250  2.0      001 001 0001 0002").decode())
