"""Moves: what may be played in a position (articles 5 and 6), playing it, counting the leaves.

A move is its origin, its destination and the set of pieces it takes: the same set taken by two roads is one move
(article 6.13), two sets between the same squares are two. Captured pieces leave the board when the capture is over
(6.11), none may be jumped twice (6.8), the greatest number must be taken and a king counts for one (6.12).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

from rules.board import (
    BIT,
    BLACK_PROMOTION,
    BOARD,
    JUMPS,
    PASSED,
    SQUARE,
    WHITE_PROMOTION,
    Position,
    squares,
)
from rules.lines import LINES, Jump


class Move(NamedTuple):
    """One move. `captured` is a bit board (see `rules.board`), 0 for a quiet move."""

    origin: int
    destination: int
    captured: int

    @property
    def is_capture(self) -> bool:
        return self.captured != 0

    @property
    def captured_squares(self) -> tuple[int, ...]:
        return squares(self.captured)

    @property
    def captured_count(self) -> int:
        return self.captured.bit_count()

    def __str__(self) -> str:
        """The short written form, `32-28` or `19x23`; see `rules.notation.write` for the unambiguous one."""
        return f"{self.origin}{'x' if self.captured else '-'}{self.destination}"


RawMove = tuple[int, int, int]
"""A move inside this module: (origin bit, destination bit, captured bits)."""


def legal_moves(position: Position) -> tuple[Move, ...]:
    """Every legal move, ascending by origin, destination and captured set. Empty: the side to move has lost."""
    raw = raw_captures(position) or raw_quiet_moves(position)
    return tuple(sorted(Move(SQUARE[origin], SQUARE[to], taken) for origin, to, taken in raw))


def has_legal_move(position: Position) -> bool:
    """Whether the side to move can move at all (article 12.2.3)."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    empty = BOARD ^ (white_men | white_kings | black_men | black_kings)
    steps = (white_men >> 5 | white_men >> 6) if white_to_move else (black_men << 5 | black_men << 6)
    return bool(steps & empty) or can_capture(position) or bool(raw_quiet_moves(position))


def play(position: Position, move: Move) -> Position:
    """The position after a move. The move is taken as legal: nothing is checked. A man that ends on its promotion row
    becomes a king (article 5.5)."""
    return play_raw(position, (BIT[move.origin], BIT[move.destination], move.captured))


def play_raw(position: Position, raw: RawMove) -> Position:
    """As `play`, with the bits of the move."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    origin, destination, taken = raw
    if taken:
        keep = ~taken
        if white_to_move:
            black_men &= keep
            black_kings &= keep
        else:
            white_men &= keep
            white_kings &= keep
    if white_to_move:
        if origin & white_kings:
            white_kings = white_kings ^ origin | destination
        elif destination & WHITE_PROMOTION:
            white_men ^= origin
            white_kings |= destination
        else:
            white_men = white_men ^ origin | destination
    elif origin & black_kings:
        black_kings = black_kings ^ origin | destination
    elif destination & BLACK_PROMOTION:
        black_men ^= origin
        black_kings |= destination
    else:
        black_men = black_men ^ origin | destination
    return _new(Position, (white_men, white_kings, black_men, black_kings, not white_to_move))


_new = tuple.__new__
"""Makes a position from its fields in half the time of its own constructor."""


def positions_before(start: Position, moves: Iterable[RawMove]) -> list[Position]:
    """The position before each of these moves, played from `start`; as by `play_raw`, only faster."""
    own, own_kings, other, other_kings, white = start
    if not white:
        own, own_kings, other, other_kings = other, other_kings, own, own_kings
    found = []
    for origin, destination, taken in moves:
        boards = own, own_kings, other, other_kings, True
        if not white:
            boards = other, other_kings, own, own_kings, False
        found.append(_new(Position, boards))
        if origin & own_kings:
            own_kings = own_kings ^ origin | destination
        elif destination & (WHITE_PROMOTION if white else BLACK_PROMOTION):
            own ^= origin
            own_kings |= destination
        else:
            own = own ^ origin | destination
        own, own_kings, other, other_kings = other & ~taken, other_kings & ~taken, own, own_kings
        white = not white
    return found


def raw_quiet_moves(position: Position) -> list[RawMove]:
    """The moves without capture, whether or not a capture is due (articles 5.4 and 5.9)."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    occupied = white_men | white_kings | black_men | black_kings
    empty = BOARD ^ occupied
    found: list[RawMove] = []
    if white_to_move:
        kings = white_kings
        for step in (5, 6):
            targets = white_men >> step & empty
            while targets:
                bit = targets & -targets
                found.append((bit << step, bit, 0))
                targets ^= bit
    else:
        kings = black_kings
        for step in (5, 6):
            targets = black_men << step & empty
            while targets:
                bit = targets & -targets
                found.append((bit >> step, bit, 0))
                targets ^= bit
    while kings:
        king = kings & -kings
        kings ^= king
        for mask, sights in LINES[king]:
            found += sights[empty & mask][2]
    return found


