"""Playing written moves fast.

Every board is copied into four lanes of one long integer, one lane for each direction of a jump. The copies of the men,
of the pieces that can be jumped and of the empty squares are shifted against each other so that a man, the piece it
jumps and the square behind it fall on the same bit. Whether a man can capture is then two `and`s, and each bit of the
answer is one jump. All copies follow a move by `xor` with constants. Kings look along their lines (`rules.lines`).

Promises: plays a prefix of the moves exactly as `rules.moves` would; stops before the first written move that is not
plainly one legal move, and before a promotion. What it leaves is for the slower road.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from rules.board import BIT, BLACK_PROMOTION, BOARD, PASSED, SQUARE, SQUARES, WHITE_PROMOTION, Position
from rules.moves import RawMove, kings_that_capture, men_that_capture, only_capture
from rules.notation import parse

_LANES = ((-6, 0), (-5, 66), (5, 140), (6, 206))
"""(step of the direction, offset of the men). The jumped pieces lie one step before it and the empty squares two, which
keeps the lanes from touching each other."""

_MEN, _JUMPED, _EMPTY = (sum(1 << offset - back * step for step, offset in _LANES) for back in range(3))
"""A board times one of these is its four copies."""
_STEP, _TWO_STEPS = 6, 12
"""In the first lane the men stand as on a plain board, pieces that can be jumped and empty squares so much higher."""

_Removal = tuple[RawMove, int, int, int]
"""(a capture, what it takes among the men, among the pieces that can be jumped, the squares among the empty ones)."""
_Jump = tuple[int, int, int, int, _Removal]
"""One jump of one man: (origin, landing, the origin among the empty squares, the man on its landing among the men, but
for the jump straight back; what it takes)."""


def _removal(origin: int, landing: int, taken: int) -> _Removal:
    return (origin, landing, taken), taken * _MEN, taken * _JUMPED, taken * _EMPTY


def _jumps() -> dict[int, _Jump]:
    found = {}
    for step, offset in _LANES:
        back = next(there for other, there in _LANES if other == -step)
        for square in SQUARES:
            origin = BIT[square]
            victim = _moved(origin, step)
            landing = _moved(victim, step)
            if landing:
                onward = landing * _MEN ^ landing << back
                found[origin << offset] = (
                    origin,
                    landing,
                    origin * _EMPTY,
                    onward,
                    _removal(origin, landing, victim),
                )
    return found


def _moved(bit: int, step: int) -> int:
    return (bit << step if step > 0 else bit >> -step) & BOARD


_JUMPS = _jumps()
"""What each bit of "men and jumped and empty" stands for."""
_JUMP_BETWEEN = {jump[:2]: bit for bit, jump in _JUMPS.items()}

_OTHER, _QUIET_WHITE, _QUIET_BLACK, _SLIDE, _CAPTURE = range(5)
"""Shapes of written moves: quiet moves of men that promote none, quiet moves for kings only, captures."""
_CAPTURE_ON_BLACK_SIDE, _CAPTURE_ON_WHITE_SIDE = _CAPTURE + _QUIET_BLACK, _CAPTURE + _QUIET_WHITE
"""A capture that ends on a promotion row: a plain one for the men of the one side only."""

_Token = tuple[int, int, int, int, int, int, RawMove]
"""(shape, origin, goal, changes of men, of pieces that can be jumped, of empty squares, the move).

