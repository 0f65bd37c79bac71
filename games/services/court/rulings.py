"""Rulings: made, proposed, confirmed, revised, withdrawn. What they do to the ledger happens in the same transaction."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Asked, Category, Effect, Incident, Result, Ruling
from games.permissions import Act, allowed, require
from games.services.court import effects, finality
from games.services.court.effects import Measure
from games.services.court.incidents import Report, accept_move, locked, log_incident, log_person
from games.services.court.orders import Order, check_order, usual_effect
from games.services.court.records import log_ruling, write_ruling
from games.wording import court
from tournaments.audit import Actor, AuditAction, reasons
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Notice
from tournaments.selectors.whatif import Change, Warn
from tournaments.services import holds, notices
from tournaments.services.standings import fouls_changed


class Answer(StrEnum):
    """What is answered to an irregular move."""

    RECTIFY = "RECTIFY"
    STAND = "STAND"
    MOVED_ON = "MOVED_ON"
    REFUSED = "REFUSED"


CLOSED = (Ruling.State.WITHDRAWN, Ruling.State.REVISED, Ruling.State.OVERTURNED, Ruling.State.REFUSED)


def rule(actor: Actor, incident_id: int, order: Order) -> Ruling:
    """Answer an incident. The same order twice is one ruling.

    A disqualification by an arbiter waits for the chief (14.2.5); an expulsion is the chief's alone (14.5). A second
    public warning in one game loses it at once (14.2.4).
    """
    with transaction.atomic():
        incident = locked(actor, incident_id, Act.RULE)
        for earlier in incident.rulings.all():
            ensure_free(earlier)
        order = usual_effect(incident, order)
        check_order(actor, incident, order)
        same = incident.rulings.filter(effect=order.effect, side=order.side).exclude(state__in=CLOSED).first()
        if same is not None and _asks_the_same(same, order):
            return same
        ruling = write_ruling(actor, incident, order, state=_first_state(actor, incident, order))
        if ruling.is_in_force:
            put_in_force(actor, ruling)
    return ruling


def rule_at_once(actor: Actor, pairing_id: int, report: Report, order: Order) -> Ruling:
    """Log an incident at a board and answer it, both or neither. Sent twice, with a submission number, it is one ruling."""
    with transaction.atomic():
        return rule(actor, log_incident(actor, pairing_id, report).pk, order)


def answer_irregular(actor: Actor, pairing_id: int, report: Report, *, answer: str) -> Incident:
    """An irregular move by `report.against` with what the opponent answers, an `Answer`, in one step (articles 7.4, 7.7, 7.8):
    put right at once, let stand, or refused, whereupon the loss of the game is proposed.
    """
    report = replace(
        report, category=Category.IRREGULAR, raised_by={"W": "B", "B": "W"}.get(report.against, ""),
        asked=Asked.STAND if answer == Answer.STAND else Asked.RECTIFY, moved_on=answer == Answer.MOVED_ON,
        refused=answer == Answer.REFUSED,
    )  # fmt: skip
    with transaction.atomic():
        incident = log_incident(actor, pairing_id, report)
        if answer == Answer.RECTIFY:
            rule(actor, incident.pk, Order(effect=Effect.RECTIFY, side=report.against))
    return incident


def rule_person_at_once(
    actor: Actor, section_id: int, round_number: int, report: Report, order: Order
) -> Ruling:
    """The same for somebody who is named without a board; `order.side` is found from the incident."""
    with transaction.atomic():
        incident = log_person(actor, section_id, round_number, report)
        return rule(actor, incident.pk, replace(order, side=incident.against))


def ensure_free(ruling: Ruling) -> None:
    """Raises WrongState where the committee has decided on the ruling, or is still to: arbiters change nothing then."""
    if ruling.decided_in_id is not None or finality.is_decided(ruling):
        raise WrongState(
            _("The committee has decided on this ruling: that is final (article 16.2)."), code="decided"
        )
    if finality.is_under_appeal(ruling):
        raise WrongState(
            _(
                "Ruling %(number)s is under appeal: it stays as it is until the committee has decided (article 13.1.5)."
            ),
            code="under-appeal",
            number=ruling.number,
        )


def is_free(incident: Incident) -> bool:
    """Whether arbiters may still rule on what happened there."""
    return not any(finality.is_decided(r) or finality.is_under_appeal(r) for r in incident.rulings.all())


def confirm_ruling(actor: Actor, ruling_id: int) -> Ruling:
    """Put a proposed ruling in force, or as the chief arbiter approve a disqualification. Confirmed twice is once."""
    with transaction.atomic():
        ruling = _locked(actor, ruling_id)
        if ruling.is_in_force:
            return ruling
        if ruling.state not in (Ruling.State.PROPOSED, Ruling.State.AWAITING):
            raise WrongState(_("This ruling does not wait for anybody."))
        if ruling.state == Ruling.State.AWAITING:
            require(actor, Act.APPROVE, ruling.event)
        ruling.state = Ruling.State.IN_FORCE
        ruling.approved_by = actor.user
        log_ruling(actor, AuditAction.CONFIRM_RULING, ruling)
        put_in_force(actor, ruling)
    return ruling


def refuse_ruling(actor: Actor, ruling_id: int, *, reason: str) -> Ruling:
    """Let a proposal or a disqualification that waits come to nothing; it stays on record."""
    with transaction.atomic():
        ruling = _locked(actor, ruling_id)
        if ruling.state not in (Ruling.State.PROPOSED, Ruling.State.AWAITING):
            raise WrongState(_("This ruling does not wait for anybody."))
        if ruling.state == Ruling.State.AWAITING:
            require(actor, Act.APPROVE, ruling.event)
        _need_reason(reason)
        _end(actor, ruling, Ruling.State.REFUSED, reason)
        log_ruling(actor, AuditAction.REFUSE_RULING, ruling, reason)
    return ruling


def withdraw_ruling(actor: Actor, ruling_id: int, *, reason: str) -> Ruling:
    """Take a ruling back: what it did is put back, with what followed from it alone."""
    with transaction.atomic():
        ruling = _open(actor, ruling_id)
        _need_reason(reason)
        _take_back(actor, ruling, Ruling.State.WITHDRAWN, reason)
    return ruling


def revise_ruling(actor: Actor, ruling_id: int, order: Order) -> Ruling:
    """Replace a ruling by another on the same incident; the old one stays readable as revised."""
    with transaction.atomic():
        old = _open(actor, ruling_id)
        incident = locked(actor, old.incident_id, Act.RULE)
        order = usual_effect(incident, order)
        check_order(actor, incident, order)
        _need_reason(order.text)
        _take_back(actor, old, Ruling.State.REVISED, order.text)
        ruling = write_ruling(
            actor, incident, order, state=_first_state(actor, incident, order), supersedes=old
        )
        if ruling.is_in_force:
            put_in_force(actor, ruling)
    return ruling


def warnings_in_game(incident: Incident, side: str) -> int:
    """Public warnings in force against one side in the incident's game; they end with the game (14.2.4)."""
    if incident.game_id is None:
        return 0
    return Ruling.objects.filter(
        effect=Effect.WARNING, side=side, state=Ruling.State.IN_FORCE, incident__game=incident.game
    ).count()


