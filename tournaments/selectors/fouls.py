"""Where the tie-break by fouls gets its numbers: whoever keeps warnings registers a counter, the ledger only asks.

The ledger does not know the court; without a counter nobody has a foul.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from tournaments.models import Section

FoulCounter = Callable[[Section, int], Mapping[int, int]]
"""Asked with a section and a round: public warnings up to that round, by entry pk."""

_counters: list[FoulCounter] = []


def count_with(counter: FoulCounter) -> None:
    if counter not in _counters:
        _counters.append(counter)


def fouls(section: Section, *, after_round: int, number_of: Mapping[int, int]) -> dict[int, int]:
    """Fouls by pairing number; only asked for where the section's tie-breaks use them."""
    if "FOULS" not in section.tiebreaks:
        return {}
    total: Counter[int] = Counter()
    for counter in _counters:
        for entry, count in counter(section, after_round).items():
            if entry in number_of:
                total[number_of[entry]] += count
    return dict(total)
