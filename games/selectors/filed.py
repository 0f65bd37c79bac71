"""At which pairings of a section something is filed that must not go with the pairing."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from games.models import Adjournment, Copy, DrawOffer, Game, Incident, Result, Scoresheet
from tournaments.models import Section

BLANK = Q(
    status=Copy.Status.ISSUED, waived_reason="", recording_waived_at__isnull=True, to_complete=False
)  # a copy that was handed out, and no more


def filed_pairings(section: Section) -> set[int | None]:
    """Pairings with a scoresheet, a copy noted, a score, a result of the court, a draw offer, an adjournment or an incident.

    A game that has nothing but its blank copies holds nothing. None stands for an incident whose board is gone. Two
    queries.
    """
    games = Game.objects.filter(pairing__round__section=section).filter(
        ~Q(moves=[])
        | Q(accepted_at__isnull=False)
        | Exists(Copy.objects.filter(game=OuterRef("pk")).exclude(BLANK))
        | Q(
            *(
                Exists(model.objects.filter(game=OuterRef("pk")))
                for model in (Scoresheet, Result, DrawOffer, Adjournment)
            ),
            _connector=Q.OR,
        )
    )
    held: set[int | None] = set(games.values_list("pairing_id", flat=True))
    return held | set(Incident.objects.filter(section=section).values_list("pairing_id", flat=True))
