"""XLSX workbooks to rows of text.

The file is untrusted: it is measured before it is opened, because a few kilobytes can unpack to gigabytes and one cell
in the last corner of a sheet makes a reader ask for billions of empty ones. Formulas give the value last computed.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils.translation import gettext_lazy as _
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum

from tournaments.errors import BadInput

MAX_UNPACKED_BYTES = 64 * 1024 * 1024
MAX_PARTS = 2000
MAX_CELLS = 2_000_000
_CHUNK = 1 << 20
# A cell with something in it (an empty one is self-closing) or the start of a row; the row number is enough where a
# cell does not name its place. Attributes hold no "<", so that no byte is looked at for two tags.
_MARKUP = re.compile(rb"<(?:\w{1,60}:)?(row|c)(\s[^<>]*)?>")
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{0,3})([0-9]{1,7})[\"']")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`lines[i]` is the row number in the sheet of `rows[i]`, as the spreadsheet program shows it."""

    name: str
    others: tuple[str, ...]  # further sheets that hold something
    lines: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]


def is_workbook(content: bytes) -> bool:
    return content.startswith(b"PK\x03\x04")


def read_workbook(content: bytes, *, sheet: str = "", max_rows: int, max_columns: int) -> Sheet:
    """The named sheet, or the first one with something in it. Raises BadInput for anything but a sound XLSX file."""
    _measure(content, max_rows=max_rows, max_columns=max_columns)
    try:
        with CalamineWorkbook.from_filelike(io.BytesIO(content)) as workbook:
            return _choose(workbook, sheet=sheet)
    except CalamineError:
        raise _broken() from None


def _broken() -> BadInput:
    return BadInput(
        _(
            "The workbook is damaged or protected. Open it in a spreadsheet program and save it again as XLSX."
        ),
        code="workbook-broken",
    )


def _measure(content: bytes, *, max_rows: int, max_columns: int) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if not any(part.filename.lstrip("/") == "xl/workbook.xml" for part in parts):
                raise BadInput(
                    _("This archive is not an XLSX workbook. Save the list as XLSX or CSV."),
                    code="not-a-table",
                )
            if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
                raise _too_large()
            for part in parts:
                _measure_part(archive, part, max_rows=max_rows, max_columns=max_columns)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error):
        raise _broken() from None
    except ValueError:
        raise _broken() from None


def _too_large() -> BadInput:
    return BadInput(_("The workbook is too large once unpacked."), code="file-too-large")


def _measure_part(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, *, max_rows: int, max_columns: int
) -> None:
    """Unpacks a part to its declared size (its checksum is proved on the way) and looks for far-off cells."""
    last_row = last_column = row = 0
    tail = b""
    with archive.open(part) as stream:
        while block := stream.read(_CHUNK):
            for tag, attributes in _MARKUP.findall(tail + block):
                place = _PLACE.search(attributes)
                if tag == b"row":
                    row = int(place[2]) if place else row + 1
                elif not attributes.endswith(b"/"):
                    last_row = max(last_row, int(place[2]) if place else row)
                    last_column = max(last_column, _column_number(place[1]) if place else 1)
            tail = block[block.rfind(b"<") :][-400:] if b">" not in block[block.rfind(b"<") :] else b""
    if last_row > max_rows or last_column > max_columns or last_row * last_column > MAX_CELLS:
        raise BadInput(
            _(
                "The sheet reaches to row %(row)s, column %(column)s: at most %(rows)s rows and %(columns)s columns."
            ),
            code="table-too-large",
            row=last_row,
            column=last_column,
            rows=max_rows,
            columns=max_columns,
        )


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _choose(workbook: CalamineWorkbook, *, sheet: str) -> Sheet:
    filled: dict[str, tuple[tuple[str, ...], ...]] = {}
    for meta in workbook.sheets_metadata:
        if meta.typ != SheetTypeEnum.WorkSheet:
            continue
        rows = tuple(
            tuple(cell_text(cell) for cell in row)
            for row in workbook.get_sheet_by_name(meta.name).to_python(skip_empty_area=False)
        )
        if any(any(row) for row in rows):
            filled[meta.name] = rows
    if sheet and sheet not in filled:
        raise BadInput(
            _("There is no sheet “%(sheet)s” with anything in it. Sheets: %(sheets)s."),
            code="sheet-missing",
            sheet=sheet,
            sheets=", ".join(filled) or "-",
        )
    if not filled:
        raise BadInput(_("The file is empty."), code="file-empty")
    chosen = sheet or next(iter(filled))
    rows = filled[chosen]
    return Sheet(
        name=chosen,
        others=tuple(name for name in filled if name != chosen),
        lines=tuple(range(1, len(rows) + 1)),
        rows=rows,
    )


def cell_text(value: object) -> str:
    """A cell as a person would type it: 1500.0 is "1500", a date is its ISO form, an empty cell is ""."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, date | time | timedelta):
        return str(value)
    return str(value).strip() if value is not None else ""
