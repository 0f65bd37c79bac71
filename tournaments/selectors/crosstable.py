"""The cross table: players by rounds for Swiss, players by players for round robins."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments import formats
from tournaments.models import Entry
from tournaments.selectors import people
from tournaments.selectors.people import Step
from tournaments.selectors.public import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    entry: Entry
    place: int | None
    points: int
    cells: list[list[Step]]  # one list per column: a round, or an opponent (met once, or twice)
    own: int | None = None  # the column of the player himself


@dataclass(frozen=True, slots=True, kw_only=True)
class Cross:
    columns: list[Entry]  # the opponents of a round robin; empty for Swiss, whose columns are the rounds
    rows: list[Row]


def cross(book: Ledger, *, ranks: dict[int, int]) -> Cross:
    """`ranks` gives the order of rows (place per entry); entries without one follow by number."""
    if not book.rounds:
        return Cross(columns=[], rows=[])
    order = sorted(
        (entry for entry in book.entries.values() if entry.number is not None),
        key=lambda entry: (ranks.get(entry.pk, len(ranks) + 1), entry.number or 0),
    )
    way = people.ways(book)
    points = book.points_now()
    columns = order if formats.of(book.section).drawn_whole else []
    rows = [
        Row(
            entry=entry,
            place=ranks.get(entry.pk),
            points=points[entry.pk],
            cells=_against(columns, way[entry.pk]) if columns else [[step] for step in way[entry.pk]],
            own=order.index(entry) if columns else None,
        )
        for entry in order
    ]
    return Cross(columns=columns, rows=rows)


def _against(columns: list[Entry], way: list[Step]) -> list[list[Step]]:
    """Per opponent the meetings with him, in order of rounds."""
    meetings: dict[int, list[Step]] = {}
    for step in way:
        if step.opponent is not None:
            meetings.setdefault(step.opponent.pk, []).append(step)
    return [meetings.get(opponent.pk, []) for opponent in columns]