def overturn(actor: Actor, ruling: Ruling, *, authority: str, reason: str) -> None:
    """The committee takes the ruling back, inside the transaction of its decision, which answers the incident."""
    if ruling.state not in (Ruling.State.IN_FORCE, Ruling.State.AWAITING):
        return
    _take_back(
        actor, ruling, Ruling.State.OVERTURNED, reason, authority=authority, source=Result.Source.APPEAL
    )
    if ruling.incident.settled == Incident.Settled.OPEN:
        ruling.incident.settled = Incident.Settled.RULED
        ruling.incident.save(update_fields=["settled"])


def confirm_by_committee(actor: Actor, ruling: Ruling) -> None:
    """A disqualification that waited for the chief stands, inside the transaction of the committee's decision."""
    ruling.state = Ruling.State.IN_FORCE
    ruling.approved_by = actor.user
    log_ruling(actor, AuditAction.CONFIRM_RULING, ruling)
    put_in_force(actor, ruling)


def measure_of(ruling: Ruling | Order) -> Measure:
    return Measure(
        effect=ruling.effect,
        side=ruling.side,
        white_seconds=ruling.white_seconds,
        black_seconds=ruling.black_seconds,
    )


def changes_of(incident: Incident, order: Order) -> list[Change]:
    """What the order would change in the ledger and in the count of warnings; for what-if questions."""
    changes = effects.foresee(incident, [measure_of(order)])
    warned = incident.entry_of(order.side) if order.effect == Effect.WARNING else None
    return [*changes, Warn(entry=warned.pk, count=1)] if warned is not None else changes


def changes_back(ruling: Ruling) -> list[Change]:
    """What taking the ruling back would change."""
    changes = effects.foresee(ruling.incident, [], undo=ruling.applied)
    warned = ruling.incident.entry_of(ruling.side) if ruling.effect == Effect.WARNING else None
    return [*changes, Warn(entry=warned.pk, count=-1)] if warned is not None else changes


def _first_state(actor: Actor, incident: Incident, order: Order) -> str:
    waits = order.effect in court_rules.APPROVED_BY_THE_CHIEF
    if waits and not allowed(actor.user, Act.APPROVE, incident.event):
        return Ruling.State.AWAITING
    return Ruling.State.IN_FORCE


