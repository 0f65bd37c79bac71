"""Random tournaments from a seed: for tests, demonstrations and measurements.

The same specification always gives the same tournament. Chances are whole percentages.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from tournaments.engine.scoring import board_points
from tournaments.engine.swiss import pair_round
from tournaments.engine.types import (
    STANDARD,
    Board,
    Colour,
    ForbiddenGroup,
    NoLegalPairing,
    Outcome,
    Player,
    ResultScheme,
    Round,
    Tournament,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What to make. Percentages: `draws` of games, `forfeits` of pairs, `absences` of players per round with a bye asked
    for, `withdrawals` of players per round, `late` of players that enter after round 1, `favourite` of decided games
    won by the higher rated. `clubs` is how many clubs protect their members from each other (0: none), in the first
    `protected_rounds` rounds (0: all).

    `paired` says whether the engine pairs the rounds; otherwise neighbours by score are thrown together, quickly.
    """

    players: int
    rounds: int
    seed: int = 0
    rounds_total: int = 0
    draws: int = 35
    forfeits: int = 0
    absences: int = 0
    withdrawals: int = 0
    late: int = 0
    favourite: int = 70
    clubs: int = 0
    protected_rounds: int = 0
    paired: bool = True
    initial_colour: Colour = Colour.WHITE
    scheme: ResultScheme = STANDARD


def simulate(spec: Simulation, *, progress: Callable[[int, int], None] | None = None) -> Tournament:
    """A tournament after `spec.rounds` rounds; fewer where no legal pairing is left. Same spec, same tournament."""
    lot = random.Random(spec.seed)
    tournament = Tournament(
        players=_players(spec, lot),
        name=f"Simulation {spec.players}/{spec.rounds}/{spec.seed}",
        scheme=spec.scheme,
        rounds_total=spec.rounds_total or spec.rounds,
        initial_colour=spec.initial_colour,
    )
    tournament = replace(tournament, forbidden=_clubs(spec, tournament.players))
    entry = {p.number: _entry_round(spec, lot) for p in tournament.players}
    for number in range(1, spec.rounds + 1):
        tournament = _withdraw(spec, tournament, number, lot)
        byes = _byes(spec, tournament, entry, number, lot)
        try:
            boards = _pair(spec, tournament, byes, lot)
        except NoLegalPairing:
            break
        played = tuple(_play(spec, board, lot) for board in boards)
        tournament = replace(
            tournament, rounds=(*tournament.rounds, Round(number=number, boards=(*played, *byes)))
        )
        if progress is not None:
            progress(number, spec.rounds)
    return tournament


def _players(spec: Simulation, lot: random.Random) -> tuple[Player, ...]:
    ratings = sorted((lot.randint(1200, 2500) for _ in range(spec.players)), reverse=True)
    return tuple(
        Player(
            number=number,
            name=f"Player {number:05}",
            rating=rating,
            club=f"Club {lot.randrange(spec.clubs) + 1}" if spec.clubs else "",
        )
        for number, rating in enumerate(ratings, start=1)
    )


def _clubs(spec: Simulation, players: tuple[Player, ...]) -> tuple[ForbiddenGroup, ...]:
    clubs: dict[str, set[int]] = {}
    for player in players:
        if player.club:
            clubs.setdefault(player.club, set()).add(player.number)
    last = spec.protected_rounds or 999
    return tuple(
        ForbiddenGroup(players=frozenset(members), last_round=last)
        for _, members in sorted(clubs.items())
        if len(members) > 1
    )


def _chance(lot: random.Random, percent: int) -> bool:
    return lot.randrange(100) < percent


