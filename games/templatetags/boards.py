"""Boards, moves and the law's codes in templates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

import rules
from games import board_svg
from games.selectors import positions
from games.selectors.positions import Shown
from games.selectors.viewer import clock
from games.slots import Seat
from games.wording import codes as texts
from games.wording import explanations
from games.wording.photos import fault_words
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def seat_url(name: str, seat: Seat, *rest: str) -> str:
    """The address of a page about one game."""
    return reverse(f"games:{name}", args=[*seat.args, *rest])


@register.filter
def board(position: rules.Position) -> SafeString:
    """A small board with numbers. Only numbers go into the markup."""
    return mark_safe(board_svg.draw(position))


@register.filter
def photo_fault(fault: str) -> str:
    """What is wrong with a picture of a scoresheet, and what to do."""
    return fault_words(fault)


@register.filter
def drawing(svg: str) -> SafeString:
    """The board's own markup; `board_svg` puts nothing but numbers into it."""
    return mark_safe(svg)


@register.filter
def explained(problem: rules.Problem) -> list[str]:
    return explanations.explain(problem)


@register.filter
def remark_words(remark: Any) -> str:
    return str(explanations.REMARKS[rules.RemarkKind(remark.kind)])


@register.filter
def unread_words(found: rules.Unread) -> str:
    return explanations.unread_words(found)


@register.filter
def disagreement_words(found: Any) -> str:
    return str(explanations.DISAGREEMENTS[rules.DisagreementKind(found.kind)])


@register.filter
def draw_words(kind: Any) -> str:
    return str(explanations.DRAWS[rules.DrawKind(kind)])


@register.filter
def status_words(status: Any) -> str:
    return str(explanations.STATUSES[rules.Status(status)])


@register.filter
def final_words(final: Any) -> str:
    return str(explanations.FINALS[rules.Final(final)])


@register.filter
def side_words(side: Any) -> str:
    return str(explanations.SIDES[rules.Side(str(getattr(side, "value", side)))])


@register.filter
def text_of(code: Any) -> str:
    """The words of one of the court's own codes: gaps, doubts, meetings, endings."""
    return texts.words(str(code))


@register.filter
def listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


@register.filter
def articles(codes: tuple[str, ...]) -> str:
    return explanations.articles_in_words(tuple(codes))


@register.filter
def clock_text(seconds: int | None) -> str:
    return clock(seconds)


@register.filter
def men_of(position: rules.Position, side: str) -> str:
    return ", ".join(map(str, position.men(rules.Side(side))))


@register.filter
def kings_of(position: rules.Position, side: str) -> str:
    return ", ".join(map(str, position.kings(rules.Side(side))))


@register.filter
def but_other_signature(found: Iterable[Any], sheet: Any) -> list[Any]:
    """What a copy handed in by its owner can be told: that the other has not signed it is no fault of its owner."""
    signed = sheet.white_signed if sheet.side == "W" else sheet.black_signed
    missing = rules.DisagreementKind.SIGNATURE_MISSING
    kept = [item for item in found if item.kind is not missing]
    return kept if signed else [*kept, *[item for item in found if item.kind is missing][:1]]


@register.simple_tag
def event_positions(events: Iterable[Event]) -> dict[int, Shown]:
    """The position that stands for each event, by event. One query."""
    return positions.of_events(events)


@register.simple_tag
def event_picture(found: dict[int, Shown], event: Event | None, *, thumb: bool = False) -> SafeString:
    """The board of an event; the starting position until a game of it is noted."""
    shown = found.get(event.pk) if event else None
    return mark_safe(board_svg.picture((shown or positions.start()).position, thumb=thumb))


@register.simple_tag
def picture_words(found: dict[int, Shown], event: Event) -> str:
    """Which moment of which game the picture of an event shows; "" for the starting position."""
    shown = found.get(event.pk)
    if shown is None or shown.game is None:
        return ""
    pairing = shown.game.pairing
    values = {
        "round": pairing.round.number,
        "board": pairing.board,
        "move": (shown.plies + 1) // 2,
    }
    return _("Round %(round)d, board %(board)d, after move %(move)d") % values
