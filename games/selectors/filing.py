"""What a player sees of his own sheet of a board, and only of his own."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from games import sheets as reading
from games.models import Adjournment, Copy, Scoresheet, Side
from games.selectors.viewer import Line, line_of
from games.slots import Seat, game_at, line_ups, pick, seats_of, with_games
from tournaments import formats
from tournaments.models import PUBLIC_STATES, Event, Pairing
from tournaments.selectors import people


@dataclass(frozen=True, slots=True, kw_only=True)
class Mine:
    """The copy that counts, as the law reads it, and how many were handed in."""

    sheet: Scoresheet
    line: Line
    count: int


def seats_by_link(token: str, number: int) -> list[Seat]:
    """The games of whoever holds the link in a public round of a public event: all of his board, or his own of a team.

    With the link of a team all boards of its match, in none of which the team itself may act.
    """
    entry = people.entry_by_link(token)
    if entry is None or entry.section.event.state == Event.State.DRAFT:
        return []
    rows = Pairing.objects.filter(
        round__section=entry.section, round__number=number, round__state__in=PUBLIC_STATES
    )
    pairing = with_games(
        rows.filter(Q(white=entry) | Q(black=entry), black__isnull=False), entry.section
    ).first()
    if pairing is None:
        return []
    seats = seats_of(pairing)
    member = people.member_by_link(entry, token)
    return pick(seats, member) if member is not None else seats


def seat_by_link(token: str, number: int, game: int | None = None) -> Seat | None:
    """One of them by its number; the first one when none is asked for."""
    seats = seats_by_link(token, number)
    return next((seat for seat in seats if game in (None, seat.number)), None)


def latest(seat: Seat, side: str) -> Scoresheet | None:
    return _filed(seat, side).select_related("game__pairing__round__section").order_by("-pk").first()


def shown(seat: Seat, side: str) -> Mine | None:
    sheet = latest(seat, side)
    if sheet is None:
        return None
    count = _filed(seat, side).count()
    return Mine(sheet=sheet, line=line_of(reading.sheet_value(sheet)), count=count)


def is_in(seat: Seat, side: str) -> bool:
    """Whether the other copy is received: that, and nothing of what it says."""
    game = game_at(seat)
    return (
        game is not None and Copy.objects.filter(game=game, side=side, status=Copy.Status.RECEIVED).exists()
    )


def running_adjournment(seat: Seat) -> Adjournment | None:
    return (
        Adjournment.objects.select_related("game")
        .filter(game__pairing=seat.pairing, game__number=seat.number)
        .exclude(state__in=[Adjournment.State.RESUMED, Adjournment.State.LOST])
        .first()
    )


def past_adjournments(seat: Seat) -> list[Adjournment]:
    rows = Adjournment.objects.filter(game__pairing=seat.pairing, game__number=seat.number)
    return list(rows.filter(state__in=[Adjournment.State.RESUMED, Adjournment.State.LOST]))


def seats_of_user(user_id: int) -> list[Seat]:
    """The games an account plays in public rounds of public events, the latest first."""
    mine = Q(white__player__user_id=user_id) | Q(black__player__user_id=user_id)
    rows = (
        Pairing.objects.filter(mine, black__isnull=False, round__state__in=PUBLIC_STATES)
        .exclude(round__section__event__state=Event.State.DRAFT)
        .order_by("-round__section__event__starts_on", "round__section_id", "-round__number")
    )
    fetched = rows.select_related("round__section__event", "white__player", "black__player")
    return [
        seat
        for pairing in fetched.prefetch_related("games", line_ups())
        if not formats.of(pairing.round.section).enters_teams
        for seat in seats_of(pairing)
    ]


def next_without_sheets(seat: Seat) -> Seat | None:
    """The next game of the round for which a copy is not handed in; after the last board the first comes."""
    round_ = seat.round
    pairings = with_games(round_.pairings.filter(black__isnull=False), round_.section).order_by("board")
    seats = [found for pairing in pairings for found in seats_of(pairing) if found.is_due]
    rows = Scoresheet.objects.filter(game__pairing__round=round_).values_list("game_id", "side")
    handed_in = set(rows.distinct())
    here = (seat.pairing.board or 0, seat.number)
    waiting = [found for found in seats if _lacks_sheet(found, handed_in) and found.args != seat.args]
    behind = [found for found in waiting if (found.pairing.board or 0, found.number) > here]
    return next(iter(behind or waiting), None)


def _lacks_sheet(seat: Seat, handed_in: set[tuple[int, str]]) -> bool:
    game = game_at(seat)
    return game is None or any((game.pk, side) not in handed_in for side in Side.values)


def _filed(seat: Seat, side: str) -> QuerySet[Scoresheet]:
    """The sheets of the game as it is played now."""
    game = game_at(seat)
    return Scoresheet.objects.filter(game=game, side=side) if game is not None else Scoresheet.objects.none()
