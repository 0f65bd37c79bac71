"""Registrations: the organizer opens them, anybody sends one, the arbiter accepts or refuses, fees are noted as paid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import audit, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, DomainError, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Entry, Event, Payment, Player, Registration, RegistrationTerms, Section
from tournaments.permissions import Action, require
from tournaments.selectors import registration as selectors
from tournaments.services import entries
from tournaments.wording.names import plain

TERMS_FIELDS = ("is_open", "places", "fee", "remark")
PERSON_FIELDS = ("name", "latin_name", "club", "federation", "sex", "birth_year", "rating", "fmjd_id")
SENT_FIELDS = (*PERSON_FIELDS, "contact", "message")
MOST_UNDECIDED = 1000


def set_terms(actor: Actor, section_id: int, fields: Mapping[str, Any]) -> RegistrationTerms:
    """Open or close the registration of a section, and say its places and its fee. Raises BadInput by field."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_EVENT, section.event)
        terms = selectors.terms_of(section)
        before = {name: getattr(terms, name) for name in TERMS_FIELDS}
        for name in TERMS_FIELDS:
            setattr(terms, name, fields.get(name, getattr(terms, name)))
        if terms.is_open and not before["is_open"]:
            refuse_closed(section)
        _clean(terms)
        terms.save()
        after = {name: getattr(terms, name) for name in TERMS_FIELDS}
        if after != before:
            audit.record(
                actor=actor, action=AuditAction.SET_REGISTRATION, section=section, subject=section,
                before={name: before[name] for name in TERMS_FIELDS if before[name] != after[name]},
                after={name: after[name] for name in TERMS_FIELDS if before[name] != after[name]},
            )  # fmt: skip
            jobs.bump(section, public=True)
    return terms


def refuse_closed(section: Section) -> None:
    """Raises WrongState where nobody can be entered any more."""
    if section.event.state == Event.State.CLOSED:
        raise WrongState(_("The event is closed."))
    entries.refuse_closed_list(section)


def takes_registrations(section: Section) -> bool:
    """Whether the form is open and an entry could still be made."""
    if not selectors.terms_of(section).is_open:
        return False
    try:
        refuse_closed(section)
    except DomainError:
        return False
    return True


def register(actor: Actor, section_id: int, fields: Mapping[str, Any], *, submission: str) -> Registration:
    """Keep a registration until the arbiter answers. `submission` is a number of the form; sent twice, it is one.

    Raises WrongState while the registration is closed, BadInput by field, also for a player who is registered or entered.
    """
    if not submission or len(submission) > 64:
        raise BadInput(fields={"__all__": [_("Load the form again.")]})
    unknown = set(fields) - set(SENT_FIELDS)
    if unknown:
        raise BadInput(fields={name: [_("There is no such field.")] for name in sorted(unknown)})
    with transaction.atomic():
        section = lock_section(section_id)
        known = Registration.objects.filter(section=section, submission=submission).first()
        if known is not None:
            return known
        if not takes_registrations(section):
            raise WrongState(_("The registration is closed."), code="registration-closed")
        made = Registration(section=section, submission=submission, **fields)
        made.name = " ".join(made.name.split())
        _clean(made)
        _refuse_twice(section, made)
        made.save()
        audit.record(
            actor=Actor(label=made.name, address=actor.address) if actor.user is None else actor,
            action=AuditAction.REGISTER, section=section, subject=made, after=_described(made),
        )  # fmt: skip
    return made


def accept(actor: Actor, registration_id: int, *, over: bool = False) -> Registration:
    """Enter the player, or put him on the waiting list while all places are taken; `over` enters him all the same.

    Raises WrongState for an answered registration, and for one that waits while no place is free.
    """
    with transaction.atomic():
        section, found = _locked(actor, registration_id)
        if not over and selectors.places_left(section) == 0:
            if found.state == Registration.State.WAITING:
                raise WrongState(_("All places are taken."), code="no-place")
            _answer(actor, found, Registration.State.WAITING, AuditAction.PUT_ON_WAITING_LIST)
            return found
        refuse_closed(section)
        entry = entries.enter(section, {name: getattr(found, name) for name in PERSON_FIELDS})
        entry.link = found.link
        entry.save(update_fields=["link"])
        found.entry = entry
        _answer(actor, found, Registration.State.ACCEPTED, AuditAction.ACCEPT_REGISTRATION)
        entries.follow_list(section)
    return found


