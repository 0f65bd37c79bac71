"""Who sits where: the games of a pairing with their colours, and for which side somebody may act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from games.models import Game, Side
from tournaments import formats
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound, WrongState
from tournaments.models import Entry, Event, MatchGame, Pairing, Round, Section, TeamMember
from tournaments.permissions import Action, allowed, require
from tournaments.selectors import match_games
from tournaments.selectors.match_games import Slot

Person = Entry | TeamMember


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A game of a pairing with who has White and who has Black in it; None where nobody sits at a board of a team.

    `number` is the board of a team match, the game of a micro-match, and 1 elsewhere. `counts` is False for a game
    that the match did not come to, though something is filed for it.
    """

    pairing: Pairing
    number: int
    white: Person | None
    black: Person | None
    white_entry: Entry
    black_entry: Entry
    outcome: str
    grade: str = ""
    is_due: bool = True
    is_recorded: bool = True
    counts: bool = True
    pace: str = ""
    pace_words: Any = ""
    clock: str = ""

    @property
    def round(self) -> Round:
        return self.pairing.round

    @property
    def section(self) -> Section:
        return self.pairing.round.section

    @property
    def is_of_match(self) -> bool:
        """One of several games of its pairing."""
        return match_games.is_match(self.section)

    @property
    def args(self) -> list[int]:
        """How its pages are addressed: by the pairing, and by the number where there are several."""
        return [self.pairing.pk, self.number] if self.is_of_match else [self.pairing.pk]

    @property
    def where(self) -> str:
        """`board 3`, or with the game or the team's board: `match 3, board 2`, `board 3, game 2 (rapid)`."""
        board = {"board": self.pairing.board, "number": self.number, "pace": self.pace_words}
        if formats.of(self.section).enters_teams:
            return _("match %(board)s, board %(number)s") % board
        if self.is_of_match:
            return (
                _("board %(board)s, game %(number)s (%(pace)s)")
                if self.pace
                else _("board %(board)s, game %(number)s")
            ) % board
        return _("board %(board)s") % board

    @property
    def label(self) -> str:
        """The number in words, for a list of the pairing's games; "" where there is one."""
        if formats.of(self.section).enters_teams:
            return _("Board %(n)s") % {"n": self.number}
        if not self.is_of_match:
            return ""
        found = _("Game %(n)s") % {"n": self.number}
        return f"{found} · {self.pace_words}" if self.pace else found

    @property
    def white_name(self) -> str:
        return name_of(self, Side.WHITE) or "–"

    @property
    def black_name(self) -> str:
        return name_of(self, Side.BLACK) or "–"

    def person(self, side: str) -> Person | None:
        return self.white if side == Side.WHITE else self.black

    def entry(self, side: str) -> Entry:
        return self.white_entry if side == Side.WHITE else self.black_entry


_PEOPLE = ("round__section__event", "white__player", "black__player")


def pairing_of(pairing_id: int) -> Pairing:
    """A board with two players. Raises NotFound for a bye and for no such board."""
    found = Pairing.objects.select_related(*_PEOPLE).filter(pk=pairing_id, black__isnull=False).first()
    if found is None:
        raise NotFound
    return found


def with_games(rows: QuerySet[Pairing], section: Section) -> QuerySet[Pairing]:
    """Pairings of a section fetched so that seats and games cost no further query: one more for all, two of matches."""
    found = rows.select_related(*_PEOPLE).prefetch_related("games")
    return found.prefetch_related(line_ups()) if match_games.is_match(section) else found


def line_ups(path: str = "match_games") -> Prefetch[str]:
    """The recorded games of matches with who sat at them, for pairings that are fetched many at once."""
    return Prefetch(path, MatchGame.objects.select_related("first", "second").order_by("number"))


def seats_of(pairing: Pairing) -> list[Seat]:
    """The games of a pairing: those recorded, those that can come, and those for which something is filed."""
    section = pairing.round.section
    slots = match_games.slots(section, pairing)
    found = [_seat(pairing, slot, section) for slot in slots]
    if not match_games.is_match(section) or formats.of(section).enters_teams:
        return found
    known = {seat.number for seat in found}
    beyond = sorted({game.number for game in pairing.games.all()} - known)
    return [*found, *(_beyond(pairing, number) for number in beyond)]


