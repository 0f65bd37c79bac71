"""Deliberation: decisions proposed, secret votes, the count, and the decision that is applied once and is final.

A vote is sealed with the installation's key before it reaches the database, bound to its seat and ballot. What a member
chose is opened only to be counted, when the ballot is closed; only the count is kept.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from games import court_rules, encryption
from games.encryption import BrokenSeal
from games.models import (
    Appeal,
    AppealDecision,
    Effect,
    PanelSeat,
    Proposal,
    Side,
    Tally,
    Vote,
)
from games.permissions import Act, allowed
from games.services.court import cases, decisions
from games.services.court.appeals import LONGEST_TEXT
from games.services.court.effects import Measure
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.models import OUTCOME_LABELS, Entry

DECIDABLE = frozenset(
    {
        Effect.RESULT, Effect.REMINDER, Effect.WARNING, Effect.TIME, Effect.REPLAY, Effect.POINTS, Effect.DISQUALIFY,
        Effect.EXCHANGE,
    }
)  # fmt: skip


def propose_decision(
    actor: Actor, appeal_id: int, *, verdict: str, measures: Sequence[Measure] = (), text: str = ""
) -> Proposal:
    """A member of the panel puts a decision up for the vote. The same one again is the same proposal.

    It is tried first: what could not be carried out, or would change nothing, is refused before anybody votes.
    """
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_member(actor, appeal)
        cases.need(appeal, Appeal.State.DELIBERATION)
        if Vote.objects.filter(seat__appeal=appeal, ballot=appeal.ballot).exists():
            raise WrongState(_("The vote has begun: a new proposal waits for the next ballot."))
        _check_proposal(appeal, verdict, measures)
        data = [measure.as_data() for measure in measures]
        known = appeal.proposals.filter(verdict=verdict, effects=data).first()
        if known is not None:
            return known
        decisions.try_decision(actor, appeal_id, verdict, measures)
        row = Proposal.objects.create(
            appeal=appeal, verdict=verdict, effects=data, text=text.strip()[:500], proposed_by=actor.user
        )
        cases.log(actor, AuditAction.PROPOSE_DECISION, appeal, proposal=row.pk, verdict=verdict, effects=data)
    return row


def cast_vote(actor: Actor, appeal_id: int, proposal_id: int) -> None:
    """A member's one vote in this ballot. Cast, it cannot be read, changed or cast again, by anybody.

    With the last one the ballot is counted where it has a majority; where it has none, the convenor opens the next.
    """
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        seat = _require_member(actor, appeal)
        cases.need(appeal, Appeal.State.DELIBERATION)
        proposal = appeal.proposals.filter(pk=proposal_id).first()
        if proposal is None:
            raise NotFound
        if seat.votes.filter(ballot=appeal.ballot).exists():
            raise WrongState(_("You have voted in this ballot."), code="voted")
        # The salt makes equal votes unequal at rest; the seat and ballot keep a vote from being moved to another.
        inside = {
            "seat": seat.pk,
            "ballot": appeal.ballot,
            "proposal": proposal.pk,
            "salt": secrets.token_hex(8),
        }
        Vote.objects.create(seat=seat, ballot=appeal.ballot, sealed=encryption.seal(json.dumps(inside)))
        cases.log(actor, AuditAction.CAST_VOTE, appeal, ballot=appeal.ballot)
        seats, votes = _cast(appeal)
        if len(votes) == len(seats) and _chosen(appeal, seats, votes) is not None:
            _close(actor, appeal, seats, votes)


def close_ballot(actor: Actor, appeal_id: int) -> Tally:
    """The convenor has the votes counted, once all members have voted. Without a majority of the seats a new ballot opens."""
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_convenor(actor, appeal)
        if appeal.state == Appeal.State.VOTED:
            return appeal.tallies.get(ballot=appeal.ballot)
        cases.need(appeal, Appeal.State.DELIBERATION)
        seats, votes = _cast(appeal)
        if len(votes) < len(seats):
            raise WrongState(
                _("%(cast)s of %(seats)s members have voted."),
                code="votes-missing",
                cast=len(votes),
                seats=len(seats),
            )
        return _close(actor, appeal, seats, votes)


def decide_appeal(
    actor: Actor, appeal_id: int, *, reasons: str, refund: bool | None = None
) -> AppealDecision:
    """Write the decision the ballot chose, and carry it out: once, in one transaction, and finally.

    A second call gives the first decision again. Without `refund` the fee follows the outcome. Raises WrongState where the
    ledger has moved on since the vote: then the panel votes again.
    """
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_convenor(actor, appeal)
        done = AppealDecision.objects.filter(appeal=appeal).first()
        if done is not None:
            return done
        cases.need(appeal, Appeal.State.VOTED)
        if not reasons.strip() or len(reasons) > LONGEST_TEXT:
            raise BadInput(
                fields={"reasons": [_("Write it down, at most %(count)s letters.") % {"count": LONGEST_TEXT}]}
            )
        chosen = appeal.tallies.select_related("chosen").get(ballot=appeal.ballot).chosen
        assert chosen is not None  # a case is VOTED only with a majority
        return decisions.decide(actor, appeal, chosen, reasons=reasons.strip(), refund=refund)


def vote_again(actor: Actor, appeal_id: int, *, reason: str) -> Appeal:
    """Back to the deliberation, a new ballot open: where the decision voted for can no longer be carried out."""
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason.")]})
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        _require_convenor(actor, appeal)
        cases.need(appeal, Appeal.State.VOTED)
        appeal.state = Appeal.State.DELIBERATION
        appeal.ballot += 1
        appeal.save(update_fields=["state", "ballot"])
        cases.log(actor, AuditAction.VOTE_AGAIN, appeal, ballot=appeal.ballot, reason=reason)
    return appeal


def has_voted(actor: Actor, appeal: Appeal) -> bool:
    seat = cases.own_seat(actor, appeal)
    return seat is not None and seat.votes.filter(ballot=appeal.ballot).exists()


def _cast(appeal: Appeal) -> tuple[list[PanelSeat], list[Vote]]:
    seats = cases.sitting(appeal)
    return seats, list(Vote.objects.filter(seat__in=seats, ballot=appeal.ballot))


def _counted(appeal: Appeal, votes: list[Vote]) -> Counter[int]:
    return Counter(_opened(appeal, vote) for vote in votes)


def _chosen(appeal: Appeal, seats: list[PanelSeat], votes: list[Vote]) -> int | None:
    """The proposal that more than half of all seats voted for."""
    need = court_rules.majority(len(seats))
    return next((proposal for proposal, n in _counted(appeal, votes).items() if n >= need), None)


def _close(actor: Actor, appeal: Appeal, seats: list[PanelSeat], votes: list[Vote]) -> Tally:
    tally = Tally.objects.create(
        appeal=appeal, ballot=appeal.ballot, seats=len(seats), counts=sorted(_counted(appeal, votes).items()),
        chosen_id=_chosen(appeal, seats, votes),
    )  # fmt: skip
    if tally.chosen_id is not None:
        appeal.state = Appeal.State.VOTED
    else:
        appeal.ballot += 1
    appeal.save(update_fields=["state", "ballot"])
    cases.log(
        actor, AuditAction.CLOSE_BALLOT, appeal, ballot=tally.ballot, counts=tally.counts, seats=tally.seats
    )
    return tally


def _opened(appeal: Appeal, vote: Vote) -> int:
    inside = json.loads(encryption.unseal(vote.sealed))
    proposal: int = inside["proposal"]
    if (inside["seat"], inside["ballot"]) != (vote.seat_id, vote.ballot):
        raise BrokenSeal
    if not appeal.proposals.filter(pk=proposal).exists():
        raise Conflict
    return proposal


def _check_proposal(appeal: Appeal, verdict: str, measures: Sequence[Measure]) -> None:
    if verdict not in Proposal.Verdict.values:
        raise BadInput(fields={"verdict": [_("Choose one of the values offered.")]})
    if verdict == Proposal.Verdict.PARTLY and not measures:
        raise BadInput(fields={"effect": [_("Say what is decided instead of the ruling.")]})
    moves_seats = all(measure.effect == Effect.EXCHANGE for measure in measures)
    if verdict == Proposal.Verdict.DISMISS and measures and not moves_seats:
        raise BadInput(fields={"effect": [_("A dismissed appeal leaves the ruling as it is.")]})
    for measure in measures:
        _check_measure(appeal, measure)


def _check_measure(appeal: Appeal, measure: Measure) -> None:
    if measure.effect not in DECIDABLE:
        raise BadInput(fields={"effect": [_("Choose one of the values offered.")]})
    known = {outcome.value for outcome in OUTCOME_LABELS} - {"BYE", "HALF_BYE", "ZERO_BYE"}
    if measure.effect == Effect.RESULT and measure.outcome not in known:
        raise BadInput(fields={"outcome": [_("There is no such result.")]})
    if measure.effect == Effect.POINTS and not 0 < abs(measure.points) <= 999:
        raise BadInput(fields={"points": [_("Enter the points to give or to take.")]})
    meets_one = measure.effect in (Effect.REMINDER, Effect.WARNING, Effect.DISQUALIFY, Effect.POINTS)
    if meets_one and measure.side not in Side.values and measure.entry is None:
        raise BadInput(fields={"side": [_("Say whom it meets.")]})
    named = [pk for pk in (measure.entry, measure.other) if pk is not None]
    if Entry.objects.filter(pk__in=named, section=appeal.section).count() != len(set(named)):
        raise BadInput(fields={"entry": [_("Choose players of the section.")]})
    if measure.effect == Effect.EXCHANGE and len(set(named)) != 2:
        raise BadInput(fields={"other": [_("Choose two players on different boards of the round.")]})


def _require_member(actor: Actor, appeal: Appeal) -> PanelSeat:
    """The actor's own seat: nobody votes for another, whatever his role."""
    seat = cases.own_seat(actor, appeal)
    if seat is None:
        if allowed(actor.user, Act.READ_COURT, appeal.event):
            raise NotAllowed(_("This is for the members of the panel."))
        raise NotFound
    return seat


def _require_convenor(actor: Actor, appeal: Appeal) -> PanelSeat:
    seat = _require_member(actor, appeal)
    if not seat.is_convenor:
        raise NotAllowed(_("This is for the convenor of the panel."))
    return seat
