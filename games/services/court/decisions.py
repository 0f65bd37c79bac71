"""A decision of the committee carried out: tried before the vote, done once, and final (article 16.2).

Each measure becomes a ruling by authority of the committee. One ruling has one decision, for all who appealed against it.
A closed section is opened, changed, computed and closed again in the same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Appeal, AppealDecision, Delivery, Effect, Incident, Proposal, Result, Ruling
from games.services.court import cases, effects, finality, rulings
from games.services.court.effects import Measure
from games.services.court.numbers import next_number
from games.wording import court as court_words
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.audit import reasons as reasons_kept
from tournaments.errors import WrongState
from tournaments.models import Adjustment, Entry, Event, MatchGame, Notice, Pairing, Section
from tournaments.services import events, notices, results
from tournaments.services.standings import compute_tables, fouls_changed, store

SETS_A_RESULT = frozenset({Effect.RESULT, Effect.REPLAY})
IN_THE_LEDGER = frozenset(
    {
        Effect.GAME_LOST, Effect.BOTH_LOSE, Effect.FORFEIT, Effect.BOTH_FORFEIT, Effect.REPLAY, Effect.TURN_COLOURS,
        Effect.RESULT, Effect.POINTS, Effect.EXCHANGE, Effect.NONE, Effect.UNFOUNDED,
    }
)  # fmt: skip
"""Rulings that are nothing but what they did to the ledger: taken back without a change there, nothing is taken back."""


class ChangesNothing(WrongState):
    """A decision that says one thing and does nothing."""

    code = "changes-nothing"


class _Tried(Exception):
    """Ends the trial; nothing of it stays."""


def try_decision(actor: Actor, appeal_id: int, verdict: str, measures: Sequence[Measure]) -> None:
    """Carry the decision out and forget it again. Raises what stands in its way, and ChangesNothing."""
    appeal = cases.hold(appeal_id)
    before = _facts(appeal.section)
    try:
        with transaction.atomic():
            _carry_out(actor, appeal, verdict, measures)
            after = _facts(appeal.section)
            raise _Tried
    except _Tried:
        pass
    if verdict != Proposal.Verdict.DISMISS and before == after:
        raise ChangesNothing(
            _("This decision would change nothing: say what is decided instead, or dismiss the appeal.")
        )


def decide(
    actor: Actor, appeal: Appeal, chosen: Proposal, *, reasons: str, refund: bool | None
) -> AppealDecision:
    """Write the decision and carry it out, inside the caller's transaction. Without `refund` the fee follows the outcome."""
    back = chosen.verdict != Proposal.Verdict.DISMISS if refund is None else refund
    earlier = AppealDecision.objects.filter(ruling=appeal.ruling, is_joined=False, ended_at__isnull=True)
    if appeal.revises_id is None and earlier.exists():
        raise WrongState(
            _("The committee has decided on this ruling: its decision is final (article 16.2)."), code="final"
        )
    if chosen.verdict != Proposal.Verdict.DISMISS:
        earlier.update(ended_at=timezone.now())
    applied = _carry_out(actor, appeal, chosen.verdict, [Measure.of(data) for data in chosen.effects])
    decision = _write(actor, appeal, chosen, reasons=reasons, refund=back, applied=applied)
    decision.notice = notices.put_up(
        actor, event=appeal.event, section=appeal.section, pairing=appeal.ruling.incident.pairing,
        kind=Notice.Kind.DECISION,
        texts=court_words.in_every_language(lambda: court_words.decision_notice(decision)),
    )  # fmt: skip
    decision.save(update_fields=["notice"])
    _close(actor, appeal, decision)
    for joined in appeal.joined.filter(state__in=finality.OPEN).order_by("pk"):
        joined.section, joined.event, joined.ruling = appeal.section, appeal.event, appeal.ruling
        told = _write(actor, joined, chosen, reasons=reasons, refund=back, applied=[])
        told.notice = decision.notice
        told.save(update_fields=["notice"])
        _close(actor, joined, told)
    return decision


def measures_of(appeal: Appeal) -> list[Ruling]:
    """The rulings by which the decision is carried out, in their order."""
    return list(
        appeal.measures.select_related("incident__white__player", "incident__black__player").order_by(
            "number"
        )
    )


def _carry_out(
    actor: Actor, appeal: Appeal, verdict: str, measures: Sequence[Measure]
) -> list[dict[str, Any]]:
    authority = reasons_kept.coded(reasons_kept.DECISION, number=appeal.number)
    court = replace(actor, authority=authority)
    before = appeal.revises
    if before is not None and verdict == Proposal.Verdict.DISMISS and not measures:
        return []  # the earlier decision stands, and what it holds
    reopened = _reopen(court, appeal)
    for case in (appeal, *appeal.joined.all(), *([before] if before else [])):
        finality.let_go(case)
    overturned = None
    if verdict != Proposal.Verdict.DISMISS:
        overturned = appeal.ruling
        if before is not None:
            _take_back_measures(actor, before, authority)
        rulings.overturn(actor, appeal.ruling, authority=authority, reason=authority)
    elif appeal.ruling.state == Ruling.State.AWAITING:
        rulings.confirm_by_committee(actor, appeal.ruling)
    finality.let_ruling_go(appeal.ruling)
    done = [_order(actor, appeal, measure, measures, authority) for measure in measures]
    applied = [ruling.applied for ruling in done]
    followed = Ruling.objects.filter(follows__in=done, state=Ruling.State.IN_FORCE)
    finality.hold_decided(appeal, overturned=overturned, done=[*applied, *(r.applied for r in followed)])
    if reopened is not None:
        _close_again(court, appeal, event_was=reopened)
    return applied


