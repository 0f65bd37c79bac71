"""What the court and the scoresheets leave open in a section, for the list before pairing, publishing and closing."""

from __future__ import annotations

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import ngettext

from games.models import Copy, Ruling
from tournaments.models import PUBLIC_STATES, Section
from tournaments.selectors.readiness import Point


def open_points(section: Section) -> list[Point]:
    """Copies of scoresheets not handed in, and rulings nobody has confirmed. Two queries."""
    found = []
    copies = Copy.objects.filter(
        ~Q(game__pairing__outcome="UNPLAYED"),
        game__pairing__round__section=section,
        game__pairing__round__state__in=PUBLIC_STATES,
        status=Copy.Status.ISSUED,
        waived_reason="",
    )
    rounds = sorted(copies.values_list("game__pairing__round__number", flat=True))
    if rounds:
        text = ngettext(
            "%(count)s scoresheet is not handed in.", "%(count)s scoresheets are not handed in.", len(rounds)
        )
        address = reverse("games:desk_round", args=[section.pk, rounds[0]])
        found.append(Point(text=text % {"count": len(rounds)}, address=address))
    waiting = Ruling.objects.filter(
        incident__section=section, state__in=[Ruling.State.PROPOSED, Ruling.State.AWAITING]
    ).count()
    if waiting:
        text = ngettext(
            "%(count)s proposed ruling is not answered.",
            "%(count)s proposed rulings are not answered.",
            waiting,
        )
        address = reverse("games:court", args=[section.event_id])
        found.append(Point(text=text % {"count": waiting}, address=address))
    return found
