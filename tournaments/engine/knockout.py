"""Knock-out: seeded bracket, byes, third place, and the way into it from groups.

Promises that the best seeds meet as late as they can, that byes go to the best seeds, and that two players of one group
do not meet again in the first round. A tie is a micro-match; who won it is told from outside. Refuses to break ties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.engine import roundrobin
from tournaments.engine.types import InvalidState, Round


class Entrance(StrEnum):
    """Where a place in a tie comes from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    BYE = "bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """`number` is a seed, or the tie whose winner or loser comes here; 0 for a bye."""

    entrance: Entrance
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """One meeting. Ties are numbered from 1, round by round; `third_place` marks the match for it."""

    number: int
    round: int
    upper: Slot
    lower: Slot
    third_place: bool = False

    @property
    def is_bye(self) -> bool:
        return Entrance.BYE in (self.upper.entrance, self.lower.entrance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A tie whose two players are known; `upper` is the better seed. `winner` is None until it is decided."""

    tie: int
    round: int
    upper: int
    lower: int
    winner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A bracket with the winners so far, in seeds. `places` are (seed, first place, last place shared)."""

    meetings: tuple[Meeting, ...]
    places: tuple[tuple[int, int, int], ...]

    @property
    def open(self) -> tuple[Meeting, ...]:
        """Meetings that can be played now."""
        return tuple(meeting for meeting in self.meetings if meeting.winner is None)


def seed_order(size: int) -> list[int]:
    """Seeds from the top of a bracket of `size` (a power of two) to its foot: 8 -> 1 8 4 5 2 7 3 6.

    Every two neighbours add up to size + 1, and so do the best of neighbouring halves in the rounds after.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [each for seed in order for each in (seed, total - seed)]
    return order


def bracket(n: int, *, third_place: bool = False) -> tuple[Tie, ...]:
    """All ties for seeds 1..n; the best seeds have the byes of round 1. Raises InvalidState for n < 2.

    A match for the third place needs two beaten semi-finalists, so there is none for fewer than four players.
    """
    if n < 2:
        raise InvalidState("too-few-players", found=n, expected=2)
    size = 2
    while size < n:
        size *= 2
    slots = [
        Slot(entrance=Entrance.SEED, number=seed) if seed <= n else Slot(entrance=Entrance.BYE)
        for seed in seed_order(size)
    ]
    ties: list[Tie] = []
    round_ = 1
    while len(slots) > 1:
        if len(slots) == 2 and third_place and n >= 4:
            losers = [Slot(entrance=Entrance.LOSER, number=slot.number) for slot in slots]
            ties.append(
                Tie(number=len(ties) + 1, round=round_, upper=losers[0], lower=losers[1], third_place=True)
            )
        winners = []
        for upper, lower in zip(slots[::2], slots[1::2], strict=True):
            ties.append(Tie(number=len(ties) + 1, round=round_, upper=upper, lower=lower))
            winners.append(Slot(entrance=Entrance.WINNER, number=len(ties)))
        slots, round_ = winners, round_ + 1
    return tuple(ties)


def progress(ties: Sequence[Tie], winners: Mapping[int, int]) -> Progress:
    """The bracket after some ties; `winners` maps tie number -> seed that won it.

    The losers of a round share its places (5-8 in the quarter-finals); without a match for it, two share the third.
    Raises InvalidState for a winner that is not in the tie, or of a tie that cannot be played yet.
    """
    won: dict[int, int] = {}
    lost: dict[int, int] = {}
    meetings: list[Meeting] = []
    for tie in ties:
        upper, lower = _resolved(tie.upper, won, lost), _resolved(tie.lower, won, lost)
        told = winners.get(tie.number)
        if tie.is_bye:
            won[tie.number] = upper or lower or 0
        elif upper is not None and lower is not None:
            better, worse = min(upper, lower), max(upper, lower)
            if told is not None:
                _check_winner(tie.number, told, (better, worse))
                won[tie.number], lost[tie.number] = told, better + worse - told
            meetings.append(Meeting(tie=tie.number, round=tie.round, upper=better, lower=worse, winner=told))
            continue
        if told is not None:
            raise InvalidState("tie-not-playable", tie=tie.number, found=told)
    return Progress(meetings=tuple(meetings), places=tuple(_places(ties, won, lost)))


def feeders(tie: Tie) -> tuple[int, ...]:
    """The numbers of the ties that the players of `tie` come from."""
    return tuple(
        slot.number for slot in (tie.upper, tie.lower) if slot.entrance in (Entrance.WINNER, Entrance.LOSER)
    )


def reach(ties: Sequence[Tie]) -> dict[int, frozenset[int]]:
    """By tie number, the seeds that can come to sit in it."""
    found: dict[int, frozenset[int]] = {}
    for tie in ties:
        own = {slot.number for slot in (tie.upper, tie.lower) if slot.entrance is Entrance.SEED}
        found[tie.number] = frozenset(own).union(*(found[number] for number in feeders(tie)))
    return found


