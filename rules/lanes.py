"""Playing written moves fast while only men are on the board.

Every board is copied into four lanes of one long integer, one lane for each direction of a jump. The copies of the men,
of the men that can be jumped and of the empty squares are shifted against each other so that a man, the piece it
jumps and the square behind it fall on the same bit. Whether anything can be captured is then two `and`s, and each bit
of the answer is one jump. All copies follow a move by `xor` with constants.

Promises: plays a prefix of the moves exactly as `rules.moves` would; stops before the first written move that is not
plainly one legal move of a man, and after the first promotion. What it leaves is for the slower road.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rules.board import BIT, BLACK_PROMOTION, BOARD, SQUARES, WHITE_PROMOTION, Position
from rules.moves import RawMove
from rules.notation import parse

_LANES = ((-6, 0), (-5, 66), (5, 140), (6, 206))
"""(step of the direction, offset of the men). The jumped pieces lie one step before it and the empty squares two, which
keeps the lanes from touching each other."""


def _spread(mask: int, steps: int) -> int:
    return sum(mask << offset - steps * step for step, offset in _LANES)


def _men(mask: int) -> int:
    return _spread(mask, 0)


def _jumped(mask: int) -> int:
    return _spread(mask, 1)


def _empty(mask: int) -> int:
    return _spread(mask, 2)


class _Jump(NamedTuple):
    """One jump of one man and what it changes."""

    origin: int
    landing: int
    victim: int
    vacated: int
    """The origin among the empty squares."""
    unjumpable: int
    """The victim among the pieces that can be jumped."""
    onward: int
    """A man on the landing square."""
    victim_men: int
    """The victim among the men."""
    freed: int
    """The victim's square among the empty ones."""


def _jumps() -> dict[int, _Jump]:
    found = {}
    for step, offset in _LANES:
        for square in SQUARES:
            origin = BIT[square]
            victim = _moved(origin, step)
            landing = _moved(victim, step)
            if landing:
                found[origin << offset] = _Jump(
                    origin,
                    landing,
                    victim,
                    _empty(origin),
                    _jumped(victim),
                    _men(landing),
                    _men(victim),
                    _empty(victim),
                )
    return found


def _moved(bit: int, step: int) -> int:
    return (bit << step if step > 0 else bit >> -step) & BOARD


_JUMPS = _jumps()
"""What each bit of "men and jumped and empty" stands for."""

_FIRST_LANE = (1 << 54) - 1
"""In it the men stand as on a plain board; the empty squares are two steps away."""
_EMPTY_SHIFT = _LANES[0][1] - 2 * _LANES[0][0]

_Token = tuple[int, int, int, int, int, int, RawMove]
_OTHER, _QUIET_WHITE, _QUIET_BLACK, _CAPTURE = range(4)
_PROMOTION = {_QUIET_WHITE: WHITE_PROMOTION, _QUIET_BLACK: BLACK_PROMOTION}
_tokens: dict[str, _Token] = {}
_TOKENS_LIMIT = 20_000
_REMEMBERED_LENGTH = 24


def _compile(text: str) -> _Token:
    """(shape, origin, destination among the empty squares, changes of men, of jumped, of empty, the move)."""
    written = parse(text)
    token: _Token = (_OTHER, 0, 0, 0, 0, 0, (0, 0, 0))
    if written.fault is None and len(written.path) == 2 and written.path[0] != written.path[1]:
        token = _plain_token(BIT[written.path[0]], BIT[written.path[1]], capture=written.capture)
    if len(text) <= _REMEMBERED_LENGTH:
        if len(_tokens) >= _TOKENS_LIMIT:
            _tokens.clear()
        _tokens[text] = token
    return token


def _plain_token(origin: int, destination: int, *, capture: bool) -> _Token:
    shape = _OTHER
    if capture:
        shape = _CAPTURE
    elif destination in (origin >> 5, origin >> 6) and not destination & WHITE_PROMOTION:
        shape = _QUIET_WHITE
    elif destination in (origin << 5, origin << 6) and not destination & BLACK_PROMOTION:
        shape = _QUIET_BLACK
    both = origin | destination
    lanes = (_men(both), _jumped(both), _empty(both))
    return (shape, origin, destination << _EMPTY_SHIFT, *lanes, (origin, destination, 0))


