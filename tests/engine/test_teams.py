"""Team events: line-ups, colours by board, match points, team Swiss and round robin, sums of places."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.engine.builders import tournament
from tournaments.engine.standings import compute
from tournaments.engine.teams import (
    Team,
    TeamEvent,
    TeamMatch,
    board_points_of,
    lineup_faults,
    match_outcome,
    match_score,
    mean_places,
    place_sums,
    seat,
)
from tournaments.engine.types import STANDARD, Board, Outcome

TEAMS = tuple(
    Team(number=number, name=f"Team {number}", members=tuple(range(10 * number + 1, 10 * number + 6)))
    for number in range(1, 6)
)


def faults(*lineup: int | None) -> list[tuple[str, int]]:
    return [(fault.code, fault.board) for fault in lineup_faults(TEAMS[0], lineup, boards=4)]


def test_line_ups_keep_the_order_of_the_list() -> None:
    assert faults(11, 12, 13, 14) == []
    assert faults(11, 13, 14, 15) == []
    assert faults(11, 12, 13, None) == []
    assert faults(12, 11, 13, 14) == [("order", 2)]
    assert faults(11, 15, 13, 14) == [("order", 3), ("order", 4)]
    assert faults(11, 11, 12, 13) == [("twice", 2)]
    assert faults(11, None, 12, 13) == [("gap", 3), ("gap", 4)]
    assert faults(11, 21, 12, 13) == [("unknown-member", 2)]
    assert faults(11, 12, 13, 14, 15) == [("too-many", 5)]


def test_first_team_has_white_on_odd_boards_and_an_empty_board_is_a_forfeit() -> None:
    games = seat((11, 12, 13, None), (21, None, 23, None), boards=4)

    assert [(game.number, game.white, game.black, game.outcome) for game in games] == [
        (1, 11, 21, Outcome.UNPLAYED),
        (2, 0, 12, Outcome.WHITE_FORFEITS),
        (3, 13, 23, Outcome.UNPLAYED),
        (4, 0, 0, Outcome.BOTH_FORFEIT),
    ]


def match(round_: int, number: int, first: int, second: int | None, *outcomes: Outcome) -> TeamMatch:
    games: tuple[Board, ...] = ()
    if second is not None:
        ours = tuple(10 * first + board for board in range(1, 5))
        theirs = tuple(10 * second + board for board in range(1, 5))
        games = tuple(
            replace(game, outcome=outcome)
            for game, outcome in zip(seat(ours, theirs, boards=4), outcomes, strict=True)
        )
    return TeamMatch(round=round_, number=number, first=first, second=second, games=games)


W, D, B = Outcome.WHITE, Outcome.DRAW, Outcome.BLACK


@pytest.mark.parametrize(
    ("outcomes", "score", "outcome"),
    [
        ((W, W, W, W), (4, 4), D),
        ((W, B, W, B), (8, 0), W),
        ((D, D, D, W), (3, 5), B),
        ((W, D, Outcome.WHITE_FORFEITS, D), (4, 4), D),
        (
            (Outcome.BLACK_FORFEITS, Outcome.WHITE_FORFEITS, Outcome.BLACK_FORFEITS, Outcome.WHITE_FORFEITS),
            (8, 0),
            Outcome.BLACK_FORFEITS,
        ),
        ((Outcome.BOTH_FORFEIT,) * 4, (0, 0), Outcome.BOTH_FORFEIT),
        ((W, W, W, Outcome.UNPLAYED), (4, 2), Outcome.UNPLAYED),
    ],
)
def test_match_points_go_by_the_majority_of_board_points(
    outcomes: tuple[Outcome, ...], score: tuple[int, int], outcome: Outcome
) -> None:
    played = match(1, 1, 1, 2, *outcomes)

    assert match_score(played, STANDARD) == score
    assert match_outcome(played, STANDARD) is outcome


def test_standings_of_teams_go_by_match_points_then_board_points() -> None:
    matches = (
        match(1, 1, 1, 2, W, B, W, B),  # 8-0
        match(1, 2, 3, 4, D, D, D, B),  # 5-3
        match(1, 3, 5, None),
    )
    points = board_points_of(TeamEvent(teams=TEAMS, boards=4, matches=matches))

    table = compute(tournament(5, "1-2:1 3-4:1 5:U"), tiebreaks=["BOARD_POINTS"], board_points=points)

    assert [match_outcome(each, STANDARD) for each in matches] == [W, W, Outcome.BYE]
    assert points == {1: 8, 2: 0, 3: 5, 4: 3, 5: 4}
    assert [(row.number, row.points, row.values["BOARD_POINTS"]) for row in table.rows] == [
        (1, 2, 8),
        (3, 2, 5),
        (5, 2, 4),
        (4, 0, 3),
        (2, 0, 0),
    ]
    assert table.rows[1].separated_by == "BOARD_POINTS"


def test_a_rest_gives_no_board_points() -> None:
    rest = TeamMatch(round=1, number=0, first=5, second=None, bye=Outcome.ZERO_BYE)

    points = board_points_of(TeamEvent(teams=TEAMS, boards=4, matches=(rest,)))

    assert points == dict.fromkeys(range(1, 6), 0)


def test_sums_of_places_count_the_best_and_ties_go_by_the_best_single_place() -> None:
    teams = [
        Team(number=1, members=(1, 6, 7)),  # 1 + 6 = 7
        Team(number=2, members=(2, 5, 8)),  # 2 + 5 = 7: same sum, worse best place
        Team(number=3, members=(3, 4)),  # 3 + 4 = 7, worse still
        Team(number=4, members=(9,)),  # 9 + the place after the last (10)
    ]

    rows = place_sums({place: place for place in range(1, 10)}, teams, counted=2)

    assert [(row.rank, row.team, row.total) for row in rows] == [(1, 1, 7), (2, 2, 7), (3, 3, 7), (4, 4, 19)]
    assert rows[3].places == (9, 10)


def test_shared_places_count_by_their_mean_and_equal_teams_share() -> None:
    places = mean_places({1: 1, 3: 1, 2: 3, 4: 3})
    rows = place_sums(places, [Team(number=1, members=(1, 2)), Team(number=2, members=(3, 4))], counted=2)

    assert places == {1: Fraction(3, 2), 3: Fraction(3, 2), 2: Fraction(7, 2), 4: Fraction(7, 2)}
    assert [(row.rank, row.total) for row in rows] == [(1, 5), (1, 5)]


def test_three_who_share_places_have_the_one_in_the_middle() -> None:
    assert mean_places({1: 1, 2: 2, 3: 2, 4: 2}) == {1: 1, 2: 3, 3: 3, 4: 3}
