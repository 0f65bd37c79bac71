"""What the officials made known, drawn from the public ledger: rounds published, rulings on points, withdrawals."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import PUBLIC_STATES, Adjustment, Entry, Event, Round, Section


class Kind(StrEnum):
    ROUND = "round"
    POINTS = "points"
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    kind: Kind
    section: Section
    round_number: int
    at: dt.datetime | None = None
    entry: Entry | None = None
    points: int = 0
    reason: str = ""


_LONG_AGO = dt.datetime(1, 1, 1, tzinfo=dt.UTC)


def notices(event: Event, sections: list[Section]) -> list[Notice]:
    """Latest first, what has no time of its own by its round. Three queries."""
    by_pk = {section.pk: section for section in sections}
    rounds = list(Round.objects.filter(section__in=sections, state__in=PUBLIC_STATES))
    last = {pk: max((r.number for r in rounds if r.section_id == pk), default=0) for pk in by_pk}
    found = [
        Notice(kind=Kind.ROUND, section=by_pk[r.section_id], round_number=r.number, at=r.published_at)
        for r in rounds
    ]
    found += _rulings(by_pk, last)
    found += _departures(by_pk, last)
    found.sort(key=lambda notice: (notice.round_number, notice.kind))
    found.sort(key=lambda notice: notice.at or _LONG_AGO)
    return found[::-1]


def _rulings(sections: dict[int, Section], last: dict[int, int]) -> list[Notice]:
    rows = Adjustment.objects.filter(section__in=sections.values()).select_related("entry__player")
    return [
        Notice(
            kind=Kind.POINTS,
            section=sections[item.section_id],
            round_number=item.after_round,
            at=item.created_at,
            entry=item.entry,
            points=item.points,
            reason=item.reason,
        )
        for item in rows
        if item.after_round <= last[item.section_id]
    ]


def _departures(sections: dict[int, Section], last: dict[int, int]) -> list[Notice]:
    rows = (
        Entry.objects.filter(section__in=sections.values(), withdrawn_after_round__isnull=False)
        .select_related("player")
        .order_by("pk")
    )
    return [
        Notice(
            kind=Kind.LEFT,
            section=sections[entry.section_id],
            round_number=entry.withdrawn_after_round or 0,
            entry=entry,
        )
        for entry in rows
        if (entry.withdrawn_after_round or 0) <= last[entry.section_id]
    ]
