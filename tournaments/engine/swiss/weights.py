"""Criteria as digits of one integer: the first criterion weighs more than all later ones together."""

from __future__ import annotations

from collections.abc import Sequence


class Digits:
    """Places for counts in one integer, the first named one highest.

    `sizes` are the greatest absolute totals a matching can reach in each place; counts may be negative.
    """

    __slots__ = ("span", "units")

    def __init__(self, sizes: Sequence[int]) -> None:
        units = []
        unit = 1
        for size in reversed(sizes):
            units.append(unit)
            unit <<= size.bit_length() + 2
        self.units = units[::-1]
        self.span = unit.bit_length()
