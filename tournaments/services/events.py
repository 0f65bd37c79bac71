"""Events, sections, officials: setting up and closing down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import audit, jobs
from tournaments.audit import SYSTEM, Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_event, lock_section, lock_set_up
from tournaments.models import PUBLIC_STATES, Event, Job, Pairing, Role, Round, Section, User, random_code
from tournaments.permissions import Action, require
from tournaments.services import filed, section_options
from tournaments.wording import names

EVENT_FIELDS = (
    "code", "name", "name_en", "place", "starts_on", "ends_on", "description", "regulations", "contact",
)  # fmt: skip
SECTION_FIELDS = (
    "code", "name", "name_en", "position", "format", "ranking", "numbering", "rounds_total", "time_control", "scheme",
    "preset", "tiebreaks", "policy", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "refunds_withdrawn",
    "match_rule", "own_match", "own_points", "third_place", "groups", "group_places", "team_boards", "team_places",
    "protect_clubs_rounds", "drop_absent", "acceleration", "lots_decide", "initial_colour",
)  # fmt: skip
FROZEN_ONCE_PAIRED = frozenset(
    {
        "format",
        "ranking",
        "numbering",
        "scheme",
        "initial_colour",
        "acceleration",
        "match_rule",
        "own_match",
        "own_points",
        "third_place",
        "groups",
        "group_places",
        "team_boards",
    }
)
NEED_A_REASON_ONCE_PAIRED = frozenset(
    {
        "rounds_total",
        "tiebreaks",
        "policy",
        "preset",
        "withdrawal",
        "appeal_fee",
        "appeal_deadline",
        "refunds_withdrawn",
    }
)


def set_up_first_organizer(*, username: str, password: str, full_name: str = "") -> User:
    """The first account, made while there is none. Raises WrongState afterwards."""
    with transaction.atomic():
        lock_set_up()
        if User.objects.exists():
            raise WrongState(_("The site is already set up. Log in instead."), code="already-set-up")
        user = User(username=username, first_name=full_name, is_staff=True, is_superuser=True)
        _set_password(user, password)
        _save_checked(user)
        audit.record(actor=Actor(user=user), action=AuditAction.SET_UP_SITE, subject=user)
    return user


def create_event(actor: Actor, fields: Mapping[str, Any]) -> Event:
    """A new event, its maker the first organizer. Only staff accounts, and commands of the operator, make events."""
    if actor is not SYSTEM and (actor.user is None or not actor.user.is_staff):
        raise NotAllowed
    values = _known(fields, EVENT_FIELDS)
    if not values.get("code"):
        values["code"] = _event_code(str(values.get("name", "")), str(values.get("name_en", "")))
    event = Event(created_by=actor.user, **values)
    with transaction.atomic():
        _save_checked(event)
        if actor.user is not None:
            Role.objects.create(event=event, user=actor.user, kind=Role.Kind.ORGANIZER)
        audit.record(
            actor=actor,
            action=AuditAction.CREATE_EVENT,
            event=event,
            subject=event,
            after=_state(event, EVENT_FIELDS),
        )
    return event


def update_event(actor: Actor, event_id: int, fields: Mapping[str, Any]) -> Event:
    event = _event(event_id)
    require(actor, Action.EDIT_EVENT, event)
    with transaction.atomic():
        before = _state(event, EVENT_FIELDS)
        _assign(event, _known(fields, EVENT_FIELDS))
        _save_checked(event)
        _log_change(actor, AuditAction.EDIT_EVENT, event, before, _state(event, EVENT_FIELDS))
    return event


def show_event(actor: Actor, event_id: int, *, public: bool) -> Event:
    """Make an event public, or hide it again. A closed event stays public."""
    event = _event(event_id)
    require(actor, Action.EDIT_EVENT, event)
    if event.state == Event.State.CLOSED:
        raise WrongState(_("The event is closed; its pages stay public."))
    with transaction.atomic():
        before = event.state
        event.state = Event.State.OPEN if public else Event.State.DRAFT
        if event.state == before:
            return event
        event.save(update_fields=["state"])
        audit.record(
            actor=actor, action=AuditAction.SHOW_EVENT if public else AuditAction.HIDE_EVENT, event=event, subject=event,
            before=before, after=event.state,
        )  # fmt: skip
    return event


def create_section(actor: Actor, event_id: int, fields: Mapping[str, Any]) -> Section:
    """A section with the preset's tie-breaks where the fields name none."""
    require(actor, Action.EDIT_EVENT, _event(event_id))
    values = _known(fields, SECTION_FIELDS)
    with transaction.atomic():
        event = lock_event(event_id)
        _refuse_closed(event)
        values.setdefault("code", _free_code(event))
        section = Section(event=event, **values)
        section_options.bring(section, values)
        section_options.check(section, SECTION_FIELDS)
        _save_checked(section)
        audit.record(
            actor=actor,
            action=AuditAction.CREATE_SECTION,
            section=section,
            subject=section,
            after=_state(section, SECTION_FIELDS),
        )
    return section