def seat_of(pairing_id: int, number: int = 1) -> Seat:
    """One game of a pairing. Raises NotFound for a number that the pairing does not have."""
    return seat_at(pairing_of(pairing_id), number)


def seat_at(pairing: Pairing, number: int = 1) -> Seat:
    found = next((seat for seat in seats_of(pairing) if seat.number == number), None)
    if found is None:
        raise NotFound
    return found


def fresh(seat: Seat) -> Seat:
    """The seat as it stands now; for a caller who holds the gate."""
    return seat_of(seat.pairing.pk, seat.number)


def is_arbiter(actor: Actor, seat: Seat) -> bool:
    return allowed(actor.user, Action.ENTER_RESULTS, seat.section.event)


def require_arbiter(actor: Actor, place: Seat | Pairing) -> None:
    """Raises NotFound for strangers, NotAllowed for lesser roles, WrongState while the round is a draft."""
    require(actor, Action.ENTER_RESULTS, place.round.section.event)
    if not place.round.is_public:
        raise WrongState(_("Round %(round)s is not published yet."), round=place.round.number)


def own_side(actor: Actor, seat: Seat, *, link: str = "") -> Side | None:
    """The side the actor plays in this game, by personal link or by account; None for anybody else.

    At a board of a team match that is the player who sits there, by his own link: not the team, and no team-mate.
    """
    if seat.section.event.state == Event.State.DRAFT or not seat.round.is_public:
        return None
    for side in Side:
        person = seat.person(side)
        if person is None:
            continue
        if link:
            if person.link == link:
                return side
        elif isinstance(person, Entry) and actor.user is not None and person.player.user_id == actor.user.pk:
            return side
    return None


def acting_side(actor: Actor, seat: Seat, *, side: str = "", link: str = "") -> Side:
    """The side to act for: one's own, or the one an arbiter names. Raises NotFound or NotAllowed for others."""
    own = own_side(actor, seat, link=link)
    if own is not None:
        if side and side != own:
            raise NotAllowed
        return own
    if link:
        raise NotFound
    require_arbiter(actor, seat)
    if side not in Side.values:
        raise NotFound
    if seat.person(side) is None:
        raise WrongState(_("Nobody sits there yet: enter the line-up of the match first."), code="no-line-up")
    return Side(side)


def name_of(seat: Seat, side: str) -> str:
    person = seat.person(side)
    return str(person) if person is not None else ""


def pick(seats: Iterable[Seat], person: Person) -> list[Seat]:
    """Those in which this player sits."""
    return [seat for seat in seats if person in (seat.white, seat.black)]


def _seat(pairing: Pairing, slot: Slot, section: Section) -> Seat:
    assert pairing.black is not None  # a bye has no games
    first: Person | None = slot.first if formats.of(section).enters_teams else pairing.white
    second: Person | None = slot.second if formats.of(section).enters_teams else pairing.black
    entries = (pairing.white, pairing.black) if slot.first_white else (pairing.black, pairing.white)
    return Seat(
        pairing=pairing,
        number=slot.number,
        white=first if slot.first_white else second,
        black=second if slot.first_white else first,
        white_entry=entries[0],
        black_entry=entries[1],
        outcome=slot.outcome,
        grade=slot.grade,
        is_due=slot.is_due,
        is_recorded=slot.is_recorded,
        pace=slot.pace,
        pace_words=slot.pace_words,
        clock=slot.clock,
    )


def _beyond(pairing: Pairing, number: int) -> Seat:
    """A game of a micro-match that is not, or no longer, a game of it: colours go on alternating."""
    seat = _seat(
        pairing, Slot(number=number, first_white=number % 2 == 1, is_due=False), pairing.round.section
    )
    return replace(seat, counts=False, is_recorded=False)


def game_at(seat: Seat) -> Game | None:
    """The game as it is played now: the last attempt."""
    rows = [game for game in seat.pairing.games.all() if game.number == seat.number]
    found = max(rows, key=lambda game: game.attempt, default=None)
    if found is not None:
        found.pairing = seat.pairing
    return found
