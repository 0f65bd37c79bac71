"""What proves a pairing: its canonical input paired once more, questions to it, and the same as a report file.

All of it rests on the text that was frozen with the round; the ledger of now is not looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournaments.engine import swiss, trf
from tournaments.engine.types import EngineError, NoLegalPairing, Player, RequestedBye, Tournament
from tournaments.errors import BadInput, DomainError, WrongState
from tournaments.models import Entry, Round
from tournaments.wording.pairings import why_not_words

SECONDS = 5  # a question may take no longer: it holds a web process


class TookTooLong(DomainError):
    code = "time-limit"
    status = 503


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A round paired again from its stored input. `boards_agree` tells also where another engine made the digest."""

    round: Round
    digest: str
    boards_agree: bool

    @property
    def is_proven(self) -> bool:
        return self.digest == self.round.digest

    @property
    def engine(self) -> str:
        return swiss.ENGINE


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Why two do not meet, in sentences."""

    first: str
    second: str
    sentences: tuple[str, ...]


def has_input(round_: Round) -> bool:
    """Whether the engine's Swiss paired the round: what was drawn by a table or by hand has no canonical input."""
    return bool(round_.canonical_input)


def prove(round_: Round) -> Proof:
    """Pair the stored input again. Raises WrongState without an input, TookTooLong."""
    tournament, absent, order = _read(round_)
    try:
        again = swiss.pair_round(
            tournament, absent=absent, order=order, explain=False, should_stop=_deadline(SECONDS)
        )
    except EngineError as error:
        raise _told(error) from None
    said = [[white, black] for _board, white, black in round_.proposal]
    return Proof(
        round=round_, digest=again.digest, boards_agree=said == [[b.white, b.black] for b in again.boards]
    )


def ask(round_: Round, *, first: int, second: int) -> Answer:
    """Why the players with these numbers do not meet. Raises BadInput for who was not to be paired, TookTooLong."""
    tournament, absent, order = _read(round_)
    names = names_of(round_)
    _check_asked(first, second, names=names, absent=absent)
    try:
        found = swiss.why_not(
            tournament, first, second, absent=absent, order=order, should_stop=_deadline(SECONDS)
        )
    except EngineError as error:
        raise _told(error) from None
    return Answer(
        first=names[first],
        second=names[second],
        sentences=tuple(why_not_words(swiss.as_data(found), lambda number: names.get(number, str(number)))),
    )


def names_of(round_: Round) -> dict[int, str]:
    """The numbers of that moment, each with its name."""
    named = dict(Entry.objects.filter(section=round_.section_id).values_list("pk", "player__name"))
    return {
        int(number): f"{number} {named[entry]}" for number, entry in round_.numbers.items() if entry in named
    }


def report_before(round_: Round) -> str:
    """The state before the round as a report file that any pairing program reads; who is away has a bye asked for.

    A ranking order of its own (Swiss on Solkoff) is told by the numbers of the file: others know no other way.
    """
    tournament, absent, order = _read(round_)
    entries = {
        entry.pk: entry for entry in Entry.objects.filter(section=round_.section_id).select_related("player")
    }
    players = tuple(
        _person(player, entries.get(round_.numbers.get(str(player.number), 0)))
        for player in tournament.players
    )
    whole = replace(
        tournament,
        name=f"{round_.section.name}, {round_.number}",
        players=players,
        requested_byes=tuple(RequestedBye(player=number, round=round_.number) for number in absent),
    )
    if order:
        whole = _renumbered(whole, {number: place for place, number in enumerate(order, start=1)})
    return trf.write(trf.TrfFile(tournament=whole, dialect=trf.Dialect.TRF26))


def _person(player: Player, entry: Entry | None) -> Player:
    if entry is None:
        return player
    person = entry.player
    return replace(
        player,
        name=person.latin_name or person.name,
        rating=person.rating,
        title=person.title,
        sex=person.sex,
        federation=person.federation,
        fide_id=person.fmjd_id,
    )


def _renumbered(tournament: Tournament, new: Mapping[int, int]) -> Tournament:
    players = (replace(player, number=new[player.number]) for player in tournament.players)
    return replace(
        tournament,
        players=tuple(sorted(players, key=lambda player: player.number)),
        rounds=tuple(
            replace(
                played,
                boards=tuple(
                    replace(b, white=new[b.white], black=None if b.black is None else new[b.black])
                    for b in played.boards
                ),
            )
            for played in tournament.rounds
        ),
        forbidden=tuple(
            replace(group, players=frozenset(new[p] for p in group.players)) for group in tournament.forbidden
        ),
        virtual_points=tuple(
            replace(points, players=frozenset(new[p] for p in points.players))
            for points in tournament.virtual_points
        ),
        requested_byes=tuple(replace(bye, player=new[bye.player]) for bye in tournament.requested_byes),
        adjustments=tuple(replace(a, player=new[a.player]) for a in tournament.adjustments),
    )


def _read(round_: Round) -> tuple[Tournament, list[int], list[int] | None]:
    if not has_input(round_):
        raise WrongState(_("No engine paired this round, so there is nothing to compute again."))
    try:
        return swiss.read_canonical(round_.canonical_input)
    except ValueError:
        raise WrongState(_("The stored input of this round cannot be read by the engine of now.")) from None


def _check_asked(first: int, second: int, *, names: Mapping[int, str], absent: Collection[int]) -> None:
    faults = {
        field: [_("Nobody of that number was to be paired in this round.")]
        for field, number in (("first", first), ("second", second))
        if number not in names or number in absent
    }
    if first == second:
        faults.setdefault("second", [_("Choose two different players.")])
    if faults:
        raise BadInput(next(iter(faults.values()))[0], fields=faults)


def _deadline(seconds: int) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _told(error: EngineError) -> DomainError:
    if isinstance(error, swiss.TimeLimit):
        text = _(
            "The answer takes longer than %(seconds)s seconds, so it was given up. The command line has no such limit."
        )
        return TookTooLong(text, seconds=SECONDS)
    if isinstance(error, NoLegalPairing):
        return WrongState(_("The engine finds no legal pairing for this input."))
    return WrongState(_("The ledger contradicts itself: %(detail)s."), detail=str(error))
