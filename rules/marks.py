"""What stands on a sheet for one ply: a text as typed, or a cell of a picture. The search asks them alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rules.board import BIT, SQUARE, Position
from rules.misreading import (
    EXTRA_COST,
    PATH_COST,
    TWICE_COST,
    ChangeKind,
    cost_of,
)
from rules.moves import RawMove
from rules.notation import parse, routes_taken

Reading = tuple[float, ChangeKind | None]
"""What it costs to believe a reading, and the writer's error that it takes, if any."""

Ends = tuple[int, int]
"""Origin and destination of a written move, as bits; zeros where it names none."""

MORE_THAN_ONE_SLIP = frozenset({ChangeKind.DIGITS, ChangeKind.REPLACED})


class Mark(Protocol):
    """Something written in the place of one ply. Marks are told apart by identity."""

    @property
    def written(self) -> str:
        """How to show it."""

    @property
    def ends(self) -> Ends:
        """The squares it most likely names."""

    @property
    def least(self) -> float:
        """What its cheapest reading costs."""

    def read(self, position: Position, raw: RawMove) -> Reading:
        """What it costs to read it as a legal move of the position."""

    def says(self, position: Position, raw: RawMove) -> bool:
        """Whether it names the move as it stands, whatever the sign between the squares."""

    def pass_over(self, before: Mark | None) -> tuple[float, ChangeKind]:
        """What it costs that it stands for no ply; `before` is the mark written before it."""


class Text:
    """A move as typed."""

    __slots__ = ("_costs", "_path", "ends", "least", "written")

    def __init__(self, written: str) -> None:
        self.written = written
        path = parse(written).path
        named = len(path) > 1 and max(path) <= 50
        self.ends: Ends = (BIT[path[0]], BIT[path[-1]]) if named else (0, 0)
        self.least = 0.0
        self._path = path
        self._costs: dict[RawMove, Reading] = {}

    def read(self, position: Position, raw: RawMove) -> Reading:
        found = self._costs.get(raw)
        if found is None:
            found = self._costs[raw] = cost_of(SQUARE[raw[0]], SQUARE[raw[1]], raw[2] != 0, self.written)
        is_path = found[0] == 0 and raw[2] and len(self._path) > 2
        if is_path and raw not in routes_taken(position, raw[0], self._path):
            return PATH_COST, ChangeKind.PATH
        return found

    def says(self, position: Position, raw: RawMove) -> bool:
        kind = self.read(position, raw)[1]
        return kind is None or kind is ChangeKind.SEPARATOR

    def pass_over(self, before: Mark | None) -> tuple[float, ChangeKind]:
        if before is not None and before.written == self.written:
            return TWICE_COST, ChangeKind.TWICE
        return EXTRA_COST, ChangeKind.EXTRA


def texts(sheet: Sequence[str], known: dict[str, Text]) -> list[Mark]:
    """The marks of a typed sheet; the same text is the same mark, so that what is found out of it is found out once."""
    return [known.setdefault(text, Text(text)) for text in sheet]