def update_section(actor: Actor, section_id: int, fields: Mapping[str, Any], *, reason: str = "") -> Section:
    """Change a section. What the pairings rest on is frozen once a round is paired; what the places rest on needs a reason."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_EVENT, section.event)
        before = _state(section, SECTION_FIELDS)
        _assign(section, _known(fields, SECTION_FIELDS))
        section_options.bring(section, fields)
        changed = {name for name, value in _state(section, SECTION_FIELDS).items() if value != before[name]}
        if not changed:
            return section
        section_options.check(section, changed)
        _check_changes(section, changed, reason)
        _save_checked(section)
        _log_change(
            actor, AuditAction.EDIT_SECTION, section, before, _state(section, SECTION_FIELDS), reason=reason
        )
        jobs.bump(section, public=True)
        if changed & NEED_A_REASON_ONCE_PAIRED and section.rounds.filter(state__in=PUBLIC_STATES).exists():
            jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)
    return section


def delete_section(actor: Actor, section_id: int) -> None:
    """Only while nothing is paired in it."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_EVENT, section.event)
        if _paired(section):
            raise WrongState(_("Rounds are paired in this section; it can no longer be deleted."))
        if filed.found_in(section):
            raise WrongState(
                _("Incidents of this section are on record; it can no longer be deleted."), code="filed"
            )
        audit.record(
            actor=actor, action=AuditAction.DELETE_SECTION, event=section.event, subject=section,
            before=_state(section, SECTION_FIELDS),
        )  # fmt: skip
        section.delete()


def assign_role(
    actor: Actor,
    event_id: int,
    *,
    username: str,
    kind: str,
    password: str = "",
    full_name: str = "",
    delegation: str = "",
) -> Role:
    """Give a person a role. An account that does not exist is made when a first password is given.

    `delegation` is the club whose captain it is, or where a committee member belongs.
    """
    event = _event(event_id)
    require(actor, Action.EDIT_ROLES, event)
    if kind not in Role.Kind.values:
        raise BadInput(fields={"kind": [_("There is no such role.")]})
    delegation = " ".join(delegation.split())[:120]
    if kind == Role.Kind.CAPTAIN and not delegation:
        raise BadInput(fields={"delegation": [_("Name the club or delegation whose captain it is.")]})
    with transaction.atomic():
        user = User.objects.filter(username=username).first()
        if user is not None:
            _refuse_arbiter_on_committee(event, user, kind)
        if user is None:
            user = _new_account(username, password, full_name)
        role, created = Role.objects.get_or_create(
            event=event, user=user, kind=kind, defaults={"delegation": delegation}
        )
        moved = delegation and role.delegation != delegation
        if moved:
            role.delegation = delegation
            role.save(update_fields=["delegation"])
        if created or moved:
            audit.record(
                actor=actor,
                action=AuditAction.ASSIGN_ROLE,
                event=event,
                subject=role,
                after={"user": username, "kind": kind} | ({"delegation": delegation} if delegation else {}),
            )
    return role


def _refuse_arbiter_on_committee(event: Event, user: User, kind: str) -> None:
    """Nobody is an arbiter of an event and judges appeals against its arbiters (article 16.2)."""
    arbiters = {Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER}
    others = {Role.Kind.COMMITTEE} if kind in arbiters else arbiters if kind == Role.Kind.COMMITTEE else set()
    if Role.objects.filter(event=event, user=user, kind__in=others).exists():
        raise WrongState(
            _("An arbiter of the event cannot sit on its appeals committee: %(name)s has the other role."),
            code="arbiter-on-committee",
            name=str(user),
        )


def remove_role(actor: Actor, role_id: int) -> None:
    """Take a role away; the last organizer stays."""
    role = Role.objects.select_related("event", "user").filter(pk=role_id).first()
    if role is None:
        raise NotFound
    require(actor, Action.EDIT_ROLES, role.event)
    with transaction.atomic():
        event = lock_event(role.event_id)
        others = event.roles.filter(kind=Role.Kind.ORGANIZER).exclude(pk=role.pk)
        if role.kind == Role.Kind.ORGANIZER and not others.exists():
            raise WrongState(_("An event needs an organizer: name another one first."))
        audit.record(
            actor=actor, action=AuditAction.REMOVE_ROLE, event=role.event, subject=role,
            before={"user": role.user.username, "kind": role.kind},
        )  # fmt: skip
        role.delete()


