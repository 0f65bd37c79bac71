"""The 100-square board: squares, bit boards, positions and their FEN.

Promises: a `Position` is immutable, hashable and obeys articles 1 and 2 (fifty squares, at most twenty pieces a
side, no man standing on its promotion row). Refuses: FEN text that breaks them, with a `FenError` that names the
offending part. Knows nothing of moves, clocks or results.

Bit layout: the squares of two neighbouring rows take ten bits, followed by one bit that is never a square. With
that gap every diagonal step is a shift by 5 or 6 whatever the row, and a step over the edge falls on a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Side(StrEnum):
    """The two players; the values are the letters of PDN."""

    WHITE = "W"
    BLACK = "B"

    @property
    def opponent(self) -> Side:
        return Side.BLACK if self is Side.WHITE else Side.WHITE


class Piece(NamedTuple):
    """What stands on a square."""

    side: Side
    king: bool


SQUARES = range(1, 51)
BIT: tuple[int, ...] = (0, *(1 << (n - 1 + (n - 1) // 10) for n in SQUARES))
"""`BIT[n]` is the bit of square n (index 0 is unused and holds no bit)."""
SQUARE: dict[int, int] = {BIT[n]: n for n in SQUARES}
"""The square number of a single bit."""
BOARD: int = sum(BIT)
WHITE_PROMOTION: int = sum(BIT[1:6])
BLACK_PROMOTION: int = sum(BIT[46:51])
LONG_DIAGONAL: int = sum(BIT[n] for n in (5, 10, 14, 19, 23, 28, 32, 37, 41, 46))
PIECES_PER_SIDE = 20

_STEPS = (-6, -5, 5, 6)
"""Shifts of one step: up-left, up-right, down-left, down-right, seen from White."""


def _ray(square_bit: int, step: int) -> tuple[int, ...]:
    found = []
    bit = _shift(square_bit, step)
    while bit:
        found.append(bit)
        bit = _shift(bit, step)
    return tuple(found)


def _shift(bit: int, step: int) -> int:
    return (bit << step if step > 0 else bit >> -step) & BOARD


RAYS: dict[int, tuple[tuple[int, ...], ...]] = {
    BIT[n]: tuple(ray for step in _STEPS if (ray := _ray(BIT[n], step))) for n in SQUARES
}
"""For each square the bits met in each direction, nearest first; empty directions are left out."""


PASSED: dict[tuple[int, int], int] = {
    (bit, end): sum(ray[:index])
    for bit, rays in RAYS.items()
    for ray in rays
    for index, end in enumerate(ray)
}
"""For two squares of one diagonal those between them."""
JUMPS: dict[int, tuple[tuple[int, int], ...]] = {
    bit: tuple((ray[0], ray[1]) for ray in rays if len(ray) > 1) for bit, rays in RAYS.items()
}
"""For each square the (jumped, landing) pairs of bits of a man's capture."""


