"""Rows that the addresses of games and of the court name."""

from __future__ import annotations

from rest_framework.request import Request

from games.selectors import court_cases
from tournaments.errors import NotFound
from tournaments.models import Entry, Event, Pairing
from tournaments.selectors import people
from tournaments.web.http import actor_of
from tournaments.web.rest import section_at


def own_entries(request: Request, event: Event, link: str) -> list[Entry]:
    """The entries of the event that the personal link, or without one the account, may speak for. Raises NotFound for none."""
    if link:
        entry = people.entry_by_link(link)
        found = [entry] if entry is not None else []
    else:
        found = court_cases.own_entries(actor_of(request))
    own = [entry for entry in found if entry.section.event_id == event.pk]
    if not own or event.state == Event.State.DRAFT:
        raise NotFound
    return own


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
