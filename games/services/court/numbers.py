"""Numbers of incidents, rulings, appeals and letters: one sequence each an event, without gaps."""

from __future__ import annotations

from django.db.models import F

from games.models import CourtCounter
from tournaments.models import Event


def next_number(event: Event, of: str) -> int:
    """Counts up `incidents`, `rulings`, `appeals` or `letters` inside the caller's transaction, which keeps others waiting."""
    CourtCounter.objects.get_or_create(event=event)
    CourtCounter.objects.filter(event=event).update(**{of: F(of) + 1})
    found: int = CourtCounter.objects.values_list(of, flat=True).get(event=event)
    return found
