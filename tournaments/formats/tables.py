"""A table by points and tie-breaks as an unsaved row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tournaments.engine import standings as engine
from tournaments.engine.policies import TieBreakPolicy
from tournaments.models import Entry, Section, Standings
from tournaments.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a table counts beside the boards: statuses by entry; fouls and board points of teams by pairing number."""

    statuses: Mapping[int, str]
    fouls: Mapping[int, int] = field(default_factory=dict)
    board_points: Mapping[int, int] | None = None


def ranked(
    section: Section,
    snap: Snapshot,
    counted: Counted,
    *,
    policy: TieBreakPolicy,
    after_round: int,
    final: bool,
) -> Standings:
    """Places by points, then by the section's tie-breaks; lots in the last table, where the section draws them."""
    is_last = final or after_round >= section.rounds_total
    lot_seed = section.seed if section.lots_decide and is_last else None
    statuses = counted.statuses
    computed = engine.compute(
        snap.tournament,
        tiebreaks=tuple(section.tiebreaks),
        policy=policy,
        after_round=after_round,
        disqualified=[n for n, pk in snap.entry_of.items() if statuses[pk] == Entry.Status.DISQUALIFIED],
        lot_seed=lot_seed,
        fouls=counted.fouls,
        board_points=counted.board_points,
    )
    return Standings(
        section=section,
        after_round=after_round,
        version=snap.version,
        final=final,
        rows=[_row(row, snap, statuses) for row in computed.rows],
        tiebreaks=list(section.tiebreaks),
        policy=section.policy,
        lot_seed=lot_seed,
    )


def _row(row: engine.StandingsRow, snap: Snapshot, status_of: Mapping[int, str]) -> dict[str, Any]:
    pk = snap.entry_of[row.number]
    return {
        "entry": pk,
        "number": row.number,
        "rank": row.rank,
        "rank_to": row.rank_to,
        "placed": row.placed,
        "shared": row.shared,
        "points": row.points,
        "adjustment": row.adjustment,
        "values": {code: as_json(value) for code, value in row.values.items()},
        "separated_by": row.separated_by,
        "status": status_of[pk],
    }


def as_json(value: int | Fraction | tuple[int, ...] | None) -> int | str | list[int] | None:
    """Integers stay, vectors become lists, averages become "p/q" so that nothing is rounded; None: not applied."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return list(value)
    return value
