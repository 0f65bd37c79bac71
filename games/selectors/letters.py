"""Letters of players: those of a sender, and those that somebody at the desk may read and answer."""

from __future__ import annotations

from django.db.models import F, QuerySet

from games.models import Letter
from games.permissions import ANSWERED_BY, allowed
from tournaments.audit import Actor
from tournaments.models import Entry, Event
from tournaments.selectors import people


def letters_of(entry: Entry, link: str) -> list[Letter]:
    """What was written for the entry, the latest first. A player of a team reads what he wrote himself."""
    rows = Letter.objects.filter(entry=entry).select_related("section")
    if link:
        rows = rows.filter(member=people.member_by_link(entry, link))
    return list(rows)


def received(actor: Actor, event: Event) -> QuerySet[Letter]:
    """What somebody at the desk answers, the unanswered first, the oldest of them on top."""
    kinds = kinds_answered(actor, event)
    rows = Letter.objects.filter(event=event, kind__in=kinds).select_related(
        "entry__player", "section", "answered_by"
    )
    return rows.order_by(F("answered_at").desc(nulls_first=True), "sent_at")


def kinds_answered(actor: Actor, event: Event) -> list[str]:
    """The kinds of letters that the actor may read and answer."""
    return [kind.value for kind, act in ANSWERED_BY.items() if allowed(actor.user, act, event)]


def waiting(actor: Actor, event: Event) -> int:
    """How many letters wait for the actor's answer."""
    return Letter.objects.filter(
        event=event, kind__in=kinds_answered(actor, event), answered_at__isnull=True
    ).count()
