"""Public warnings as the standings count them: the tie-break by fouls (Xiangqi rules 2011)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from games.models import Effect, Ruling
from tournaments.models import Section


def warnings_by_entry(section: Section, after_round: int) -> Mapping[int, int]:
    """Public warnings in force up to a round, by entry pk; one for both players counts for each."""
    rows = Ruling.objects.filter(
        incident__section=section,
        incident__round_number__lte=after_round,
        effect=Effect.WARNING,
        state=Ruling.State.IN_FORCE,
    ).values_list("side", "incident__white_id", "incident__black_id")
    found: Counter[int] = Counter()
    for side, white, black in rows:
        if side in ("W", "") and white is not None:
            found[white] += 1
        if side in ("B", "") and black is not None:
            found[black] += 1
    return found
