"""What the court's pages share beside the site's door of HTTP: a party's files, the context of an event."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header

from games.models import Evidence
from games.permissions import acts_of
from games.selectors import court_cases, letters
from games.wording.articles import ARTICLES
from tournaments.errors import NotFound
from tournaments.models import Entry, Event
from tournaments.permissions import roles_in
from tournaments.selectors import desk, people
from tournaments.web.http import actor_of


def served_file(row: Evidence) -> HttpResponse:
    """A party's file: saved and never shown inside the site, whatever is in it."""
    response = HttpResponse(bytes(row.content), content_type=row.media_type)
    response["Content-Disposition"] = content_disposition_header(True, row.filename) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cache-Control"] = "private, no-store"
    return response


def event_context(request: HttpRequest, event: Event, *, tab: str = "court") -> dict[str, Any]:
    user = request.user if request.user.is_authenticated else None
    kinds = roles_in(user, event)
    return {
        "event": event,
        "can": desk.permissions(user, event),
        "may": acts_of(user, event),
        "at_desk": bool(kinds - {"COMMITTEE", "PLAYER", "CAPTAIN"}),
        "tab": tab,
        "letters_waiting": letters.waiting(actor_of(request), event),
        "articles": ARTICLES.values(),
    }


def own_entry(request: HttpRequest, token: str, entry_id: int) -> Entry:
    """Return the entry of the personal link, or the one of the logged-in person's own or delegation's. Raises NotFound."""
    if token:
        found = people.entry_by_link(token)
    else:
        found = next((e for e in court_cases.own_entries(actor_of(request)) if e.pk == entry_id), None)
    if found is None or found.section.event.state == Event.State.DRAFT:
        raise NotFound
    return found
