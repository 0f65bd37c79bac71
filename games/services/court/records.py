"""The rows of rulings: written, proposed and logged, with nothing done to the ledger. Incidents and rulings share them."""

from __future__ import annotations

from typing import Any

from games.models import Effect, Incident, Ruling
from games.services.court.numbers import next_number
from games.services.court.orders import Order, usual_article
from tournaments import audit
from tournaments.audit import Actor, AuditAction


def write_ruling(actor: Actor, incident: Incident, order: Order, *, state: str, **links: Any) -> Ruling:
    """The row alone. Inside the caller's gate."""
    ruling = Ruling.objects.create(
        event=incident.event, incident=incident, number=next_number(incident.event, "rulings"),
        article=order.article or usual_article(incident, order.effect), effect=order.effect, side=order.side,
        white_seconds=order.white_seconds, black_seconds=order.black_seconds, text=order.text.strip()[:1000],
        state=state, made_by=actor.user, **links,
    )  # fmt: skip
    if state != Ruling.State.PROPOSED:
        log_ruling(actor, AuditAction.RULE, ruling)
    return ruling


def propose_loss(actor: Actor, incident: Incident, *, article: str) -> Ruling:
    """Propose that the player loses the game; one click confirms. Inside the caller's gate."""
    open_one = incident.rulings.filter(
        effect=Effect.GAME_LOST,
        side=incident.against,
        state__in=[Ruling.State.PROPOSED, Ruling.State.IN_FORCE],
    ).first()
    if open_one is not None:
        return open_one
    order = Order(effect=Effect.GAME_LOST, article=article, side=incident.against)
    ruling = write_ruling(actor, incident, order, state=Ruling.State.PROPOSED)
    log_ruling(actor, AuditAction.PROPOSE_RULING, ruling)
    return ruling


def log_ruling(actor: Actor, action: AuditAction, ruling: Ruling, reason: str = "") -> None:
    """The row of the log that tells a ruling as it is now."""
    audit.record(
        actor=actor, action=action, section=ruling.incident.section, subject=ruling,
        after={"number": ruling.number, "effect": ruling.effect, "side": ruling.side, "article": ruling.article,
               "state": ruling.state, "round": ruling.incident.round_number, "board": ruling.incident.board},
        reason=(reason or ruling.text)[:500],
    )  # fmt: skip
