"""Who sits where: the pairing of a game, and for which side somebody may act."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Side
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound, WrongState
from tournaments.models import Event, Pairing
from tournaments.permissions import Action, allowed, require


def pairing_of(pairing_id: int) -> Pairing:
    """A board with two players. Raises NotFound for a bye and for no such board."""
    found = (
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(pk=pairing_id, black__isnull=False)
        .first()
    )
    if found is None:
        raise NotFound
    return found


def is_arbiter(actor: Actor, pairing: Pairing) -> bool:
    return allowed(actor.user, Action.ENTER_RESULTS, pairing.round.section.event)


def require_arbiter(actor: Actor, pairing: Pairing) -> None:
    """Raises NotFound for strangers, NotAllowed for lesser roles, WrongState while the round is a draft."""
    require(actor, Action.ENTER_RESULTS, pairing.round.section.event)
    if not pairing.round.is_public:
        raise WrongState(_("Round %(round)s is not published yet."), round=pairing.round.number)


def own_side(actor: Actor, pairing: Pairing, *, link: str = "") -> Side | None:
    """The side the actor plays on this board, by personal link or by account; None for anybody else."""
    event = pairing.round.section.event
    if event.state == Event.State.DRAFT or not pairing.round.is_public or pairing.black is None:
        return None
    if link:
        by_link = {pairing.white.link: Side.WHITE, pairing.black.link: Side.BLACK}
        return by_link.get(link)
    if actor.user is None:
        return None
    by_user = {pairing.white.player.user_id: Side.WHITE, pairing.black.player.user_id: Side.BLACK}
    return by_user.get(actor.user.pk)


def acting_side(actor: Actor, pairing: Pairing, *, side: str = "", link: str = "") -> Side:
    """The side to act for: one's own, or the one an arbiter names. Raises NotFound or NotAllowed for others."""
    own = own_side(actor, pairing, link=link)
    if own is not None:
        if side and side != own:
            raise NotAllowed
        return own
    if link:
        raise NotFound
    require_arbiter(actor, pairing)
    if side not in Side.values:
        raise NotFound
    return Side(side)


def name_of(pairing: Pairing, side: str) -> str:
    entry = pairing.white if side == Side.WHITE else pairing.black
    return str(entry) if entry is not None else ""