def _entry_round(spec: Simulation, lot: random.Random) -> int:
    if not spec.late or not _chance(lot, spec.late):
        return 1
    return lot.randint(2, max(2, spec.rounds // 2))


def _withdraw(spec: Simulation, tournament: Tournament, number: int, lot: random.Random) -> Tournament:
    if not spec.withdrawals or number == 1:
        return tournament
    players = tuple(
        replace(p, withdrawn_after=number - 1)
        if p.withdrawn_after is None and _chance(lot, spec.withdrawals)
        else p
        for p in tournament.players
    )
    return replace(tournament, players=players)


def _byes(
    spec: Simulation, tournament: Tournament, entry: dict[int, int], number: int, lot: random.Random
) -> tuple[Board, ...]:
    byes = []
    for player in tournament.players:
        gone = player.withdrawn_after is not None and player.withdrawn_after < number
        late = entry[player.number] > number
        away = bool(spec.absences) and _chance(lot, spec.absences)
        if not (gone or late or away):
            continue
        half = away and not (gone or late) and lot.randrange(2) == 0
        kind = Outcome.HALF_BYE if half else Outcome.ZERO_BYE
        byes.append(Board(number=0, white=player.number, black=None, outcome=kind))
    return tuple(byes)


def _pair(
    spec: Simulation, tournament: Tournament, byes: tuple[Board, ...], lot: random.Random
) -> tuple[Board, ...]:
    absent = {board.white for board in byes}
    if spec.paired:
        return pair_round(tournament, absent=absent, explain=False).boards
    return _throw_together(tournament, absent, lot)


def _throw_together(tournament: Tournament, absent: set[int], lot: random.Random) -> tuple[Board, ...]:
    """Neighbours by score who have not met, White to who had it less or longer ago; the last one left has the bye."""
    points = {p.number: 0 for p in tournament.players}
    colours: dict[int, list[int]] = {number: [] for number in points}
    met: dict[int, set[int]] = {number: set() for number in points}
    for played in tournament.rounds:
        for board in played.boards:
            white, black = board_points(board, tournament.scheme)
            points[board.white] += white
            if board.black is not None:
                points[board.black] += black
                colours[board.white].append(1)
                colours[board.black].append(-1)
                met[board.white].add(board.black)
                met[board.black].add(board.white)
    had_white = {n: (sum(turns), turns[::-1]) for n, turns in colours.items()}
    free = sorted((n for n in points if n not in absent), key=lambda n: (-points[n], lot.random()))
    boards: list[Board] = []
    while len(free) > 1:
        first = free.pop(0)
        near = [place for place, other in enumerate(free[:60]) if other not in met[first]]
        # Rather an opponent to whom the colours fit; among the nearest ten, as a pairing by score would find one.
        place = next(
            (p for p in near[:10] if _turns_fit(had_white[first], had_white[free[p]])), (near or [0])[0]
        )
        second = free.pop(place)
        if had_white[first] > had_white[second] or (
            had_white[first] == had_white[second] and lot.randrange(2)
        ):
            first, second = second, first
        boards.append(Board(number=len(boards) + 1, white=first, black=second))
    if free:
        boards.append(Board(number=0, white=free[0], black=None, outcome=Outcome.BYE))
    return tuple(boards)


def _turns_fit(one: tuple[int, list[int]], other: tuple[int, list[int]]) -> bool:
    return one[1][:1] != other[1][:1] and one[0] * other[0] <= 0


def _play(spec: Simulation, board: Board, lot: random.Random) -> Board:
    if board.black is None:
        return board
    if spec.forfeits and _chance(lot, spec.forfeits):
        kinds = (
            Outcome.WHITE_FORFEITS,
            Outcome.BLACK_FORFEITS,
            Outcome.WHITE_FORFEITS,
            Outcome.BLACK_FORFEITS,
        )
        return replace(board, outcome=lot.choice((*kinds, Outcome.BOTH_FORFEIT)))
    if _chance(lot, spec.draws):
        return replace(board, outcome=Outcome.DRAW)
    white_favoured = board.white < board.black
    white_wins = white_favoured == _chance(lot, spec.favourite)
    return replace(board, outcome=Outcome.WHITE if white_wins else Outcome.BLACK)