def _order(
    actor: Actor, appeal: Appeal, measure: Measure, all_of_them: Sequence[Measure], authority: str
) -> Ruling:
    """A ruling by authority of the committee. A warning counts (14.2.4), unless the decision itself sets the result."""
    incident = appeal.ruling.incident
    now = timezone.now()
    ruling = Ruling.objects.create(
        event=appeal.event, incident=incident, number=next_number(appeal.event, "rulings"), article=appeal.article,
        effect=measure.effect, side=measure.side, white_seconds=measure.white_seconds,
        black_seconds=measure.black_seconds, values=measure.as_data(), text=authority, state=Ruling.State.IN_FORCE,
        decided_in=appeal, made_by=actor.user, made_at=now, in_force_at=now,
    )  # fmt: skip
    ruling.applied = effects.apply(
        actor, incident, [measure], source=Result.Source.APPEAL, authority=authority, reason=authority
    )
    ruling.save(update_fields=["applied"])
    audit.record(
        actor=actor, action=AuditAction.RULE, section=appeal.section, subject=ruling,
        after={"number": ruling.number, "effect": ruling.effect, "side": ruling.side, "article": ruling.article,
               "state": ruling.state, "round": incident.round_number, "board": incident.board},
        reason=authority,
    )  # fmt: skip
    if incident.settled == Incident.Settled.OPEN:
        incident.settled = Incident.Settled.RULED
        incident.save(update_fields=["settled"])
    if ruling.effect == Effect.WARNING:
        fouls_changed(appeal.section, round_number=incident.round_number)
        if not any(other.effect in SETS_A_RESULT for other in all_of_them):
            rulings.count_warnings(actor, ruling)
    return ruling


def _take_back_measures(actor: Actor, before: Appeal, authority: str) -> None:
    for ruling in before.measures.filter(state=Ruling.State.IN_FORCE).order_by("-number"):
        ruling.event, ruling.incident.section = before.event, before.section
        rulings.overturn(actor, ruling, authority=authority, reason=authority)


def _write(
    actor: Actor,
    appeal: Appeal,
    chosen: Proposal,
    *,
    reasons: str,
    refund: bool,
    applied: list[dict[str, Any]],
) -> AppealDecision:
    stands = appeal.revises_id is not None and chosen.verdict == Proposal.Verdict.DISMISS
    return AppealDecision.objects.create(
        appeal=appeal, proposal=chosen, ruling=appeal.ruling, reasons=reasons, refund=refund, applied=applied,
        is_joined=appeal.joined_to_id is not None or stands, written_by=actor.user,
    )  # fmt: skip


def _close(actor: Actor, appeal: Appeal, decision: AppealDecision) -> None:
    appeal.state, appeal.closed_at = Appeal.State.DECIDED, decision.decided_at
    if appeal.fee_state == Appeal.Fee.PAID:
        appeal.fee_state = Appeal.Fee.REFUNDED if decision.refund else Appeal.Fee.KEPT
        appeal.fee_settled_at = decision.decided_at
    elif appeal.fee_state == Appeal.Fee.DUE:
        appeal.fee_state = Appeal.Fee.NONE
    appeal.save(update_fields=["state", "closed_at", "fee_state", "fee_settled_at"])
    cases.tell(appeal, Delivery.Kind.DECIDED)
    cases.log(
        actor, AuditAction.DECIDE_APPEAL, appeal, verdict=decision.proposal.verdict, effects=decision.proposal.effects,
        fee=appeal.fee_state, reason=decision.reasons,
    )  # fmt: skip


def _reopen(court: Actor, appeal: Appeal) -> str | None:
    """The event's state before, where the section was closed and is open now; else None."""
    if appeal.section.state != Section.State.CLOSED:
        return None
    before = Event.objects.values_list("state", flat=True).get(pk=appeal.event.pk)
    results.reopen_section(court, appeal.section.pk, reason=court.authority)
    appeal.section.refresh_from_db(fields=["state", "version", "public_version"])
    return before


def _close_again(court: Actor, appeal: Appeal, *, event_was: str) -> None:
    """Every table anew, and the section closed as it was. A board to be played first keeps it open."""
    try:
        results.close_section(court, appeal.section.pk, reason=court.authority)
    except WrongState:
        return
    appeal.section.refresh_from_db(fields=["state", "version", "public_version"])
    for table in compute_tables(appeal.section.pk, first=1)[1]:
        store(table)
    if event_was == Event.State.CLOSED:
        events.close_event(court, appeal.event.pk)


def _facts(section: Section) -> list[Any]:
    """What a decision may change: the ledger, and the rulings that are more than a result."""
    boards = Pairing.objects.filter(round__section=section).order_by("pk")
    games = MatchGame.objects.filter(pairing__round__section=section).order_by("pairing", "number")
    kept = Ruling.objects.filter(incident__section=section, state=Ruling.State.IN_FORCE).exclude(
        effect__in=IN_THE_LEDGER
    )
    waiting = Ruling.objects.filter(incident__section=section, state=Ruling.State.AWAITING)
    rows = [
        boards.values_list("pk", "white", "black", "outcome", "grade"),
        games.values_list("pairing", "number", "outcome", "grade"),
        Entry.objects.filter(section=section).order_by("pk").values_list("pk", "status", "withdrawn_after_round"),
        Adjustment.objects.filter(section=section).order_by("pk").values_list("entry", "points"),
        kept.order_by("effect", "side", "incident").values_list(
            "effect", "side", "incident", "white_seconds", "black_seconds"
        ),
        waiting.order_by("pk").values_list("pk"),
    ]  # fmt: skip
    return [list(row) for row in rows]
