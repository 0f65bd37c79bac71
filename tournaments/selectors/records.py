"""Rows for lists that are paged and filtered: queries, each a fixed number of them whatever the page holds."""

from __future__ import annotations

from django.db.models import Case, Count, Q, QuerySet, When

from tournaments.engine.types import Outcome
from tournaments.models import (
    PUBLIC_STATES,
    Absence,
    Adjustment,
    AuditEntry,
    Entry,
    Event,
    ForbiddenPair,
    Job,
    Pairing,
    Role,
    Round,
    Section,
    last_public,
)


def rounds(section: Section) -> QuerySet[Round]:
    """Every round, drafts too, with `boards` and `missing` counted; byes apart."""
    board = Q(pairings__black__isnull=False)
    return section.rounds.annotate(
        boards=Count("pairings", filter=board),
        missing=Count("pairings", filter=board & Q(pairings__outcome=Outcome.UNPLAYED.value)),
    ).order_by("number")


def public_rounds(section: Section) -> QuerySet[Round]:
    return rounds(section).filter(state__in=PUBLIC_STATES)


def entries(section: Section, *, last: int) -> QuerySet[Entry]:
    """In the order the public knows, `last` being the latest public round; see `mask`."""
    found = section.entries.select_related("player")
    if last:
        return found.order_by("number", "player__name", "pk")
    return found.order_by("-player__rating", "player__name", "pk")


def mask(entry: Entry, *, last: int) -> Entry:
    """Without what only a draft could have brought: numbers before round 1 is public, and later leavings.

    For reading only. A late entry made while a draft waits is told as joining after the last public round.
    """
    if not last:
        entry.number = entry.lot_number = None
    if entry.withdrawn_after_round is not None and entry.withdrawn_after_round > last:
        entry.status, entry.withdrawn_after_round = Entry.Status.ACTIVE, None
    entry.first_round = min(entry.first_round, last + 1)
    return entry


def boards(round_: Round) -> QuerySet[Pairing]:
    """Boards in order, byes last."""
    found = round_.pairings.select_related("white__player", "black__player")
    return found.order_by(Case(When(board=0, then=1), default=0), "board", "pk")


def pairing_keys(section: Section, number: int) -> dict[int, int]:
    """The boards of a round by the entry that has White, or the bye, there. One query."""
    found = Pairing.objects.filter(round__section=section, round__number=number)
    return dict(found.values_list("white_id", "pk"))


def absences(section: Section) -> QuerySet[Absence]:
    return (
        Absence.objects.filter(entry__section=section)
        .select_related("entry__player")
        .order_by("round_number", "entry__number", "pk")
    )


def forbidden_pairs(section: Section) -> QuerySet[ForbiddenPair]:
    return section.forbidden_pairs.select_related("first__player", "second__player").order_by("pk")


def public_adjustments(section: Section) -> QuerySet[Adjustment]:
    """A ruling for a round that is not public yet waits with it."""
    found = section.adjustments.filter(after_round__lte=last_public(section))
    return found.select_related("entry__player").order_by("after_round", "pk")


def jobs(section: Section) -> QuerySet[Job]:
    return section.jobs.order_by("-pk")


def roles(event: Event) -> QuerySet[Role]:
    return event.roles.select_related("user").order_by("kind", "user__username")


def log(event: Event) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(event=event).select_related("section").order_by("-pk")
