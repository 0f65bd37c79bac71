"""Small random states: any history that a file could hold, whether or not an engine would have paired it."""

from __future__ import annotations

import random

from tournaments.engine.types import (
    Board,
    Colour,
    ForbiddenGroup,
    Outcome,
    Player,
    Round,
    Tournament,
    VirtualPoints,
)

_DECIDED = (Outcome.WHITE, Outcome.DRAW, Outcome.BLACK)
_ODD = (Outcome.WHITE_FORFEITS, Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT, Outcome.BOTH_LOSE)
_BYES = (Outcome.BYE, Outcome.HALF_BYE, Outcome.ZERO_BYE)


def random_state(seed: int, *, least: int = 2, most: int = 8) -> tuple[Tournament, set[int]]:
    """A tournament before a round, and who is absent from it. The same seed gives the same state."""
    lot = random.Random(seed)
    size = lot.randint(least, most)
    absentees = lot.choice((0, 0, 0, 1, 2))
    numbers = list(range(1, size + absentees + 1))
    rounds = _rounds(lot, numbers, lot.randint(0, max(1, size - 2)))
    number = len(rounds) + 1
    tournament = Tournament(
        players=tuple(Player(number=n) for n in numbers),
        rounds=rounds,
        rounds_total=number if lot.random() < 0.4 else number + 3,
        initial_colour=lot.choice((Colour.WHITE, Colour.BLACK)),
        forbidden=_forbidden(lot, numbers, number),
        virtual_points=_virtual(lot, numbers, number),
    )
    return tournament, set(lot.sample(numbers, absentees))


def _rounds(lot: random.Random, numbers: list[int], count: int) -> tuple[Round, ...]:
    met: set[frozenset[int]] = set()
    points = dict.fromkeys(numbers, 0)
    whites = dict.fromkeys(numbers, 0)
    strange = lot.choice((0.0, 0.05, 0.25))
    by_score = lot.random() < 0.8
    draws = lot.choice((0.1, 0.4, 0.8))
    rounds = []
    for index in range(1, count + 1):
        free = numbers[:]
        lot.shuffle(free)
        if by_score:
            free.sort(key=lambda n: -points[n])
        boards = []
        while free:
            one = free.pop(0)
            if lot.random() < strange / 2:
                boards.append(Board(number=0, white=one, black=None, outcome=lot.choice(_BYES)))
                continue
            other = next((n for n in free if frozenset((one, n)) not in met), None)
            if other is None:
                kind = Outcome.BYE if lot.random() < 0.5 else Outcome.ZERO_BYE
                boards.append(Board(number=0, white=one, black=None, outcome=kind))
                continue
            free.remove(other)
            white, black = (
                (one, other) if (whites[one], lot.random()) < (whites[other], 0.5) else (other, one)
            )
            outcome = _outcome(lot, draws, strange)
            if outcome not in _ODD or outcome == Outcome.BOTH_LOSE:
                met.add(frozenset((one, other)))
                whites[white] += 1
                whites[black] -= 1
            points[white] += {Outcome.WHITE: 2, Outcome.DRAW: 1, Outcome.BLACK_FORFEITS: 2}.get(outcome, 0)
            points[black] += {Outcome.BLACK: 2, Outcome.DRAW: 1, Outcome.WHITE_FORFEITS: 2}.get(outcome, 0)
            boards.append(Board(number=len(boards) + 1, white=white, black=black, outcome=outcome))
        rounds.append(Round(number=index, boards=tuple(boards)))
    return tuple(rounds)


def _outcome(lot: random.Random, draws: float, strange: float) -> Outcome:
    if lot.random() < strange:
        return lot.choice(_ODD)
    if lot.random() < draws:
        return Outcome.DRAW
    return lot.choice((Outcome.WHITE, Outcome.BLACK))


def _forbidden(lot: random.Random, numbers: list[int], number: int) -> tuple[ForbiddenGroup, ...]:
    if lot.random() < 0.7 or len(numbers) < 3:
        return ()
    groups = []
    for _ in range(lot.randint(1, 3)):
        last = lot.choice((number - 1, number, 999))
        members = frozenset(lot.sample(numbers, lot.choice((2, 2, 3))))
        groups.append(ForbiddenGroup(players=members, last_round=last))
    return tuple(groups)


def _virtual(lot: random.Random, numbers: list[int], number: int) -> tuple[VirtualPoints, ...]:
    if lot.random() < 0.85:
        return ()
    upper = frozenset(numbers[: len(numbers) // 2])
    return (
        VirtualPoints(
            points=lot.choice((1, 2)), first_round=1, last_round=lot.choice((number, 2)), players=upper
        ),
    )
