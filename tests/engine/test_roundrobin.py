"""Berger tables: the printed tables, and what they promise for every number of players."""

from collections import Counter
from itertools import combinations

import pytest

from tests.engine.builders import tournament
from tournaments.engine import roundrobin
from tournaments.engine.policies import ByeOpponentScore, TieBreakPolicy
from tournaments.engine.standings import compute
from tournaments.engine.types import Board, Colour, InvalidState, Outcome, Round, Tournament

EIGHT = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""
SIX = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
FIVE = """
2-5 3-4
5-3 1-2
3-1 4-5
1-4 2-3
4-2 5-1
"""


def shown(rounds: tuple[Round, ...]) -> str:
    lines = [
        " ".join(f"{board.white}-{board.black}" for board in round_.boards if board.black is not None)
        for round_ in rounds
    ]
    return "\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize(("n", "table"), [(8, EIGHT), (6, SIX), (5, FIVE)])
def test_printed_tables(n: int, table: str) -> None:
    assert shown(roundrobin.schedule(n, double=False)) == table


def test_rests_of_an_odd_number_are_boards_without_points() -> None:
    rests = [
        board
        for round_ in roundrobin.schedule(5, double=False)
        for board in round_.boards
        if board.black is None
    ]

    assert [board.white for board in rests] == [1, 4, 2, 5, 3]
    assert {(board.number, board.outcome) for board in rests} == {(0, Outcome.ZERO_BYE)}


def colours(rounds: tuple[Round, ...], player: int) -> list[Colour | None]:
    row: list[Colour | None] = []
    for round_ in rounds:
        seat = next(board for board in round_.boards if player in (board.white, board.black))
        row.append(None if seat.black is None else Colour.WHITE if seat.white == player else Colour.BLACK)
    return row


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", range(2, 31))
def test_everybody_meets_everybody_with_even_colours(n: int, double: bool) -> None:
    rounds = roundrobin.schedule(n, double=double)

    met = Counter(
        frozenset((board.white, board.black))
        for round_ in rounds
        for board in round_.boards
        if board.black is not None
    )
    assert met == Counter({frozenset(pair): 2 if double else 1 for pair in combinations(range(1, n + 1), 2)})
    assert [round_.number for round_ in rounds] == list(
        range(1, roundrobin.rounds_needed(n, double=double) + 1)
    )
    for player in range(1, n + 1):
        row = colours(rounds, player)
        balance = row.count(Colour.WHITE) - row.count(Colour.BLACK)
        assert abs(balance) <= (0 if double else n % 2 == 0)
        assert row.count(None) == (n % 2) * (2 if double else 1)


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", range(3, 31))
def test_nobody_has_one_colour_in_three_rounds_running(n: int, double: bool) -> None:
    rounds = roundrobin.schedule(n, double=double)

    for player in range(1, n + 1):
        played = [colour for colour in colours(rounds, player) if colour is not None]
        assert all(len(set(played[at : at + 3])) > 1 for at in range(len(played) - 2)), player


@pytest.mark.parametrize("n", range(2, 21))
def test_the_second_game_of_a_pair_has_the_colours_reversed(n: int) -> None:
    rounds = roundrobin.schedule(n, double=True)
    games = [(b.white, b.black) for round_ in rounds for b in round_.boards if b.black is not None]

    assert Counter(games) == Counter({(a, b): 1 for a in range(1, n + 1) for b in range(1, n + 1) if a != b})


def test_too_few_players_are_refused() -> None:
    with pytest.raises(InvalidState):
        roundrobin.schedule(1, double=False)


def test_a_schedule_over_table_numbers_becomes_one_over_players() -> None:
    rounds = roundrobin.renumbered(roundrobin.schedule(3, double=False), {1: 30, 2: 20, 3: 10})

    assert shown(rounds) == "\n20-10\n30-20\n10-30\n"


@pytest.mark.parametrize("rule", ByeOpponentScore)
def test_a_rest_is_neutral_in_the_standings(rule: ByeOpponentScore) -> None:
    # All games drawn: nobody may be ahead because of when he rested.
    rounds = roundrobin.schedule(5, double=False)
    line = [
        " ".join(f"{b.white}-{b.black}:=" if b.black is not None else f"{b.white}:Z" for b in round_.boards)
        for round_ in rounds
    ]
    event: Tournament = tournament(5, *line)

    table = compute(
        event,
        tiebreaks=["WINS", "DIRECT", "SB", "SOLKOFF", "SOLKOFF_TRUNC_FULL"],
        policy=TieBreakPolicy(bye_opponent_score=rule, byes_in_wins=True),
    )

    assert [(row.points, row.rank, row.rank_to) for row in table.rows] == [(4, 1, 5)] * 5


def test_without_the_exchange_of_two_rounds_somebody_would_have_three_equal_colours() -> None:
    single = roundrobin.schedule(6, double=False)
    turned = tuple(
        Round(
            number=round_.number + 5,
            boards=tuple(Board(number=b.number, white=b.black or 0, black=b.white) for b in round_.boards),
        )
        for round_ in single
    )

    worst = [
        player
        for player in range(1, 7)
        if any(len(set(colours(single + turned, player)[at : at + 3])) == 1 for at in range(8))
    ]

    assert worst
