"""What the forms of appeals offer: a player's boards, an event's players, its rulings in force."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from games.models import Ruling
from games.wording import court as court_words
from tournaments.models import PUBLIC_STATES, Entry, Event, Pairing
from tournaments.selectors import match_games
from tournaments.selectors.desk import numbered_choices


def boards_of(entry: Entry) -> list[tuple[int, str]]:
    """The public rounds with the player's board in each, or without one, the latest first."""
    rows = Pairing.objects.filter(
        Q(white=entry) | Q(black=entry), round__section=entry.section_id, round__state__in=PUBLIC_STATES
    )
    boards = {
        row.round.number: f"{row.round.number}. {row.white} – {row.black or ''} ({row.get_outcome_display()})"
        for row in rows.select_related("round", "white__player", "black__player")
    }
    rounds = entry.section.rounds.filter(state__in=PUBLIC_STATES).order_by("-number")
    numbers = rounds.values_list("number", flat=True)
    return [(n, boards.get(n) or _("%(round)s. no board") % {"round": f"{n}"}) for n in numbers]


def has_games(entry: Entry) -> bool:
    return match_games.is_match(entry.section)


def entries_of(event: Event) -> list[tuple[int, str]]:
    return [choice for section in event.sections.all() for choice in numbered_choices(section)]


def rulings_of(event: Event) -> list[tuple[int, str]]:
    """What can be appealed against as a ruling: in force, or waiting for the chief, and not the committee's own."""
    states = [Ruling.State.IN_FORCE, Ruling.State.AWAITING]
    rows = Ruling.objects.filter(event=event, state__in=states, decided_in__isnull=True)
    found = rows.select_related(
        "incident__section", "incident__game", "incident__pairing__round__section", "incident__white__player",
        "incident__black__player", "incident__pairing__white__player", "incident__pairing__black__player",
    )  # fmt: skip
    return [
        (row.pk, f"{row.number}: {court_words.what(row)} · {court_words.where(row.incident)}")
        for row in found
    ]