The goal of a capture is the bit of the jump between its squares, 0 when they lie farther apart; that of any other move
are the squares that have to be empty, in the first lane of the empty ones.
"""


def _compile(text: str) -> _Token:
    """The token of a written move, remembered in `_tokens`."""
    written = parse(text)
    path = written.path
    token: _Token = (_OTHER, 0, 0, 0, 0, 0, (0, 0, 0))
    if written.fault is None and not written.ad_libitum and not written.lookalike and len(path) == 2:
        token = _plain_token(BIT[path[0]], BIT[path[1]], written.capture)
    if len(text) <= _REMEMBERED_LENGTH:
        if len(_tokens) >= _TOKENS_LIMIT:
            _tokens.clear()
        _tokens[text] = token
    return token


def _plain_token(origin: int, destination: int, capture: bool) -> _Token:
    squares = origin, destination
    if origin == destination or not (capture or squares in PASSED):
        return _OTHER, 0, 0, 0, 0, 0, (0, 0, 0)
    if capture:
        shape, goal = _capture_shape(destination), _JUMP_BETWEEN.get(squares, 0)
    else:
        shape, goal = _quiet_shape(origin, destination), (PASSED[squares] | destination) << _TWO_STEPS
    both = origin | destination
    return shape, origin, goal, both * _MEN, both * _JUMPED, both * _EMPTY, (origin, destination, 0)


def _quiet_shape(origin: int, destination: int) -> int:
    if destination in (origin >> 5, origin >> 6) and not destination & WHITE_PROMOTION:
        return _QUIET_WHITE
    if destination in (origin << 5, origin << 6) and not destination & BLACK_PROMOTION:
        return _QUIET_BLACK
    return _SLIDE


def _capture_shape(destination: int) -> int:
    if destination & WHITE_PROMOTION:
        return _CAPTURE_ON_BLACK_SIDE
    return _CAPTURE_ON_WHITE_SIDE if destination & BLACK_PROMOTION else _CAPTURE


_tokens: dict[str, _Token] = {
    f"{SQUARE[origin]}{sign}{SQUARE[destination]}": _plain_token(origin, destination, sign == "x")
    for sign, pairs in (("-", PASSED), ("x", permutations(SQUARE, 2)))
    for origin, destination in pairs
}
"""The tokens of all moves written in the usual way; those of other writings join them when they are met."""
_TOKENS_LIMIT = 20_000
_REMEMBERED_LENGTH = 24


def play_men(moves: Iterable[str], start: Position) -> tuple[list[RawMove], Position]:
    """Play written moves of men from a position without kings: (the moves played, the position they lead to).

    Of an iterator the first move that is not played is taken too.
    """
    own, _, own_jumped, other, _, other_jumped, empty, quiet = _laid_out(start)
    played: list[RawMove] = []
    tokens = _tokens
    for text in moves:
        try:
            shape, origin, goal, of_men, of_jumped, of_empty, raw = tokens[text]
        except KeyError:
            shape, origin, goal, of_men, of_jumped, of_empty, raw = _compile(text)
        due = own & other_jumped & empty
        if not due:
            if shape != quiet or not origin & own or not goal & empty:
                break
        else:
            if shape != _CAPTURE and shape != _CAPTURE + quiet:
                break
            removal = _taken(due, other_jumped, empty, goal, raw)
            if removal is None:
                break
            raw, gone, unjumpable, freed = removal
            other ^= gone
            other_jumped ^= unjumpable
            empty ^= freed
        empty ^= of_empty
        played.append(raw)
        own, other = other, own ^ of_men
        own_jumped, other_jumped = other_jumped, own_jumped ^ of_jumped
        quiet ^= 3
    return played, _position(own, 0, other, 0, quiet)


def play_crowned(moves: Iterable[str], start: Position) -> tuple[list[RawMove], Position, bool]:
    """As `play_men`, with kings; says too whether nothing but kings without captures moved `LONG_STANDSTILL` plies long."""
    own, own_kings, own_jumped, other, other_kings, other_jumped, empty, quiet = _laid_out(start)
    played: list[RawMove] = []
    still, standstill = 0, False
    for text in moves:
        try:
            shape, origin, goal, of_men, of_jumped, of_empty, raw = _tokens[text]
        except KeyError:
            shape, origin, goal, of_men, of_jumped, of_empty, raw = _compile(text)
        due = own & other_jumped & empty
        kings = own_kings and kings_that_capture(own_kings, other_jumped >> _STEP, empty >> _TWO_STEPS)
        if due or kings:
            if shape < _CAPTURE or (shape > _CAPTURE and shape != _CAPTURE + quiet and origin & own):
                break
            if kings:
                removal = _taken_among_kings(own, kings, other_jumped, empty, raw)
            else:
                removal = _taken(due, other_jumped, empty, goal, raw)
            if removal is None:
                break
            raw, gone, unjumpable, freed = removal
            other, other_kings = other & ~gone, other_kings & ~raw[2]
            other_jumped, empty = other_jumped ^ unjumpable, empty ^ freed
        elif (
            shape >= _CAPTURE
            or goal & empty != goal
            or not origin & (own_kings | own if shape == quiet else own_kings)
        ):
            break
        if origin & own:
            own ^= of_men
            still = 0
        else:
            own_kings ^= origin | raw[1]
            still = 0 if raw[2] else still + 1
            standstill = standstill or still == LONG_STANDSTILL
        played.append(raw)
        own, other, empty = other, own, empty ^ of_empty
        own_kings, other_kings = other_kings, own_kings
        own_jumped, other_jumped, quiet = other_jumped, own_jumped ^ of_jumped, quiet ^ 3
    return played, _position(own, own_kings, other, other_kings, quiet), standstill


LONG_STANDSTILL = 8
"""The plies it takes to stand in the same position for the third time."""


def _laid_out(position: Position) -> tuple[int, int, int, int, int, int, int, int]:
    """The men, kings and pieces that can be jumped of the side to move and of the other, the empty squares, and the
    shape of a quiet move of a man."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    whites, blacks = white_men | white_kings, black_men | black_kings
    white = white_men * _MEN, white_kings, whites * _JUMPED
    black = black_men * _MEN, black_kings, blacks * _JUMPED
    empty = (BOARD ^ whites ^ blacks) * _EMPTY
    return (*white, *black, empty, _QUIET_WHITE) if white_to_move else (*black, *white, empty, _QUIET_BLACK)


