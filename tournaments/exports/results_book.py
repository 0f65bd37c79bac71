"""The results book of a section: final table with places, cross table, and the boards of every round."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext

from tournaments.exports import lists
from tournaments.exports.printing import Column, Document, Part
from tournaments.exports.sheets import Cell, Sheet, decimal_text
from tournaments.models import OUTCOME_LABELS, Entry, Event, Role
from tournaments.selectors import boards
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table

NAME, CLUB = 2, 3  # columns of the table and of the cross table
WIDE_FROM = 10  # columns of the cross table from which the paper lies on its side


def sheets(book: Ledger, table: Table | None) -> list[Sheet]:
    """The book as tabs of a workbook."""
    found = [lists.standings(table)] if table is not None else []
    if book.rounds:
        found.append(lists.cross(book, row_order(table)))
    return [*found, *(lists.pairings(book, r.number) for r in book.rounds), lists.players(book)]


def document(book: Ledger, table: Table | None) -> Document:
    """The book as a printed document, of public rounds only."""
    section, event = book.section, book.section.event
    parts = [_places(table)] if table is not None else []
    wide = False
    if book.rounds:
        cross = lists.cross(book, row_order(table))
        wide = len(cross.header) - 5 >= WIDE_FROM
        parts.append(_cross(cross))
    parts += [_round(book, r.number) for r in book.rounds]
    return Document(
        title=f"{event.name} {section.name}",
        lines=tuple(filter(None, [title(), _when_where(event), _officials(event)])),
        parts=parts,
        stamp=_stamp(table),
        footer=date_format(timezone.localtime(), "Y-m-d H:i"),
        landscape=wide,
        language=(get_language() or "zh")[:2],
    )


def title() -> str:
    return pgettext("file", "Results book")


def row_order(table: Table | None) -> dict[int, int]:
    """The order of rows in the table, which shared places do not disturb."""
    return {row.entry.pk: position for position, row in enumerate(table.rows, start=1)} if table else {}


def _when_where(event: Event) -> str:
    days = [date_format(day, "Y-m-d") for day in (event.starts_on, event.ends_on) if day]
    return "  ".join(filter(None, [event.place, " – ".join(dict.fromkeys(days))]))


def _officials(event: Event) -> str:
    chiefs = [
        str(role.user) for role in event.roles.filter(kind=Role.Kind.CHIEF_ARBITER).select_related("user")
    ]
    return f"{Role.Kind.CHIEF_ARBITER.label}: {', '.join(chiefs)}" if chiefs else ""


def _stamp(table: Table | None) -> str:
    if table is None:
        return ""
    if table.edition.final:
        return pgettext("file", "Final standings")
    return pgettext("file", "Standings after round %(number)s") % {"number": table.edition.after_round}


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return decimal_text(cell) if isinstance(cell, Fraction) else str(cell)


def _part(sheet: Sheet, columns: list[Column], *, new_page: bool) -> Part:
    """The sheet with a column for each of its own; columns without a single entry are left out."""
    rows = [tuple(_text(cell) for cell in row) for row in sheet.rows]
    kept = [index for index in range(len(columns)) if any(row[index] for row in rows)]
    return Part(
        title=sheet.name,
        columns=tuple(columns[index] for index in kept),
        rows=tuple(tuple(row[index] for index in kept) for row in rows),
        new_page=new_page,
    )


def _columns(
    titles: Sequence[str], *, numbers: range | None = None, centred: range | None = None
) -> list[Column]:
    """Place and number to the right, name and club as wide as the paper allows, then as said."""
    found = []
    for index, title in enumerate(titles):
        is_number = index < 2 or (numbers is not None and index in numbers)
        side = "right" if is_number else "center" if centred is not None and index in centred else "left"
        found.append(Column(title=title, side=side, width={NAME: 3, CLUB: 2}.get(index, 0)))
    return found


def _places(table: Table) -> Part:
    sheet = lists.standings(table, is_narrow=True)
    columns = _columns(sheet.header, numbers=range(5, len(sheet.header) - 1))
    return _part(sheet, columns, new_page=False)


def _cross(sheet: Sheet) -> Part:
    last = len(sheet.header) - 1
    is_long = last - 4 >= WIDE_FROM
    heads = [str(number) for number in range(1, last - 3)] if is_long else list(sheet.header[4:last])
    titles = [*sheet.header[:4], *heads, sheet.header[last]]
    columns = _columns(titles, numbers=range(last, last + 1), centred=range(4, last))
    return _part(sheet, columns, new_page=True)


def _round(book: Ledger, number: int) -> Part:
    """White on the left with the points before the round, as the hall reads a pairing list."""
    rows, byes, idle = boards.rows(book, number)
    lines = [
        (str(r.line.board), *_side(r.white, r.white_before), _score(r), *_side(r.black, r.black_before))
        for r in rows
    ]
    apart = [
        *(f"{r.white.number} {r.white.player.name}: {OUTCOME_LABELS[r.line.outcome]}" for r in byes),
        *(f"{e.number} {e.player.name}: {pgettext('column', 'not paired')}" for e in idle),
    ]
    names = [("board", "right", 0), ("White", "left", 1), ("points", "right", 0), ("result", "center", 0)]
    names += [("Black", "left", 1), ("points", "right", 0)]
    heads = {
        "board": pgettext("column", "board"), "White": pgettext("column", "White"), "Black": pgettext("column", "Black"),
        "points": pgettext("column", "points"), "result": pgettext("column", "result"),
    }  # fmt: skip
    return Part(
        title=pgettext("file", "Round %(number)s") % {"number": number},
        columns=tuple(Column(title=heads[name], side=side, width=width) for name, side, width in names),
        rows=tuple(lines),
        notes=tuple(apart),
        new_page=number == 1,
    )


def _side(entry: Entry | None, before: int) -> tuple[str, str]:
    if entry is None:
        return "", ""
    club = f" ({entry.player.club})" if entry.player.club else ""
    return f"{entry.number} {entry.player.name}{club}", f"[{before}]"


def _score(row: boards.Row) -> str:
    return row.line.score or lists.outcome_text(row.line)
