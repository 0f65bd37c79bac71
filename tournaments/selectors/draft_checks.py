"""What the boards of a draft break, and where they differ from the engine's proposal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournaments import snapshot
from tournaments.engine.types import PLAYED, Colour, Outcome, Tournament
from tournaments.models import Round

Seats = list[tuple[int, int | None]]  # (white entry, black entry or None for the bye), board by board


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning:
    """Something a change breaks: `kind` is repeat, forbidden, bye-again, same-colour-thrice or colour-imbalance."""

    kind: str
    entries: tuple[int, ...]
    detail: str = ""


def warnings_of(round_: Round) -> list[Warning]:
    """What the boards of a round break, as they stand now."""
    snap = snapshot.load(round_.section, through=round_.number - 1)
    return check(snap, seats_of(round_), number=round_.number)


def differences(round_: Round) -> list[dict[str, Any]]:
    """Boards where the arbiter's draft and the engine's proposal differ, by the pairing numbers of now.

    Before round 1 is public an entry has none yet: there they are those of the draft.
    """
    number_of: dict[int | None, int | None] = dict(round_.section.entries.values_list("pk", "number"))
    drawn = {entry: int(number) for number, entry in round_.numbers.items()}
    number_of |= {entry: drawn.get(entry) for entry, number in number_of.items() if number is None and entry}
    said, now = differing_seats(round_)

    def told(side: str, seats: set[tuple[int, int | None]]) -> list[dict[str, Any]]:
        numbered = [(number_of.get(white), number_of.get(black)) for white, black in seats]
        return [{"side": side, "white": w, "black": b} for w, b in sorted(numbered, key=str)]

    return [*told("engine", said), *told("arbiter", now)]


def differing_seats(round_: Round) -> tuple[set[tuple[int, int | None]], set[tuple[int, int | None]]]:
    """The boards only the engine's proposal has, and those only the draft has, by entry."""
    now, said = set(seats_of(round_)), set(proposed_seats(round_))
    return said - now, now - said


def proposed_seats(round_: Round) -> Seats:
    """The engine's boards by entry: its numbers are those of the moment when the round was paired."""
    entry_of = {int(number): entry for number, entry in round_.numbers.items()}
    return [
        (entry_of[white], None if black is None else entry_of[black])
        for _board, white, black in round_.proposal
        if white in entry_of and (black is None or black in entry_of)
    ]


def check(snap: snapshot.Snapshot, seats: Seats, *, number: int) -> list[Warning]:
    history = _History(snap)
    found: list[Warning] = []
    for white, black in seats:
        if black is None:
            if white in history.had_bye:
                found.append(Warning(kind="bye-again", entries=(white,)))
            continue
        if frozenset((white, black)) in history.met:
            found.append(
                Warning(
                    kind="repeat", entries=(white, black), detail=str(history.met[frozenset((white, black))])
                )
            )
        if history.forbidden(white, black, number):
            found.append(Warning(kind="forbidden", entries=(white, black)))
        found += history.colour_warnings(white, Colour.WHITE) + history.colour_warnings(black, Colour.BLACK)
    return found


def seats_of(round_: Round) -> Seats:
    """Boards in order, then pairing-allocated byes. Requested byes and absences are not for changing here."""
    rows = round_.pairings.exclude(outcome__in=[Outcome.HALF_BYE, Outcome.ZERO_BYE])
    boards = rows.filter(board__gt=0).order_by("board").values_list("white_id", "black_id")
    byes = rows.filter(board=0).order_by("id").values_list("white_id", "black_id")
    return [*boards, *byes]


class _History:
    """Who met whom, who had a bye, and the colours of games played, by entry."""

    def __init__(self, snap: snapshot.Snapshot) -> None:
        self.met: dict[frozenset[int], int] = {}
        self.had_bye: set[int] = set()
        self.colours: dict[int, list[Colour]] = {}
        self._tournament: Tournament = snap.tournament
        self._number_of = snap.number_of
        for round_ in snap.tournament.rounds:
            for board in round_.boards:
                white = snap.entry_of[board.white]
                if board.black is None:
                    if board.outcome is Outcome.BYE:
                        self.had_bye.add(white)
                    continue
                black = snap.entry_of[board.black]
                if board.outcome in PLAYED:
                    self.met[frozenset((white, black))] = round_.number
                    self.colours.setdefault(white, []).append(Colour.WHITE)
                    self.colours.setdefault(black, []).append(Colour.BLACK)
                elif board.outcome is Outcome.BLACK_FORFEITS:
                    self.had_bye.add(white)
                elif board.outcome is Outcome.WHITE_FORFEITS:
                    self.had_bye.add(black)

    def forbidden(self, first: int, second: int, number: int) -> bool:
        pair = {self._number_of.get(first), self._number_of.get(second)}
        return any(
            pair <= group.players and group.first_round <= number <= group.last_round
            for group in self._tournament.forbidden
        )

    def colour_warnings(self, entry: int, colour: Colour) -> list[Warning]:
        games = [*self.colours.get(entry, []), colour]
        found = []
        if len(games) >= 3 and games[-3:] == [colour] * 3:
            found.append(Warning(kind="same-colour-thrice", entries=(entry,), detail=colour))
        balance = games.count(Colour.WHITE) - games.count(Colour.BLACK)
        if abs(balance) > 2:
            found.append(Warning(kind="colour-imbalance", entries=(entry,), detail=f"{balance:+d}"))
        return found
