"""The state before a round: what the earlier rounds say about every player who is to be paired.

Scores include virtual points; colours and opponents count played games only; floats follow FIDE C.04.3 art. 1.4.
This module reads the ledger's values and refuses what contradicts itself; it pairs nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from tournaments.engine.scoring import board_points
from tournaments.engine.types import (
    FORFEITS,
    PLAYED,
    Board,
    Colour,
    ForbiddenGroup,
    InvalidState,
    Outcome,
    ResultScheme,
    Tournament,
)

# Larger forbidden groups are compared by membership; smaller ones are written out pair by pair.
_WRITTEN_OUT = 16

_WIN_UNPLAYED = {
    (Outcome.BYE, True),
    (Outcome.BLACK_FORFEITS, True),
    (Outcome.WHITE_FORFEITS, False),
}


class Strength(IntEnum):
    """How strong a colour preference is (C.04.3 art. 1.6)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A player to be paired. `rank` is the place in the ranking order (0 first), `index` the place by score then rank.

    `preference` is +1 for White, -1 for Black, 0 for none; `difference` is games with White minus games with Black;
    `bye_barred` is the round of a bye or win without play, 0 for none.
    """

    index: int
    number: int
    rank: int
    effective: int
    score: int
    points: int
    preference: int
    strength: Strength
    difference: int
    repeated: bool
    colours: str
    down1: bool
    up1: bool
    down2: bool
    up2: bool
    bye_barred: int
    played: int
    top_scorer: bool

    @property
    def bye_allowed(self) -> bool:
        """C2."""
        return self.bye_barred == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Everybody who is to be paired, by score then rank. `barred[i]` holds the indices that i may not meet, `met[i]`
    those it has met, with the round.

    `written_out[i]` are those of them on the arbiter's list; `circles[i]` is a bit per large forbidden group of i, and
    two who share a bit may not meet either.
    """

    round: int
    contenders: tuple[Contender, ...]
    barred: tuple[frozenset[int], ...]
    met: tuple[Mapping[int, int], ...]
    circles: tuple[int, ...]
    written_out: tuple[frozenset[int], ...]
    initial_colour: Colour
    last_round: bool

    def legal(self, i: int, j: int) -> bool:
        """C1, C3 and the forbidden pairs (C.04.3 art. 2.1)."""
        return not (self.forbids(i, j) or self.clashes(i, j))

    def wishing(self, i: int, j: int) -> Field:
        """The same field with nobody else left for the two."""
        everybody = frozenset(range(len(self.contenders)))
        barred = list(self.barred)
        barred[i], barred[j] = everybody - {j}, everybody - {i}
        for k in range(len(barred)):
            if k not in (i, j):
                barred[k] = barred[k] | {i, j}
        return replace(self, barred=tuple(barred))

    def forbids(self, i: int, j: int) -> bool:
        """They have met (C1) or may not meet by the arbiter's list."""
        return j in self.barred[i] or bool(self.circles[i] & self.circles[j])

    def clashes(self, i: int, j: int) -> bool:
        """C3."""
        return clash(self.contenders[i], self.contenders[j])


def clash(a: Contender, b: Contender) -> bool:
    """C3: both need the same colour absolutely and neither is a topscorer."""
    return (
        a.strength == Strength.ABSOLUTE
        and b.strength == Strength.ABSOLUTE
        and a.preference == b.preference
        and not (a.top_scorer or b.top_scorer)
    )


class _History:
    """What one player's rounds add up to; filled round by round."""

    __slots__ = ("bye_barred", "colours", "floats", "met", "points", "took_part")

    def __init__(self) -> None:
        self.points = 0
        self.colours: list[str] = []
        self.met: dict[int, int] = {}
        self.floats: list[int] = []  # +1 down, -1 up, 0 none, one per round
        self.bye_barred = 0
        self.took_part = False


def read_field(
    tournament: Tournament, *, absent: Collection[int] = (), order: Sequence[int] | None = None
) -> Field:
    """The field of the next round.

    `absent` are numbers not to be paired besides the withdrawn and those with a requested bye. `order` is the ranking
    order, best first, in place of the pairing numbers. Raises InvalidState for input that contradicts itself.
    """
    numbers = _check_players(tournament)
    _check_names(tournament, numbers)
    ranking = _check_order(order, numbers) if order is not None else sorted(numbers)
    contenders, histories = _contenders(tournament, ranking, absent)
    number = len(tournament.rounds) + 1
    index_of = {c.number: c.index for c in contenders}
    met = tuple(
        {index_of[o]: r for o, r in histories[c.number].met.items() if o in index_of} for c in contenders
    )
    written_out, circles = _forbid(tournament.forbidden, number, index_of)
    return Field(
        round=number,
        contenders=contenders,
        barred=tuple(frozenset(a) | b for a, b in zip(met, written_out, strict=True)),
        met=met,
        circles=circles,
        written_out=written_out,
        initial_colour=tournament.initial_colour,
        last_round=_is_last(tournament),
    )