def squares(mask: int) -> tuple[int, ...]:
    """The square numbers of a bit board, ascending."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(SQUARE[bit])
        mask ^= bit
    return tuple(found)


def mask_of(numbers: Iterable[int]) -> int:
    """The bit board of square numbers 1 to 50; `ValueError` for any other number."""
    mask = 0
    for number in numbers:
        if not 1 <= number <= 50:
            raise ValueError(f"no such square: {number}")
        mask |= BIT[number]
    return mask


class FenError(ValueError):
    """A FEN that is no position. `code` names the fault, `part` is the offending text."""

    def __init__(self, code: str, part: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.part = part


class Position(NamedTuple):
    """Who stands where and who is to move. Equal positions with the same side to move repeat (article 12.3.1).

    A tuple rather than a dataclass: a game makes one a ply, and hashing and comparing must cost next to nothing.
    The four boards use the bit layout of this module; `squares()` turns them into numbers.
    """

    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    white_to_move: bool

    @classmethod
    def from_fen(cls, text: str, *, unknown_turn: Side | None = None, uncrowned: bool = False) -> Position:
        """Read a FEN (PDN 3.0; tolerant of blanks, a final dot and trailing fields).

        `unknown_turn` is the side to move when the FEN says `?`; without it such a FEN is refused. `uncrowned` lets
        men stand on their promotion row, as in some studies of the move generator. Raises `FenError`.
        """
        return _read_fen(text, unknown_turn, uncrowned)

    @property
    def side(self) -> Side:
        """The side to move."""
        return Side.WHITE if self.white_to_move else Side.BLACK

    @property
    def occupied(self) -> int:
        return self.white_men | self.white_kings | self.black_men | self.black_kings

    def men(self, side: Side) -> tuple[int, ...]:
        return squares(self.white_men if side is Side.WHITE else self.black_men)

    def kings(self, side: Side) -> tuple[int, ...]:
        return squares(self.white_kings if side is Side.WHITE else self.black_kings)

    def piece_at(self, square: int) -> Piece | None:
        """The piece on a square, `None` when it is empty."""
        bit = BIT[square]
        if bit & (self.white_men | self.white_kings):
            return Piece(Side.WHITE, bool(bit & self.white_kings))
        if bit & (self.black_men | self.black_kings):
            return Piece(Side.BLACK, bool(bit & self.black_kings))
        return None

    def with_turn(self, side: Side) -> Position:
        return self._replace(white_to_move=side is Side.WHITE)

    def turned(self) -> Position:
        """The same position seen from the other side of the board: colours and turn exchanged, board rotated."""
        white_men, white_kings, black_men, black_kings = (
            mask_of(51 - n for n in squares(mask)) for mask in self[:4]
        )
        return Position(black_men, black_kings, white_men, white_kings, not self.white_to_move)

    def fen(self) -> str:
        """Write the FEN: squares ascending, no ranges, no blanks, no final dot."""
        return _written_fen(self)

    def fault(self) -> FenError | None:
        """Why these boards are no position (articles 1 and 2), `None` when they are."""
        seen = 0
        for mask in self[:4]:
            if seen & mask:
                square = squares(seen & mask)[0]
                return FenError("overlap", str(square), f"square {square} holds two pieces")
            seen |= mask
        return _count_fault(self) or _promotion_fault(self)


@lru_cache(maxsize=512)
def _written_fen(position: Position) -> str:
    white = _listed(position.white_men, position.white_kings)
    black = _listed(position.black_men, position.black_kings)
    return f"{position.side}:W{white}:B{black}"


def _listed(men: int, kings: int) -> str:
    return ",".join(f"K{n}" if BIT[n] & kings else str(n) for n in squares(men | kings))


def _count_fault(position: Position) -> FenError | None:
    whites = (position.white_men | position.white_kings).bit_count()
    blacks = (position.black_men | position.black_kings).bit_count()
    for name, count in (("white", whites), ("black", blacks)):
        if count > PIECES_PER_SIDE:
            return FenError("too-many", str(count), f"{count} {name} pieces; a side has at most 20")
    return None


def _promotion_fault(position: Position) -> FenError | None:
    for name, stray in (
        ("white", position.white_men & WHITE_PROMOTION),
        ("black", position.black_men & BLACK_PROMOTION),
    ):
        if stray:
            square = squares(stray)[0]
            message = f"a {name} man stands on its promotion row, square {square}: write K{square}"
            return FenError("man-on-promotion-row", str(square), message)
    return None


START = Position(sum(BIT[31:51]), 0, sum(BIT[1:21]), 0, True)

_FIELD = re.compile(r"(K?)([0-9]{1,3})(?:-(K?)([0-9]{1,3}))?", re.IGNORECASE)
_TRAILING = re.compile(r"[HF][0-9]+", re.IGNORECASE)
_LONGEST_FEN = 1000


def _read_fen(text: str, unknown_turn: Side | None, uncrowned: bool) -> Position:
    if len(text) > _LONGEST_FEN:
        raise FenError(
            "too-long", text[:20], f"a FEN has at most {_LONGEST_FEN} characters, this has {len(text)}"
        )
    compact = "".join(text.split()).rstrip(".")
    turn_text, *parts = compact.split(":")
    while len(parts) > 2 and _TRAILING.fullmatch(parts[-1]):
        parts.pop()
    if len(parts) != 2:
        raise FenError("shape", text, "a FEN reads turn:W list:B list, for instance W:W31-50:B1-20")
    white_to_move = _read_turn(turn_text, unknown_turn)
    lists = _read_lists(parts)
    position = Position(*lists["W"], *lists["B"], white_to_move)
    fault = position.fault()
    if fault is not None and not (uncrowned and fault.code == "man-on-promotion-row"):
        raise fault
    return position


def _read_turn(text: str, unknown_turn: Side | None) -> bool:
    if text.upper() in ("W", "B"):
        return text.upper() == "W"
    if text not in ("?", ""):
        raise FenError("turn", text, f"the side to move is W or B, not {text!r}")
    if unknown_turn is None:
        raise FenError("turn-unknown", text, "the FEN does not say who is to move: write W or B first")
    return unknown_turn is Side.WHITE


def _read_lists(parts: list[str]) -> dict[str, tuple[int, int]]:
    colours = [part[:1].upper() or "?" for part in parts]
    known = {colour for colour in colours if colour in ("W", "B")}
    if len(parts) == 2 and colours == ["?", "?"]:
        colours = ["W", "B"]
    elif len(known) == 1 and "?" in colours:
        missing = "B" if "W" in known else "W"
        colours = [missing if colour == "?" else colour for colour in colours]
    for colour, part in zip(colours, parts, strict=True):
        if colour not in ("W", "B"):
            raise FenError("colour", part, f"a list of pieces begins with W or B, not {part[:1]!r}")
    if colours[0] == colours[1]:
        raise FenError("colour-twice", colours[1], f"the pieces of {colours[0]} are listed twice")
    return {colour: _read_pieces(colour, part[1:]) for colour, part in zip(colours, parts, strict=True)}


def _read_pieces(colour: str, text: str) -> tuple[int, int]:
    men = kings = 0
    for field in text.split(",") if text else ():
        match = _FIELD.fullmatch(field)
        if match is None:
            raise FenError(
                "piece", field, f"{field!r} is no piece: write a square (28), a king (K28) or a range (31-35)"
            )
        first, last = int(match[2]), int(match[4] or match[2])
        for number in (first, last):
            if not 1 <= number <= 50:
                raise FenError("square", field, f"no such square: {number} (squares run from 1 to 50)")
        if last < first:
            raise FenError("range", field, f"the range {field} runs backwards")
        mask = mask_of(range(first, last + 1))
        if mask & (men | kings):
            raise FenError(
                "overlap", field, f"square {squares(mask & (men | kings))[0]} is listed twice for {colour}"
            )
        if match[1] or match[3]:
            kings |= mask
        else:
            men |= mask
    return men, kings
