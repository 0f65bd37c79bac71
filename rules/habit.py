"""What players are likely to play: the odds of each legal move of a position.

A conditional logit: a move has a few features (its squares by phase of the game, what stands around them, what the
captures that follow leave on the board), each feature a weight, and the odds of a move go with the exponential of the
sum. The weights were fitted to tournament games by gradient ascent on the likelihood of the move played among the legal
ones, with a quadratic penalty of 4 and rounded to fiftieths; on games kept apart a move costs 1.73 on average,
where equal odds cost 2.21.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from rules.board import BIT, SQUARE, Position
from rules.habit_weights import (
    AHEAD,
    AROUND_DESTINATION,
    AROUND_ORIGIN,
    BY_KING,
    DESTINATION,
    ORIGIN,
    SCALE,
    WORSE,
)
from rules.moves import RawMove, play_raw, raw_captures

_KING_WORTH = 3
_DEEPEST = 14
_NODES = 400  # a long chain of captures between kings is judged by what stands where the count runs out


def _neighbours() -> dict[int, tuple[int, int, int, int]]:
    table = {}
    for square in range(1, 51):
        row, column = divmod(square - 1, 5)
        line = 2 * column + (row % 2 == 0)
        found = []
        for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            y, x = row + down, line + right
            found.append(BIT[y * 5 + x // 2 + 1] if 0 <= y < 10 and 0 <= x < 10 else 0)
        table[BIT[square]] = (found[0], found[1], found[2], found[3])
    return table


_AROUND = _neighbours()
_AROUND_FOR_BLACK = {bit: (d, c, b, a) for bit, (a, b, c, d) in _AROUND.items()}
"""The squares ahead left, ahead right, behind left and behind right of the side to move; 0 off the board."""


def move_costs(position: Position, moves: Sequence[RawMove]) -> dict[RawMove, float]:
    """For each of the legal moves the negative logarithm of its odds; one move alone costs nothing."""
    if len(moves) == 1:
        return {moves[0]: 0.0}
    base = _material(position)
    settled = [-_settled(play_raw(position, raw), _DEEPEST, [_NODES]) for raw in moves]
    best = max(settled)
    scores = [
        _placing(position, raw) + WORSE[min(best - value, 4)] + AHEAD[max(-3, min(3, value - base)) + 3]
        for raw, value in zip(moves, settled, strict=True)
    ]
    top = max(scores)
    odds = [(score - top) / SCALE for score in scores]
    whole = log(sum(exp(odd) for odd in odds))
    return {raw: whole - odd for raw, odd in zip(moves, odds, strict=True)}


def _placing(position: Position, raw: RawMove) -> int:
    """The weight of where the moved piece leaves and where it comes to stand."""
    white_men, white_kings, black_men, black_kings, white = position
    origin, destination, taken = raw
    if origin & (white_kings | black_kings):
        return BY_KING
    own, enemy = white_men | white_kings, black_men | black_kings
    if not white:
        own, enemy = enemy, own
    pieces = (own | enemy).bit_count()
    phase = 0 if pieces >= 30 else 1 if pieces >= 16 else 2
    first, last = SQUARE[origin], SQUARE[destination]
    if not white:
        first, last = 51 - first, 51 - last
    around = _AROUND if white else _AROUND_FOR_BLACK
    own ^= origin
    enemy &= ~taken
    return (
        ORIGIN[phase][first - 1]
        + DESTINATION[phase][last - 1]
        + AROUND_DESTINATION[_pattern(around[destination], own, enemy)]
        + AROUND_ORIGIN[_pattern(around[origin], own, enemy)]
    )


def _pattern(around: tuple[int, int, int, int], own: int, enemy: int) -> int:
    code = 0
    for bit in around:
        code = code * 4 + (3 if not bit else 1 if bit & own else 2 if bit & enemy else 0)
    return code


def _settled(position: Position, depth: int, budget: list[int]) -> int:
    """What the side to move is ahead by once all captures that are due have been played."""
    budget[0] -= 1
    captures = raw_captures(position)
    if not captures or depth == 0 or budget[0] < 0:
        return _material(position)
    return max(-_settled(play_raw(position, raw), depth - 1, budget) for raw in sorted(captures))


def _material(position: Position) -> int:
    white_men, white_kings, black_men, black_kings, white_to_move = position
    ahead = white_men.bit_count() - black_men.bit_count()
    ahead += _KING_WORTH * (white_kings.bit_count() - black_kings.bit_count())
    return ahead if white_to_move else -ahead
