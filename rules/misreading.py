"""What it costs to believe that a written move was meant as another one, or that a sheet left one out.

Costs are natural logarithms of odds: 0 is "as written", 7 about one in a thousand. They stand for what writers do at a
board: a digit taken for one that looks like it, origin and destination exchanged, neighbouring moves exchanged, a move
left out or written twice.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from math import log

from rules.notation import parse


class ChangeKind(StrEnum):
    """How a sheet differs from the game behind it."""

    SEPARATOR = "separator"  # a dash for a capture or a cross for a quiet move
    DIGIT = "digit"  # one digit read or written as another
    DIGITS = "digits"  # several digits
    TRANSPOSED = "transposed"  # the two digits of a square exchanged
    LOST_DIGIT = "lost-digit"
    EXTRA_DIGIT = "extra-digit"
    EXCHANGED = "exchanged"  # origin and destination exchanged
    PATH = "path"  # the squares between do not fit
    UNREADABLE = "unreadable"
    REPLACED = "replaced"  # another move altogether
    MISSING = "missing"  # a ply that the sheet does not have
    EXTRA = "extra"  # a written move with no ply behind it
    TWICE = "twice"  # the same move written again
    SWAPPED = "swapped"  # written after the move that followed it
    REORDERED = "reordered"  # in the place of another move of the same player


MISREADINGS = frozenset(
    {
        ChangeKind.SEPARATOR,
        ChangeKind.DIGIT,
        ChangeKind.DIGITS,
        ChangeKind.TRANSPOSED,
        ChangeKind.LOST_DIGIT,
        ChangeKind.EXTRA_DIGIT,
        ChangeKind.EXCHANGED,
        ChangeKind.PATH,
        ChangeKind.UNREADABLE,
        ChangeKind.REPLACED,
    }
)
"""A text stands for the ply, and says another move."""


ERROR_COST = 3.0
"""That a writer errs at a given move at all, as long as nothing is known of how often he does."""


def _cost(share: float) -> float:
    """What an error costs that is this share of all errors."""
    return ERROR_COST - log(share)


SEPARATOR_COST = 1.5
PATH_COST = 4.0
SAME_SHAPE = 6.5  # a digit lost, added, or exchanged with its neighbour
UNREADABLE_COST = 6.0
REPLACED_COST = 12.0
DIGIT_COST = _cost(0.65)
MISSING_COST = _cost(0.15)
SWAPPED_COST = _cost(0.10)
REORDERED_COST = 6.0
EXCHANGED_COST = _cost(0.05)
TWICE_COST = _cost(0.05)
EXTRA_COST = 9.0
MISSING_AGAIN_COST = 4.2  # the ply after a missing one
BOTH_MISREAD_REBATE = 1.0  # where one writer erred the other is likelier to: the move was hard to follow
BOTH_MISSING_COST = 3.0  # that the other copy lacks the same ply too
BOTH_MISSING_AGAIN_COST = 1.2  # the ply after one that both lack: they stopped writing for one reason
MISSING_AFTER_END = 0.4  # a sheet that stopped early lacks all the rest for one reason

MISSING_SHARE = 0.15
"""Of all errors those that leave a move out."""

# What each digit is taken for in handwriting, in order of the digits; how often it is one of those; how often the
# wrong number still names a square, because nobody writes a square that is none without noticing.
_ALIKE = ("6", "47", "37", "258", "19", "36", "05", "12", "3", "4")
_TAKEN_FOR_ALIKE = 0.82
_NAMES_A_SQUARE = 0.95


@lru_cache(maxsize=200_000)
def cost_of(origin: int, destination: int, capture: bool, text: str) -> tuple[float, ChangeKind | None]:
    """What it costs to read `text` as that move, and the kind of the change; None when it says just that.

    Squares between the first and the last are not looked at here.
    """
    written = parse(text)
    if written.fault is not None and len(written.path) < 2:
        return UNREADABLE_COST, ChangeKind.UNREADABLE
    cost, kind = _squares(origin, destination, written.path[0], written.path[-1])
    if written.separator and written.takes is not capture:
        return cost + SEPARATOR_COST, kind or ChangeKind.SEPARATOR
    return cost, kind


def _squares(origin: int, destination: int, first: int, last: int) -> tuple[float, ChangeKind | None]:
    if (first, last) == (origin, destination):
        return 0.0, None
    if (first, last) == (destination, origin):
        return EXCHANGED_COST, ChangeKind.EXCHANGED
    from_cost, from_kind = _square(origin, first)
    to_cost, to_kind = _square(destination, last)
    if from_kind is not None and to_kind is not None:
        return min(from_cost + to_cost, REPLACED_COST), ChangeKind.DIGITS
    cost = from_cost + to_cost
    kind = from_kind or to_kind
    return (cost, kind) if cost < REPLACED_COST else (REPLACED_COST, ChangeKind.REPLACED)


@lru_cache(maxsize=10_000)
def _square(meant: int, written: int) -> tuple[float, ChangeKind | None]:
    if meant == written:
        return 0.0, None
    odds = _misread(meant).get(str(written))
    if odds is not None:
        return DIGIT_COST - log(odds / 2), ChangeKind.DIGIT  # one of the two squares of a move
    one, other = str(meant), str(written)
    if one == other[::-1]:
        return SAME_SHAPE, ChangeKind.TRANSPOSED
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    if len(longer) > len(shorter) and shorter in longer:
        return SAME_SHAPE + 0.5, ChangeKind.LOST_DIGIT if longer == one else ChangeKind.EXTRA_DIGIT
    return REPLACED_COST, ChangeKind.REPLACED


@lru_cache(maxsize=50)
def _misread(square: int) -> dict[str, float]:
    """What the number of a square becomes when one of its digits goes wrong, with the odds of each."""
    digits = str(square)
    odds = {
        digits[:place] + other + digits[place + 1 :]: _digit(digit, other) / len(digits)
        for place, digit in enumerate(digits)
        for other in "0123456789"
        if other != digit
    }
    squares = sum(share for text, share in odds.items() if 1 <= int(text) <= 50)
    others = sum(odds.values()) - squares
    return {
        text: share * (_NAMES_A_SQUARE / squares if 1 <= int(text) <= 50 else (1 - _NAMES_A_SQUARE) / others)
        for text, share in odds.items()
    }


def _digit(meant: str, written: str) -> float:
    """The odds that a digit gone wrong is written as that one."""
    alike = _ALIKE[int(meant)]
    if written in alike:
        return _TAKEN_FOR_ALIKE / len(alike)
    return (1 - _TAKEN_FOR_ALIKE) / (9 - len(alike))
