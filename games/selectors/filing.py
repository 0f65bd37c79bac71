"""What a player sees of his own sheet of a board, and only of his own."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q

from games import reading
from games.models import Adjournment, Copy, Scoresheet
from games.selectors.viewer import Line, line_of
from tournaments.models import PUBLIC_STATES, Entry, Event, Pairing


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """The copy that counts, as the law reads it, and how many were handed in."""

    sheet: Scoresheet
    line: Line
    count: int


def pairing_by_link(token: str, number: int) -> Pairing | None:
    """The board of whoever holds the link, in a public round of a public event."""
    entry = Entry.objects.select_related("section__event").filter(link=token).first()
    if entry is None or entry.section.event.state == Event.State.DRAFT:
        return None
    return (
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(round__section=entry.section, round__number=number, round__state__in=PUBLIC_STATES)
        .filter(Q(white=entry) | Q(black=entry), black__isnull=False)
        .first()
    )


def latest(pairing: Pairing, side: str) -> Scoresheet | None:
    return (
        Scoresheet.objects.select_related("game__pairing__round__section")
        .filter(game__pairing=pairing, side=side)
        .order_by("-pk")
        .first()
    )


def shown(pairing: Pairing, side: str) -> Mine | None:
    sheet = latest(pairing, side)
    if sheet is None:
        return None
    count = Scoresheet.objects.filter(game__pairing=pairing, side=side).count()
    return Mine(sheet=sheet, line=line_of(reading.sheet_value(sheet)), count=count)


def is_in(pairing: Pairing, side: str) -> bool:
    """Whether the other copy is received: that, and nothing of what it says."""
    return Copy.objects.filter(game__pairing=pairing, side=side, status=Copy.Status.RECEIVED).exists()


def running_adjournment(pairing: Pairing) -> Adjournment | None:
    return (
        Adjournment.objects.select_related("game")
        .filter(game__pairing=pairing)
        .exclude(state__in=[Adjournment.State.RESUMED, Adjournment.State.LOST])
        .first()
    )


def pairings_of_user(user_id: int) -> list[Pairing]:
    """The boards an account plays in public rounds of public events, the latest first."""
    mine = Q(white__player__user_id=user_id) | Q(black__player__user_id=user_id)
    return list(
        Pairing.objects.select_related("round__section__event", "white__player", "black__player")
        .filter(mine, black__isnull=False, round__state__in=PUBLIC_STATES)
        .exclude(round__section__event__state=Event.State.DRAFT)
        .order_by("-round__section__event__starts_on", "round__section_id", "-round__number")
    )
