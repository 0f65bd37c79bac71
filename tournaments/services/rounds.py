"""Rounds: asking for a pairing, publishing, and the ways back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import Outcome
from tournaments.errors import NotFound, WrongState
from tournaments.formats import brackets
from tournaments.gate import lock_section
from tournaments.models import PUBLIC_STATES, Entry, Job, Pairing, Round, Section, last_drafted
from tournaments.permissions import Action, require
from tournaments.selectors import interrupted
from tournaments.selectors.open_cases import open_cases
from tournaments.services import bracket_repair, filed
from tournaments.services import entries as entry_list


def request_pairing(actor: Actor, section_id: int, *, again: bool = False) -> Job:
    """Ask for the next round's draft. While a pairing job is active, it is the answer.

    `again` throws the present draft away first. Raises WrongState with what stands in the way.
    """
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        active = Job.objects.filter(
            section=section, kind=Job.Kind.PAIR, state__in=[Job.State.QUEUED, Job.State.RUNNING]
        ).first()
        if active is not None:
            return active
        if again:
            drop_drafts(section)
        number = last_drafted(section) + 1
        check_ready(section, number)
        if number == 1:
            entry_list.fix_numbers(section)
        jobs.bump(section, public=False)  # numbers are shown when round 1 is published, not before
        audit.record(
            actor=actor,
            action=AuditAction.REQUEST_PAIRING,
            section=section,
            subject=section,
            after={"round": number} | _appeals(section),
        )
        return jobs.enqueue(section, Job.Kind.PAIR, round_number=number, requested_by=actor.user)


def publish_round(actor: Actor, round_id: int) -> Round:
    """Put a draft before the public. Earlier rounds must be public already."""
    with transaction.atomic():
        round_ = _locked_round(actor, round_id, Action.PUBLISH)
        _check_publishable(round_)
        _publish(actor, round_)
        _follow(round_.section, round_.number)
    return round_


def publish_all_rounds(actor: Actor, section_id: int) -> list[Round]:
    """Publish every draft of a round robin at once: its table is known from the start."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PUBLISH, section.event)
        drafts = list(section.rounds.filter(state=Round.State.PAIRED).order_by("number"))
        if not drafts:
            raise WrongState(_("There is no draft to publish."))
        for round_ in drafts:
            round_.section = section
            _check_publishable(round_)
            _publish(actor, round_)
        _follow(section, drafts[0].number)
    return drafts


def unpublish_round(actor: Actor, round_id: int, *, reason: str) -> Round:
    """Take a round back to draft while nothing is played or filed in it and no later round is public."""
    with transaction.atomic():
        round_ = _locked_round(actor, round_id, Action.PUBLISH)
        section = round_.section
        if round_.state != Round.State.PUBLISHED:
            raise WrongState(_("Round %(round)s is not open for this."), round=round_.number)
        if not reason.strip():
            raise WrongState(_("Give a reason for taking the round back."), code="reason-needed")
        if round_.pairings.filter(black__isnull=False).exclude(outcome=Outcome.UNPLAYED).exists():
            raise WrongState(
                _("Results are in already: the round can no longer be taken back."), code="played"
            )
        if section.rounds.filter(number__gt=round_.number, state__in=PUBLIC_STATES).exists():
            raise WrongState(_("A later round is public."))
        filed.refuse_loss(section, Pairing.objects.filter(round=round_))
        _drop_later_drafts(section, round_.number)
        round_.state = Round.State.PAIRED
        round_.published_at = None
        round_.save(update_fields=["state", "published_at"])
        section.standings.filter(after_round__gte=round_.number).delete()
        audit.record(
            actor=actor, action=AuditAction.UNPUBLISH_ROUND, section=section, subject=round_, reason=reason
        )
        _follow(section, round_.number)
    return round_


def discard_draft(actor: Actor, section_id: int) -> None:
    """Throw the drafts away; the round before is open for results again."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        drop_drafts(section)
        audit.record(actor=actor, action=AuditAction.DISCARD_DRAFT, section=section, subject=section)
        jobs.bump(section, public=False)


def set_round_start(actor: Actor, section_id: int, *, number: int, starts_at: Any) -> Round:
    """The announced start of a round; the round need not be paired yet."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PUBLISH, section.event)
        if not 1 <= number <= max(section.rounds_total, last_drafted(section)):
            raise NotFound
        round_, _created = Round.objects.get_or_create(section=section, number=number)
        round_.starts_at = starts_at
        round_.save(update_fields=["starts_at"])
        audit.record(
            actor=actor, action=AuditAction.SET_ROUND_START, section=section, subject=round_,
            after=starts_at.isoformat() if starts_at else None,
        )  # fmt: skip
        jobs.bump(section, public=True)
    return round_


