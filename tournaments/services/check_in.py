"""Who is there before a round: marked by the desk or by the player himself; who is missing at the end is absent."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Absence, Entry, Event, Presence, Section
from tournaments.permissions import Action, require
from tournaments.selectors import check_in as selectors


def hall_code(event: Event) -> str:
    """The four digits shown in the hall today: who types them is there."""
    said = f"hall-code {event.pk} {timezone.localdate().isoformat()}".encode()
    digest = hmac.new(settings.SECRET_KEY.encode(), said, hashlib.sha256).digest()
    return f"{int.from_bytes(digest[:8]) % 10_000:04d}"


def mark(actor: Actor, entry_id: int, *, present: bool) -> Entry:
    """Mark an entry as there or as missing, before the next round that is not paired. Twice is once."""
    section_id = Entry.objects.filter(pk=entry_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.ENTER_RESULTS, section.event)
        return _mark(section, entry_id, present=present, by=actor.name)


def mark_self(link: str, *, code: str) -> Entry:
    """A player in the hall, by the personal link and the code shown there. Raises BadInput for another code."""
    section_id = Entry.objects.filter(link=link).values_list("section_id", flat=True).first()
    if not link or section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        if not constant_time_compare(code.strip(), hall_code(section.event)):
            raise BadInput(fields={"code": [_("This is not the code shown in the hall today.")]})
        entry = section.entries.select_related("player").filter(link=link).first()
        if entry is None:
            raise NotFound
        return _mark(section, entry.pk, present=True, by=entry.player.name)


def _mark(section: Section, entry_id: int, *, present: bool, by: str) -> Entry:
    entry = section.entries.select_related("player").get(pk=entry_id)
    number = selectors.next_round(section)
    if section.state == Section.State.CLOSED or number is None:
        raise WrongState(_("There is no round to come."), code="no-round")
    if entry.status != Entry.Status.ACTIVE:
        raise WrongState(_("%(name)s plays no more."), name=entry.player.name)
    known = Presence.objects.filter(entry=entry, round_number=number).first()
    if not present:
        if known is not None and not known.made_absent:
            known.delete()
        return entry
    if known is None:
        Presence.objects.create(entry=entry, round_number=number, seen_by=by[:200])
    elif known.made_absent:
        Absence.objects.filter(entry=entry, round_number=number, kind="ZERO_BYE").delete()
        known.made_absent, known.seen_by, known.seen_at = False, by[:200], timezone.now()
        known.save()
        jobs.bump(section, public=False)
    return entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """Who was made absent in the round."""

    round_number: int
    absent: tuple[Entry, ...]


def close(actor: Actor, section_id: int, *, sure: bool = False) -> Closed:
    """Make everybody who is missing absent in the next round; byes announced before stay as they are.

    Raises WrongState `most-missing` when over half are, unless `sure`, and where the format knows no absences.
    """
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        number = selectors.next_round(section)
        if section.state == Section.State.CLOSED or number is None:
            raise WrongState(_("There is no round to come."), code="no-round")
        refused = formats.of(section).absence()
        if refused is not None:
            raise refused
        found = selectors.of_section(section)
        missing = [row.entry for row in found if row.is_missing]
        if len(missing) * 2 > len(found) and not sure:
            raise WrongState(
                _("%(missing)s of %(all)s are missing, more than half."), code="most-missing",
                missing=len(missing), all=len(found),
            )  # fmt: skip
        Absence.objects.bulk_create(
            Absence(entry=entry, round_number=number, kind="ZERO_BYE", reason=_("not there at check-in"))
            for entry in missing
        )
        Presence.objects.bulk_create(
            [Presence(entry=entry, round_number=number, made_absent=True) for entry in missing],
            ignore_conflicts=True,
        )
        audit.record(
            actor=actor, action=AuditAction.CLOSE_CHECK_IN, section=section, subject=section,
            after={"round": number, "absent": [entry.player.name for entry in missing]},
        )  # fmt: skip
        jobs.bump(section, public=False)
    return Closed(round_number=number, absent=tuple(missing))
