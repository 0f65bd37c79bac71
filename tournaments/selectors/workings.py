"""The working of an entry's tie-breaks: which round and opponent gave what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournaments import formats
from tournaments.audit.reasons import worded
from tournaments.engine import workings as engine
from tournaments.engine.standings import plain
from tournaments.formats import match_points
from tournaments.models import Entry
from tournaments.selectors.fouls import fouls
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table
from tournaments.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLine:
    round: int
    opponent: Entry | None
    taken: int
    gave: int
    counted: bool
    reason: str
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    code: str
    value: Any
    lines: list[WorkLine]
    tied: list[Entry]


def workings(book: Ledger, *, table: Table, entry: Entry) -> list[Working]:
    """One per tie-break of the table, worked out from the public rounds; no query but for
    fouls.

    Only for the one entry that a page is about: a whole table is the standings job's.
    """
    if entry.number is None:
        return []
    return [_working(book, table, entry.number, code) for code in table.codes]


def _working(book: Ledger, table: Table, number: int, code: str) -> Working:
    found = engine.working(
        book.tournament,
        number,
        code,
        tiebreaks=table.codes,
        policy=book.policy,
        after_round=table.edition.after_round,
        lot_seed=table.lot_seed,
        board_points=_board_points(book, after_round=table.edition.after_round),
        fouls=fouls(
            book.section,
            after_round=table.edition.after_round,
            number_of={pk: number for number, pk in book.entry_of.items()},
        ),
        disqualified=[
            each.number
            for each in book.entries.values()
            if each.number is not None and each.status == Entry.Status.DISQUALIFIED
        ],
    )
    return Working(
        code=code,
        value=plain(found.value),
        lines=[_line(book, item) for item in found.lines],
        tied=[book.entries[book.entry_of[each]] for each in found.tied],
    )


def _board_points(book: Ledger, *, after_round: int) -> dict[int, int] | None:
    if not formats.of(book.section).enters_teams:
        return None
    snap = Snapshot(
        tournament=book.tournament,
        version=0,
        entry_of=book.entry_of,
        number_of={pk: number for number, pk in book.entry_of.items()},
    )
    return match_points.board_points(book.section, snap, after_round=after_round)


def _line(book: Ledger, item: engine.WorkLine) -> WorkLine:
    return WorkLine(
        round=item.round,
        opponent=book.entries[book.entry_of[item.opponent]] if item.opponent else None,
        taken=item.taken,
        gave=item.gave,
        counted=item.counted,
        reason=worded(str(item.reason)),
        dropped=item.dropped,
    )
