"""Moves: what may be played in a position (articles 5 and 6), playing it, counting the leaves.

A move is its origin, its destination and the set of pieces it takes: the same set taken by two roads is one move
(article 6.13), two sets between the same squares are two. Captured pieces leave the board when the capture is over
(6.11), none may be jumped twice (6.8), the greatest number must be taken and a king counts for one (6.12).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from rules.board import (
    BIT,
    BLACK_PROMOTION,
    BOARD,
    JUMPS,
    KING_RAYS,
    LINES,
    RAYS,
    SQUARE,
    WHITE_PROMOTION,
    Position,
    squares,
)


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
        for ray in RAYS[king]:
            for bit in ray:
                if bit & occupied:
                    break
                found.append((king, bit, 0))
    return found


def men_can_capture(men: int, enemy: int, empty: int) -> int:
    """Non-zero when one of `men` can jump a piece of `enemy`."""
    return (
        (men >> 6 & enemy) >> 6 & empty
        or (men >> 5 & enemy) >> 5 & empty
        or (men << 5 & enemy) << 5 & empty
        or (men << 6 & enemy) << 6 & empty
    )


def king_can_capture(king: int, enemy: int, empty: int) -> bool:
    """Whether the king on the bit `king` can jump a piece of `enemy`."""
    for mask, rising, behind in KING_RAYS[king]:
        if mask & enemy:
            met = mask & ~empty
            first = met & -met if rising else 1 << met.bit_length() - 1
            if first & enemy and behind[first] and behind[first][0] & empty:
                return True
    return False


def kings_can_capture(kings: int, enemy: int, empty: int) -> bool:
    """Whether one of `kings` can jump a piece of `enemy`."""
    while kings:
        king = kings & -kings
        if LINES[king] & enemy and king_can_capture(king, enemy, empty):
            return True
        kings ^= king
    return False


def can_capture(position: Position) -> bool:
    """Whether the side to move must capture (articles 6.2 and 6.3)."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    empty = BOARD ^ (white_men | white_kings | black_men | black_kings)
    if white_to_move:
        men, kings, enemy = white_men, white_kings, black_men | black_kings
    else:
        men, kings, enemy = black_men, black_kings, white_men | white_kings
    return bool(men_can_capture(men, enemy, empty)) or (kings != 0 and kings_can_capture(kings, enemy, empty))


def raw_captures(position: Position) -> frozenset[RawMove]:
    """The captures that take the greatest number (article 6.12); empty when there is none."""
    white_men, white_kings, black_men, black_kings, white_to_move = position
    empty = BOARD ^ (white_men | white_kings | black_men | black_kings)
    if white_to_move:
        men, kings, enemy = white_men, white_kings, black_men | black_kings
    else:
        men, kings, enemy = black_men, black_kings, white_men | white_kings
    if kings and kings_can_capture(kings, enemy, empty):
        if enemy.bit_count() > _FEW:
            return _remembered(men, kings, enemy, empty)
        return _greatest(men, kings, enemy, empty)
    men = _jumpers(men, enemy, empty)
    return _greatest(men, 0, enemy, empty) if men else _NO_CAPTURES


_NO_CAPTURES: frozenset[RawMove] = frozenset()
_FEW = 6
"""With more pieces than this to take the search of a king can be long, and a verdict asks for it several times."""


@lru_cache(maxsize=512)
def _remembered(men: int, kings: int, enemy: int, empty: int) -> frozenset[RawMove]:
    return _greatest(men, kings, enemy, empty)


def _greatest(men: int, kings: int, enemy: int, empty: int) -> frozenset[RawMove]:
    best = 1
    found: set[RawMove] = set()
    for pieces, explore in ((_jumpers(men, enemy, empty), man_captures), (kings, king_captures)):
        while pieces:
            piece = pieces & -pieces
            pieces ^= piece
            if explore is king_captures and not king_can_capture(piece, enemy, empty):
                continue
            count, ends = explore(piece, enemy, empty | piece, best)
            if count > best:
                best = count
                found.clear()
            found.update([(piece, end, taken) for end, taken in ends])
    return frozenset(found)


def _jumpers(men: int, enemy: int, empty: int) -> int:
    """The men that can jump at least once."""
    return men & (
        (((empty << 6) & enemy) << 6)
        | (((empty << 5) & enemy) << 5)
        | (((empty >> 5) & enemy) >> 5)
        | (((empty >> 6) & enemy) >> 6)
    )


def man_captures(piece: int, enemy: int, empty: int, least: int) -> tuple[int, set[tuple[int, int]]]:
    """The greatest captures of a man: (number of pieces, {(landing bit, captured bits)}).

    `empty` contains the man's own square, which it has left. Captures of fewer than `least` pieces are left out; the
    number is then `least` and the set is empty.
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


def king_captures(piece: int, enemy: int, empty: int, least: int) -> tuple[int, set[tuple[int, int]]]:
    """The greatest captures of a king; arguments and answer as in `man_captures`.

    Two roads that reach the same square with the same pieces taken go on alike, so each such state is explored once:
    this bounds the work on boards full of loops. Taken pieces go on standing in the way, so what a square can jump
    changes in no other respect than that they cannot be jumped again.
    """
    jumps: dict[int, list[tuple[int, list[int]]]] = {}
    best = least
    found: set[tuple[int, int]] = set()
    seen = {(piece, 0)}
    layer = [(piece, 0)]
    count = 0
    while layer:
        following: list[tuple[int, int]] = []
        if count > best:
            best = count
            found.clear()
        if count and count >= best:
            found.update(layer)
        for square, taken in layer:
            if square not in jumps:
                jumps[square] = king_jumps(square, enemy, empty)
            for victim, landings in jumps[square]:
                if victim & taken:
                    continue
                done = taken | victim
                for landing in landings:
                    state = (landing, done)
                    if state not in seen:
                        seen.add(state)
                        following.append(state)
        layer = following
        count += 1
    return best, found


def man_jumps(square: int, enemy: int, empty: int) -> list[tuple[int, list[int]]]:
    """The single jumps of a man, shaped as those of `king_jumps`."""
    return [(jumped, [landing]) for jumped, landing in JUMPS[square] if jumped & enemy and landing & empty]


def king_jumps(square: int, enemy: int, empty: int) -> list[tuple[int, list[int]]]:
    """The single jumps of a king: (victim bit, landing bits nearest first). A piece that is neither in `enemy` nor on
    an `empty` square blocks the way, as pieces already jumped do (the Turkish stroke)."""
    found: list[tuple[int, list[int]]] = []
    for mask, rising, behind in KING_RAYS[square]:
        if not mask & enemy:
            continue
        met = mask & ~empty
        victim = met & -met if rising else 1 << met.bit_length() - 1
        if not victim & enemy:
            continue
        landings = []
        for bit in behind[victim]:
            if not bit & empty:
                break
            landings.append(bit)
        if landings:
            found.append((victim, landings))
    return found


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