def _is_last(tournament: Tournament) -> bool:
    return 0 < tournament.rounds_total <= len(tournament.rounds) + 1


def _contenders(
    tournament: Tournament, ranking: list[int], absent: Collection[int]
) -> tuple[tuple[Contender, ...], dict[int, _History]]:
    histories = _replay(tournament)
    number = len(tournament.rounds) + 1
    away = _away(tournament, number, absent, set(ranking))
    points = _points(tournament, histories, number)
    scores = _pairing_scores(tournament, histories, number)
    rank_of = {n: rank for rank, n in enumerate(ranking)}
    present = sorted((n for n in ranking if n not in away), key=lambda n: (-scores[n], rank_of[n]))
    effective = _effective_numbers(ranking, histories, set(present))
    half = (number - 1) * tournament.scheme.win
    contenders = tuple(
        _contender(
            histories[n],
            index=index,
            number=n,
            rank=rank_of[n],
            effective=effective[n],
            score=scores[n],
            points=points[n],
            top_scorer=_is_last(tournament) and 2 * points[n] > half,
        )
        for index, n in enumerate(present)
    )
    return contenders, histories


def _check_players(tournament: Tournament) -> set[int]:
    numbers: set[int] = set()
    for player in tournament.players:
        if player.number < 1:
            raise InvalidState(player=player.number, why="number-below-one")
        if player.number in numbers:
            raise InvalidState(player=player.number, why="number-twice")
        numbers.add(player.number)
    return numbers


def _check_names(tournament: Tournament, numbers: set[int]) -> None:
    """Whoever a record names must be a player."""
    named = {
        "forbidden-pair-of-an-unknown-player": {p for group in tournament.forbidden for p in group.players},
        "virtual-points-of-an-unknown-player": {p for v in tournament.virtual_points for p in v.players},
        "bye-of-an-unknown-player": {bye.player for bye in tournament.requested_byes},
        "adjustment-of-an-unknown-player": {change.player for change in tournament.adjustments},
    }
    for why, players in named.items():
        if unknown := players - numbers:
            raise InvalidState(player=min(unknown), why=why)


def _check_order(order: Sequence[int], numbers: set[int]) -> list[int]:
    if len(set(order)) != len(order):
        raise InvalidState(why="order-names-a-player-twice")
    if unknown := sorted(set(order) - numbers):
        raise InvalidState(player=unknown[0], why="order-names-an-unknown-player")
    if missing := sorted(numbers - set(order)):
        raise InvalidState(player=missing[0], why="order-misses-a-player")
    return list(order)


def _away(tournament: Tournament, number: int, absent: Collection[int], numbers: set[int]) -> set[int]:
    if unknown := sorted(set(absent) - numbers):
        raise InvalidState(player=unknown[0], round=number, why="absent-player-unknown")
    away = set(absent)
    away.update(
        p.number for p in tournament.players if p.withdrawn_after is not None and p.withdrawn_after < number
    )
    away.update(b.player for b in tournament.requested_byes if b.round == number)
    return away


def _virtual(tournament: Tournament, number: int) -> dict[int, int]:
    virtual: dict[int, int] = {}
    for record in tournament.virtual_points:
        if record.first_round <= number <= record.last_round:
            for player in record.players:
                virtual[player] = virtual.get(player, 0) + record.points
    return virtual


def _points(tournament: Tournament, histories: dict[int, _History], number: int) -> dict[int, int]:
    """Points before round `number`, with what rulings gave or took by then."""
    points = {n: history.points for n, history in histories.items()}
    for adjustment in tournament.adjustments:
        if adjustment.after_round < number:
            points[adjustment.player] += adjustment.points
    return points


def _pairing_scores(tournament: Tournament, histories: dict[int, _History], number: int) -> dict[int, int]:
    virtual = _virtual(tournament, number)
    return {n: own + virtual.get(n, 0) for n, own in _points(tournament, histories, number).items()}


def _replay(tournament: Tournament) -> dict[int, _History]:
    histories = {player.number: _History() for player in tournament.players}
    for index, played in enumerate(tournament.rounds, start=1):
        if played.number != index:
            raise InvalidState(round=played.number, why="round-number-out-of-sequence")
        scores = _pairing_scores(tournament, histories, index)
        seen: set[int] = set()
        for board in played.boards:
            _check_board(board, index, histories, seen)
            _add_board(board, index, tournament.scheme, histories, scores)
        for history in histories.values():
            if len(history.floats) < index:
                history.floats.append(0)
    return histories


