"""Baku acceleration (FIDE): virtual points for the upper half in the first half of the rounds."""

from __future__ import annotations

from tournaments.engine.types import STANDARD, ResultScheme, VirtualPoints


def baku(*, players: int, rounds: int, scheme: ResultScheme = STANDARD) -> tuple[VirtualPoints, ...]:
    """The records of an accelerated tournament of so many players and rounds; none for one that has no round.

    Group A is the first 2 * ceil(players / 4) by pairing number. The accelerated rounds are the first half, rounded up;
    in the first half of these, rounded up, group A has the points of a win more, in the rest those of a draw. The records
    stand as they are when late entries come, so that nobody changes group.
    """
    if players < 1 or rounds < 1:
        return ()
    group = frozenset(range(1, min(players, 2 * -(-players // 4)) + 1))
    accelerated = -(-rounds // 2)
    full = -(-accelerated // 2)
    records = [VirtualPoints(points=scheme.win, first_round=1, last_round=full, players=group)]
    if accelerated > full:
        records.append(
            VirtualPoints(points=scheme.draw, first_round=full + 1, last_round=accelerated, players=group)
        )
    return tuple(records)
