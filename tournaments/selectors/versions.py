"""What the public pages of an event depend on, as short names that change when a page might: one query for all of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.models import PUBLIC_STATES, Event, Round, Section, Standings

EVENT_FIELDS = (
    "code", "name", "name_en", "place", "starts_on", "ends_on", "description", "regulations", "contact", "state",
    "notices_version",
)  # fmt: skip
# Not `version`, `state` and `seed`: they move with drafts too.
SECTION_FIELDS = (
    "code", "name", "name_en", "position", "format", "ranking", "numbering", "rounds_total", "time_control", "scheme",
    "tiebreaks", "policy", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "refunds_withdrawn", "lots_decide", "acceleration", "match_rule", "own_match", "own_points",
    "third_place", "groups", "group_places", "team_boards", "team_places",
    "public_version",
)  # fmt: skip


def event_tag(event: Event) -> str:
    return repr([getattr(event, name) for name in EVENT_FIELDS])


def section_tag(section: Section) -> str:
    closed = section.state == Section.State.CLOSED
    return repr([closed, *(getattr(section, name) for name in SECTION_FIELDS)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """`whole` names the state of the event's own pages, `sections` that of each section's; `rounds` counts what is
    published, so that a page of before a retraction can be told.
    """

    event: int
    whole: str
    sections: Mapping[str, str]
    rounds: Mapping[str, int]

    def of(self, section: str | None) -> str | None:
        """None for a section that there is not."""
        return self.whole if section is None else self.sections.get(section)

    def still_shows(self, earlier: Versions) -> bool:
        """Whether nothing was taken from the public since `earlier`: a page of then may be shown a moment longer."""
        return self.event == earlier.event and all(
            self.rounds.get(code, -1) >= count for code, count in earlier.rounds.items()
        )


def of_event(code: str) -> Versions | None:
    """None for an event that the public does not see."""
    rows = list(_with_tables(Section.objects.filter(event__code=code)).select_related("event"))
    event = rows[0].event if rows else Event.objects.filter(code=code).first()
    if event is None or event.state == Event.State.DRAFT:
        return None
    tags = {row.code: f"{section_tag(row)}{row.kept}-{row.newest}" for row in rows}
    of_all = (
        f"{event.pk}{event_tag(event)}{[(row.code, row.name, row.name_en, row.position) for row in rows]}"
    )
    return Versions(
        event=event.pk,
        whole=_short(f"{of_all}{sorted(tags.items())}"),
        sections={row.code: _short(f"{of_all}{row.pk}{tags[row.code]}") for row in rows},
        rounds={row.code: row.public_rounds for row in rows},
    )


def of_home() -> Versions:
    """What the list of events depends on: the events that the public sees, their sections, and the day. Two queries."""
    events = list(Event.objects.exclude(state=Event.State.DRAFT).order_by("pk"))
    sections = Section.objects.exclude(event__state=Event.State.DRAFT).order_by("pk")
    rows = [(row.event_id, row.code, section_tag(row), row.public_rounds) for row in _with_tables(sections)]
    tags = [(event.pk, event_tag(event)) for event in events]
    return Versions(
        event=0,
        whole=_short(f"{timezone.localdate()}{tags}{[row[:3] for row in rows]}"),
        sections={},
        # An event that is hidden again counts as something taken from the public.
        rounds={str(event.pk): 0 for event in events} | {f"{row[0]}/{row[1]}": row[3] for row in rows},
    )


def _with_tables(sections: QuerySet[Section]) -> QuerySet[Any]:
    """The number and the newest of the tables, and how many rounds are public, beside each section."""

    def counted(rows: QuerySet[Any], count: Any) -> Coalesce:
        grouped = rows.filter(section=OuterRef("pk")).order_by().values("section").annotate(found=count)
        return Coalesce(Subquery(grouped.values("found")), 0)

    return sections.annotate(
        newest=counted(Standings.objects.all(), Max("pk")),
        kept=counted(Standings.objects.all(), Count("pk")),
        public_rounds=counted(Round.objects.all(), Count("pk", filter=Q(state__in=PUBLIC_STATES))),
    )


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
