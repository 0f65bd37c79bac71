"""Photographs of scoresheets: those of a copy, those of a round, and one for whoever may see it."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.models import SheetPhoto
from games.slots import Seat, acting_side, seat_of
from tournaments.audit import Actor
from tournaments.errors import NotFound, SiteError
from tournaments.models import Round
from tournaments.permissions import Action, allowed
from tournaments.selectors import match_games


def of_copy(seat: Seat, side: str) -> QuerySet[SheetPhoto]:
    """The pictures sent for this copy, and those of a stack that named it; the newest first."""
    sent = Q(asked=seat.pairing, asked_number=seat.number, asked_side=side)
    placed = Q(pairing=seat.pairing, number=seat.number, side=side)
    return SheetPhoto.objects.filter(sent | placed).defer("content", "cells").order_by("-pk")


def for_sheet(seat: Seat, side: str, photo_id: str) -> SheetPhoto | None:
    """A picture of this copy by what an address says; None for no number or another copy's."""
    return (
        of_copy(seat, side).filter(pk=photo_id).first()
        if photo_id.isdecimal() and len(photo_id) < 16
        else None
    )


def of_round(round_: Round) -> QuerySet[SheetPhoto]:
    """The pictures of a round with all that names their games, the newest first. One query where a round is one game."""
    rows = SheetPhoto.objects.filter(round=round_).defer("content", "cells", "reading")
    rows = rows.select_related(
        "round__section__event", "pairing__white__player", "pairing__black__player", "asked__white__player",
        "asked__black__player",
    )  # fmt: skip
    if match_games.is_match(round_.section):
        rows = rows.prefetch_related(
            "pairing__games", "pairing__match_games", "asked__games", "asked__match_games"
        )
    return rows.order_by("-pk")


def picture(actor: Actor, photo_id: int, *, link: str = "") -> bytes:
    """The picture for an arbiter, and for the player whose copy it is. Raises NotFound for others, and before it is read."""
    photo = SheetPhoto.objects.select_related("round__section__event").filter(pk=photo_id).first()
    if photo is None or not photo.digest:
        raise NotFound
    if not link and allowed(actor.user, Action.ENTER_RESULTS, photo.round.section.event):
        return bytes(photo.content)
    pairing_id = photo.asked_id or photo.pairing_id
    if pairing_id is None:
        raise NotFound
    number, side = (photo.asked_number, photo.asked_side) if photo.asked_id else (photo.number, photo.side)
    try:
        own = acting_side(actor, seat_of(pairing_id, number), link=link, side=side)
    except SiteError:
        raise NotFound from None
    if own != side:
        raise NotFound
    return bytes(photo.content)
