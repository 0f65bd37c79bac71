"""What the odds of a reconstructed game are made of: the writer's errors and the players' habits."""

from __future__ import annotations

from math import exp
from random import Random

import pytest

import rules
from rules import ChangeKind
from rules.habit import move_costs
from rules.misreading import cost_of
from rules.moves import raw_captures, raw_quiet_moves
from tests.rules.damage import damaged, played_game


@pytest.mark.parametrize(
    "fen", ["W:W27,28,32,38:B16,18,19,24", "B:W27,K28,32,38:BK16,18,19,K24", "W:WK46:BK5,13"]
)
def test_the_odds_of_all_moves_make_one(fen: str) -> None:
    position = rules.Position.from_fen(fen)
    moves = sorted(raw_captures(position) or raw_quiet_moves(position))
    before = (moves[0], moves[-1])

    for costs in (move_costs(position, moves), move_costs(position, moves, before)):
        assert sum(exp(-cost) for cost in costs.values()) == pytest.approx(1)


def test_a_move_forced_costs_nothing() -> None:
    position = rules.Position.from_fen("W:W28:B23,1")
    moves = list(raw_captures(position))

    assert list(move_costs(position, moves).values()) == [0.0]


def test_players_do_not_give_men_away() -> None:
    position = rules.Position.from_fen("W:W27,32,37,38,43,48:B12,13,16,18,19,24")
    costs = {
        (rules.board.SQUARE[raw[0]], rules.board.SQUARE[raw[1]]): cost
        for raw, cost in move_costs(position, sorted(raw_quiet_moves(position))).items()
    }

    assert costs[27, 22] > costs[32, 28] + 1  # 18x36 takes two men for one


def test_both_sides_are_judged_alike() -> None:
    white = rules.Position.from_fen("W:W27,32,37,38,43,48:B12,13,16,18,19,24")
    black = rules.Position.from_fen("B:W39,38,35,33,32,27:B24,19,14,13,8,3")

    assert sorted(move_costs(white, sorted(raw_quiet_moves(white))).values()) == pytest.approx(
        sorted(move_costs(black, sorted(raw_quiet_moves(black))).values())
    )


def test_a_digit_taken_for_one_like_it_is_likelier_than_another() -> None:
    alike, other = cost_of(38, 33, False, "33-33"), cost_of(38, 33, False, "34-33")

    assert alike[1] is other[1] is ChangeKind.DIGIT
    assert 0 < alike[0] < other[0] - 2


def test_a_number_that_is_no_square_is_seldom_written() -> None:
    seldom, often = cost_of(17, 21, False, "77-21")[0], cost_of(17, 21, False, "47-21")[0]

    assert seldom > often + 1


@pytest.mark.parametrize("seed", range(3))
def test_shares_are_odds(seed: int) -> None:
    found = rules.reconstruct([damaged(played_game(seed + 60, 40), errors=3, chance=Random(seed))])

    assert sum(game.share for game in found.games) <= 1 + 1e-9
    assert [game.share for game in found.games] == sorted((game.share for game in found.games), reverse=True)
    assert found.best is not None
    assert found.confidence <= found.best.share


def test_a_copy_alone_with_errors_may_lack_its_last_move_too() -> None:
    moves = played_game(3, 40)
    assert rules.validate(rules.Sheet(moves=tuple(moves))).final is rules.Final.OPEN
    twice = [*moves[:10], moves[9], *moves[10:]]

    alone, both = rules.reconstruct([twice]), rules.reconstruct([twice, moves])

    assert alone.best is not None
    assert list(alone.best.moves) == moves
    assert alone.confidence < alone.best.share - 0.002
    assert both.confidence > 0.999
