"""What an arbiter orders, and whether the articles allow it on an incident."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Against, Category, Effect, Incident, Side
from games.permissions import Act, allowed
from games.selectors.lateness import ensure_late
from games.wording.articles import ARTICLES
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, WrongState

MOST_SECONDS = 24 * 3600
LATE = frozenset({Effect.FORFEIT, Effect.BOTH_FORFEIT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What an arbiter orders. Seconds are charged, with a minus restored; `text` gives the reasons."""

    effect: str
    article: str = ""
    side: str = ""
    white_seconds: int = 0
    black_seconds: int = 0
    text: str = ""


def usual_effect(incident: Incident, order: Order) -> Order:
    """The order as the articles name it: of a breach of order "nothing" says that there was none (14.2.1)."""
    if order.effect == Effect.NONE and Effect.NONE not in court_rules.EFFECTS[Category(incident.category)]:
        return replace(order, effect=Effect.UNFOUNDED)
    return order


def usual_article(incident: Incident, effect: str) -> str:
    return court_rules.EFFECT_ARTICLE.get(Effect(effect), incident.article)


NOT_YET = {
    "right-lost": lambda: _("The right to have it put right is lost (article 7.7)."),
    "no-choice": lambda: _("The opponent chooses first: have it put right, or let it stand (article 7.4)."),
    "not-refused": lambda: _(
        "A penalty follows only when the player refuses to put it right, or it cannot be (7.8, 14.3, 14.4): note that first."
    ),
}


def check_order(actor: Actor, incident: Incident, order: Order) -> None:
    """Raises what stands against ruling so: BadInput, WrongState with a code, NotAllowed."""
    order = usual_effect(incident, order)
    if order.effect not in effects_of(incident):
        raise BadInput(fields={"effect": [_("This does not follow from such an incident.")]})
    if order.article and order.article not in ARTICLES:
        raise BadInput(fields={"article": [_("There is no such article.")]})
    _check_side(incident, order)
    _check_time(order)
    if order.effect in court_rules.NEEDS_REASON and not order.text.strip():
        raise BadInput(fields={"text": [_("Say why it was no breach (article 14.2.1).")]})
    if order.effect in court_rules.OF_THE_CHIEF and not allowed(actor.user, Act.APPROVE, incident.event):
        raise NotAllowed(_("Expulsion is for the chief arbiter alone (article 14.5)."))
    code = court_rules.why_not_yet(
        incident.category, order.effect, accepted=incident.settled == Incident.Settled.ACCEPTED,
        asked=incident.asked, refused=incident.refused,
    )  # fmt: skip
    if code:
        raise WrongState(NOT_YET[code](), code=code)
    if order.effect in LATE:
        _check_late(incident)


def _check_late(incident: Incident) -> None:
    """A forfeit for lateness waits for the limit, by whatever door it comes (8.3.2)."""
    if incident.pairing is None:
        raise WrongState(_("The board of this incident is gone."))
    ensure_late(incident.section, incident.pairing.round, now=timezone.now())
    if incident.pairing.outcome != "UNPLAYED":
        raise WrongState(_("Board %(board)s has a result already."), board=incident.board)


def effects_of(incident: Incident) -> tuple[Effect, ...]:
    """What may be ruled on an incident; of somebody without a board, no loss of a game."""
    found = court_rules.EFFECTS[Category(incident.category)]
    if incident.board or incident.category not in (Category.CONDUCT, Category.OTHER):
        return found
    return court_rules.WITHOUT_BOARD


def sides_of(incident: Incident) -> list[str]:
    """Whom a ruling on the incident may meet."""
    named = [Against.PERSON.value] if incident.person else []
    return [*Side.values, *named] if incident.board else named


def _check_side(incident: Incident, order: Order) -> None:
    sides = sides_of(incident)
    if order.effect in court_rules.NEEDS_SIDE and order.side not in sides:
        raise BadInput(fields={"side": [_("Say whom it meets.")]})
    if order.side not in (*sides, ""):
        raise BadInput(fields={"side": [_("Choose a player of the board.")]})
    if order.side == Against.PERSON and order.effect == Effect.DISQUALIFY and incident.entry is None:
        raise WrongState(_("Only a player can be disqualified: send this person out of the hall (15.1.1)."))


def _check_time(order: Order) -> None:
    seconds = {name: getattr(order, name) for name in ("white_seconds", "black_seconds")}
    if order.effect in court_rules.NEEDS_TIME and not any(seconds.values()):
        raise BadInput(fields={"white_seconds": [_("Enter the time to charge or to restore.")]})
    if order.effect not in court_rules.TAKES_TIME and any(seconds.values()):
        raise BadInput(fields={"white_seconds": [_("No time is charged with this.")]})
    too_many = [name for name, value in seconds.items() if abs(value) > MOST_SECONDS]
    if too_many:
        raise BadInput(fields={name: [_("That is more than a day.")] for name in too_many})
