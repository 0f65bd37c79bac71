"""Who asks, and for what: addresses turned into rows, with drafts of events shown to their officials only."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from rest_framework.request import Request

from tournaments.errors import NotFound
from tournaments.models import (
    Absence,
    Entry,
    Event,
    ForbiddenPair,
    ImportDraft,
    Job,
    Notice,
    Pairing,
    Role,
    Round,
    Section,
)
from tournaments.permissions import Action, require
from tournaments.web.http import actor_of
from tournaments.web.rest import event_at, section_at


def visible_events(request: Request) -> QuerySet[Event]:
    """Public events, and drafts in which the reader has a role."""
    if request.user.is_authenticated and request.user.is_superuser:
        return Event.objects.all()
    seen = ~Q(state=Event.State.DRAFT)
    if request.user.is_authenticated:
        seen |= Q(pk__in=Role.objects.filter(user_id=request.user.pk).values("event_id"))
    return Event.objects.filter(seen)


def desk_event(request: Request, code: str, action: Action = Action.VIEW_DESK) -> Event:
    """For what only officials see. Strangers find nothing."""
    event = event_at(request, code)
    require(actor_of(request), action, event)
    return event


def desk_section(request: Request, event: str, section: str, action: Action = Action.VIEW_DESK) -> Section:
    found = section_at(request, event, section)
    require(actor_of(request), action, found.event)
    return found


def entry_in(section: Section, pk: int) -> Entry:
    found = section.entries.select_related("player").filter(pk=pk).first()
    if found is None:
        raise NotFound
    found.section = section
    return found


def round_in(section: Section, number: int) -> Round:
    """Drafts too: for writes, whose services look after the permission, and for desk reads."""
    found = section.rounds.filter(number=number).first()
    if found is None:
        raise NotFound
    found.section = section
    return found


def pairing_in(section: Section, pk: int) -> Pairing:
    found = Pairing.objects.select_related("round").filter(round__section=section, pk=pk).first()
    if found is None:
        raise NotFound
    return found


def absence_in(section: Section, pk: int) -> Absence:
    found = Absence.objects.filter(entry__section=section, pk=pk).first()
    if found is None:
        raise NotFound
    return found


def forbidden_in(section: Section, pk: int) -> ForbiddenPair:
    found = section.forbidden_pairs.filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found


def notice_in(event: Event, pk: int) -> Notice:
    found = event.notices.filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found


def role_in(event: Event, pk: int) -> Role:
    found = event.roles.filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found


def import_in(request: Request, section: Section, pk: int) -> ImportDraft:
    """A held file is seen by the one who uploaded it only."""
    found = ImportDraft.objects.filter(section=section, user=actor_of(request).user, pk=pk).first()
    if found is None:
        raise NotFound
    return found


def job_in(section: Section, pk: int) -> Job:
    found = section.jobs.filter(pk=pk).first()
    if found is None:
        raise NotFound
    return found
