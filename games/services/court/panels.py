"""The panel of a case: seating, interests, recusal and substitutes, opening the hearing, the parties' statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Appeal, Delivery, PanelSeat, Party, Relation, Statement
from games.permissions import Act, allowed, require
from games.services.court import cases
from games.services.court.appeals import LONGEST_TEXT, admit_appeal, confirm_fee
from games.services.court.interests import interests_of
from games.services.court.numbers import next_number
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import Entry, Event, Role, User

COMPOSING = (Appeal.State.FILED, Appeal.State.ADMITTED)
CHANGING = (*COMPOSING, Appeal.State.HEARING)


def seat_member(
    actor: Actor, appeal_id: int, *, user_id: int, convenor: bool = False, replaces: int | None = None
) -> PanelSeat:
    """Give a committee member a seat, as a substitute for a recused one where `replaces` names that seat.

    The organizer composes the panel; its convenor may seat substitutes. Interests are looked up at once.
    """
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_composer(actor, appeal, substitutes=replaces is not None)
        cases.need_leading(appeal)
        cases.need(appeal, *(CHANGING if replaces is not None else COMPOSING))
        user = User.objects.filter(
            pk=user_id, roles__event=appeal.event, roles__kind=Role.Kind.COMMITTEE
        ).first()
        if user is None:
            raise BadInput(fields={"user_id": [_("Only members of the appeals committee sit on a panel.")]})
        _refuse_acting_arbiter(appeal.event, user)
        _refuse_double(appeal, user, convenor)
        left = _left_seat(appeal, replaces)
        seat = PanelSeat.objects.create(
            appeal=appeal, user=user, is_convenor=convenor or bool(left and left.is_convenor), replaces=left,
            interests=interests_of(user, appeal),
        )  # fmt: skip
        cases.log(
            actor, AuditAction.SEAT_MEMBER, appeal, member=user.username, convenor=seat.is_convenor, interests=seat.interests,
            replaces=left.user.username if left else "",
        )  # fmt: skip
    return seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A member of the committee who may be given a seat; `is_proposed` for the first odd number without an interest."""

    user: User
    delegation: str
    interests: list[str]
    is_proposed: bool = False
    is_convenor: bool = False


def candidates(appeal: Appeal) -> list[Candidate]:
    """Who may sit on a case without a panel, in the order of their names: no acting arbiter."""
    arbiters = Role.objects.filter(
        event=appeal.event, kind__in=[Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER]
    ).values("user")
    roles = appeal.event.roles.filter(kind=Role.Kind.COMMITTEE).exclude(user__in=arbiters)
    found = [
        Candidate(user=role.user, delegation=role.delegation, interests=interests_of(role.user, appeal))
        for role in roles.select_related("user").order_by("user__username")
    ]
    proposed = [c.user.pk for c in found if not c.interests][: court_rules.PANEL_AT_LEAST]
    return [
        replace(c, is_proposed=c.user.pk in proposed, is_convenor=proposed[:1] == [c.user.pk]) for c in found
    ]


def start_case(actor: Actor, appeal_id: int, *, members: Sequence[int], convenor: int) -> Appeal:
    """The fee is paid where one is due, the case accepted, its panel seated, the hearing open: all of it or nothing.

    For the organizer. Raises what each of the steps raises.
    """
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        cases.need_leading(appeal)
        cases.need(appeal, *COMPOSING)
        if appeal.fee_state == Appeal.Fee.DUE:
            confirm_fee(actor, appeal_id)
        admit_appeal(actor, appeal_id)
        seated = set(appeal.seats.values_list("user_id", flat=True))
        for user_id in members:
            if user_id not in seated:
                seat_member(actor, appeal_id, user_id=user_id, convenor=user_id == convenor)
        return open_hearing(actor, appeal_id)