def _check_board(board: Board, number: int, histories: dict[int, _History], seen: set[int]) -> None:
    for player in (board.white, board.black):
        if player is None:
            continue
        if player not in histories:
            raise InvalidState(player=player, round=number, why="player-unknown")
        if player in seen:
            raise InvalidState(player=player, round=number, why="player-twice-in-the-round")
        seen.add(player)
    single = board.outcome in (Outcome.BYE, Outcome.HALF_BYE, Outcome.ZERO_BYE)
    if single != (board.black is None):
        raise InvalidState(player=board.white, round=number, why="outcome-does-not-fit-the-board")
    if board.outcome == Outcome.UNPLAYED:
        raise InvalidState(player=board.white, round=number, why="result-missing")


def _add_board(
    board: Board, number: int, scheme: ResultScheme, histories: dict[int, _History], scores: dict[int, int]
) -> None:
    white_points, black_points = board_points(board, scheme)
    seats = [(board.white, board.black, white_points, True)]
    if board.black is not None:
        seats.append((board.black, board.white, black_points, False))
    for player, opponent, points, is_white in seats:
        history = histories[player]
        history.points += points
        if board.outcome in PLAYED and opponent is not None:
            history.colours.append("w" if is_white else "b")
            history.met[opponent] = number
            gap = scores[player] - scores[opponent]
            history.floats.append((gap > 0) - (gap < 0))
        else:
            history.floats.append(1 if points > scheme.loss and board.outcome != Outcome.VOID else 0)
        if (board.outcome, is_white) in _WIN_UNPLAYED:
            history.bye_barred = number
        if (
            board.outcome in PLAYED
            or board.outcome in FORFEITS
            or board.outcome in (Outcome.BYE, Outcome.VOID)
        ):
            history.took_part = True


def _effective_numbers(
    ranking: list[int], histories: dict[int, _History], present: set[int]
) -> dict[int, int]:
    """Numbers 1.. over those who have ever been paired or are paired now (C.04.2: a late entry has none before)."""
    effective: dict[int, int] = {}
    for number in ranking:
        if number in present or histories[number].took_part:
            effective[number] = len(effective) + 1
    return effective


def _contender(
    history: _History,
    *,
    index: int,
    number: int,
    rank: int,
    effective: int,
    score: int,
    points: int,
    top_scorer: bool,
) -> Contender:
    colours = "".join(history.colours)
    difference = colours.count("w") - colours.count("b")
    repeated = len(colours) > 1 and colours[-1] == colours[-2]
    preference, strength = _preference(colours, difference, repeated)
    last, before = [0, 0, *history.floats][-1], [0, 0, *history.floats][-2]
    return Contender(
        index=index,
        number=number,
        rank=rank,
        effective=effective,
        score=score,
        points=points,
        preference=preference,
        strength=strength,
        difference=difference,
        repeated=repeated,
        colours=colours,
        down1=last > 0,
        up1=last < 0,
        down2=before > 0,
        up2=before < 0,
        bye_barred=history.bye_barred,
        played=len(colours),
        top_scorer=top_scorer,
    )


def _preference(colours: str, difference: int, repeated: bool) -> tuple[int, Strength]:
    if not colours:
        return 0, Strength.NONE
    away_from_last = -1 if colours[-1] == "w" else 1
    if abs(difference) > 1:
        return (-1 if difference > 0 else 1), Strength.ABSOLUTE
    if repeated:
        return away_from_last, Strength.ABSOLUTE
    if difference:
        return (-1 if difference > 0 else 1), Strength.STRONG
    return away_from_last, Strength.MILD


def _forbid(
    groups: tuple[ForbiddenGroup, ...], number: int, index_of: dict[int, int]
) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
    extra: dict[int, set[int]] = {}
    circles = [0] * len(index_of)
    bit = 1
    for group in groups:
        if not group.first_round <= number <= group.last_round:
            continue
        members = sorted(index_of[p] for p in group.players if p in index_of)
        if len(members) < 2:
            continue
        if len(members) <= _WRITTEN_OUT:
            for i in members:
                extra.setdefault(i, set()).update(j for j in members if j != i)
            continue
        for i in members:
            circles[i] |= bit
        bit <<= 1
    none: frozenset[int] = frozenset()
    written_out = tuple(frozenset(extra[i]) if i in extra else none for i in range(len(index_of)))
    return written_out, tuple(circles)
