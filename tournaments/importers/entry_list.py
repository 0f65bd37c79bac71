"""A list of players as a preview: what each row would enter, and every row that cannot be entered with its reason.

Nothing is written here. The preview knows the section's present entries as plain values, so the same file against the
same entries always gives the same preview.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.characters import hidden_characters
from tournaments.encodings import Encoding
from tournaments.importers.columns import HIGHEST_RATING, RATING_CELL, Column, Field, Layout, find_layout
from tournaments.importers.identity import number_key
from tournaments.importers.tables import Row, Table, read_table
from tournaments.wording.names import is_chinese, plain

_FORMULA_STARTS = ("=", "+", "-", "@")
BIRTH_YEARS = range(1900, 2101)


class Repeats(StrEnum):
    """What happens to a row whose player is already entered in the section."""

    REFUSE = "refuse"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One player to enter; `player_id` names a player the event knows already from another section."""

    line: int
    name: str
    family_name: str = ""
    latin_name: str = ""
    sex: str = ""
    birth_year: int | None = None
    federation: str = ""
    club: str = ""
    rating: int = 0
    title: str = ""
    grade: str = ""
    fmjd_id: str = ""
    seed_number: int | None = None
    lot_number: int | None = None
    player_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlayer:
    """A player of the event before the import."""

    player_id: int
    name: str
    club: str = ""
    birth_year: int | None = None
    fmjd_id: str = ""
    seed_number: int | None = None
    lot_number: int | None = None
    entered: bool = True  # in the section the list is for


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One sentence about one row. `column` is the header of the column it is about, "" for the row as a whole."""

    line: int
    column: str = ""
    value: str = ""
    code: str
    text: str | Promise
    values: Mapping[str, Any]

    @property
    def reason(self) -> str:
        return str(self.text) % self.values if self.values else str(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Importable as a whole (`is_ready`) or not at all. `warnings` do not stand in the way."""

    columns: tuple[Column, ...]
    rows: tuple[EntryRow, ...]
    problems: tuple[Remark, ...]
    warnings: tuple[Remark, ...]
    repeats: tuple[int, ...]  # lines left out because their player is entered already
    left_out: tuple[Row, ...]  # lines the user left out
    header_line: int | None
    title_lines: tuple[int, ...]
    encoding: Encoding | None
    has_mark: bool
    separator: str
    sheet: str
    other_sheets: tuple[str, ...]

    @property
    def is_ready(self) -> bool:
        return bool(self.rows) and not self.problems


def preview_entries(
    content: bytes,
    *,
    known: Sequence[KnownPlayer] = (),
    repeats: Repeats = Repeats.REFUSE,
    encoding: Encoding | None = None,
    sheet: str = "",
    chosen: Mapping[int, Field | None] | None = None,
    left_out: Collection[int] = (),
) -> Preview:
    """Reads a file against the players the event knows; lines of `left_out` are not entered.

    Raises BadInput when the file as a whole cannot be read.
    """
    table = read_table(content, encoding=encoding, sheet=sheet)
    layout = find_layout(table, chosen=chosen)
    problems: list[Remark] = []
    dropped = tuple(row for row in layout.rows if row.line in left_out)
    wanted = [row for row in layout.rows if row.line not in left_out]
    parsed = [row for line in wanted if (row := _read_row(line, layout=layout, problems=problems))]
    problems.extend(_repeated_numbers(parsed, layout=layout, known=known))
    kept, warnings, skipped = _match(parsed, known=known, repeats=repeats, problems=problems)
    return _preview(
        table,
        layout,
        rows=kept,
        problems=sorted(problems, key=lambda remark: remark.line),
        warnings=warnings,
        repeats=skipped,
        left_out=dropped,
    )


def _preview(
    table: Table,
    layout: Layout,
    *,
    rows: Sequence[EntryRow],
    problems: Sequence[Remark],
    warnings: Sequence[Remark],
    repeats: Sequence[int],
    left_out: Sequence[Row],
) -> Preview:
    return Preview(
        columns=layout.columns,
        rows=tuple(rows),
        problems=tuple(problems),
        warnings=tuple(warnings),
        repeats=tuple(repeats),
        left_out=tuple(left_out),
        header_line=layout.header_line,
        title_lines=layout.title_lines,
        encoding=table.encoding,
        has_mark=table.has_mark,
        separator=table.separator,
        sheet=table.sheet,
        other_sheets=table.other_sheets,
    )


# Cells


