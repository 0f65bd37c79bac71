"""Which boards of a section have a game that is adjourned and has no result yet."""

from __future__ import annotations

from games.models import Adjournment
from tournaments.models import Section

RUNNING = (Adjournment.State.CLOSING, Adjournment.State.SEALED, Adjournment.State.OPENED)


def adjourned_pairings(section: Section) -> set[int]:
    rows = Adjournment.objects.filter(
        state__in=RUNNING, game__pairing__round__section=section, game__pairing__outcome="UNPLAYED"
    )
    return set(rows.values_list("game__pairing_id", flat=True))