def declare_relation(
    actor: Actor, event_id: int, *, entry_id: int, kind: str = Relation.Kind.FAMILY, note: str = ""
) -> Relation:
    """A committee member declares a tie with a player; open cases with that player take it up."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, Act.DECLARE, event)
    entry = Entry.objects.filter(pk=entry_id, section__event=event).first()
    if entry is None or kind not in Relation.Kind.values or actor.user is None:
        raise BadInput(fields={"entry": [_("Choose a player of the event.")]})
    with transaction.atomic():
        relation, _made = Relation.objects.get_or_create(
            event=event, user=actor.user, entry=entry, kind=kind, defaults={"note": note.strip()[:300]}
        )
        audit.record(
            actor=actor, action=AuditAction.DECLARE_INTEREST, event=event, section=entry.section, subject=entry,
            after={"kind": kind},
        )  # fmt: skip
        seats = PanelSeat.objects.filter(user=actor.user, state=PanelSeat.State.SITTING).exclude(
            appeal__state__in=[Appeal.State.DECIDED, Appeal.State.REFUSED, Appeal.State.WITHDRAWN]
        )
        for pk in list(seats.filter(appeal__event=event).values_list("appeal_id", flat=True)):
            _look_again(cases.hold(pk), actor.user)
    return relation


def recuse_member(actor: Actor, seat_id: int, *, reason: str) -> PanelSeat:
    """A member steps down, or the convenor or organizer has one with an interest step down."""
    with transaction.atomic():
        appeal, seat = _held_seat(seat_id)
        own = actor.user is not None and actor.user.pk == seat.user_id
        if not own:
            _require_composer(actor, appeal, substitutes=True)
        if not own and not seat.interests:
            raise WrongState(
                _("A member without an interest in the case keeps the seat, or steps down himself.")
            )
        _need_reason(reason)
        cases.need(appeal, *CHANGING)
        if not seat.is_sitting:
            return seat
        seat.state = PanelSeat.State.RECUSED
        seat.recused_reason = reason.strip()[:300]
        seat.left_at = timezone.now()
        seat.save(update_fields=["state", "recused_reason", "left_at"])
        cases.log(actor, AuditAction.RECUSE_MEMBER, appeal, member=seat.user.username, reason=reason)
    return seat


def excuse_member(actor: Actor, seat_id: int, *, reason: str) -> PanelSeat:
    """The convenor lets a member sit in spite of an interest, with a reason on record; never himself."""
    with transaction.atomic():
        appeal, seat = _held_seat(seat_id)
        chair = cases.own_seat(actor, appeal)
        if chair is None or not chair.is_convenor:
            _refuse_stranger(actor, appeal)
        if chair is not None and chair.pk == seat.pk:
            raise NotAllowed(_("The convenor cannot excuse himself: another convenor is needed."))
        if chair is not None and chair.must_answer:
            raise NotAllowed(_("The convenor has an interest himself: another convenor is needed."))
        _need_reason(reason)
        cases.need(appeal, *CHANGING)
        if not seat.interests:
            raise WrongState(_("This member has no interest to be excused for."))
        seat.excused_reason = reason.strip()[:300]
        seat.save(update_fields=["excused_reason"])
        cases.log(actor, AuditAction.EXCUSE_MEMBER, appeal, member=seat.user.username, reason=reason)
    return seat


def panel_faults(seats: list[PanelSeat]) -> list[str]:
    """What keeps a hearing from opening, as sentences (article 16.2)."""
    faults = []
    if not court_rules.is_panel(len(seats)):
        faults.append(
            _("A panel is an odd number of three or more: there are %(count)s.") % {"count": len(seats)}
        )
    if sum(seat.is_convenor for seat in seats) != 1:
        faults.append(_("The panel has no convenor."))
    faults += [
        _("%(name)s has an interest: recuse, or excuse with a reason.") % {"name": seat.user}
        for seat in seats
        if seat.must_answer
    ]
    return faults


def open_hearing(actor: Actor, appeal_id: int) -> Appeal:
    """Only with an odd panel of three or more, one convenor, and nobody on it whose interest is unanswered."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_composer(actor, appeal, substitutes=True)
        cases.need_leading(appeal)
        if appeal.state == Appeal.State.HEARING:
            return appeal
        cases.need(appeal, Appeal.State.ADMITTED)
        _check_panel(appeal)
        appeal.state = Appeal.State.HEARING
        appeal.opened_at = timezone.now()
        appeal.save(update_fields=["state", "opened_at"])
        cases.log(actor, AuditAction.OPEN_HEARING, appeal)
        cases.tell(appeal, Delivery.Kind.HEARING)
    return appeal


