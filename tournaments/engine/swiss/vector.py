"""The criteria of one bracket as values, so that two candidates can be compared and the difference be named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from tournaments.engine.swiss.bracket import Solution, colour_faults
from tournaments.engine.swiss.state import Field

Value = int | tuple[int, ...]


class Criterion(StrEnum):
    """C.04.3 art. 2 (2026), and what else may stand against a pair."""

    C1 = "C1"  # they have met
    C2 = "C2"  # has had a bye or a win without play
    C3 = "C3"  # the same absolute colour
    C4 = "C4"  # somebody could not be paired at all
    C5 = "C5"  # score of the player with the bye
    C6 = "C6"  # downfloaters
    C7 = "C7"  # their scores, highest first
    C8 = "C8"  # what they leave the next bracket: how many without a partner there, and their scores
    C9 = "C9"  # unplayed games of the player with the bye
    C10 = "C10"  # colour differences above 2 around topscorers
    C11 = "C11"  # third equal colours around topscorers
    C12 = "C12"  # colour preferences not granted
    C13 = "C13"  # strong ones not granted
    C14 = "C14"  # residents going down again
    C15 = "C15"  # opponents of moved players going up again
    C16 = "C16"  # residents going down who did two rounds ago
    C17 = "C17"  # opponents of moved players going up who did two rounds ago
    C18 = "C18"  # score differences of moved players that came down last round, highest first
    C19 = "C19"  # ... of their opponents that went up last round
    C20 = "C20"  # as C18, two rounds ago
    C21 = "C21"  # as C19, two rounds ago
    FORBIDDEN = "forbidden"  # on the arbiter's list
    TAKEN = "taken"  # paired with somebody who stands before
    ORDER = "order"  # as good, but later in the order of candidates
    EXCHANGE = "exchange"  # as good, but only with an exchange of S1 and S2, so later in the order


COMPARED = tuple(Criterion(f"C{number}") for number in range(6, 22))


def measure(
    field: Field, moved: Sequence[int], residents: Sequence[int], solution: Solution, *, bye_here: bool
) -> tuple[Value, ...]:
    """C6-C21 of a candidate, in the order of COMPARED. Less is better in each, compared as they stand.

    `bye_here`: a single player who goes down takes the pairing-allocated bye.
    """
    people = field.contenders
    came_down = set(moved)
    home = people[residents[0]].score
    down = [people[i] for i in solution.floaters]
    faults = [0, 0, 0, 0]
    for i, j in solution.pairs:
        for place, count in enumerate(colour_faults(field, people[i], people[j])):
            faults[place] += count
    going = [people[i] for i in solution.floaters if i not in came_down]
    met = [(people[i], people[j]) for i, j in solution.pairs if i in came_down]
    drops = [(a, a.score - home) for a, _ in met]
    drops += [(people[i], people[i].score - home + 1) for i in solution.floaters if i in came_down]
    rises = [(b, a.score - home) for a, b in met]
    return (
        len(down),
        _falling(c.score for c in down),
        (len(solution.unpaired_next), *_falling(people[i].score for i in solution.unpaired_next)),
        field.round - 1 - down[0].played if bye_here and len(down) == 1 else 0,
        *faults,
        sum(c.down1 for c in going),
        sum(b.up1 for _, b in met),
        sum(c.down2 for c in going),
        sum(b.up2 for _, b in met),
        _falling(gap for c, gap in drops if c.down1),
        _falling(gap for c, gap in rises if c.up1),
        _falling(gap for c, gap in drops if c.down2),
        _falling(gap for c, gap in rises if c.up2),
    )


def _falling(gaps: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(gaps, reverse=True))


def first_difference(
    chosen: Sequence[Value], other: Sequence[Value]
) -> tuple[Criterion, Value, Value] | None:
    """The first criterion in which the two differ, with both values."""
    for criterion, was, would in zip(COMPARED, chosen, other, strict=True):
        if was != would:
            return criterion, was, would
    return None
