"""What players are likely to play: the odds of each legal move of a position.

A conditional logit: a move has features (its squares by phase of the game, what stands around them and on the board,
where it lies from the moves just before, what captures follow, what it threatens and what it allows), each feature a
weight, and the odds of a move go with the exponential of the sum. The weights were fitted to tournament games on the
likelihood of the move played among the legal ones, with quadratic penalties (25 for the board, 4 for the rest), and
rounded to fiftieths; on games kept apart a move costs 1.53 on average, where equal odds cost 2.21.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from rules import habit_weights as weights
from rules.board import BIT, SQUARE, Position, squares
from rules.habit_board import BOARD
from rules.moves import RawMove, play_raw, raw_captures, raw_quiet_moves

_KING_WORTH = 3
_DEEPEST = 14
_NODES = 400  # a long chain of captures between kings is judged by what stands where the count runs out
_REPLY_NODES = 100
_FULLER = (34, 26, 16, 9)  # pieces on the board down to which each phase lasts

_Before = tuple[RawMove | None, RawMove | None]
"""The two plies before: the opponent's last, then one's own."""


class _Board(NamedTuple):
    """A position as the side to move sees it; masks stay as they are on the board."""

    white: bool
    own: int
    enemy: int
    kings: int
    phase: int
    material: int
    own_squares: tuple[int, ...]
    """As the side to move numbers them, like all squares here."""
    enemy_squares: tuple[int, ...]
    theirs: tuple[int, int] | None
    """Origin and destination of the opponent's last move."""
    ours: tuple[int, int] | None


def _place(square: int) -> tuple[int, int]:
    row, column = divmod(square - 1, 5)
    return row, 2 * column + (row % 2 == 0)


_PLACE = {square: _place(square) for square in range(1, 51)}
_SQUARE_AT = {place: square for square, place in _PLACE.items()}
_NEIGHBOURS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_NEAR = (
    *((-2, -2), (-2, 2), (2, -2), (2, 2), (-2, 0), (2, 0), (0, -2), (0, 2)),
    *((-3, -1), (-3, 1), (3, -1), (3, 1), (-1, -3), (-1, 3), (1, -3), (1, 3)),
)


def _rings(offsets: Sequence[tuple[int, int]], *, white: bool) -> dict[int, tuple[int, ...]]:
    """For the bit of each square the bits at those offsets, as the side to move sees the board; 0 off the board."""
    table = {}
    for square, (row, column) in _PLACE.items():
        seen = [_SQUARE_AT.get((row + down, column + right), 0) for down, right in offsets]
        if white:
            table[BIT[square]] = tuple(BIT[other] for other in seen)
        else:
            table[BIT[51 - square]] = tuple(BIT[51 - other] if other else 0 for other in seen)
    return table


_AROUND = {white: _rings(_NEIGHBOURS, white=white) for white in (True, False)}
_RINGS = {white: _rings(_NEAR, white=white) for white in (True, False)}


def move_costs(
    position: Position, moves: Sequence[RawMove], before: _Before = (None, None)
) -> dict[RawMove, float]:
    """For each of the legal moves the negative logarithm of its odds; one move alone costs nothing.

    `before` are the opponent's last ply and one's own last, None where the game has none.
    """
    if len(moves) == 1:
        return {moves[0]: 0.0}
    board = _board(position, before)
    after = [play_raw(position, raw) for raw in moves]
    settled = [-_settled(position, _DEEPEST, [_NODES]) for position in after]
    best = max(settled)
    scores = []
    for raw, reached, value in zip(moves, after, settled, strict=True):
        placing = _king_placing if raw[0] & board.kings else _man_placing
        scores.append(
            placing(board, raw)
            + weights.WORSE[min(best - value, 4)]
            + weights.AHEAD[_within(value - board.material, 3)]
            + _prospects(reached, _within(value - board.material, 1))
        )
    top = max(scores)
    odds = [(score - top) / weights.SCALE for score in scores]
    whole = log(sum(exp(odd) for odd in odds))
    return {raw: whole - odd for raw, odd in zip(moves, odds, strict=True)}


def _board(position: Position, before: _Before) -> _Board:
    white_men, white_kings, black_men, black_kings, white = position
    own, enemy = white_men | white_kings, black_men | black_kings
    if not white:
        own, enemy = enemy, own
    pieces = (own | enemy).bit_count()
    return _Board(
        white=white,
        own=own,
        enemy=enemy,
        own_squares=_seen_all(own, white),
        enemy_squares=_seen_all(enemy, white),
        kings=white_kings | black_kings,
        phase=sum(pieces < fuller for fuller in _FULLER),
        material=_material(position),
        theirs=_ends(before[0], white),
        ours=_ends(before[1], white),
    )


def _ends(raw: RawMove | None, white: bool) -> tuple[int, int] | None:
    return None if raw is None else (_seen(raw[0], white), _seen(raw[1], white))


def _seen(bit: int, white: bool) -> int:
    return SQUARE[bit] if white else 51 - SQUARE[bit]


def _seen_all(mask: int, white: bool) -> tuple[int, ...]:
    numbers = squares(mask)
    return numbers if white else tuple(51 - number for number in numbers)


def _within(value: int, most: int) -> int:
    """An index from 0 for a value between -most and most."""
    return max(-most, min(most, value)) + most


