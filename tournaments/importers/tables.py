"""An uploaded list to rows of text: CSV, TSV, semicolons or XLSX, in the encodings that Chinese and Western offices use.

Promised: every cell comes with the line of the file it stands on; what was detected (encoding, separator, sheet) is
part of the answer; a file that cannot be read for certain is refused with BadInput and never half read.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field

from django.utils.translation import gettext_lazy as _

from tournaments.encodings import Encoding, decode
from tournaments.errors import BadInput
from tournaments.importers.workbooks import is_workbook, read_workbook

MAX_BYTES = 8 * 1024 * 1024
MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_CELL = 2000
WIDE_COMMA = "，"  # typed by hand, alone or among narrow ones
SEPARATORS = ("\t", ";", ",", WIDE_COMMA)

_FOREIGN = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF", "PDF"),
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf", "7z"),
    (b"\x1f\x8b", "gzip"),
    (b"{\\rtf", "RTF"),
)
_HEAD_LINES = 12
_HEADER = re.compile(
    r"(?:姓名|名字|选手|棋手|运动员|\bname\b).*，|，.*(?:姓名|名字|选手|棋手|运动员|\bname\b)", re.IGNORECASE
)
_QUOTED_OR_WIDE = re.compile(r'"(?:[^"]|"")*"|，')
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    line: int  # as the user's editor or spreadsheet program numbers it, from 1
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`encoding` is None for a workbook; `separator` is "" for a workbook or a list of one column."""

    rows: tuple[Row, ...]
    encoding: Encoding | None = None
    has_mark: bool = False
    separator: str = ""
    sheet: str = ""
    other_sheets: tuple[str, ...] = field(default=())

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


def read_table(content: bytes, *, encoding: Encoding | None = None, sheet: str = "") -> Table:
    """All rows of a file, blank ones left out. `encoding` and `sheet` overrule what would be chosen."""
    _refuse_foreign(content)
    if is_workbook(content):
        found = read_workbook(content, sheet=sheet, max_rows=MAX_ROWS, max_columns=MAX_COLUMNS)
        rows = [
            Row(line=line, cells=cells)
            for line, cells in zip(found.lines, found.rows, strict=True)
            if any(cells)
        ]
        return Table(rows=_checked(rows), sheet=found.name, other_sheets=found.others)
    decoded = decode(content, encoding=encoding)
    text, separator = _announced(decoded.text.rstrip("\x1a"))
    skipped = 1 if separator else 0
    if not text.strip("".join(SEPARATORS) + " \r\n"):
        raise BadInput(_("The file is empty."), code="file-empty")
    separator = separator or _separator(text)
    rows = _parse(text, separator=separator, first_line=1 + skipped)
    return Table(
        rows=_checked(rows),
        encoding=decoded.encoding,
        has_mark=decoded.has_mark,
        separator=separator,
    )


def _refuse_foreign(content: bytes) -> None:
    if not content.strip(b" \t\r\n\x00"):
        raise BadInput(_("The file is empty."), code="file-empty")
    if len(content) > MAX_BYTES:
        raise BadInput(
            _("The file has %(size)s MB: at most %(limit)s MB."),
            code="file-too-large",
            size=-(-len(content) // (1024 * 1024)),
            limit=MAX_BYTES // (1024 * 1024),
        )
    for magic, kind in _FOREIGN:
        if content.startswith(magic):
            raise BadInput(
                _(
                    "This is a %(kind)s file, not a table, whatever its name says. Save the list as CSV or XLSX."
                ),
                code="not-a-table",
                kind=kind,
            )
    if content.startswith(_OLD_OFFICE):
        raise BadInput(
            _("This is an old or protected Excel file (XLS). Save it as XLSX without a password."),
            code="not-a-table",
        )


def _announced(text: str) -> tuple[str, str]:
    """A first line "sep=;" tells spreadsheet programs the separator; it is no row."""
    head, _newline, rest = text.partition("\n")
    head = head.strip().casefold()
    if len(head) == 5 and head.startswith("sep=") and head[4] in SEPARATORS:
        return rest, head[4]
    if text[:5].casefold() == "sep=\t":
        return rest, "\t"
    return text, ""


def _separator(text: str) -> str:
    """The separator that cuts most lines into one same number of columns; "" when none cuts any line.

    Raises BadInput where the separator that the first line speaks for meets a broken quotation further down.
    """
    best, best_score = "", (0.0, 0)
    failures: dict[str, BadInput] = {}
    for candidate in SEPARATORS if _is_wide(text) else SEPARATORS[:-1]:
        try:
            widths = Counter(len(row.cells) for row in _parse(text, separator=candidate, first_line=1))
        except BadInput as error:
            failures[candidate] = error
            continue
        widths.pop(1, None)
        if not widths:
            continue
        width, lines = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (lines / max(1, text.count("\n")), width)
        if score > best_score:
            best, best_score = candidate, score
    # The separator of the first line is the right one even where a later line breaks its quotation.
    first = text.lstrip().partition("\n")[0]
    for candidate, failure in failures.items():
        if first.count(candidate) > (first.count(best) if best else 0):
            raise failure
    return best


def _is_wide(text: str) -> bool:
    """Whether full-width commas may separate: below a header without one they stand inside names and remarks."""
    head = [line for line in text.splitlines() if line.strip()][:_HEAD_LINES]
    return bool(head) and (WIDE_COMMA in head[0] or any(_HEADER.search(line) for line in head[1:]))


def _narrowed(text: str) -> str:
    """The text with commas for full-width ones, those inside quotation marks kept."""
    return _QUOTED_OR_WIDE.sub(lambda match: "," if match[0] == WIDE_COMMA else match[0], text)


def _parse(text: str, *, separator: str, first_line: int) -> list[Row]:
    if separator == WIDE_COMMA:
        text, separator = _narrowed(text), ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator or "\x1f", strict=True)
    rows: list[Row] = []
    while True:
        line = reader.line_num + first_line
        try:
            cells = next(reader)
        except StopIteration:
            return rows
        except csv.Error:
            raise BadInput(
                _("Line %(line)s: a quotation mark is not closed, or text follows the closing one."),
                code="quotes-broken",
                line=line,
            ) from None
        cleaned = tuple(cell.strip() for cell in cells)
        if any(cleaned):
            rows.append(Row(line=line, cells=cleaned))
        if len(rows) > MAX_ROWS:
            raise _too_many_rows()


def _too_many_rows() -> BadInput:
    return BadInput(_("The table has more than %(rows)s rows."), code="table-too-large", rows=MAX_ROWS)


def _checked(rows: list[Row]) -> tuple[Row, ...]:
    if not rows:
        raise BadInput(_("The file is empty."), code="file-empty")
    if len(rows) > MAX_ROWS:
        raise _too_many_rows()
    for row in rows:
        if len(row.cells) > MAX_COLUMNS:
            raise BadInput(
                _("Line %(line)s has more than %(columns)s columns."),
                code="table-too-large",
                line=row.line,
                columns=MAX_COLUMNS,
            )
        if any(len(cell) > MAX_CELL for cell in row.cells):
            raise BadInput(
                _("Line %(line)s holds a cell of more than %(characters)s characters."),
                code="table-too-large",
                line=row.line,
                characters=MAX_CELL,
            )
    return tuple(rows)