def file_statement(actor: Actor, appeal_id: int, *, text: str, link: str = "") -> Statement:
    """A party speaks, by link, by account or through its captain; the arbiter whose ruling it is, or the chief, for it."""
    with transaction.atomic():
        appeal = cases.leading(cases.hold(appeal_id))
        party, name = _speaker(actor, appeal, link)
        cases.need(appeal, Appeal.State.FILED, Appeal.State.ADMITTED, Appeal.State.HEARING)
        if not text.strip() or len(text) > LONGEST_TEXT:
            raise BadInput(
                fields={"text": [_("Write it down, at most %(count)s letters.") % {"count": LONGEST_TEXT}]}
            )
        row = Statement.objects.create(appeal=appeal, party=party, text=text.strip(), filer=name)
        cases.log(actor, AuditAction.FILE_STATEMENT, appeal, party=party)
    return row


def waive_statement(
    actor: Actor, appeal_id: int, *, party: str = "", reason: str, link: str = ""
) -> Statement:
    """A party does not wish to be heard, or the convenor records that it was called and did not come."""
    with transaction.atomic():
        appeal = cases.leading(cases.hold(appeal_id))
        acting = cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event, link=link)
        if acting is not None:
            party, name = cases.party_of(appeal, acting.entry), acting.name
        elif cases.is_its_arbiter(actor, appeal) and not link:
            party, name = Party.ARBITER, actor.name
        else:
            chair = cases.own_seat(actor, appeal)
            if chair is None or not chair.is_convenor:
                _refuse_stranger(actor, appeal)
            name = actor.name
        if party not in cases.PARTIES:
            raise BadInput(fields={"party": [_("Choose a party.")]})
        _need_reason(reason)
        cases.need(appeal, Appeal.State.ADMITTED, Appeal.State.HEARING)
        row = Statement.objects.create(
            appeal=appeal, party=party, waived_reason=reason.strip()[:300], filer=name
        )
        cases.log(actor, AuditAction.WAIVE_STATEMENT, appeal, party=party, reason=reason)
    return row


def close_hearing(actor: Actor, appeal_id: int, *, reason: str) -> Appeal:
    """The convenor records for whoever was not heard that he waived it, and the deliberation begins."""
    with transaction.atomic():
        for party in unheard(cases.hold(appeal_id)):
            waive_statement(actor, appeal_id, party=party, reason=reason)
        return begin_deliberation(actor, appeal_id)


def unheard(appeal: Appeal) -> list[Party]:
    """The parties that neither spoke nor waived it."""
    heard = set(appeal.statements.values_list("party", flat=True))
    return [party for party in cases.parties_of(appeal) if party not in heard]