def refuse(actor: Actor, registration_id: int, *, reason: str) -> Registration:
    """Refuse with the reason that the sender reads on his page."""
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason: the player reads it.")]})
    with transaction.atomic():
        _section, found = _locked(actor, registration_id)
        found.reason = reason.strip()[:300]
        _answer(actor, found, Registration.State.REFUSED, AuditAction.REFUSE_REGISTRATION)
    return found


def withdraw(actor: Actor, link: str) -> Registration:
    """The sender takes an unanswered registration back. Raises NotFound for a link that opens none."""
    section_id = Registration.objects.filter(link=link).values_list("section_id", flat=True).first()
    if not link or section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        found = Registration.objects.get(link=link)
        if found.state == Registration.State.WITHDRAWN:
            return found
        if not found.is_undecided:
            raise WrongState(_("This registration is answered already: ask the arbiter."), code="answered")
        found.state = Registration.State.WITHDRAWN
        found.save(update_fields=["state"])
        audit.record(
            actor=Actor(label=found.name, address=actor.address), action=AuditAction.WITHDRAW_REGISTRATION,
            section=section, subject=found, after={"name": found.name},
        )  # fmt: skip
    return found


def note_payment(actor: Actor, entry_id: int, *, amount: int) -> Payment:
    """Note how much of the fee an entry has paid in all; 0 takes a note back."""
    section_id = Entry.objects.filter(pk=entry_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        entry = section.entries.select_related("player").get(pk=entry_id)
        before = Payment.objects.filter(entry=entry).first()
        payment = before or Payment(entry=entry)
        paid_before = payment.amount if before else 0
        payment.amount, payment.noted_at = amount, timezone.now()
        _clean(payment)
        payment.save()
        if paid_before != amount:
            audit.record(
                actor=actor, action=AuditAction.NOTE_PAYMENT, section=section, subject=entry,
                before={"paid": paid_before}, after={"paid": amount},
            )  # fmt: skip
            jobs.bump(section, public=True)
    return payment


def _locked(actor: Actor, registration_id: int) -> tuple[Section, Registration]:
    section_id = Registration.objects.filter(pk=registration_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.EDIT_ENTRIES, section.event)
    found = Registration.objects.get(pk=registration_id)
    if not found.is_undecided:
        raise WrongState(_("This registration is answered already."), code="answered")
    return section, found


def _answer(actor: Actor, found: Registration, state: str, action: AuditAction) -> None:
    found.state, found.answered_at, found.answered_by = state, timezone.now(), actor.user
    found.save()
    audit.record(
        actor=actor, action=action, section=found.section, subject=found, after={"name": found.name},
        reason=found.reason,
    )  # fmt: skip


def _described(made: Registration) -> dict[str, Any]:
    """The log names the player, not how he is reached."""
    return {name: getattr(made, name) for name in PERSON_FIELDS if getattr(made, name)}


def _refuse_twice(section: Section, made: Registration) -> None:
    undecided = [Registration.State.REQUESTED, Registration.State.WAITING]
    others = list(section.registrations.filter(state__in=undecided))
    if len(others) >= MOST_UNDECIDED:
        raise WrongState(_("Too many registrations wait for an answer: write to the organizer."))
    people: list[Registration | Player] = [*others]
    people += [entry.player for entry in section.entries.select_related("player")]
    for other in people:
        same_number = made.fmjd_id and made.fmjd_id == other.fmjd_id
        if same_number or (plain(other.name) == plain(made.name) and not _born_apart(made, other)):
            raise BadInput(
                fields={
                    "name": [
                        _(
                            "A player of this name is registered already. Another player of the same name gives the "
                            "year of birth."
                        )
                    ]
                }
            )


def _born_apart(made: Registration, other: Registration | Player) -> bool:
    return bool(made.birth_year and other.birth_year and made.birth_year != other.birth_year)


def _clean(row: Any) -> None:
    try:
        row.clean_fields()
    except ValidationError as error:
        raise BadInput(
            fields={name: [str(m) for m in messages] for name, messages in error.message_dict.items()}
        ) from None
