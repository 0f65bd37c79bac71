"""Round robins by Berger tables: everybody meets everybody, once or twice.

Promises that colours differ by at most one per player and cycle, and that nobody has one colour in three rounds
running. With an odd number one player rests in each round: the rest is a ZERO_BYE, no points, no opponent and no
colour, and each player has as many of them, so that it favours nobody. Sources: FIDE C.05, annex 1; Polish code,
chapter 5 (drawing of numbers).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournaments.engine.types import Board, InvalidState, Outcome, Round

NAME = "Berger tables"


def rounds_needed(n: int, *, double: bool) -> int:
    """Rounds of a round robin of n players; an odd number needs one more than n - 1, for the rests."""
    single = n - 1 if n % 2 == 0 else n
    return single * (2 if double else 1)


def schedule(n: int, *, double: bool) -> tuple[Round, ...]:
    """All rounds over the numbers 1..n; the first-named has White.

    In a double round robin the second cycle has the colours reversed, and the last two rounds of the first cycle are
    exchanged, which keeps three equal colours from meeting at the seam. Raises InvalidState for n < 2.
    """
    if n < 2:
        raise InvalidState("too-few-players", found=n, expected=2)
    cycle = [_pairs(round_, n + n % 2) for round_ in range(1, rounds_needed(n, double=False) + 1)]
    if double:
        if len(cycle) > 1:
            cycle[-2], cycle[-1] = cycle[-1], cycle[-2]
        cycle = cycle + [[(black, white) for white, black in pairs] for pairs in _plain_cycle(n)]
    return tuple(_round(index, pairs, n) for index, pairs in enumerate(cycle, start=1))


def _plain_cycle(n: int) -> list[list[tuple[int, int]]]:
    return [_pairs(round_, n + n % 2) for round_ in range(1, rounds_needed(n, double=False) + 1)]


def _pairs(round_: int, even: int) -> list[tuple[int, int]]:
    """Pairs (White, Black) of one round of the table for an even number, the one with the last number first.

    From round to round every number but the last goes up by even/2, modulo even - 1; the last number has Black in odd
    rounds and White in even ones.
    """
    turn = (round_ - 1) * (even // 2)

    def moved(number: int) -> int:
        return (number - 1 + turn) % (even - 1) + 1

    first = (moved(1), even) if round_ % 2 else (even, moved(1))
    return [first, *((moved(low), moved(even - low + 1)) for low in range(2, even // 2 + 1))]


def _round(index: int, pairs: Sequence[tuple[int, int]], n: int) -> Round:
    games = [(white, black) for white, black in pairs if max(white, black) <= n]
    rests = [min(white, black) for white, black in pairs if max(white, black) > n]
    boards = [
        Board(number=place, white=white, black=black) for place, (white, black) in enumerate(games, start=1)
    ]
    boards += [Board(number=0, white=player, black=None, outcome=Outcome.ZERO_BYE) for player in rests]
    return Round(number=index, boards=tuple(boards))


def renumbered(rounds: Sequence[Round], player_of: Mapping[int, int]) -> tuple[Round, ...]:
    """A schedule over table numbers as one over players; `player_of` maps table number -> player."""
    return tuple(
        replace(
            round_,
            boards=tuple(
                replace(
                    board,
                    white=player_of[board.white],
                    black=None if board.black is None else player_of[board.black],
                )
                for board in round_.boards
            ),
        )
        for round_ in rounds
    )