def begin_deliberation(actor: Actor, appeal_id: int) -> Appeal:
    """The parties leave. Only once both were heard or waived it; the panel is looked at once more."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        chair = cases.own_seat(actor, appeal)
        if chair is None or not chair.is_convenor:
            _refuse_stranger(actor, appeal)
        if appeal.state == Appeal.State.DELIBERATION:
            return appeal
        cases.need(appeal, Appeal.State.HEARING)
        missing = unheard(appeal)
        if missing:
            raise WrongState(
                _("All parties are heard first, or waive it: missing %(parties)s (article 16.2)."),
                code="unheard",
                parties=", ".join(str(party.label) for party in missing),
            )
        _check_panel(appeal)
        appeal.state = Appeal.State.DELIBERATION
        appeal.deliberated_at = timezone.now()
        appeal.save(update_fields=["state", "deliberated_at"])
        cases.log(actor, AuditAction.BEGIN_DELIBERATION, appeal)
    return appeal


def take_up_again(actor: Actor, appeal_id: int, *, reason: str) -> Appeal:
    """The committee opens a case anew that it has decided; its new decision names the old one (article 16.2).

    Nobody else can: the convenor of the decided case does it, and the same members sit.
    """
    _need_reason(reason)
    with transaction.atomic():
        old = cases.hold(appeal_id)
        chair = cases.own_seat(actor, old.joined_to or old)
        if chair is None or not chair.is_convenor:
            _refuse_stranger(actor, old)
        cases.need_leading(old)
        cases.need(old, Appeal.State.DECIDED)
        if old.revisions.exclude(state__in=[Appeal.State.WITHDRAWN, Appeal.State.REFUSED]).exists():
            raise WrongState(_("This case is taken up again already."))
        now = timezone.now()
        new = Appeal.objects.create(
            event=old.event, section=old.section, ruling=old.ruling, number=next_number(old.event, "appeals"),
            appellant=old.appellant, opponent=old.opponent, kind=old.kind, article=old.article, grounds=reason.strip(),
            request=old.request, deadline_minutes=old.deadline_minutes, fee=0, fee_state=Appeal.Fee.NONE,
            submission=f"again-{uuid4().hex}", filed_by=actor.user, filer=actor.name, revises=old,
            state=Appeal.State.ADMITTED, admitted_at=now,
        )  # fmt: skip
        for seat in cases.sitting(old):
            PanelSeat.objects.create(
                appeal=new,
                user=seat.user,
                is_convenor=seat.is_convenor,
                interests=interests_of(seat.user, new),
            )
        cases.log(actor, AuditAction.TAKE_UP_AGAIN, new, revises=old.number, reason=reason)
        cases.tell(new, Delivery.Kind.FILED)
    return new


def _refuse_acting_arbiter(event: Event, user: User) -> None:
    """Whoever acts as an arbiter of the event judges no appeal of it (article 16.2)."""
    if user.roles.filter(event=event, kind__in=[Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER]).exists():
        raise WrongState(
            _("%(name)s is an arbiter of this event and cannot sit on its committee."), name=str(user)
        )


def _check_panel(appeal: Appeal) -> None:
    for seat in cases.sitting(appeal):
        _look_again(appeal, seat.user)
    faults = panel_faults(cases.sitting(appeal))
    if faults:
        raise WrongState(" ".join(faults), code="panel")


def _look_again(appeal: Appeal, user: User) -> None:
    """Interests found anew; an excuse covers what it was given for, not what came later."""
    seat = appeal.seats.filter(user=user, state=PanelSeat.State.SITTING).first()
    if seat is None:
        return
    found = sorted({*seat.interests, *interests_of(user, appeal)})
    if found == sorted(seat.interests):
        return
    seat.interests, seat.excused_reason = found, ""
    seat.save(update_fields=["interests", "excused_reason"])


def _speaker(actor: Actor, appeal: Appeal, link: str) -> tuple[str, str]:
    acting = cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event, link=link)
    if acting is not None:
        return cases.party_of(appeal, acting.entry), acting.name
    if link:
        raise NotFound
    if not cases.is_its_arbiter(actor, appeal):
        require(actor, Act.APPROVE, appeal.event)
    return Party.ARBITER, actor.name


def _require_composer(actor: Actor, appeal: Appeal, *, substitutes: bool) -> None:
    chair = cases.own_seat(actor, appeal)
    if substitutes and chair is not None and chair.is_convenor:
        return
    require(actor, Act.COMPOSE_PANEL, appeal.event)


def _refuse_stranger(actor: Actor, appeal: Appeal) -> None:
    if allowed(actor.user, Act.READ_COURT, appeal.event):
        raise NotAllowed(_("This is for the convenor of the panel."))
    raise NotFound


def _refuse_double(appeal: Appeal, user: User, convenor: bool) -> None:
    if appeal.seats.filter(user=user).exists():
        raise WrongState(_("%(name)s is on this panel already, or stepped down from it."), name=str(user))
    if convenor and appeal.seats.filter(is_convenor=True, state=PanelSeat.State.SITTING).exists():
        raise WrongState(_("The panel has a convenor already."))


def _left_seat(appeal: Appeal, replaces: int | None) -> PanelSeat | None:
    if replaces is None:
        return None
    left = appeal.seats.filter(pk=replaces, state=PanelSeat.State.RECUSED, replaced_by__isnull=True).first()
    if left is None:
        raise WrongState(_("This seat is not free for a substitute."))
    return left


def _held_seat(seat_id: int) -> tuple[Appeal, PanelSeat]:
    appeal_id = PanelSeat.objects.filter(pk=seat_id).values_list("appeal_id", flat=True).first()
    if appeal_id is None:
        raise NotFound
    appeal = cases.hold(appeal_id)
    return appeal, appeal.seats.select_related("user").get(pk=seat_id)


def _need_reason(reason: str) -> None:
    if not reason.strip():
        fields: dict[str, Any] = {"reason": [_("Give the reason.")]}
        raise BadInput(fields=fields)