class _Unreadable(Exception):
    def __init__(self, code: str, text: str | Promise, **values: Any) -> None:
        self.code, self.text, self.values = code, text, values
        super().__init__(code)


def clean(text: str) -> str:
    """One line, composed characters, ASCII width for letters and digits, single spaces.

    An apostrophe that only keeps a spreadsheet program from running the cell as a formula is taken off.
    """
    text = "".join(
        unicodedata.normalize("NFKC", c) if "\uff01" <= c <= "\uff5e" or c == "\u3000" else c for c in text
    )
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text[1:] if text[:1] == "'" and text[1:2] in _FORMULA_STARTS else text


def clean_name(text: str) -> str:
    """A name on one line. Spaces between Chinese characters only align a column: 张　伟 is 张伟."""
    text = clean(text)
    without = text.replace(" ", "")
    return without if is_chinese(without) and not any(c.isascii() and c.isalpha() for c in without) else text


_DAMAGED = _("holds damaged characters: the file's encoding may be wrong")


def _text(limit: int) -> Any:
    def read(cell: str) -> str:
        _refuse_hidden(cell)
        if "\ufffd" in cell:
            raise _Unreadable("broken-characters", _DAMAGED)
        if len(cell) > limit:
            raise _Unreadable("too-long", _("longer than %(limit)s characters"), limit=limit)
        return cell

    return read


# Lines at the foot of a list: "领队：张三", "教练 李四", "Coach: A. Smith", "合计 24人".
_OFFICIAL_WORDS = (
    "领队|副领队|领队兼教练|教练|主教练|助理教练|教练员|队医|医生|联系人|联系电话|电话|负责人|填表人|填报人|制表|制表人|报名人|裁判|裁判长|工作人员|翻译|"
    "单位盖章|盖章|备注|说明|注|日期|填表日期|合计|总计|共计|小计|"
    "team leader|leader|head of delegation|coach|trainer|captain|delegate|contact|doctor|interpreter|referee|arbiter|total|note|notes|remark|remarks"
)
_OFFICIALS = re.compile(
    rf"(?:{_OFFICIAL_WORDS})\s*(?:[(（][^)）]*[)）]\s*)?[:：]|(?:{_OFFICIAL_WORDS})\s*$|"
    r"(?:领队|教练|联系人|负责人|合计|总计|共计)\S|共\s*\d",
    re.IGNORECASE,
)


def _refuse_hidden(text: str) -> None:
    if hidden := hidden_characters(text):
        raise _Unreadable(
            "hidden-character",
            _("holds a hidden character (%(character)s): type the name again instead of pasting it"),
            character=f"U+{ord(hidden[0]):04X}",
        )


def _read_name(cell: str) -> str:
    name = clean_name(cell)
    if not any(c.isalpha() for c in name):
        raise _Unreadable("not-a-name", _("is not a name"))
    if _OFFICIALS.match(name):
        raise _Unreadable("no-player", _("names an official or a total, not a player"))
    _refuse_hidden(name)
    if any(unicodedata.category(c) in {"Cc", "Cs", "Co"} for c in name):
        raise _Unreadable("broken-characters", _DAMAGED)
    return str(_text(120)(name))


def _whole(cell: str) -> int | None:
    compact = re.sub(r"[\s,]", "", cell)
    match = re.fullmatch(r"(\d{1,9})(?:\.0+)?", compact) if compact.isascii() else None
    return int(match[1]) if match else None


_NOTHING = frozenset(
    {"", "-", "--", "—", "/", "无", "無", "none", "n/a", "nil", "unrated", "未定级", "无等级分"}
)


def _read_rating(cell: str) -> int:
    if cell.casefold() in _NOTHING:
        return 0
    lettered = RATING_CELL.fullmatch(cell)
    rating = int(lettered[1]) if lettered else _whole(cell)
    if rating is None or rating > HIGHEST_RATING:
        raise _Unreadable(
            "rating", _("is not a rating: a whole number from 0 to %(limit)s"), limit=HIGHEST_RATING
        )
    return rating


def _read_number(cell: str) -> int | None:
    if cell.casefold() in _NOTHING:
        return None
    number = _whole(cell)
    if not number or number > 100_000:
        raise _Unreadable("number", _("is not a number from 1 on"))
    return number


_MALE = frozenset("男 男子 男性 男士 m male man boy 男孩 м".split())
_FEMALE = frozenset("女 女子 女性 女士 f w female woman girl 女孩 ж".split())


