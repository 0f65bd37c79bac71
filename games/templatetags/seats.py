"""The games of a pairing in the pages of the ledger: where their sheets are handed in, shown and worked on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.db.models import Q
from django.urls import reverse

from games.models import Letter
from games.slots import Seat, pick, seats_of, with_games
from tournaments import formats
from tournaments.models import PUBLIC_STATES, Entry, Pairing, TeamMember
from tournaments.selectors.match_games import is_match
from tournaments.selectors.people import Step

register = template.Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLink:
    """Where a player hands in one sheet; `game` is "" where a round is one game."""

    round: int
    game: str
    address: str


@register.simple_tag
def match_seats(pairing: Pairing) -> list[Seat]:
    """The games of a match that are due, for links to each."""
    return [seat for seat in seats_of(pairing) if seat.is_due]


@register.simple_tag
def sheet_links(
    token: str, entry: Entry, member: TeamMember | None, steps: Sequence[Step]
) -> list[SheetLink]:
    """The player's own sheets, round by round: of a match one for each game, of a team those of the player himself.

    No query where a round is one game, else three.
    """
    if not is_match(entry.section):
        return [
            SheetLink(round=number, game="", address=reverse("games:my_sheet", args=[token, number]))
            for number in (step.round.number for step in steps if step.opponent is not None)
        ]
    if formats.of(entry.section).enters_teams and member is None:
        return []
    return [
        SheetLink(
            round=seat.round.number,
            game=seat.label,
            address=reverse("games:my_sheet", args=[token, seat.round.number, seat.number]),
        )
        for seat in _own(entry, member)
    ]


@register.simple_tag
def unread_answers(entry: Entry, member: TeamMember | None) -> int:
    """How many answers to what the player wrote he has not opened yet. One query."""
    return Letter.objects.filter(
        entry=entry, member=member, answered_at__isnull=False, answer_read_at__isnull=True
    ).count()


def _own(entry: Entry, member: TeamMember | None) -> list[Seat]:
    rows = Pairing.objects.filter(
        Q(white=entry) | Q(black=entry), black__isnull=False, round__state__in=PUBLIC_STATES
    )
    seats = [seat for p in with_games(rows, entry.section).order_by("round__number") for seat in seats_of(p)]
    return pick(seats, member) if member is not None else [seat for seat in seats if seat.counts]
