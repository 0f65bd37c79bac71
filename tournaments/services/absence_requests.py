"""A player's own request for a bye or an absence, and the arbiter's answer."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import ABSENCE_KINDS, Absence, AbsenceRequest, Entry, Section
from tournaments.permissions import Action, require
from tournaments.services import entries


def ask(actor: Actor, link: str, *, round_number: int, kind: str, reason: str = "") -> AbsenceRequest:
    """Ask by the personal link of an entry. The same request again is the one that waits; another kind changes it.

    Raises NotFound for a link that opens none, BadInput or WrongState for a round that cannot be asked for.
    """
    section_id = Entry.objects.filter(link=link).values_list("section_id", flat=True).first()
    if not link or section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        entry = section.entries.select_related("player").filter(link=link).first()
        if entry is None:
            raise NotFound
        entry.section = section
        if kind not in dict(ABSENCE_KINDS):
            raise BadInput(fields={"kind": [_("There is no such kind of absence.")]})
        if section.state == Section.State.CLOSED or entry.status != Entry.Status.ACTIVE:
            raise WrongState(_("This player is in no round to come."))
        entries.check_absence(entry, round_number, kind)
        if Absence.objects.filter(entry=entry, round_number=round_number, kind=kind).exists():
            raise WrongState(_("This absence is noted already."), code="noted")
        request, _made = AbsenceRequest.objects.update_or_create(
            entry=entry, round_number=round_number, state=AbsenceRequest.State.WAITING,
            defaults={"kind": kind, "reason": " ".join(reason.split())[:200]},
        )  # fmt: skip
        audit.record(
            actor=Actor(label=entry.player.name, address=actor.address), action=AuditAction.ASK_ABSENCE,
            section=section, subject=entry, after={"round": round_number, "kind": kind}, reason=request.reason,
        )  # fmt: skip
    return request


def take_back(actor: Actor, link: str, request_id: int) -> None:
    """The player takes back a request that waits. Raises NotFound for others'."""
    found = (
        AbsenceRequest.objects.filter(pk=request_id, entry__link=link).select_related("entry__player").first()
    )
    if not link or found is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(found.entry.section_id)
        found = AbsenceRequest.objects.select_related("entry__player").filter(pk=request_id).first()
        if found is None:
            return
        if found.state != AbsenceRequest.State.WAITING:
            raise WrongState(_("This request is answered already: ask the arbiter."), code="answered")
        audit.record(
            actor=Actor(label=found.entry.player.name, address=actor.address),
            action=AuditAction.WITHDRAW_ABSENCE_REQUEST, section=section, subject=found.entry,
            before={"round": found.round_number, "kind": found.kind},
        )  # fmt: skip
        found.delete()


def answer(actor: Actor, request_id: int, *, grant: bool, text: str = "") -> AbsenceRequest:
    """Grant a request, which notes the absence, or refuse it with a reason. Raises WrongState once it is answered."""
    section_id = (
        AbsenceRequest.objects.filter(pk=request_id).values_list("entry__section_id", flat=True).first()
    )
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        found = AbsenceRequest.objects.select_related("entry__player").filter(pk=request_id).first()
        if found is None:
            raise NotFound
        if found.state != AbsenceRequest.State.WAITING:
            raise WrongState(_("This request is answered already."), code="answered")
        if not grant and not text.strip():
            raise BadInput(fields={"answer": [_("Give the reason: the player reads it.")]})
        if grant:
            entries.announce_absence(
                actor, found.entry_id, round_number=found.round_number, kind=found.kind, reason=found.reason
            )
        found.state = AbsenceRequest.State.GRANTED if grant else AbsenceRequest.State.REFUSED
        found.answer, found.answered_at, found.answered_by = text.strip()[:300], timezone.now(), actor.user
        found.save()
        audit.record(
            actor=actor, action=AuditAction.ANSWER_ABSENCE_REQUEST, section=section, subject=found.entry,
            after={"round": found.round_number, "kind": found.kind, "granted": grant}, reason=found.answer,
        )  # fmt: skip
    return found
