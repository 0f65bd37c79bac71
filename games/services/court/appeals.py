"""Appeals: filing, evidence, the fee, whether a case is accepted (articles 8.5, 13.1.5, 16).

The deadline and the fee of the section are frozen on the case when it is filed.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Appeal, Category, Delivery, Ruling
from games.permissions import Act, require
from games.services.court import cases, finality
from games.services.court.cases import Acting
from games.services.court.numbers import next_number
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import AuditEntry, Section

LONGEST_TEXT = 8000
LATE, CLOCK_SIGNAL, UNPAID, OUTSIDE = "late", "clock-signal", "unpaid", "outside"
STILL_OPEN = (Appeal.State.FILED, Appeal.State.ADMITTED, Appeal.State.HEARING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What filing costs and until when it can be done; `deadline_at` is None while the game has no result."""

    fee: int
    minutes: int
    deadline_at: dt.datetime | None

    @property
    def is_late(self) -> bool:
        return self.deadline_at is not None and timezone.now() > self.deadline_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """An appeal handed in on a sheet of paper: when, and who took it; `captain` names the captain who signed it."""

    received_at: dt.datetime
    received_by: str
    captain: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    kind: str
    grounds: str
    request: str
    submission: str


def terms_of(ruling: Ruling) -> Terms:
    """As they were when the ruling was made. The minutes count from the ruling or from the game's posted result, whichever
    is later (article 8.5).
    """
    section = ruling.incident.section
    since = _counted_from(ruling)
    minutes = _at_the_time(section, "appeal_deadline", ruling.made_at)
    return Terms(
        fee=_at_the_time(section, "appeal_fee", ruling.made_at),
        minutes=minutes,
        deadline_at=since + dt.timedelta(minutes=minutes) if since else None,
    )


def file_appeal(actor: Actor, ruling_id: int, filing: Filing, *, link: str = "") -> Appeal:
    """File a case against a ruling: a player by link or account, or his captain. The game goes on.

    The same submission again is the same case. What comes late, or is of a kind that can no longer be raised, is kept as not
    accepted, with the reason. Refused without a case: a ruling that is not in force, or one already decided on.
    """
    ruling = (
        Ruling.objects.select_related(
            "incident__white__player",
            "incident__black__player",
            "incident__entry__player",
            "incident__section__event",
        )
        .filter(pk=ruling_id)
        .first()
    )
    if ruling is None:
        raise NotFound
    incident = ruling.incident
    acting = cases.acts_for(actor, incident.parties(), ruling.event, link=link)
    if acting is None:
        raise NotFound
    check(filing)
    with transaction.atomic():
        section = lock_section(incident.section_id)
        known = Appeal.objects.filter(submission=filing.submission).first()
        if known is not None:
            if known.appellant_id != acting.entry.pk:
                raise NotFound
            return known
        ruling.refresh_from_db(fields=["state", "applied"])
        refuse_settled(ruling, acting)
        return write(actor, section, ruling, filing, acting)


def confirm_fee(actor: Actor, appeal_id: int) -> Appeal:
    """The fee was paid in full. Confirmed twice is once."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.SETTLE_FEE, appeal.event)
        if appeal.fee_state == Appeal.Fee.PAID:
            return appeal
        if appeal.fee_state != Appeal.Fee.DUE:
            raise WrongState(_("No fee is due."))
        cases.need(appeal, Appeal.State.FILED)
        appeal.fee_state = Appeal.Fee.PAID
        appeal.fee_paid_at = timezone.now()
        appeal.save(update_fields=["fee_state", "fee_paid_at"])
        cases.log(actor, AuditAction.CONFIRM_FEE, appeal, fee=appeal.fee)
    return appeal


def admit_appeal(actor: Actor, appeal_id: int) -> Appeal:
    """Take the case on: in time, paid, of a kind that can be raised. Raises WrongState with what is missing."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.ADMIT, appeal.event)
        if appeal.state == Appeal.State.ADMITTED:
            return appeal
        cases.need(appeal, Appeal.State.FILED)
        if appeal.fee_state == Appeal.Fee.DUE:
            raise WrongState(_("The fee is not paid yet (article 16.2)."), code=UNPAID)
        appeal.state = Appeal.State.ADMITTED
        appeal.admitted_at = timezone.now()
        appeal.save(update_fields=["state", "admitted_at"])
        cases.log(actor, AuditAction.ADMIT_APPEAL, appeal)
    return appeal


