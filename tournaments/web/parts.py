"""Long tables of public pages, cut into parts that a phone loads quickly. Files and paper have them whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from tournaments.web.numbers import whole_number

ROWS = 300  # of a part
UNCUT = 450  # rows that a page shows whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The rows of the part asked for, and where the others are: no spans for a table that is shown whole."""

    rows: Sequence[Any]
    number: int = 1
    spans: tuple[Span, ...] = ()

    @property
    def start(self) -> int:
        """How many rows stand in the parts before."""
        return self.spans[self.number - 1].first - 1 if self.spans else 0


def cut(rows: Sequence[Any], query: QueryDict) -> Parts:
    """Cut a long table; `?part=` names the part, the first by default, the last for a number beyond."""
    if len(rows) <= UNCUT:
        return Parts(rows=rows)
    count = -(-len(rows) // ROWS)
    number = min(max(whole_number(query.get("part", "")) or 1, 1), count)
    spans = tuple(
        Span(number=part, first=(part - 1) * ROWS + 1, last=min(part * ROWS, len(rows)))
        for part in range(1, count + 1)
    )
    return Parts(rows=rows[(number - 1) * ROWS : number * ROWS], number=number, spans=spans)
