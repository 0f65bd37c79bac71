"""Tables worked out from the ledger, as unsaved rows. Nothing is written: what-if questions use them too."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tournaments import formats
from tournaments.formats import match_points
from tournaments.formats.tables import Counted
from tournaments.models import Entry, Section, Standings
from tournaments.selectors.fouls import fouls
from tournaments.snapshot import Snapshot


def compute_table(
    section: Section,
    snap: Snapshot,
    *,
    after_round: int,
    final: bool = False,
    status_of: Mapping[int, str] | None = None,
    more_fouls: Mapping[int, int] | None = None,
    games: match_points.Games | None = None,
) -> Standings:
    """One table as an unsaved row. Nothing is written: what-if questions use it too, with statuses and fouls of their own.

    `more_fouls` go by pairing number and come on top of those that are counted; `games` are games of team matches as
    they would be.
    """
    return prepare_table(
        section,
        snap,
        after_round=after_round,
        final=final,
        status_of=status_of,
        more_fouls=more_fouls,
        games=games,
    )()


def prepare_table(
    section: Section,
    snap: Snapshot,
    *,
    after_round: int,
    final: bool = False,
    status_of: Mapping[int, str] | None = None,
    more_fouls: Mapping[int, int] | None = None,
    games: match_points.Games | None = None,
) -> Callable[[], Standings]:
    """Read now what a table needs; the call computes it, as `compute_table` does, and reads nothing."""
    strategy = formats.of(section)
    if status_of is None:
        status_of = dict(Entry.objects.filter(section=section).values_list("pk", "status"))
    counted = Counted(
        statuses=status_of,
        fouls=_fouls(section, snap, after_round, more_fouls or {}),
        board_points=match_points.board_points(section, snap, after_round=after_round, changed=games)
        if strategy.enters_teams
        else None,
    )
    return strategy.table(section, snap, counted, after_round=after_round, final=final)


def _fouls(section: Section, snap: Snapshot, after_round: int, more: Mapping[int, int]) -> dict[int, int]:
    counted = fouls(section, after_round=after_round, number_of=snap.number_of)
    return {number: counted.get(number, 0) + more.get(number, 0) for number in {*counted, *more}}