def _resolved(slot: Slot, won: Mapping[int, int], lost: Mapping[int, int]) -> int | None:
    if slot.entrance is Entrance.SEED:
        return slot.number
    if slot.entrance is Entrance.WINNER:
        return won.get(slot.number)
    return lost.get(slot.number) if slot.entrance is Entrance.LOSER else None


def _check_winner(tie: int, told: int, players: tuple[int, int]) -> None:
    if told not in players:
        raise InvalidState("winner-not-in-tie", tie=tie, found=told, expected=players)


def _places(
    ties: Sequence[Tie], won: Mapping[int, int], lost: Mapping[int, int]
) -> list[tuple[int, int, int]]:
    final = ties[-1]
    third = next((tie for tie in ties if tie.third_place), None)
    found: list[tuple[int, int, int]] = []
    if final.number in lost:
        found += [(won[final.number], 1, 1), (lost[final.number], 2, 2)]
    if third is not None and third.number in lost:
        found += [(won[third.number], 3, 3), (lost[third.number], 4, 4)]
    for round_ in range(final.round - 1, 0, -1):
        if third is not None and round_ == final.round - 1:
            continue
        beaten = [
            tie.number for tie in ties if tie.round == round_ and not tie.is_bye and not tie.third_place
        ]
        first = 2 ** (final.round - round_) + 1
        found += [(lost[number], first, first + len(beaten) - 1) for number in beaten if number in lost]
    return found


def groups_by_seed(n: int, *, groups: int) -> tuple[tuple[int, ...], ...]:
    """Seeds 1..n dealt over groups to and fro: 8 over 2 -> (1 4 5 8) (2 3 6 7). Each group needs two players."""
    if groups < 1 or n < 2 * groups:
        raise InvalidState("too-few-players", found=n, expected=2 * groups)
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for index in range(n):
        turn, place = divmod(index, groups)
        dealt[place if turn % 2 == 0 else groups - 1 - place].append(index + 1)
    return tuple(tuple(group) for group in dealt)


def group_rounds(group: Sequence[int], *, double: bool = False) -> tuple[Round, ...]:
    """The round robin of a group, over its own players."""
    table = dict(enumerate(group, start=1))
    return roundrobin.renumbered(roundrobin.schedule(len(group), double=double), table)


def qualified(tables: Sequence[Sequence[int]], *, per_group: int) -> tuple[int, ...]:
    """The players of the knock-out by seed: first the winners of the groups in order, then the seconds, and so on.

    `tables` are the groups, best player first. Inside a tier the order is changed, as little as possible, so
    that nobody meets a player of his own group in the first round. Raises InvalidState for a group that is too small.
    """
    if any(len(table) < per_group for table in tables) or per_group < 1:
        raise InvalidState("too-few-players", found=min(len(table) for table in tables), expected=per_group)
    tiers = [[table[place] for table in tables] for place in range(per_group)]
    group_of = {player: index for index, table in enumerate(tables) for player in table}
    seeds = [player for tier in tiers for player in tier]
    if per_group == 1 or len(tables) == 1:
        return tuple(seeds)
    if per_group == 2 and len(tables) % 2 == 0:
        return (*tiers[0], *_crossed(tiers[1]))
    for index in reversed(range(len(tables), len(seeds))):
        if _clashes(seeds, index, group_of):
            tier = index - index % len(tables)
            _swap_away(seeds, index, range(tier, tier + len(tables)), group_of)
    return tuple(seeds)


def _crossed(seconds: Sequence[int]) -> list[int]:
    """Seconds placed so that the winner of group 1 meets the second of group 2 and the other way about.

    Winner and second of one group then stand in different halves and can only meet in the final.
    """
    swapped = [player for a, b in zip(seconds[::2], seconds[1::2], strict=True) for player in (b, a)]
    return swapped[::-1]


def _clashes(seeds: Sequence[int], index: int, group_of: Mapping[int, int]) -> bool:
    """Whether the seed at an index meets a player of his own group in round 1."""
    size = 2
    while size < len(seeds):
        size *= 2
    other = size - 1 - index
    return other < len(seeds) and other != index and group_of[seeds[other]] == group_of[seeds[index]]


def _swap_away(seeds: list[int], index: int, tier: Sequence[int], group_of: Mapping[int, int]) -> None:
    """Exchange a seed with the nearest of its tier so that neither meets his own group."""
    for other in sorted(tier, key=lambda place: (abs(place - index), place)):
        seeds[index], seeds[other] = seeds[other], seeds[index]
        if not _clashes(seeds, index, group_of) and not _clashes(seeds, other, group_of):
            return
        seeds[index], seeds[other] = seeds[other], seeds[index]
