"""Giving up one rule for the sake of a round that cannot be paired otherwise: written, logged, and paired again at once."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput, NotFound
from tournaments.gate import lock_section
from tournaments.models import Absence, Job, Section, last_drafted
from tournaments.permissions import Action, require
from tournaments.services import draft, rounds


def relax_and_pair(
    actor: Actor, section_id: int, *, pair: int | None = None, bye: int | None = None, clubs: bool = False
) -> Job:
    """One of: lift the forbidden pair `pair`, give the entry `bye` the bye of the next round, let club-mates meet.

    The pairing is asked for in the same transaction: where it may not be, nothing is given up.
    """
    if sum([pair is not None, bye is not None, clubs]) != 1:
        raise BadInput(_("Choose one rule to give up."))
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        if pair is not None:
            if not section.forbidden_pairs.filter(pk=pair).exists():
                raise NotFound
            draft.allow_pair(actor, pair)
        elif bye is not None:
            _grant_bye(actor, section, bye)
        else:
            _let_clubs_meet(actor, section)
        return rounds.request_pairing(actor, section_id)


def _grant_bye(actor: Actor, section: Section, entry_id: int) -> None:
    entry = section.entries.filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    number = last_drafted(section) + 1
    Absence.objects.update_or_create(entry=entry, round_number=number, defaults={"kind": Outcome.BYE})
    audit.record(
        actor=actor, action=AuditAction.GRANT_BYE, section=section, subject=entry, after={"round": number}
    )  # fmt: skip


def _let_clubs_meet(actor: Actor, section: Section) -> None:
    number = last_drafted(section) + 1
    before = section.protect_clubs_rounds
    section.protect_clubs_rounds = min(before, number - 1)
    section.save(update_fields=["protect_clubs_rounds"])
    audit.record(
        actor=actor, action=AuditAction.LET_CLUBS_MEET, section=section, subject=section,
        before={"rounds": before}, after={"rounds": section.protect_clubs_rounds},
    )  # fmt: skip
    jobs.bump(section, public=False)