def play_men(moves: Sequence[str], start: Position) -> tuple[list[RawMove | None], Position]:
    """Play written moves of men from a position without kings: (the moves played, the position they lead to)."""
    own, own_jumped, other, other_jumped, empty = _laid_out(start.white_men, start.black_men)
    quiet = _QUIET_WHITE
    if not start.white_to_move:
        own, own_jumped, other, other_jumped = other, other_jumped, own, own_jumped
        quiet = _QUIET_BLACK
    played: list[RawMove | None] = []
    tokens = _tokens
    for text in moves:
        try:
            shape, origin, destination, of_men, of_jumped, of_empty, raw = tokens[text]
        except KeyError:
            shape, origin, destination, of_men, of_jumped, of_empty, raw = _compile(text)
        due = own & other_jumped & empty
        if not due:
            if shape != quiet or not origin & own or not destination & empty:
                break
            empty ^= of_empty
            played.append(raw)
        else:
            if shape != _CAPTURE or raw[1] & _PROMOTION[quiet]:
                break
            search = _chosen if due & due - 1 else _followed
            found = search(due, other_jumped, empty, raw)
            if found is None:
                break
            taken, other_jumped, gone, freed = found
            other ^= gone
            empty ^= of_empty ^ freed
            played.append((origin, raw[1], taken))
        own, own_jumped, other, other_jumped = other, other_jumped, own ^ of_men, own_jumped ^ of_jumped
        quiet ^= 3
    white, black = (own, other) if quiet == _QUIET_WHITE else (other, own)
    return played, Position(white & _FIRST_LANE, 0, black & _FIRST_LANE, 0, quiet == _QUIET_WHITE)


@lru_cache(maxsize=64)
def _laid_out(white: int, black: int) -> tuple[int, int, int, int, int]:
    """The lanes of a position: white men twice, black men twice, empty squares."""
    return _men(white), _jumped(white), _men(black), _jumped(black), _empty(BOARD ^ (white | black))


def positions_of_men(start: Position, played: Sequence[RawMove | None]) -> list[Position]:
    """The positions of moves that `play_men` played, the start first and the last left out."""
    new = tuple.__new__
    found = []
    own, other = start.white_men, start.black_men
    white = start.white_to_move
    if not white:
        own, other = other, own
    for raw in played:
        boards = (own, 0, other, 0, True) if white else (other, 0, own, 0, False)
        found.append(new(Position, boards))
        assert raw is not None
        own, other = other & ~raw[2], own ^ raw[0] | raw[1]
        white = not white
    return found


_Taken = tuple[int, int, int, int]
"""(captured, what can still be jumped, the captured among the men, their squares among the empty ones)."""


def _followed(due: int, jumpable: int, empty: int, raw: RawMove) -> _Taken | None:
    """The capture that begins with the only jump there is, if it is the written one."""
    origin, landing, taken, vacated, unjumpable, onward, gone, freed = _JUMPS[due]
    if origin != raw[0]:
        return None
    open_squares = empty | vacated
    left = jumpable ^ unjumpable
    further = onward & left & open_squares
    while further:
        if further & further - 1:
            return _chosen(due, jumpable, empty, raw)
        _, landing, victim, _, unjumpable, onward, men, square = _JUMPS[further]
        taken |= victim
        gone |= men
        freed |= square
        left ^= unjumpable
        further = onward & left & open_squares
    return (taken, left, gone, freed) if landing == raw[1] else None


def _chosen(due: int, jumpable: int, empty: int, raw: RawMove) -> _Taken | None:
    """The written capture among several, if it is a greatest one and the only one between its squares."""
    best = 0
    found: list[tuple[int, int, int, int, int, int]] = []
    stack: list[tuple[int, int, int, int, int, int]] = []
    while due:
        bit = due & -due
        due ^= bit
        origin, landing, victim, vacated, unjumpable, _, gone, freed = _JUMPS[bit]
        open_squares = empty | vacated
        stack.append((1, landing, victim, jumpable ^ unjumpable, gone, freed))
        while stack:
            state = count, landing, taken, left, gone, freed = stack.pop()
            further = _JUMPS_FROM[landing] & left & open_squares
            if not further:
                if count > best:
                    best = count
                    found = []
                if count == best and origin == raw[0] and landing == raw[1]:
                    found.append(state)
                continue
            while further:
                bit = further & -further
                further ^= bit
                _, landing, victim, _, unjumpable, _, men, square = _JUMPS[bit]
                stack.append(
                    (count + 1, landing, taken | victim, left ^ unjumpable, gone | men, freed | square)
                )
    if not found or any(state[2] != found[0][2] for state in found):
        return None
    return found[0][2:]


_JUMPS_FROM = {BIT[square]: _men(BIT[square]) for square in SQUARES}