def hear_late(actor: Actor, appeal_id: int, *, cause: str) -> Appeal:
    """The committee takes a case up that came late, for a stated cause; never the clock's signals (article 8.2.5)."""
    if not cause.strip():
        raise BadInput(fields={"cause": [_("Say why the case is heard although it came late.")]})
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.HEAR_LATE, appeal.event)
        cases.need(appeal, Appeal.State.REFUSED)
        if appeal.reasons != [LATE]:
            raise WrongState(_("Only what came late, and for no other reason, can be heard all the same."))
        _refuse_decided(appeal.ruling)
        appeal.state, appeal.reasons, appeal.closed_at = Appeal.State.FILED, [], None
        appeal.late_cause = cause.strip()[:500]
        appeal.fee_state = Appeal.Fee.DUE if appeal.fee else Appeal.Fee.NONE
        appeal.joined_to = _earlier(appeal.ruling)
        appeal.save()
        finality.hold_under_appeal(appeal)
        cases.log(actor, AuditAction.HEAR_LATE, appeal, reason=cause)
    return appeal


def refuse_appeal(actor: Actor, appeal_id: int, *, reason: str) -> Appeal:
    """Do not accept a case: unpaid, or outside what can be appealed. It stays readable, with the reason."""
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason.")]})
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.ADMIT, appeal.event)
        cases.need(appeal, Appeal.State.FILED)
        _refuse(appeal, [UNPAID if appeal.fee_state == Appeal.Fee.DUE else OUTSIDE], note=reason)
        cases.log(actor, AuditAction.REFUSE_APPEAL, appeal, reason=reason, reasons=appeal.reasons)
    return appeal


def withdraw_appeal(actor: Actor, appeal_id: int, *, link: str = "") -> Appeal:
    """The appellant gives up, before the deliberation."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        acting = cases.acts_for(actor, [appeal.appellant], appeal.event, link=link)
        if acting is None:
            raise NotFound
        cases.need(appeal, *STILL_OPEN)
        appeal.state = Appeal.State.WITHDRAWN
        appeal.closed_at = timezone.now()
        _settle_fee(appeal, refund=appeal.section.refunds_withdrawn)
        appeal.save(update_fields=["state", "closed_at", "fee_state", "fee_settled_at"])
        finality.let_go(appeal)
        _lead_on(appeal)
        cases.log(actor, AuditAction.WITHDRAW_APPEAL, appeal)
    return appeal


def mark_copy_read(actor: Actor, appeal_id: int) -> None:
    """The chief arbiter has the copy that article 13.1.5 asks for; the first reading is stamped."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.APPROVE, appeal.event)
        if appeal.copy_read_at is None:
            appeal.copy_read_at = timezone.now()
            appeal.save(update_fields=["copy_read_at"])


def _settle_fee(appeal: Appeal, *, refund: bool) -> None:
    """What was paid goes back or is kept, as the event's regulations have it; what was not is no longer due."""
    if appeal.fee_state == Appeal.Fee.PAID:
        appeal.fee_state = Appeal.Fee.REFUNDED if refund else Appeal.Fee.KEPT
        appeal.fee_settled_at = appeal.closed_at
    elif appeal.fee_state == Appeal.Fee.DUE:
        appeal.fee_state = Appeal.Fee.NONE


def write(
    actor: Actor,
    section: Section,
    ruling: Ruling,
    filing: Filing,
    acting: Acting,
    *,
    paper: Paper | None = None,
) -> Appeal:
    """The case, inside the caller's gate: terms frozen, parties told, the ruling held, what cannot be heard not accepted."""
    incident, terms = ruling.incident, terms_of(ruling)
    now = timezone.now()
    other = incident.black if acting.entry.pk == incident.white_id else incident.white
    appeal = Appeal(
        event=section.event, section=section, ruling=ruling, number=next_number(section.event, "appeals"),
        appellant=acting.entry, opponent=other, kind=filing.kind, article=ruling.article,
        grounds=filing.grounds.strip(), request=filing.request.strip(), deadline_minutes=terms.minutes,
        deadline_at=terms.deadline_at, fee=terms.fee, fee_state=Appeal.Fee.DUE if terms.fee else Appeal.Fee.NONE,
        submission=filing.submission, filed_at=paper.received_at if paper else now, copy_to_chief_at=now, filed_by=actor.user, filer=acting.name,
        by_captain=acting.by_captain, joined_to=_earlier(ruling),
        on_paper=paper is not None, received_at=paper.received_at if paper else None,
        received_by=paper.received_by.strip() if paper else "",
    )  # fmt: skip
    appeal.save()
    told: dict[str, Any] = (
        {"on_paper": True, "received_by": appeal.received_by, "received_at": paper.received_at.isoformat()}
        if paper
        else {}
    )
    cases.log(
        actor,
        AuditAction.FILE_APPEAL,
        appeal,
        ruling=ruling.number,
        appellant=acting.entry.pk,
        fee=terms.fee,
        **told,
    )
    cases.tell(appeal, Delivery.Kind.FILED)
    finality.hold_under_appeal(appeal)
    reasons = _inadmissible(appeal, ruling)
    if reasons:
        _refuse(appeal, reasons)
        cases.log(actor, AuditAction.REFUSE_APPEAL, appeal, reasons=reasons)
    return appeal


