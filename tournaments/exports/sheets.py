"""A list as a value, and its two file forms: CSV that opens right in spreadsheet programs, and XLSX.

Text stays text: a cell that begins like a formula is never run as one. In CSV, which has no types, such a cell gets
an apostrophe in front, and the reading of entry lists takes it off again.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FORMULA_STARTS = "=+-@\t\r＝＋－＠"
MAX_WIDTH = 60
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_NOT_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\]")

Cell = int | str | Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`name` is the tab of a workbook; `titles` are lines above the header, for reading only (CSV leaves them out)."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    titles: tuple[str, ...] = ()


def to_csv(sheet: Sheet) -> bytes:
    """UTF-8 with byte order mark, commas, CRLF: what a Chinese Excel opens by a double click."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([guarded(title) for title in sheet.header])
    writer.writerows([_csv_cell(cell) for cell in row] for row in sheet.rows)
    return stream.getvalue().encode("utf-8-sig", errors="replace")


def guarded(text: str) -> str:
    """The text, with an apostrophe where a spreadsheet program would take it for a formula."""
    return f"'{text}" if text and text.lstrip(" ")[:1] in FORMULA_STARTS and text.strip(" ") else text


def _csv_cell(cell: Cell) -> str | int:
    if cell is None:
        return ""
    if isinstance(cell, Fraction):
        return decimal_text(cell)
    return guarded(cell.replace("\x00", "")) if isinstance(cell, str) else cell


def decimal_text(value: Fraction) -> str:
    """Two places, rounded half up: lists are for reading, the exact value stays in the ledger."""
    hundredths = (abs(value) * 100 + Fraction(1, 2)).__floor__()
    sign = "-" if value < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def to_xlsx(sheets: Sequence[Sheet]) -> bytes:
    """One tab a sheet: header in bold and frozen, columns as wide as their text, numbers as numbers."""
    book = Workbook(write_only=True)
    taken: set[str] = set()
    for sheet in sheets:
        _add(book, sheet, name=_tab_name(sheet.name, taken))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _tab_name(name: str, taken: set[str]) -> str:
    """At most 31 characters, none of []:*?/\\, and no two alike."""
    base = _NOT_IN_SHEET_NAMES.sub(" ", _NOT_IN_XML.sub("", name)).strip().strip("'")[:31] or "1"
    candidate, count = base, 1
    while candidate.casefold() in taken:
        count += 1
        candidate = f"{base[: 30 - len(str(count))]} {count}"
    taken.add(candidate.casefold())
    return candidate


def _add(book: Workbook, sheet: Sheet, *, name: str) -> None:
    page = book.create_sheet(name)
    for index, width in enumerate(_widths(sheet), start=1):
        page.column_dimensions[get_column_letter(index)].width = width
    page.freeze_panes = f"A{len(sheet.titles) + 2}"
    for title in sheet.titles:
        page.append([_xlsx_cell(page, title, bold=True)])
    page.append([_xlsx_cell(page, title, bold=True) for title in sheet.header])
    for row in sheet.rows:
        page.append([_xlsx_cell(page, cell) for cell in row])


def _xlsx_cell(page: Any, value: Cell, *, bold: bool = False) -> Any:
    if isinstance(value, Fraction):
        # A spreadsheet knows binary fractions only; the exact value stays in the ledger.
        cell = WriteOnlyCell(page, value=value.numerator / value.denominator)
        cell.number_format = "0.00"
        return cell
    if not isinstance(value, str):
        return WriteOnlyCell(page, value=value)
    cell = WriteOnlyCell(page, value=_NOT_IN_XML.sub("", value)[:32767])
    cell.data_type = "s"  # "=1+1" is a text here
    if value[:1] in FORMULA_STARTS:
        cell.quotePrefix = True
    if bold:
        cell.font = Font(bold=True)
    if "\n" in value:
        cell.alignment = Alignment(wrap_text=True, vertical="top")
    return cell


def _widths(sheet: Sheet) -> list[int]:
    columns: list[list[Cell]] = [[title] for title in sheet.header]
    for row in sheet.rows:
        for index, cell in enumerate(row[: len(columns)]):
            columns[index].append(cell)
    return [min(MAX_WIDTH, 2 + max(_width(cell) for cell in column)) for column in columns]


def _width(cell: Cell) -> int:
    text = "" if cell is None else decimal_text(cell) if isinstance(cell, Fraction) else str(cell)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