def _pattern(ring: tuple[int, ...], own: int, enemy: int) -> int:
    code = 0
    for state in _states(ring, own, enemy):
        code = code * 4 + state
    return code


def _states(ring: tuple[int, ...], own: int, enemy: int) -> list[int]:
    """0 empty, 1 own, 2 enemy, 3 off the board."""
    return [3 if not bit else 1 if bit & own else 2 if bit & enemy else 0 for bit in ring]


def _apart(table: Sequence[Sequence[int]], square: int, other: int) -> int:
    """The weight of where one square lies from another, up to four rows and columns."""
    row, column = _PLACE[square]
    other_row, other_column = _PLACE[other]
    return table[_within(row - other_row, 4)][_within(column - other_column, 4)]


def _man_placing(board: _Board, raw: RawMove) -> int:
    """The weight of where a man leaves and where it comes to stand."""
    origin, destination, taken = raw
    first, last = _seen(origin, board.white), _seen(destination, board.white)
    around, rings = _AROUND[board.white], _RINGS[board.white]
    own, enemy = board.own ^ origin, board.enemy & ~taken
    total = (
        (_capturing(board, first, last) if taken else _walking(board, first, last))
        + weights.AROUND_TO[_pattern(around[destination], own, enemy)]
        + weights.AROUND_FROM[_pattern(around[origin], own, enemy)]
    )
    for row, state in zip(weights.NEAR_TO, _states(rings[destination], own, enemy), strict=True):
        total += row[state]
    for row, state in zip(weights.NEAR_FROM, _states(rings[origin][:8], own, enemy), strict=True):
        total += row[state]
    if board.theirs is not None:
        left, reached = board.theirs
        total += _apart(weights.TO_FROM_THEIR_TO, last, reached)
        total += _apart(weights.FROM_FROM_THEIR_TO, first, reached)
        total += _apart(weights.FROM_FROM_THEIR_FROM, first, left)
    if board.ours is not None:
        left, reached = board.ours
        total += weights.SAME_PIECE[reached == first] + weights.FILLS[last == left]
        total += _apart(weights.TO_FROM_OWN_TO, last, reached)
    return total


def _walking(board: _Board, first: int, last: int) -> int:
    """The weight of a quiet move by what stands anywhere on the board."""
    move = 2 * (first - 1) + (_PLACE[last][1] > _PLACE[first][1])
    on_board = BOARD[move]
    total = weights.QUIET[board.phase][move]
    for square in board.own_squares:
        if square != first:
            total += on_board[square - 1]
    for square in board.enemy_squares:
        total += on_board[square + 49]
    return total


def _capturing(board: _Board, first: int, last: int) -> int:
    phase = min(board.phase, 3)
    row, column = _PLACE[last]
    first_row, first_column = _PLACE[first]
    inward = abs(2 * column - 9) < abs(2 * first_column - 9)
    return (
        weights.CAPTURE_FROM[phase][first - 1]
        + weights.CAPTURE_TO[phase][last - 1]
        + weights.CAPTURE_ROWS[_within(row - first_row, 10)]
        + weights.CAPTURE_INWARD[inward]
    )


def _king_placing(board: _Board, raw: RawMove) -> int:
    """The weight of where a king leaves and where it comes to stand."""
    origin, destination, taken = raw
    first, last = _seen(origin, board.white), _seen(destination, board.white)
    row, column = _PLACE[last]
    first_row, first_column = _PLACE[first]
    around = _pattern(_AROUND[board.white][destination], board.own ^ origin, board.enemy & ~taken)
    total = (
        weights.KING
        + weights.KING_TO[last - 1]
        + weights.KING_FROM[first - 1]
        + weights.KING_ROWS[min(abs(row - first_row), 6)]
        + weights.KING_MAIN[2 * (row + column == 9) + (first_row + first_column == 9)]
        + weights.KING_EDGE[row in {0, 9} or column in {0, 9}]
        + weights.KING_AROUND[around]
    )
    if board.theirs is not None:
        their_row, their_column = _PLACE[board.theirs[1]]
        total += weights.KING_NEAR_THEIRS[
            4 * min(abs(row - their_row), 3) + min(abs(column - their_column), 3)
        ]
    same = board.ours is not None and board.ours[1] == first
    back = same and board.ours is not None and board.ours[0] == last
    return total + weights.KING_SAME[same] + weights.KING_BACK[back]


def _prospects(position: Position, gained: int) -> int:
    """The weight of what comes after the move: the captures it offers, or what it threatens and what it allows."""
    captures = raw_captures(position)
    total = weights.OFFERS[min(len(captures), 3)][gained]
    if captures:
        return total
    passed = position._replace(white_to_move=not position.white_to_move)
    threats = raw_captures(passed)
    material = _material(position)
    gain = _settled(passed, _DEEPEST, [2 * _REPLY_NODES]) + material if threats else 0
    total += weights.THREATENS[min(len(threats), 2)][_within(gain, 2)]
    replies = raw_quiet_moves(position)
    if not replies:
        return total + weights.ALLOWS[7]
    reply = max(-_settled(play_raw(position, raw), _DEEPEST, [_REPLY_NODES]) for raw in replies)
    return total + weights.ALLOWS[_within(reply - material, 3)]


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
