"""The figures of the arbiter's report: what the ledger, the sheets and the court hold of an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from games.models import Appeal, ArbiterReport, Effect, Incident, Ruling, Scoresheet
from tournaments.audit import AuditAction
from tournaments.models import PUBLIC_STATES, AuditEntry, Entry, Event, Pairing, Role, Section

PLAYED = ("WHITE", "DRAW", "BLACK")
FORFEITS = ("WHITE_FORFEITS", "BLACK_FORFEITS", "BOTH_FORFEIT")


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionFigures:
    """One section: rounds published, players and how many left, games by how they ended."""

    section: Section
    rounds: int
    entries: int
    left: int
    white: int
    drawn: int
    black: int
    forfeits: int
    others: int
    open: int
    corrections: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    event: Event
    words: ArbiterReport
    officials: list[Role]
    sections: list[SectionFigures]
    rulings: list[Ruling]
    incidents: int
    sheets: int
    appeals: list[Appeal]

    @property
    def penalties(self) -> list[tuple[str, int]]:
        """Rulings in force by measure, the most frequent first."""
        counted = Counter(ruling.effect for ruling in self.rulings if ruling.is_in_force)
        return [(str(Effect(effect).label), count) for effect, count in counted.most_common()]


def report_of(event: Event) -> Report:
    """Everything the report shows. Ten queries, whatever the number of sections."""
    rulings = Ruling.objects.filter(event=event, in_force_at__isnull=False).order_by("number")
    cases = Appeal.objects.filter(event=event).order_by("number")
    return Report(
        event=event,
        words=ArbiterReport.objects.filter(event=event).first() or ArbiterReport(event=event),
        officials=list(Role.objects.filter(event=event, kind__in=OFFICIALS).select_related("user")),
        sections=_sections(event),
        rulings=list(
            rulings.select_related(
                "incident__section", "incident__white__player", "incident__black__player", "incident__game",
                "incident__pairing__round",
            )
        ),
        incidents=Incident.objects.filter(event=event).count(),
        sheets=Scoresheet.objects.filter(game__pairing__round__section__event=event).count(),
        appeals=list(
            cases.select_related("appellant__player", "ruling__incident", "decision__proposal", "section")
        ),
    )  # fmt: skip


OFFICIALS = (Role.Kind.ORGANIZER, Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER, Role.Kind.COMMITTEE)


def _sections(event: Event) -> list[SectionFigures]:
    away = ~Q(status=Entry.Status.ACTIVE)
    people = {
        row["section"]: row
        for row in Entry.objects.filter(section__event=event)
        .values("section")
        .annotate(all=Count("pk"), left=Count("pk", filter=away))
    }
    public = Pairing.objects.filter(
        round__section__event=event, round__state__in=PUBLIC_STATES, black__isnull=False
    )
    games: dict[int, Counter[str]] = {}
    for section_id, outcome, count in (
        public.order_by().values_list("round__section", "outcome").annotate(Count("pk"))
    ):
        games.setdefault(section_id, Counter())[outcome] = count
    sections = event.sections.annotate(
        published=Count("rounds", filter=Q(rounds__state__in=PUBLIC_STATES))
    ).order_by("pk")
    corrected = Counter(
        AuditEntry.objects.filter(event=event, action=AuditAction.RECORD_OUTCOME)
        .exclude(reason="")
        .values_list("section_id", flat=True)
    )
    return [
        _figures(section, people.get(section.pk, {}), games.get(section.pk, Counter()), corrected[section.pk])
        for section in sections
    ]


def _figures(
    section: Section, people: Mapping[str, Any], games: Counter[str], corrections: int
) -> SectionFigures:
    white, drawn, black = (games[outcome] for outcome in PLAYED)
    forfeits = sum(games[outcome] for outcome in FORFEITS)
    still_open = games["UNPLAYED"]
    return SectionFigures(
        section=section,
        rounds=section.published,  # type: ignore[attr-defined]
        entries=people.get("all", 0),
        left=people.get("left", 0),
        white=white,
        drawn=drawn,
        black=black,
        forfeits=forfeits,
        others=games.total() - white - drawn - black - forfeits - still_open,
        open=still_open,
        corrections=corrections,
    )
