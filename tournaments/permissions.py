"""Who may do what: one table, asked by every service and by every page of the desk."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import AnonymousUser

from tournaments.audit import SYSTEM, Actor
from tournaments.errors import NotAllowed, NotFound
from tournaments.models import Event, Role, User


class Action(StrEnum):
    EDIT_EVENT = "edit-event"
    EDIT_ROLES = "edit-roles"
    EDIT_ENTRIES = "edit-entries"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter-results"
    ADJUST_SCORES = "adjust-scores"
    CLOSE_EVENT = "close-event"
    READ_AUDIT = "read-audit"
    VIEW_DESK = "view-desk"
    POST_NOTICES = "post-notices"


_ORGANIZER = Role.Kind.ORGANIZER
_CHIEF = Role.Kind.CHIEF_ARBITER
_ARBITER = Role.Kind.ARBITER

TABLE: dict[Action, frozenset[Role.Kind]] = {
    Action.EDIT_EVENT: frozenset({_ORGANIZER}),
    Action.EDIT_ROLES: frozenset({_ORGANIZER}),
    Action.EDIT_ENTRIES: frozenset({_ORGANIZER, _CHIEF}),
    Action.PAIR: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
    Action.PUBLISH: frozenset({_ORGANIZER, _CHIEF}),
    Action.ENTER_RESULTS: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
    Action.ADJUST_SCORES: frozenset({_CHIEF}),
    Action.CLOSE_EVENT: frozenset({_ORGANIZER, _CHIEF}),
    Action.READ_AUDIT: frozenset({_ORGANIZER, _CHIEF}),
    Action.VIEW_DESK: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
    Action.POST_NOTICES: frozenset({_ORGANIZER, _CHIEF, _ARBITER}),
}


def roles_in(user: User | AnonymousUser | None, event: Event) -> frozenset[str]:
    """The kinds of role a user holds in an event; a superuser stands in for the organizer everywhere."""
    if user is None or not user.is_authenticated or not user.is_active:
        return frozenset()
    kinds = set(Role.objects.filter(event=event, user_id=user.pk).values_list("kind", flat=True))
    if user.is_superuser:
        kinds.add(_ORGANIZER)
    return frozenset(kinds)


def sees(user: User | AnonymousUser | None, event: Event) -> bool:
    """A draft is there only for those with a role in it."""
    return event.state != Event.State.DRAFT or bool(roles_in(user, event))


def allowed(user: User | AnonymousUser | None, action: Action, event: Event) -> bool:
    return bool(TABLE[action] & roles_in(user, event))


def require(actor: Actor, action: Action, event: Event) -> None:
    """Raises NotFound for someone without any desk role here (the desk does not show that it exists), else NotAllowed."""
    if actor is SYSTEM or actor.authority:
        return
    kinds = roles_in(actor.user, event)
    if TABLE[action] & kinds:
        return
    if not TABLE[Action.VIEW_DESK] & kinds:
        raise NotFound
    raise NotAllowed
