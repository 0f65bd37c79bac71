"""The notice board (article 15.2.4): what officials posted, and what the public ledger tells by itself.

Rounds published, rulings on points and departures come from the ledger; notices, warnings, rulings and decisions are rows.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

from tournaments.audit import AuditAction
from tournaments.audit.reasons import worded
from tournaments.models import (
    PUBLIC_STATES,
    Adjustment,
    AuditEntry,
    Entry,
    Event,
    Pairing,
    Round,
    Section,
)
from tournaments.models import Notice as Row


class Kind(StrEnum):
    ROUND = "round"
    POINTS = "points"
    LEFT = "left"
    POSTED = "posted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    kind: Kind
    section: Section | None
    round_number: int
    at: dt.datetime | None = None
    entry: Entry | None = None
    points: int = 0
    reason: str = ""
    posted: Row | None = None

    @property
    def key(self) -> str:
        """Names the notice for good, in a feed."""
        if self.posted is not None:
            return f"notice-{self.posted.pk}"
        entry = self.entry.pk if self.entry else ""
        stamp = self.at.isoformat() if self.at else ""
        return f"{self.kind}-{self.section.pk if self.section else ''}-{self.round_number}-{entry}-{stamp}"


_LONG_AGO = dt.datetime(1, 1, 1, tzinfo=dt.UTC)


def notices(event: Event, sections: list[Section]) -> list[Notice]:
    """Latest first, what has no time of its own by its round. Four queries."""
    by_pk = {section.pk: section for section in sections}
    rounds = list(Round.objects.filter(section__in=sections, state__in=PUBLIC_STATES))
    last = {pk: max((r.number for r in rounds if r.section_id == pk), default=0) for pk in by_pk}
    found = [
        Notice(kind=Kind.ROUND, section=by_pk[r.section_id], round_number=r.number, at=r.published_at)
        for r in rounds
    ]
    found += _rulings(by_pk, last)
    found += _departures(by_pk, last)
    found += _posted(event, by_pk)
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
            reason=worded(item.reason),
        )
        for item in rows
        if item.after_round <= last[item.section_id]
    ]


def _posted(event: Event, sections: dict[int, Section]) -> list[Notice]:
    rows = Row.objects.filter(event=event).select_related("pairing__round")
    return [
        Notice(
            kind=Kind.POSTED,
            section=sections.get(row.section_id or 0),
            round_number=row.pairing.round.number if row.pairing else 0,
            at=row.at,
            posted=row,
        )
        for row in rows
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultChange:
    """A result that was public and was changed."""

    at: dt.datetime
    section: Section
    round_number: int
    board: int
    pairing: Pairing | None
    before: str
    after: str
    reason: str


def changes(event: Event, sections: list[Section]) -> list[ResultChange]:
    """Every change to a result after it was public, the latest first. Two queries."""
    by_pk = {section.pk: section for section in sections}
    rows = list(
        AuditEntry.objects.filter(event=event, action=AuditAction.RECORD_OUTCOME, section__in=sections)
        .exclude(before__outcome="UNPLAYED")
        .order_by("-pk")
    )
    boards = Pairing.objects.select_related("white__player", "black__player").in_bulk(
        {row.object_id for row in rows if row.object_id is not None}
    )
    return [
        ResultChange(
            at=row.at,
            section=by_pk[row.section_id],
            round_number=row.after.get("round", 0),
            board=row.after.get("board", 0),
            pairing=boards.get(row.object_id or 0),
            before=row.before["outcome"],
            after=row.after["outcome"],
            reason=worded(row.reason),
        )
        for row in rows
        if row.section_id in by_pk and row.before and row.after
    ]


COURT = (Row.Kind.WARNING, Row.Kind.RULING, Row.Kind.DECISION)


def of_kind(found: list[Notice], kind: str) -> list[Notice]:
    """Those of the court ("court"), the others of officials ("posted"), published rounds ("round"); else all."""
    if kind == "court":
        return [
            n for n in found if n.kind is Kind.POINTS or (n.posted is not None and n.posted.kind in COURT)
        ]
    if kind == "posted":
        return [n for n in found if n.posted is not None and n.posted.kind not in COURT]
    if kind == "round":
        return [n for n in found if n.kind is Kind.ROUND]
    return found


def rulings_of(section: Section, *, round_number: int | None = None) -> list[Row]:
    """The rulings and decisions in force that were made known for a section, or for the boards of one round."""
    found = Row.objects.filter(section=section, kind__in=COURT, withdrawn_at__isnull=True)
    if round_number is not None:
        found = found.filter(pairing__round__number=round_number, pairing__round__section=section)
    return list(found.select_related("pairing").order_by("at", "pk"))


def rulings_at(pairing: Pairing) -> list[Row]:
    found = Row.objects.filter(pairing=pairing, kind__in=COURT, withdrawn_at__isnull=True)
    return list(found.order_by("at", "pk"))