def is_quiet_move(position: Position, origin: int, destination: int) -> bool:
    """Whether `raw_quiet_moves` has a move between two bits, found without a list."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    occupied = white_men | white_kings | black_men | black_kings
    if destination & occupied:
        return False
    if white_to_move and origin & white_men:
        return destination in (origin >> 5, origin >> 6)
    if not white_to_move and origin & black_men:
        return destination in (origin << 5, origin << 6)
    if not origin & (white_kings if white_to_move else black_kings):
        return False
    passed = PASSED.get((origin, destination))
    return passed is not None and not passed & occupied


def kings_that_capture(kings: int, enemy: int, empty: int) -> int:
    """Those of `kings` that can jump a piece of `enemy`."""
    found = 0
    while kings:
        king = kings & -kings
        kings ^= king
        for mask, sights in LINES[king]:
            if mask & enemy and sights[empty & mask][0] & enemy:
                found |= king
                break
    return found


def can_capture(position: Position) -> bool:
    """Whether the side to move must capture (articles 6.2 and 6.3)."""
    men, kings, enemy, empty = _duel(position)
    return bool(men_that_capture(men, enemy, empty) or (kings and kings_that_capture(kings, enemy, empty)))


def _duel(position: Position) -> tuple[int, int, int, int]:
    """The men and kings of the side to move, all pieces of the other, the empty squares."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    white, black = white_men | white_kings, black_men | black_kings
    empty = BOARD ^ (white | black)
    return (white_men, white_kings, black, empty) if white_to_move else (black_men, black_kings, white, empty)


def raw_captures(position: Position) -> frozenset[RawMove]:
    """The captures that take the greatest number (article 6.12); empty when there is none."""
    men, kings, enemy, empty = _duel(position)
    men = men_that_capture(men, enemy, empty)
    if kings:
        kings = kings_that_capture(kings, enemy, empty)
        if kings and enemy.bit_count() > _FEW:
            return _remembered(men, kings, enemy, empty)
    return _greatest(men, kings, enemy, empty) if men or kings else _NO_CAPTURES


_NO_CAPTURES: frozenset[RawMove] = frozenset()
_FEW = 6
"""With more pieces than this to take the search of a king can be long, and a verdict asks for it several times."""


@lru_cache(maxsize=512)
def _remembered(men: int, kings: int, enemy: int, empty: int) -> frozenset[RawMove]:
    return _greatest(men, kings, enemy, empty)


def _greatest(men: int, kings: int, enemy: int, empty: int) -> frozenset[RawMove]:
    """The greatest captures of men and kings that all can capture."""
    best = 1
    found: list[RawMove] = []
    able = men | kings
    while able:
        piece = able & -able
        able ^= piece
        explore = king_captures if piece & kings else man_captures
        count, ends = explore(piece, enemy, empty | piece, best)
        if count > best:
            best = count
            found.clear()
        found += [(piece, end, taken) for end, taken in ends]
    return frozenset(found)


def only_capture(men: int, kings: int, enemy: int, empty: int, raw: RawMove) -> int:
    """What the greatest capture between the squares of `raw` takes; 0 when there is none such, or more than one.

    `men` and `kings` are those that can capture.
    """
    piece, destination, _ = raw
    able = men | kings
    if not piece & able:
        return 0
    explore = king_captures if piece & kings else man_captures
    best, ends = explore(piece, enemy, empty | piece, 1)
    fitting = [taken for end, taken in ends if end == destination]
    if len(fitting) != 1:
        return 0
    rivals = able ^ piece
    while rivals:
        rival = rivals & -rivals
        rivals ^= rival
        explore = king_captures if rival & kings else man_captures
        if explore(rival, enemy, empty | rival, best)[0] > best:
            return 0
    return fitting[0]