def _earlier(ruling: Ruling) -> Appeal | None:
    """The case on this ruling that is open already: one ruling has one decision."""
    return ruling.appeals.filter(state__in=finality.OPEN, joined_to__isnull=True).order_by("pk").first()


def _lead_on(appeal: Appeal) -> None:
    """The case is gone: of those joined to it the first leads the others."""
    waiting = list(appeal.joined.filter(state__in=finality.OPEN).order_by("pk"))
    if not waiting:
        return
    first, *others = waiting
    first.joined_to = None
    first.save(update_fields=["joined_to"])
    Appeal.objects.filter(pk__in=[other.pk for other in others]).update(joined_to=first)


def _inadmissible(appeal: Appeal, ruling: Ruling) -> list[str]:
    found = []
    if appeal.deadline_at is not None and appeal.filed_at > appeal.deadline_at:
        found.append(LATE)
    # Article 8.2.5: whoever did not object to the clock's signals before the flag fell is not heard on them later.
    if appeal.kind == Category.CLOCK_SIGNAL and ruling.incident.category != Category.CLOCK_SIGNAL:
        found.append(CLOCK_SIGNAL)
    return found


def _refuse(appeal: Appeal, reasons: list[str], *, note: str = "") -> None:
    appeal.state = Appeal.State.REFUSED
    appeal.reasons = reasons
    appeal.note = note.strip()[:1000]
    appeal.closed_at = timezone.now()
    if appeal.fee_state == Appeal.Fee.PAID:
        appeal.fee_state, appeal.fee_settled_at = Appeal.Fee.REFUNDED, appeal.closed_at
    elif appeal.fee_state == Appeal.Fee.DUE:
        appeal.fee_state = Appeal.Fee.NONE
    appeal.save()
    finality.let_go(appeal)
    _lead_on(appeal)
    cases.tell(appeal, Delivery.Kind.REFUSED)


def refuse_settled(ruling: Ruling, acting: Acting) -> None:
    """Raises WrongState for a ruling not in force, decided on, or appealed against by the same player already."""
    if ruling.state not in (Ruling.State.IN_FORCE, Ruling.State.AWAITING):
        raise WrongState(
            _("This ruling is not in force: there is nothing to appeal against."), code="not-in-force"
        )
    earlier = ruling.appeals.exclude(state__in=[Appeal.State.WITHDRAWN, Appeal.State.REFUSED])
    _refuse_decided(ruling)
    if earlier.filter(appellant=acting.entry).exists():
        raise WrongState(_("You have appealed against this ruling already."), code="filed-already")


def _refuse_decided(ruling: Ruling) -> None:
    if ruling.decided_in_id is not None or finality.is_decided(ruling):
        raise WrongState(
            _("The committee has decided on this ruling: its decision is final (article 16.2)."), code="final"
        )


def _at_the_time(section: Section, name: str, at: dt.datetime) -> int:
    """A number of the section's options as it was then: what the log has before the first change since."""
    changes = AuditEntry.objects.filter(
        action=AuditAction.EDIT_SECTION, section=section, at__gt=at, before__has_key=name
    )
    first = changes.order_by("pk").first()
    before = first.before if first is not None else None
    return int(before[name] if before is not None else getattr(section, name))


def _counted_from(ruling: Ruling) -> dt.datetime | None:
    incident = ruling.incident
    ruled = ruling.in_force_at or ruling.made_at
    if incident.pairing_id is None:
        return ruled
    if incident.pairing is not None and incident.pairing.outcome == "UNPLAYED":
        return None
    posted = (
        AuditEntry.objects.filter(
            action=AuditAction.RECORD_OUTCOME, object_type="pairing", object_id=incident.pairing_id
        )
        .order_by("-pk")
        .values_list("at", flat=True)
        .first()
    )
    return max(ruled, posted) if posted else ruled


def check(filing: Filing) -> None:
    """Raises BadInput for what is missing or too long."""
    faults = {}
    if filing.kind not in Category.values:
        faults["kind"] = [_("Choose one of the values offered.")]
    for name in ("grounds", "request"):
        text = getattr(filing, name).strip()
        if not text or len(text) > LONGEST_TEXT:
            faults[name] = [_("Write it down, at most %(count)s letters.") % {"count": LONGEST_TEXT}]
    if not filing.submission or len(filing.submission) > 64:
        faults["submission"] = [_("Load the form again.")]
    if faults:
        raise BadInput(fields=faults)