def check_ready(section: Section, number: int) -> None:
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    if section.rounds.filter(state=Round.State.PAIRED).exists():
        raise WrongState(
            _("A draft is waiting: publish it, or discard it and pair again."), code="draft-exists"
        )
    playing = section.entries.filter(
        Q(withdrawn_after_round__isnull=True) | Q(withdrawn_after_round__gte=number)
    )
    strategy = formats.of(section)
    refused = strategy.ready(section, number=number, playing=playing.count())
    if refused is not None:
        raise refused
    open_boards = (
        Pairing.objects.filter(round__section=section, round__number__lt=number, outcome=Outcome.UNPLAYED)
        .exclude(pk__in=interrupted.adjourned(section))
        .count()
    )
    if open_boards:
        raise WrongState(
            _("Results are missing on %(count)s boards."), code="results-missing", count=open_boards
        )
    level = strategy.undecided(section)
    if level:
        raise WrongState(
            _("Say who goes on from board %(boards)s: the match is level."),
            code="ties-undecided",
            boards=", ".join(map(str, level)),
        )
    bracket_repair.refuse_open(section)


def drop_drafts(section: Section) -> None:
    drafts = section.rounds.filter(state=Round.State.PAIRED)
    first = drafts.order_by("number").values_list("number", flat=True).first()
    if first is None:
        raise WrongState(_("There is no draft."), code="no-draft")
    if section.bracket and first <= brackets.group_rounds(section) + 1:
        section.bracket = []
        section.save(update_fields=["bracket"])
    _empty(section, drafts)
    _reopen_round(section, first - 1)


def _drop_later_drafts(section: Section, number: int) -> None:
    if not formats.of(section).drawn_ahead:
        _empty(section, section.rounds.filter(state=Round.State.PAIRED, number__gt=number))


def _empty(section: Section, drafts: QuerySet[Round]) -> None:
    boards = Pairing.objects.filter(round__in=drafts)
    filed.refuse_loss(section, boards)
    boards.delete()
    drafts.update(
        state=Round.State.OPEN,
        engine="",
        digest="",
        canonical_input="",
        proposal=[],
        explanations={},
        numbers={},
        edits=[],
    )


def _reopen_round(section: Section, number: int) -> None:
    section.rounds.filter(number=number, state=Round.State.CLOSED).update(state=Round.State.PUBLISHED)


def _locked_round(actor: Actor, round_id: int, action: Action) -> Round:
    section_id = Round.objects.filter(pk=round_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, action, section.event)
    round_ = section.rounds.get(pk=round_id)
    round_.section = section
    return round_


def _check_publishable(round_: Round) -> None:
    if round_.state != Round.State.PAIRED:
        raise WrongState(_("Round %(round)s is not a draft."), round=round_.number)
    earlier = round_.section.rounds.filter(number__lt=round_.number)
    if earlier.exclude(state__in=PUBLIC_STATES).exists():
        raise WrongState(_("Publish the earlier rounds first."))
    bracket_repair.refuse_open(round_.section)


def _publish(actor: Actor, round_: Round) -> None:
    section = round_.section
    round_.state = Round.State.PUBLISHED
    round_.published_at = timezone.now()
    round_.save(update_fields=["state", "published_at"])
    if section.state == Section.State.SETUP:
        section.state = Section.State.RUNNING
        section.save(update_fields=["state"])
    # Told with the first round that is published, not by the draft before it.
    strategy = formats.of(section)
    planned = strategy.planned_rounds(section, drafted=last_drafted(section))
    if planned != section.rounds_total:
        section.rounds_total = planned
        section.save(update_fields=["rounds_total"])
    _absent, out = strategy.missing(section, number=round_.number)
    section.entries.filter(pk__in=out, status=Entry.Status.ACTIVE).update(
        status=Entry.Status.WITHDRAWN, withdrawn_after_round=round_.number
    )
    audit.record(
        actor=actor, action=AuditAction.PUBLISH_ROUND, section=section, subject=round_,
        after={"round": round_.number, "edits": round_.edits, "digest": round_.digest} | _appeals(section),
    )  # fmt: skip


def _appeals(section: Section) -> dict[str, list[str]]:
    """The appeals that were open when it was done, for the log."""
    waiting = open_cases(section)
    return {"appeals": waiting} if waiting else {}


def _follow(section: Section, number: int) -> None:
    jobs.bump(section, public=True)
    jobs.enqueue(section, Job.Kind.STANDINGS, round_number=number)