def men_that_capture(men: int, enemy: int, empty: int) -> int:
    """Those of `men` that can jump a piece of `enemy`."""
    return men & (
        (((empty << 6) & enemy) << 6)
        | (((empty << 5) & enemy) << 5)
        | (((empty >> 5) & enemy) >> 5)
        | (((empty >> 6) & enemy) >> 6)
    )


Ends = Collection[tuple[int, int]]
"""How captures of one piece end, each once: (landing bit, captured bits)."""


def man_captures(piece: int, enemy: int, empty: int, least: int) -> tuple[int, Ends]:
    """The greatest captures of a man: (number of pieces, their ends).

    `empty` contains the man's own square, which it has left. Captures of fewer than `least` pieces are left out; the
    number is then `least` and there are no ends.
    """
    best = least
    found: set[tuple[int, int]] = set()
    stack = [(piece, 0, 0)]
    while stack:
        square, taken, count = stack.pop()
        further = False
        for jumped, landing in JUMPS[square]:
            if jumped & enemy and landing & empty and not jumped & taken:
                further = True
                stack.append((landing, taken | jumped, count + 1))
        if further or count < best:
            continue
        if count > best:
            best = count
            found.clear()
        found.add((square, taken))
    return best, found


def king_captures(piece: int, enemy: int, empty: int, least: int) -> tuple[int, Ends]:
    """The greatest captures of a king; arguments and answer as in `man_captures`.

    Jump by jump. Two roads that reach the same square with the same pieces taken go on alike and are followed once: this
    bounds the work on boards full of loops. Taken pieces go on standing in the way, so what a square can jump changes
    in no other respect than that they cannot be jumped again. Only pieces between two empty squares can be jumped at all.
    """
    exposed = enemy & ((empty << 5 & empty >> 5) | (empty << 6 & empty >> 6))
    count = 0
    reached: Ends = ((piece, 0),)
    while True:
        following = []
        for square, taken in reached:
            left = exposed & ~taken
            for mask, sights in LINES[square]:
                if not mask & left:
                    continue
                for victim, landings in sights[empty & mask][1]:
                    if victim & left:
                        done = taken | victim
                        for landing in landings:
                            following.append((landing, done))
        if not following:
            return (count, reached) if count >= least else (least, ())
        reached = set(following) if count else following
        count += 1


def man_jumps(square: int, enemy: int, empty: int) -> list[Jump]:
    """The single jumps of a man, shaped as those of `king_jumps`."""
    return [(jumped, (landing,)) for jumped, landing in JUMPS[square] if jumped & enemy and landing & empty]


def king_jumps(square: int, enemy: int, empty: int) -> list[Jump]:
    """The single jumps of a king in the order of `RAYS`: (victim bit, landing bits nearest first). A piece that is
    neither in `enemy` nor on an `empty` square blocks the way, as pieces already jumped do (the Turkish stroke)."""
    upwards: list[Jump] = []
    downwards: list[Jump] = []
    for mask, sights in LINES[square]:
        for jump in sights[empty & mask][1]:
            if jump[0] & enemy:
                (upwards if jump[0] < square else downwards).append(jump)
    return upwards + downwards[::-1]


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of `depth` plies; captures that differ only by their road count once, draws do not
    stop a sequence. Depth 0 is one leaf."""
    if depth <= 0:
        return 1
    if depth == 1:
        return count_moves(position)
    total = 0
    for raw in raw_captures(position) or raw_quiet_moves(position):
        total += perft(play_raw(position, raw), depth - 1)
    return total


def count_moves(position: Position) -> int:
    """`len(legal_moves(position))` without building the moves."""
    captures = raw_captures(position)
    if captures:
        return len(captures)
    white_men, white_kings, black_men, black_kings, white_to_move = position
    if white_kings if white_to_move else black_kings:
        return len(raw_quiet_moves(position))
    empty = BOARD ^ (white_men | white_kings | black_men | black_kings)
    if white_to_move:
        return (white_men >> 5 & empty).bit_count() + (white_men >> 6 & empty).bit_count()
    return (black_men << 5 & empty).bit_count() + (black_men << 6 & empty).bit_count()
