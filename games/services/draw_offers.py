"""Draw offers over the board (article 12.4): noted, answered, and kept on record where the article does not allow them."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from games import adjudication
from games import sheets as reading
from games.models import DrawOffer, Game, Result, Side
from games.services.results import change_outcome
from games.services.sheets import game_for, refuse_final
from games.slots import require_arbiter, seat_of
from tournaments import audit
from tournaments.audit import Actor, AuditAction, reasons
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section


def offer_draw(
    actor: Actor, pairing_id: int, *, side: str, ply: int, number: int = 1, reason: str = ""
) -> DrawOffer:
    """Note a draw offer after `ply` single moves (article 12.4). An earlier open one counts as refused by the move.

    An offer that the article does not allow is refused, and the breach stays on record. With a reason an arbiter may note
    one that is early for both and not for the player himself: 12.4 read literally.
    """
    seat = seat_of(pairing_id, number)
    if side not in Side.values or not 0 <= ply <= 2000:
        raise BadInput(fields={"ply": [_("Say who offers, and after how many moves.")]})
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        offer = rules.DrawOffer(ply, reading.side_of(side))
        fault = _offer_fault(game, offer, literal=bool(reason.strip()))
        state = DrawOffer.State.OPEN if fault is None else DrawOffer.State.BREACH
        if fault is None:
            game.draw_offers.filter(state=DrawOffer.State.OPEN).update(state=DrawOffer.State.REFUSED)
        row = DrawOffer.objects.create(
            game=game, side=side, ply=ply, state=state, reason=reason.strip()[:300]
        )
        audit.record(
            actor=actor, action=AuditAction.OFFER_DRAW, section=section, subject=game,
            after={"side": side, "ply": ply, "state": state}, reason=reason,
        )  # fmt: skip
    if fault is not None:
        raise WrongState(OFFER_FAULTS[fault](), code=fault)
    return row


def _offer_fault(game: Game, offer: rules.DrawOffer, *, literal: bool) -> str | None:
    """What article 12.4 says against an offer; `literal` counts the player's own forty moves alone."""
    first = reading.start_of(game).side
    earlier = [
        rules.DrawOffer(row.ply, reading.side_of(row.side))
        for row in game.draw_offers.exclude(state=DrawOffer.State.BREACH)
    ]
    faults = [str(fault.value) for fault in adjudication.offer_refused(earlier, offer, first=first)]
    if literal and rules.moves_of(offer.ply, offer.side, first=first) >= rules.MOVES_BEFORE_OFFER:
        faults = [fault for fault in faults if fault != "offer-too-early"]
    return faults[0] if faults else None


OFFER_FAULTS = {
    "offer-too-early": lambda: _("A draw may be offered once each player has made 40 moves (article 12.4)."),
    "offer-repeated": lambda: _(
        "This player's offer was refused: the opponent must offer first (article 12.4)."
    ),
    "offer-not-after-own-move": lambda: _("A draw is offered after one's own move (article 12.4)."),
}


def answer_offer(actor: Actor, offer_id: int, *, accepted: bool, version: int) -> DrawOffer:
    """The opponent accepts, and the game is drawn; or refuses, by word or by moving on."""
    found = DrawOffer.objects.select_related("game").filter(pk=offer_id).first()
    if found is None:
        raise NotFound
    seat = seat_of(found.game.pairing_id, found.game.number)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        offer = DrawOffer.objects.select_related("game").get(pk=offer_id)
        refuse_final(offer.game)
        if offer.state != DrawOffer.State.OPEN:
            raise WrongState(_("This draw offer is answered already."))
        offer.state = DrawOffer.State.ACCEPTED if accepted else DrawOffer.State.REFUSED
        offer.save(update_fields=["state"])
        if accepted:
            change_outcome(
                actor, offer.game, outcome="DRAW", source=Result.Source.AGREEMENT, version=version,
                reason=reasons.coded(reasons.DRAW_AGREED, count=offer.ply // 2),
            )  # fmt: skip
        audit.record(
            actor=actor,
            action=AuditAction.ANSWER_DRAW,
            section=section,
            subject=offer.game,
            after={"state": offer.state},
        )
    return offer