def _read_sex(cell: str) -> str:
    word = cell.casefold()
    if word in _NOTHING:
        return ""
    if word in _MALE:
        return "m"
    if word in _FEMALE:
        return "f"
    raise _Unreadable("sex", _("is neither 男/m nor 女/f"))


_YEAR_FIRST = re.compile(
    r"(\d{4})(?:年|[-/.](?=\d)|$)(?:\d{1,2}(?:月|[-/.](?=\d)|$))?(?:\d{1,2}日?)?(?: 00:00:00)?"
)
_YEAR_LAST = re.compile(r"\d{1,2}[-/.]\d{1,2}[-/.](\d{4})")
_YEAR_PACKED = re.compile(r"(\d{4})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])?")


def _read_birth_year(cell: str) -> int | None:
    if cell.casefold() in _NOTHING:
        return None
    compact = cell.replace(" ", "") if "年" in cell else cell
    for pattern in (_YEAR_FIRST, _YEAR_LAST, _YEAR_PACKED):
        match = pattern.fullmatch(compact)
        if match and int(match[1]) in BIRTH_YEARS:
            return int(match[1])
    raise _Unreadable("birth", _("is not a year or date of birth, such as 2010 or 2010-05-01"))


def _read_federation(cell: str) -> str:
    return str(_text(10)(cell.upper() if cell.isascii() else cell))


def _read_fmjd_id(cell: str) -> str:
    if cell.casefold() in _NOTHING or cell == "0":
        return ""
    number = re.sub(r"\.0+$", "", cell.replace(" ", ""))
    if not re.fullmatch(r"[0-9]{1,20}", number):
        raise _Unreadable("fmjd", _("is not an FMJD number, which is digits only"))
    return number


_READERS: Mapping[Field, Any] = {
    Field.NAME: _read_name,
    Field.FAMILY_NAME: _text(80),
    Field.GIVEN_NAME: _text(80),
    Field.LATIN_NAME: _text(120),
    Field.SEED_NUMBER: _read_number,
    Field.LOT_NUMBER: _read_number,
    Field.RATING: _read_rating,
    Field.CLUB: _text(120),
    Field.SEX: _read_sex,
    Field.BIRTH_YEAR: _read_birth_year,
    Field.FEDERATION: _read_federation,
    Field.GRADE: _text(30),
    Field.TITLE: _text(10),
    Field.FMJD_ID: _read_fmjd_id,
}


def _read_row(row: Row, *, layout: Layout, problems: list[Remark]) -> EntryRow | None:
    """The row's values, or None after every fault of the row was added to `problems`."""
    faults: list[Remark] = []
    values: dict[Field, Any] = {}
    for column in layout.columns:
        cell = clean(row.cells[column.index]) if column.index < len(row.cells) else ""
        if column.field is None or (not cell and column.field is not Field.NAME):
            continue
        if not cell:
            faults.append(
                Remark(
                    line=row.line,
                    column=column.label,
                    code="no-name",
                    text=_("the name is missing"),
                    values={},
                )
            )
            continue
        try:
            values[column.field] = _READERS[column.field](cell)
        except _Unreadable as fault:
            faults.append(
                Remark(
                    line=row.line,
                    column=column.label,
                    value=cell,
                    code=fault.code,
                    text=fault.text,
                    values=fault.values,
                )
            )
    if not faults and Field.NAME not in values:
        name = _joined_name(values)
        if name:
            values[Field.NAME] = name
        else:
            faults.append(Remark(line=row.line, code="no-name", text=_("the name is missing"), values={}))
    problems.extend(faults)
    values.pop(Field.GIVEN_NAME, None)
    return (
        None if faults else EntryRow(line=row.line, **{name.value: value for name, value in values.items()})
    )


def _joined_name(values: Mapping[Field, Any]) -> str:
    family, given = values.get(Field.FAMILY_NAME, ""), values.get(Field.GIVEN_NAME, "")
    if is_chinese(family + given):
        return clean_name(family + given)
    return " ".join(part for part in (given, family) if part)


# Duplicates


def name_key(name: str) -> str:
    """Equal for names that differ only in spaces, width, case, accents or punctuation."""
    return plain(clean_name(name))


