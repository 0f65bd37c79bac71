"""What the pages of games share beside the site's door of HTTP: addresses of a game, the context of a section."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from games.slots import Seat
from tournaments.models import Section
from tournaments.selectors import desk


def seat_address(name: str, seat: Seat, *rest: str) -> str:
    """The address of a page about one game."""
    return reverse(f"games:{name}", args=[*seat.args, *rest])


def section_context(request: HttpRequest, section: Section, *, number: int | None = None) -> dict[str, Any]:
    """What the templates of the desk ask of every page of a section."""
    user = request.user if request.user.is_authenticated else None
    context: dict[str, Any] = {
        "event": section.event,
        "section": section,
        "can": desk.permissions(user, section.event),
        "tab": "rounds" if number else "games",
    }
    return context | ({"number": number} if number else {})