def _position(own: int, own_kings: int, other: int, other_kings: int, quiet: int) -> Position:
    """The position with the side to move first, whose quiet moves have the shape `quiet`."""
    men, other_men = own & BOARD, other & BOARD
    if quiet == _QUIET_WHITE:
        return _new(Position, (men, own_kings, other_men, other_kings, True))
    return _new(Position, (other_men, other_kings, men, own_kings, False))


_new = tuple.__new__


def _taken_among_kings(own: int, kings: int, jumpable: int, free: int, raw: RawMove) -> _Removal | None:
    """As `_taken`, while `kings` can capture too."""
    enemy, empty = jumpable >> _STEP & BOARD, free >> _TWO_STEPS & BOARD
    men = men_that_capture(own & BOARD, enemy, empty)
    taken = only_capture(men, kings, enemy, empty, raw)
    return _removal(raw[0], raw[1], taken) if taken else None


def _taken(due: int, jumpable: int, empty: int, jump: int, raw: RawMove) -> _Removal | None:
    """What the written capture takes if it is a greatest one and the only one between its squares.

    `due` are the jumps that are possible, `jump` is the one between the written squares, if there is any.
    """
    if not due & jump:
        return _followed(due, jumpable, empty, raw)
    _, _, vacated, onward, removal = _JUMPS[jump]
    others = due ^ jump
    if onward & jumpable & (empty | vacated) or (others and _go_on(others, jumpable, empty)):
        return _greatest(due, jumpable, empty, raw)
    return removal


def _go_on(jumps: int, jumpable: int, empty: int) -> bool:
    """Whether one of these jumps can be followed by another."""
    while jumps:
        bit = jumps & -jumps
        jumps ^= bit
        _, _, vacated, onward, _ = _JUMPS[bit]
        if onward & jumpable & (empty | vacated):
            return True
    return False


def _followed(due: int, jumpable: int, empty: int, raw: RawMove) -> _Removal | None:
    """As `_taken`, for a capture of several pieces: mostly each jump leaves one way to go on."""
    ahead, free, taken = due, empty, 0
    while ahead:
        jump = _JUMPS.get(ahead)
        if jump is None:
            return _greatest(due, jumpable, empty, raw)
        origin, landing, vacated, onward, removal = jump
        if not taken and origin != raw[0]:
            return None
        taken |= removal[0][2]
        free |= vacated
        ahead = onward & (jumpable ^ taken * _JUMPED) & free
    return _removal(raw[0], landing, taken) if landing == raw[1] else None


def _greatest(due: int, jumpable: int, empty: int, raw: RawMove) -> _Removal | None:
    """As `_taken`, by following every capture to its end."""
    best = 0
    found: set[int] = set()
    while due:
        bit = due & -due
        due ^= bit
        origin, landing, vacated, _, removal = _JUMPS[bit]
        free = empty | vacated
        wanted = origin == raw[0]
        stack = [(landing, removal[0][2], 1)]
        while stack:
            landing, taken, count = stack.pop()
            further = landing * _MEN & (jumpable ^ taken * _JUMPED) & free
            if not further:
                if count > best:
                    best = count
                    found.clear()
                if count == best and wanted and landing == raw[1]:
                    found.add(taken)
            while further:
                bit = further & -further
                further ^= bit
                _, onward, _, _, removal = _JUMPS[bit]
                stack.append((onward, taken | removal[0][2], count + 1))
    return _removal(raw[0], raw[1], found.pop()) if len(found) == 1 else None
