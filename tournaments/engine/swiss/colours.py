"""Who gets which colour (C.04.3 art. 5.2)."""

from __future__ import annotations

from enum import StrEnum

from tournaments.engine.swiss.state import Contender, Field, Strength
from tournaments.engine.types import Colour


class ColourRule(StrEnum):
    """The article that decided a colour."""

    BOTH = "5.2.1"
    STRONGER = "5.2.2"
    HISTORY = "5.2.3"
    RANK = "5.2.4"
    NUMBER = "5.2.5"


def allocate(a: Contender, b: Contender, *, initial: Colour) -> tuple[bool, ColourRule]:
    """Whether `a` has White, and by which rule. `a` must be the higher ranked (score, then rank)."""
    if a.preference and b.preference and a.preference != b.preference:
        return a.preference > 0, ColourRule.BOTH
    if not a.preference and not b.preference:
        odd = a.effective % 2 == 1
        return odd == (initial == Colour.WHITE), ColourRule.NUMBER
    if not b.preference:
        return a.preference > 0, ColourRule.BOTH
    if not a.preference:
        return b.preference < 0, ColourRule.BOTH
    if a.strength != b.strength:
        stronger = a if a.strength > b.strength else b
        return (stronger.preference > 0) == (stronger is a), ColourRule.STRONGER
    if a.strength == Strength.ABSOLUTE and abs(a.difference) != abs(b.difference):
        wider = a if abs(a.difference) > abs(b.difference) else b
        return (wider.preference > 0) == (wider is a), ColourRule.STRONGER
    for mine, theirs in zip(reversed(a.colours), reversed(b.colours), strict=False):
        if mine != theirs:
            return mine == "b", ColourRule.HISTORY
    return a.preference > 0, ColourRule.RANK


def seat(field: Field, i: int, j: int) -> tuple[int, int, ColourRule]:
    """Indices of White and Black for the pair, and the deciding rule."""
    higher, lower = (i, j) if i < j else (j, i)
    white, rule = allocate(field.contenders[higher], field.contenders[lower], initial=field.initial_colour)
    return (higher, lower, rule) if white else (lower, higher, rule)
