"""The Scheveningen system: two sides, and everyone of one side meets everyone of the other, nobody of the own.

Promises that over all rounds of two equal sides of an even number everyone has each colour equally often, and of an odd
number once more of one. For up to nine players a side the boards are those of the published tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.types import Board, InvalidState, Outcome, Player, Round
from tournaments.formats.round_robin import RoundRobin
from tournaments.snapshot import Snapshot

NAME = "Scheveningen tables"
Meeting = tuple[int, int, bool]  # place of A, place of B, counted from 0; whether A has White

# Of six a side no regular table has both colours evenly in every round: for A1..A6 the number of B, above zero with White.
_OF_SIX = (
    (1, -2, -3, 4, -5, 6),
    (-2, 3, 5, -6, 4, -1),
    (3, -5, -1, 2, 6, -4),
    (-4, -6, 2, 1, -3, 5),
    (5, 4, 6, -3, -1, -2),
    (-6, 1, -4, -5, 2, 3),
)


class Scheveningen(RoundRobin):
    """The sides are the two clubs where there are just two, else the first half of the numbers against the second."""

    report_words = "Individual: Scheveningen system"
    report_code = "CUSTOM_SCHEVENINGEN"
    table_name = NAME

    def schedule(self, snap: Snapshot) -> tuple[Round, ...]:
        return schedule(*sides(snap.tournament.players))


def sides(players: Sequence[Player]) -> tuple[list[int], list[int]]:
    """The numbers of both sides in order; number 1 is of the first."""
    numbers = sorted(player.number for player in players)
    club_of = {player.number: player.club for player in players}
    if len(set(club_of.values())) == 2 and all(club_of.values()):
        own = club_of[numbers[0]]
        return [n for n in numbers if club_of[n] == own], [n for n in numbers if club_of[n] != own]
    half = (len(numbers) + 1) // 2
    return numbers[:half], numbers[half:]


def schedule(first: Sequence[int], second: Sequence[int]) -> tuple[Round, ...]:
    """All rounds; of unequal sides so many of the larger one rest in each round, a ZERO_BYE as in a round robin.

    Raises InvalidState for a side without players.
    """
    if not first or not second:
        raise InvalidState("too-few-players", found=len(first) + len(second), expected=2)
    return tuple(
        _round(number, meetings, first, second)
        for number, meetings in enumerate(table(max(len(first), len(second))), start=1)
    )


def _round(number: int, meetings: Sequence[Meeting], first: Sequence[int], second: Sequence[int]) -> Round:
    boards: list[Board] = []
    rests: list[int] = []
    for one, other, is_white in meetings:
        if one >= len(first):
            rests.append(second[other])
        elif other >= len(second):
            rests.append(first[one])
        else:
            white, black = (first[one], second[other]) if is_white else (second[other], first[one])
            boards.append(Board(number=len(boards) + 1, white=white, black=black))
    boards += [Board(number=0, white=player, black=None, outcome=Outcome.ZERO_BYE) for player in rests]
    return Round(number=number, boards=tuple(boards))


def table(size: int) -> list[list[Meeting]]:
    """The rounds of two sides of `size` players each, in the order of A's places."""
    if size == 6:
        return [[(one, abs(b) - 1, b > 0) for one, b in enumerate(row)] for row in _OF_SIX]
    if size % 2:
        return [
            [(one, (one + turn) % size, _of_odd(size, one, turn)) for one in range(size)]
            for turn in range(size)
        ]
    half = size // 2
    return [_of_halves(half, number) for number in range(size)]


def _of_odd(size: int, one: int, turn: int) -> bool:
    """White for a run of A's places that moves on by half the side each round, one longer in rounds 1, 3, 5 ..."""
    run = (size + 1) // 2 if turn % 2 == 0 else size // 2
    return (one - turn * (size // 2)) % size < run


def _of_halves(half: int, number: int) -> list[Meeting]:
    """Each side in two halves, and in each half everyone moves on by one from round to round.

    Where the halves are even, those of A have White by turns. Where they are odd the colours of the table of one half
    are taken in one round and turned in the next, so that each has both.
    """
    across, turn = divmod(number, half) if half % 2 == 0 else (number % 2, number // 2)
    meetings = []
    for one in range(2 * half):
        own, place = divmod(one, half)
        other = (own + across) % 2 * half + (place + turn) % half
        is_white = own == number % 2 if half % 2 == 0 else _of_odd(half, place, turn) != bool(across)
        meetings.append((one, other, is_white))
    return meetings