def close_event(actor: Actor, event_id: int) -> Event:
    """Close an event whose sections are all closed. None of them is opened or made meanwhile."""
    require(actor, Action.CLOSE_EVENT, _event(event_id))
    with transaction.atomic():
        event = lock_event(event_id)
        for pk in event.sections.order_by("pk").values_list("pk", flat=True):
            lock_section(pk)
        open_sections = [str(s) for s in event.sections.exclude(state=Section.State.CLOSED)]
        if open_sections:
            raise WrongState(
                _("These sections are not closed yet: %(names)s."),
                names=", ".join(open_sections),
                code="sections-open",
            )
        event.state = Event.State.CLOSED
        event.closed_at = timezone.now()
        event.save(update_fields=["state", "closed_at"])
        audit.record(actor=actor, action=AuditAction.CLOSE_EVENT, event=event, subject=event)
    return event


def missing_results(section: Section) -> list[Pairing]:
    return list(
        Pairing.objects.filter(round__section=section, round__state__in=PUBLIC_STATES, outcome="UNPLAYED")
        .select_related("round", "white__player", "black__player")
        .order_by("round__number", "board")
    )


def _event(pk: int) -> Event:
    event = Event.objects.filter(pk=pk).first()
    if event is None:
        raise NotFound
    return event


def _paired(section: Section) -> bool:
    return section.rounds.exclude(state=Round.State.OPEN).exists()


def _refuse_closed(event: Event) -> None:
    if event.state == Event.State.CLOSED:
        raise WrongState(_("The event is closed."))


def _known(fields: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    unknown = sorted(set(fields) - set(names))
    if unknown:
        raise BadInput(fields={name: [_("There is no such field.")] for name in unknown})
    return dict(fields)


def _assign(row: models.Model, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)


def _state(row: models.Model, names: tuple[str, ...]) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in names}
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in values.items()
    }


def _log_change(
    actor: Actor,
    action: AuditAction,
    row: Event | Section,
    before: dict[str, Any],
    after: dict[str, Any],
    *,
    reason: str = "",
) -> None:
    changed = [name for name in after if after[name] != before[name]]
    if not changed:
        return
    audit.record(
        actor=actor,
        action=action,
        event=row if isinstance(row, Event) else row.event,
        section=row if isinstance(row, Section) else None,
        subject=row,
        before={name: before[name] for name in changed},
        after={name: after[name] for name in changed},
        reason=reason,
    )


def _save_checked(row: models.Model) -> None:
    """Validate and save; a clash with another row is told as a field's fault."""
    try:
        row.full_clean()
        with transaction.atomic():
            row.save()
    except ValidationError as error:
        raise BadInput(fields=_by_field(error)) from None
    except IntegrityError:
        raise BadInput(fields={"__all__": [_("This clashes with something that exists already.")]}) from None


def _by_field(error: ValidationError) -> dict[str, list[str]]:
    if hasattr(error, "error_dict"):
        return {name: [str(m) for m in messages] for name, messages in error.message_dict.items()}
    return {"__all__": [str(m) for m in error.messages]}


def _new_account(username: str, password: str, full_name: str) -> User:
    if not password:
        raise BadInput(
            fields={"username": [_("There is no account of this name. Give a first password to make one.")]}
        )
    user = User(username=username, first_name=full_name)
    _set_password(user, password)
    _save_checked(user)
    return user


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise BadInput(fields={"password": [str(m) for m in error.messages]}) from None
    user.set_password(password)


def _event_code(name: str, name_en: str) -> str:
    """A free address code from the name, Chinese by its pinyin; by chance where the name gives too little."""
    stem = names.address_code(name) or names.address_code(name_en)
    if len(stem) < 3:
        return random_code()
    taken = set(Event.objects.filter(code__startswith=stem).values_list("code", flat=True))
    return next(
        code for code in (stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))) if code not in taken
    )


def _free_code(event: Event) -> str:
    taken = set(event.sections.values_list("code", flat=True))
    letters = "abcdefghijklmnopqrstuvwxyz"
    candidates: tuple[str, ...] = (*letters, *(a + b for a in letters for b in letters))
    return next(code for code in candidates if code not in taken)


def _field(name: str) -> models.Field[Any, Any]:
    return next(field for field in Section._meta.fields if field.name == name)


def _check_changes(section: Section, changed: set[str], reason: str) -> None:
    if section.state == Section.State.CLOSED and changed - {"name", "name_en", "position"}:
        raise WrongState(_("The section is closed."))
    if not _paired(section):
        return
    frozen = sorted(changed & FROZEN_ONCE_PAIRED)
    if frozen:
        raise WrongState(
            _("Rounds are paired already; this can no longer be changed: %(names)s."),
            code="frozen",
            names=", ".join(str(_field(name).verbose_name) for name in frozen),
        )
    if changed & NEED_A_REASON_ONCE_PAIRED and not reason.strip():
        raise BadInput(_("Rounds are paired already: give a reason for this change."), code="reason-needed")
    if "rounds_total" in changed and section.rounds.exclude(state=Round.State.OPEN).filter(
        number__gt=section.rounds_total
    ):
        raise WrongState(_("More rounds than that are paired already."))