def _repeated_numbers(
    rows: Sequence[EntryRow], *, layout: Layout, known: Sequence[KnownPlayer]
) -> list[Remark]:
    """Two players of one seed or lot number: in the file, or one of them entered before."""
    remarks = []
    for name in (Field.SEED_NUMBER, Field.LOT_NUMBER):
        column = layout.column(name)
        entered = {getattr(player, name.value): player.name for player in known if player.entered}
        first: dict[int, int] = {}
        text: str | Promise
        values: dict[str, Any]
        for row in rows:
            number = getattr(row, name.value)
            if number is None or column is None:
                continue
            if number in first:
                text, values = _("the same number stands in line %(other)s"), {"other": first[number]}
            elif number in entered and not _is_same(row, entered[number]):
                text, values = _("the number belongs to %(other)s already"), {"other": entered[number]}
            else:
                first[number] = row.line
                continue
            remarks.append(
                Remark(
                    line=row.line,
                    column=column.label,
                    value=str(number),
                    code="number-taken",
                    text=text,
                    values=values,
                )
            )
    return remarks


def _is_same(row: EntryRow, name: str) -> bool:
    return name_key(row.name) == name_key(name)


def _differ(left: Any, right: Any) -> bool:
    """Whether something both know tells two people of one name apart."""
    if left.fmjd_id and right.fmjd_id:
        return number_key(left.fmjd_id) != number_key(right.fmjd_id)
    if left.birth_year and right.birth_year:
        return bool(left.birth_year != right.birth_year)
    return bool(left.club and right.club and name_key(left.club) != name_key(right.club))


def _match(
    rows: Sequence[EntryRow],
    *,
    known: Sequence[KnownPlayer],
    repeats: Repeats,
    problems: list[Remark],
) -> tuple[list[EntryRow], list[Remark], list[int]]:
    """Rows to enter, warnings, and lines skipped: each row is held against the rows above it and the known players."""
    finder = _Finder(known)
    kept: list[EntryRow] = []
    warnings: list[Remark] = []
    skipped: list[int] = []
    taken: dict[int, int] = {}
    for row in rows:
        above, before, namesake = finder.look(row)
        if above is not None:
            problems.append(
                _remark(row, "duplicate", _("the same player stands in line %(other)s"), other=above.line)
            )
        elif before is not None and before.entered and repeats is Repeats.SKIP:
            skipped.append(row.line)
            continue
        elif before is not None and before.entered:
            problems.append(_remark(row, "entered", _("%(other)s is entered already"), other=before.name))
        elif namesake:
            warnings.append(
                _remark(row, "namesake", _("another player has the same name: %(other)s"), other=namesake)
            )
        if before is not None and not before.entered:
            if before.player_id in taken:
                problems.append(
                    _remark(
                        row,
                        "duplicate",
                        _("the same player stands in line %(other)s"),
                        other=taken[before.player_id],
                    )
                )
            taken.setdefault(before.player_id, row.line)
            row = replace(row, player_id=before.player_id)
        finder.add(row)
        kept.append(row)
    return kept, warnings, skipped


def _remark(row: EntryRow, code: str, text: str | Promise, **values: Any) -> Remark:
    return Remark(line=row.line, value=row.name, code=code, text=text, values=values)


class _Finder:
    """Looks people up by FMJD number and by name."""

    def __init__(self, known: Sequence[KnownPlayer]) -> None:
        self._known_ids: dict[str, KnownPlayer] = {}
        self._known_names: dict[str, list[KnownPlayer]] = {}
        for player in sorted(known, key=lambda player: not player.entered):
            if number := number_key(player.fmjd_id):
                self._known_ids.setdefault(number, player)
            self._known_names.setdefault(name_key(player.name), []).append(player)
        self._row_ids: dict[str, EntryRow] = {}
        self._row_names: dict[str, list[EntryRow]] = {}

    def add(self, row: EntryRow) -> None:
        self._row_names.setdefault(name_key(row.name), []).append(row)
        if number := number_key(row.fmjd_id):
            self._row_ids.setdefault(number, row)

    def look(self, row: EntryRow) -> tuple[EntryRow | None, KnownPlayer | None, str]:
        """The same person above in the file, the same person in the event, and the name of a mere namesake."""
        rows = self._row_names.get(name_key(row.name), [])
        players = self._known_names.get(name_key(row.name), [])
        number = number_key(row.fmjd_id)
        above = self._row_ids.get(number) if number else None
        above = above or next((other for other in rows if not _differ(row, other)), None)
        before = self._known_ids.get(number) if number else None
        before = before or next((other for other in players if not _differ(row, other)), None)
        others = [other.name for other in rows if other is not above]
        others += [player.name for player in players if player is not before]
        return above, before, others[0] if others else ""
