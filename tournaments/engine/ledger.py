"""What each player did in each round: the one table that points, tie-breaks and their workings read.

Promises exactly one entry per player and round. Refuses a round that names a player twice or names a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tournaments.engine.scoring import board_points, board_results, points_table
from tournaments.engine.types import (
    FORFEITS,
    PLAYED,
    Board,
    Colour,
    InvalidState,
    Outcome,
    Player,
    Result,
    ResultScheme,
    Tournament,
)


class Kind(StrEnum):
    """How a player spent a round."""

    PLAYED = "PLAYED"
    FORFEIT = "FORFEIT"  # paired, one or both did not appear
    BYE = "BYE"
    HALF_BYE = "HALF_BYE"
    ZERO_BYE = "ZERO_BYE"  # asked for or given: an absence, or the rest of a round robin
    ABSENT = "ABSENT"  # named on no board
    NO_RESULT = "NO_RESULT"  # paired, result not known yet
    VOID = "VOID"  # the game is annulled


class Entry(NamedTuple):
    """One round of one player. `opponent` is 0 and `colour` None where there is none; no colour without play."""

    round: int
    kind: Kind
    opponent: int
    colour: Colour | None
    result: Result | None
    points: int
    grade: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """Everybody's entries of rounds 1..after_round, and what they add up to.

    `earned` are points from results alone, `points` with the adjustments in force after that round.
    """

    players: Mapping[int, Player]
    after_round: int
    scheme: ResultScheme
    entries: Mapping[int, tuple[Entry, ...]]
    earned: Mapping[int, int]
    adjusted: Mapping[int, int]
    points: Mapping[int, int]

    def running(self, player: int) -> list[int]:
        """Points after round 1, 2, ...: results alone."""
        total, found = 0, []
        for entry in self.entries[player]:
            total += entry.points
            found.append(total)
        return found


_BYE_KINDS: Mapping[Outcome, Kind] = {
    Outcome.BYE: Kind.BYE,
    Outcome.HALF_BYE: Kind.HALF_BYE,
    Outcome.ZERO_BYE: Kind.ZERO_BYE,
}


def _kind(outcome: Outcome) -> Kind:
    if outcome in PLAYED:
        return Kind.PLAYED
    if outcome in FORFEITS:
        return Kind.FORFEIT
    if outcome is Outcome.UNPLAYED:
        return Kind.NO_RESULT
    if outcome is Outcome.VOID:
        return Kind.VOID
    return _BYE_KINDS[outcome]


_KINDS: Mapping[Outcome, Kind] = {outcome: _kind(outcome) for outcome in Outcome}


def build(tournament: Tournament, *, after_round: int | None = None) -> Ledger:
    """The ledger after a round (default: the last). Linear in the games.

    Raises InvalidState: a player twice in a round or twice in the list, a stranger on a board, a bye with an opponent.
    """
    limit = len(tournament.rounds) if after_round is None else after_round
    if not 0 <= limit <= len(tournament.rounds):
        raise InvalidState("unknown-round", round=limit, expected=len(tournament.rounds))
    players = {player.number: player for player in tournament.players}
    if len(players) != len(tournament.players):
        numbers = [player.number for player in tournament.players]
        raise InvalidState("player-twice", player=next(n for n in numbers if numbers.count(n) > 1))
    table = points_table(tournament.scheme)
    rows: dict[int, list[Entry]] = {player: [] for player in players}
    for index, round_ in enumerate(tournament.rounds[:limit], start=1):
        for board in round_.boards:
            pair = board_points(board, tournament.scheme) if board.grade else table[board.outcome]
            _enter(rows, board, index, pair)
        for row in rows.values():
            if len(row) < index:
                row.append(Entry(index, Kind.ABSENT, 0, None, None, 0, ""))
    earned = {player: sum(entry.points for entry in row) for player, row in rows.items()}
    adjusted = dict.fromkeys(players, 0)
    for adjustment in tournament.adjustments:
        if adjustment.player not in players:
            raise InvalidState("unknown-player", player=adjustment.player, why="adjustment")
        if adjustment.after_round <= limit:
            adjusted[adjustment.player] += adjustment.points
    return Ledger(
        players=players,
        after_round=limit,
        scheme=tournament.scheme,
        entries={player: tuple(row) for player, row in rows.items()},
        earned=earned,
        adjusted=adjusted,
        points={player: earned[player] + adjusted[player] for player in players},
    )


def _enter(rows: dict[int, list[Entry]], board: Board, round_: int, points: tuple[int, int]) -> None:
    kind = _KINDS[board.outcome]
    results = board_results(board)
    if (board.black is None) != (kind in (Kind.BYE, Kind.HALF_BYE, Kind.ZERO_BYE)):
        raise InvalidState("bye-with-opponent", player=board.white, round=round_, why=board.outcome.value)
    played = kind is Kind.PLAYED
    sides = [(board.white, board.black or 0, Colour.WHITE, results[0], points[0])]
    if board.black is not None:
        sides.append((board.black, board.white, Colour.BLACK, results[1], points[1]))
    for player, opponent, colour, result, scored in sides:
        row = rows.get(player)
        if row is None:
            raise InvalidState("unknown-player", player=player, round=round_)
        if len(row) != round_ - 1:
            raise InvalidState("player-twice", player=player, round=round_)
        row.append(Entry(round_, kind, opponent, colour if played else None, result, scored, board.grade))