def _asks_the_same(ruling: Ruling, order: Order) -> bool:
    return (ruling.white_seconds, ruling.black_seconds) == (order.white_seconds, order.black_seconds)


def put_in_force(actor: Actor, ruling: Ruling) -> None:
    """Do what the ruling says, put up its notice, settle the incident. Inside the caller's gate."""
    incident = ruling.incident
    ruling.in_force_at = timezone.now()
    if ruling.follows is not None:
        _let_losses_go(incident)
    ruling.applied = effects.apply(
        actor, incident, [_measure_now(ruling)], source=Result.Source.RULING, authority=str(ruling),
        reason=_reason(ruling),
    )  # fmt: skip
    if ruling.follows is None:
        finality.hold_ruled(ruling)
    else:
        _agree_with_others(ruling)
    if ruling.effect in court_rules.PUBLIC:
        kind = Notice.Kind.WARNING if ruling.effect == Effect.WARNING else Notice.Kind.RULING
        ruling.notice = notices.put_up(
            actor, event=ruling.event, section=incident.section, pairing=incident.pairing, kind=kind,
            texts=court.in_every_language(lambda: court.ruling_notice(ruling)),
        )  # fmt: skip
    ruling.save()
    if ruling.follows is not None:
        _hold_loss(ruling)
    _settle(actor, incident, ruling)
    if ruling.effect == Effect.WARNING:
        fouls_changed(incident.section, round_number=incident.round_number)
        count_warnings(actor, ruling)


def _settle(actor: Actor, incident: Incident, ruling: Ruling) -> None:
    if ruling.effect == Effect.LET_STAND and incident.settled != Incident.Settled.ACCEPTED:
        accept_move(actor, incident)
        return
    if ruling.effect == Effect.RECTIFY and incident.category == Category.IRREGULAR and not incident.asked:
        incident.asked = Asked.RECTIFY
        incident.save(update_fields=["asked"])
    if incident.settled != Incident.Settled.ACCEPTED:
        incident.settled = Incident.Settled.RULED
        incident.save(update_fields=["settled"])


def count_warnings(actor: Actor, warning: Ruling) -> None:
    """The second public warning in a game loses it, at once (14.2.4)."""
    incident = warning.incident
    if warnings_in_game(incident, warning.side) < court_rules.WARNINGS_LOSE:
        return
    if losses_by_warnings(incident).filter(side=warning.side).exists():
        return
    if finality.has_decided_result(incident):
        return
    order = Order(effect=Effect.GAME_LOST, article="14.2.4", side=warning.side)
    put_in_force(actor, write_ruling(actor, incident, order, state=Ruling.State.IN_FORCE, follows=warning))


def losses_by_warnings(incident: Incident) -> QuerySet[Ruling]:
    """The losses in force of the incident's game by a second warning; of either side."""
    return Ruling.objects.filter(
        incident__game=incident.game, incident__game__isnull=False, effect=Effect.GAME_LOST,
        follows__effect=Effect.WARNING, state=Ruling.State.IN_FORCE,
    )  # fmt: skip


def _measure_now(ruling: Ruling) -> Measure:
    """What the ruling does; a loss by warnings after the opponent's loses the game for both (14.2.2, 14.2.4)."""
    if ruling.follows is None:
        return measure_of(ruling)
    others = losses_by_warnings(ruling.incident).exclude(pk=ruling.pk).values_list("side", flat=True)
    is_lost_for_both = effects.outcome_now(ruling.incident) == "BOTH_LOSE"  # by a ruling, which stands
    if is_lost_for_both or court_rules.lost_by_warnings([*others, ruling.side]) == "BOTH_LOSE":
        return Measure(effect=Effect.BOTH_LOSE)
    return measure_of(ruling)


def _case(ruling: Ruling) -> str:
    """How the hold of a loss by warnings is called: nothing says otherwise until it is revoked (14.2.4)."""
    return f"W{ruling.number}"


def _hold_loss(loss: Ruling) -> None:
    incident = loss.incident
    assert incident.pairing_id is not None  # a loss has a board
    touched = holds.Touched(boards={(incident.pairing_id, effects.number_of(incident)): ""})
    holds.hold_facts(incident.section, touched, case=_case(loss), is_final=False)


def _agree_with_others(loss: Ruling) -> None:
    """Of losses by warnings at one board each tells the result before the first of them, and the one they make together."""
    others = list(losses_by_warnings(loss.incident).exclude(pk=loss.pk).order_by("pk"))
    if not others:
        return
    first = others[0].applied["outcome"]
    loss.applied["outcome"] |= {"before": first["before"], "grade": first["grade"]}
    _tell(others, after=loss.applied["outcome"]["after"])


