"""Standings as computed rows, read and joined with names; nothing is computed here but counts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db.models import F, TextField
from django.db.models.functions import MD5, Cast

from tournaments.gate import one_snapshot
from tournaments.models import PUBLIC_STATES, Entry, Section, Standings
from tournaments.selectors.public import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The newest table after a round, without its rows. `digest` changes with their content only."""

    pk: int
    after_round: int
    final: bool
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    entry: Entry
    rank: int | None  # None for whoever has no place: disqualified, or every game annulled
    shared: bool
    points: int
    adjustment: int
    values: list[tuple[str, Any]]  # (code, value) in the table's order
    separated_by: str
    is_out: bool
    by_lot: bool = False  # the place in the group was settled by the section's lot


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    edition: Edition
    codes: list[str]
    rows: list[Row]
    policy: dict[str, Any]
    lot_seed: int | None

    @property
    def width(self) -> int:
        """Columns of the printed table."""
        return 6 + len(self.codes)


@contextmanager
def one_moment() -> Iterator[None]:
    """Show editions and the rows of one of them as of one moment, where a page is not read so as a whole."""
    with one_snapshot():
        yield


def editions(section: Section) -> list[Edition]:
    """The newest table after each public round, in order of rounds. One query."""
    rows = (
        Standings.objects.filter(
            section=section,
            section__rounds__number=F("after_round"),
            section__rounds__state__in=PUBLIC_STATES,
        )
        .order_by("after_round", "-version")
        .distinct("after_round")
        .annotate(
            digest=MD5(Cast("rows", TextField())),
            settings_digest=MD5(Cast("tiebreaks", TextField())),
        )
        .values_list("pk", "after_round", "final", "digest", "settings_digest")
    )
    return [
        Edition(pk=pk, after_round=number, final=final, digest=f"{digest}{settings}{final}")
        for pk, number, final, digest, settings in rows
    ]


def chosen(found: list[Edition], *, after: int | None, standing_round: int) -> Edition | None:
    """The asked-for edition, else the latest up to the round that points are told after."""
    if after is not None:
        return next((edition for edition in found if edition.after_round == after), None)
    settled = [edition for edition in found if edition.after_round <= standing_round]
    return settled[-1] if settled else next(iter(found), None)


def table(edition: Edition, book: Ledger) -> Table:
    """The rows of an edition with names. One query; an entry that is gone has no row."""
    return _table(Standings.objects.get(pk=edition.pk), edition, book)


def table_and_places_before(
    edition: Edition, book: Ledger, found: list[Edition]
) -> tuple[Table, dict[int, int | None]]:
    """The table, and the places of the edition before it by entry, empty without one. One query."""
    earlier = next((e for e in reversed(found) if e.after_round < edition.after_round), None)
    stored = Standings.objects.in_bulk([edition.pk, *([earlier.pk] if earlier else [])])
    before = {
        item["entry"]: item["rank"] if item.get("placed", True) else None
        for item in (stored[earlier.pk].rows if earlier else [])
    }
    return _table(stored[edition.pk], edition, book), before


def _table(stored: Standings, edition: Edition, book: Ledger) -> Table:
    codes = [str(code) for code in stored.tiebreaks]
    rows = [_row(item, codes, book) for item in stored.rows if item["entry"] in book.entries]
    return Table(edition=edition, codes=codes, rows=rows, policy=stored.policy, lot_seed=stored.lot_seed)


def podium(found: Table) -> list[Row]:
    """Second, first and third, as they stand on a podium; nobody while a place of the three is shared or open."""
    first = [row for row in found.rows if row.rank is not None and row.rank <= 3]
    if [row.rank for row in first] != [1, 2, 3] or not first[0].points:
        return []
    return [first[1], first[0], first[2]]


def places_among(rows: list[Row]) -> list[tuple[Row, int | None]]:
    """Rows of a table with the place of each among them; who shares a place shares it here."""
    ranks = sorted(row.rank for row in rows if row.rank is not None)
    return [(row, None if row.rank is None else 1 + bisect_left(ranks, row.rank)) for row in rows]


def _row(item: dict[str, Any], codes: list[str], book: Ledger) -> Row:
    values = item.get("values", {})
    return Row(
        entry=book.entries[item["entry"]],
        rank=item["rank"] if item.get("placed", True) else None,
        shared=item.get("shared", False),
        points=item["points"],
        adjustment=item.get("adjustment", 0),
        values=[(code, values.get(code)) for code in codes],
        separated_by=item.get("separated_by", ""),
        is_out=book.entries[item["entry"]].status != Entry.Status.ACTIVE,
        by_lot=item.get("by_lot", False),
    )


def ranks(edition: Edition | None) -> dict[int, int]:
    """Place in the table per entry. One query, none without an edition."""
    if edition is None:
        return {}
    rows = Standings.objects.values_list("rows", flat=True).get(pk=edition.pk)
    return {item["entry"]: position for position, item in enumerate(rows, start=1)}


def row_of(found: Table, entry: Entry) -> Row | None:
    return next((row for row in found.rows if row.entry.pk == entry.pk), None)
