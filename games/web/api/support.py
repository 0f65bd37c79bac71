"""Rows that the addresses of games and of the court name."""

from __future__ import annotations

from rest_framework.request import Request

from tournaments.errors import NotFound
from tournaments.models import Pairing
from tournaments.web.rest import section_at


def pairing_at(request: Request, event: str, section: str, pk: int) -> Pairing:
    """A board with two players of a public round."""
    found = section_at(request, event, section)
    pairing = (
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(pk=pk, round__section=found, black__isnull=False)
        .first()
    )
    if pairing is None or not pairing.round.is_public:
        raise NotFound
    return pairing