def _tell(losses: list[Ruling], **changed: str) -> None:
    for loss in losses:
        loss.applied["outcome"] |= changed
        loss.save(update_fields=["applied"])


def _let_losses_go(incident: Incident) -> None:
    holds.end_holds(incident.section, [_case(loss) for loss in losses_by_warnings(incident)])


def _keep_losses(actor: Actor, incident: Incident, *, authority: str, source: str, reason: str) -> None:
    """After something at a board was put back: what is lost by warnings stays lost."""
    if incident.game is None or incident.pairing_id is None:
        return
    losses = losses_by_warnings(incident).select_related("incident__game", "incident__section")
    found = list(losses.order_by("pk"))
    lost = court_rules.lost_by_warnings(loss.side for loss in found)
    if lost:
        put_back = effects.present(incident)
        if put_back["before"] != lost:
            _tell(found, after=lost, **put_back)
        effects.hold(actor, incident, lost, source=source, authority=authority, reason=reason)
        _hold_loss(found[-1])


def _take_back(
    actor: Actor,
    ruling: Ruling,
    state: str,
    reason: str,
    *,
    authority: str = "",
    source: str = Result.Source.RULING,
) -> None:
    was_warning = ruling.is_in_force and ruling.effect == Effect.WARNING
    finality.let_ruling_go(ruling)
    if ruling.is_in_force:
        _let_losses_go(ruling.incident)
        effects.put_back(
            actor,
            ruling.incident,
            ruling.applied,
            source=source,
            authority=authority or str(ruling),
            reason=reason,
        )
        if ruling.notice is not None:
            notices.take_down(actor, ruling.notice, reason=reason)
    was_in_force = ruling.is_in_force
    _end(actor, ruling, state, reason)
    if was_warning:
        fouls_changed(ruling.incident.section, round_number=ruling.incident.round_number)
    log_ruling(actor, AuditAction.WITHDRAW_RULING, ruling, reason)
    incident = ruling.incident
    if (
        incident.settled == Incident.Settled.RULED
        and not incident.rulings.filter(state=Ruling.State.IN_FORCE).exists()
    ):
        incident.settled = Incident.Settled.OPEN
        incident.save(update_fields=["settled"])
    if was_warning and warnings_in_game(incident, ruling.side) < court_rules.WARNINGS_LOSE:
        _drop_consequences(actor, ruling, reason, authority=authority, source=source)
    if was_in_force:
        _keep_losses(actor, incident, authority=authority or str(ruling), source=source, reason=reason)


def _drop_consequences(actor: Actor, warning: Ruling, reason: str, *, authority: str, source: str) -> None:
    """The loss by two warnings falls with one of them (14.2.4)."""
    losses = Ruling.objects.filter(
        incident__game=warning.incident.game, side=warning.side, follows__effect=Effect.WARNING,
        state__in=[Ruling.State.PROPOSED, Ruling.State.IN_FORCE],
    ).select_related("incident", "event", "notice")  # fmt: skip
    for loss in losses:
        if not authority:
            ensure_free(loss)
        _take_back(actor, loss, Ruling.State.WITHDRAWN, reason, authority=authority, source=source)


def _end(actor: Actor, ruling: Ruling, state: str, reason: str) -> None:
    ruling.state = state
    ruling.ended_at = timezone.now()
    ruling.ended_by = actor.user
    ruling.ended_reason = reason.strip()[:500]
    ruling.save(update_fields=["state", "ended_at", "ended_by", "ended_reason"])


def _locked(actor: Actor, ruling_id: int) -> Ruling:
    section_id = Ruling.objects.filter(pk=ruling_id).values_list("incident__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Act.RULE, section.event)
    ruling = Ruling.objects.select_related("incident__white__player", "incident__black__player").get(
        pk=ruling_id
    )
    ruling.event = ruling.incident.event = section.event
    ruling.incident.section = section
    ensure_free(ruling)
    return ruling


def _open(actor: Actor, ruling_id: int) -> Ruling:
    """A ruling that can still be taken back by arbiters."""
    ruling = _locked(actor, ruling_id)
    if ruling.state not in (Ruling.State.IN_FORCE, Ruling.State.AWAITING):
        raise WrongState(_("This ruling is not in force."))
    if ruling.effect in court_rules.OF_THE_CHIEF | court_rules.APPROVED_BY_THE_CHIEF and ruling.is_in_force:
        require(actor, Act.APPROVE, ruling.event)
    return ruling


def _reason(ruling: Ruling) -> str:
    return reasons.coded(
        reasons.RULING, article=ruling.article, effect=ruling.effect, text=reasons.typed(ruling.text)[:150]
    )


def _need_reason(reason: str) -> None:
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason.")], "text": [_("Give the reason.")]})
