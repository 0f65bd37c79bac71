"""Which column of a list is which: header words in Chinese and English, or, without a header, what the cells hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.errors import BadInput
from tournaments.importers.tables import Row, Table

HEADER_SEARCH_ROWS = 12
HIGHEST_RATING = 4000


class Field(StrEnum):
    NAME = "name"
    FAMILY_NAME = "family_name"
    GIVEN_NAME = "given_name"
    LATIN_NAME = "latin_name"
    SEED_NUMBER = "seed_number"
    LOT_NUMBER = "lot_number"
    RATING = "rating"
    CLUB = "club"
    SEX = "sex"
    BIRTH_YEAR = "birth_year"
    FEDERATION = "federation"
    GRADE = "grade"
    TITLE = "title"
    FMJD_ID = "fmjd_id"


LABELS: Mapping[Field, str | Promise] = {
    Field.NAME: pgettext_lazy("column", "name"),
    Field.FAMILY_NAME: pgettext_lazy("column", "family name"),
    Field.GIVEN_NAME: pgettext_lazy("column", "given name"),
    Field.LATIN_NAME: pgettext_lazy("column", "name in Latin letters"),
    Field.SEED_NUMBER: pgettext_lazy("column", "seed number"),
    Field.LOT_NUMBER: pgettext_lazy("column", "lot number"),
    Field.RATING: pgettext_lazy("column", "rating"),
    Field.CLUB: pgettext_lazy("column", "club or delegation"),
    Field.SEX: pgettext_lazy("column", "sex"),
    Field.BIRTH_YEAR: pgettext_lazy("column", "year of birth"),
    Field.FEDERATION: pgettext_lazy("column", "federation"),
    Field.GRADE: pgettext_lazy("column", "grade"),
    Field.TITLE: pgettext_lazy("column", "title"),
    Field.FMJD_ID: pgettext_lazy("column", "FMJD number"),
}

# The words of one line mean the same field; the words of "weak" lines yield to a stronger column for the field.
_STRONG: Mapping[Field, str] = {
    Field.NAME: "姓名 选手姓名 棋手姓名 运动员姓名 参赛选手 选手 棋手 运动员 名字 中文名 中文姓名 name fullname player playername "
    "participant competitor surnamename naam nom nazwisko имя фамилияимя фио",
    Field.FAMILY_NAME: "姓 姓氏 familyname lastname surname",
    Field.GIVEN_NAME: "名 givenname firstname forename",
    Field.LATIN_NAME: "拼音 姓名拼音 英文名 英文姓名 外文名 拉丁名 拉丁字母姓名 pinyin latinname nameinlatinletters englishname nameinenglish",
    Field.SEED_NUMBER: "种子 种子号 种子序号 种子排名 seed seednumber seedno seeding startingnumber startno startnumber",
    Field.LOT_NUMBER: "抽签号 签号 抽签 lot lotnumber lotno drawnumber",
    Field.RATING: "等级分 积分等级 国际等级分 世界等级分 rating elo fmjdrating ratingfmjd rtg rtng worldrating nationalrating",
    Field.CLUB: "单位 代表队 俱乐部 参赛单位 代表单位 参赛队 所属单位 代表团 所在单位 学校 队名 club team delegation organization "
    "organisation clubdelegation clubordelegation clubname school",
    Field.SEX: "性别 sex gender",
    Field.BIRTH_YEAR: "出生 出生年 出生年份 出生日期 出生年月 出生年月日 生日 birth birthyear yearofbirth birthday birthdate dateofbirth "
    "dob yob born",
    Field.FEDERATION: "协会 国家 国籍 国家地区 地区 国家或地区 federation fed country nation nationality cn",
    Field.GRADE: "技术等级 等级 运动等级 棋士等级 棋力等级 级别 段位 grade level class",
    Field.TITLE: "称号 头衔 国际称号 title fmjdtitle",
    Field.FMJD_ID: "fmjdid fmjd号 fmjd编号 fmjd号码 世跳联编号 世跳联号 国际编号 fmjdnumber fmjdno fmjdnr fidid fideid",
}
_WEAK: Mapping[Field, str] = {
    Field.SEED_NUMBER: "序号 编号 号码 序 no nr num number rank # n° № sno snr startnr",
}
_FMJD = "fmjd"  # a rating in the lists of Draughts Arbiter, a number in others: its cells tell
RATING_CELL = re.compile(r"(?:[A-Za-z]{1,2}[ .:]?)?(\d{1,9})(?:\.0+)?")  # Draughts Arbiter: "A 2339"

_IGNORED = frozenset(
    "备注 说明 电话 联系电话 手机 手机号 邮箱 remark remarks note notes phone email mobile".split()
)


def _compact(text: str) -> str:
    """A header word without width, case, spaces and punctuation: "Ｎａｍｅ (player)" -> "name"."""
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub(r"[(\[【（].*?[)\]】）]", "", text)
    return "".join(c for c in text if c.isalnum() or c in "#№")


def _words(table: Mapping[Field, str]) -> dict[str, Field]:
    return {_compact(word): name for name, words in table.items() for word in words.split()}


_STRONG_WORDS = _words(_STRONG)
_WEAK_WORDS = _words(_WEAK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the file. `field` is None where the column is not read."""

    index: int
    header: str
    field: Field | None

    @property
    def label(self) -> str:
        """What to call the column when speaking of it: its own header, else the field, else its number."""
        if self.header:
            return self.header
        return str(LABELS[self.field]) if self.field else str(self.index + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """`header_line` is None for a list without header; `title_lines` stood above the header and are not read."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    header_line: int | None
    title_lines: tuple[int, ...] = ()
    repeated_headers: tuple[int, ...] = ()

    def column(self, name: Field) -> Column | None:
        return next((column for column in self.columns if column.field is name), None)


def find_layout(table: Table, *, chosen: Mapping[int, Field | None] | None = None) -> Layout:
    """The columns of a table. `chosen` (column index -> field or None) overrules what the header says.

    Raises BadInput `header-missing` when there is no header and the cells leave a doubt, `header-ambiguous` when two
    columns claim one field, `name-missing` when no column holds names.
    """
    position = _header_position(table)
    if position is None:
        return _without_header(table, chosen=chosen)
    header = table.rows[position]
    width = table.width
    headers = [header.cells[i] if i < len(header.cells) else "" for i in range(width)]
    fields = _by_words(headers)
    _read_fmjd(table.rows[position + 1 :], headers, fields)
    fields.update(_legal(chosen, width=width))
    _refuse_doubles(headers, fields)
    if Field.NAME not in fields.values() and Field.FAMILY_NAME not in fields.values():
        raise _no_names(headers)
    below = table.rows[position + 1 :]
    repeated = {row.line for row in below if row.cells == header.cells}
    return Layout(
        columns=tuple(Column(index=i, header=headers[i], field=fields.get(i)) for i in range(width)),
        rows=tuple(row for row in below if row.line not in repeated),
        header_line=header.line,
        title_lines=tuple(row.line for row in table.rows[:position]),
        repeated_headers=tuple(sorted(repeated)),
    )


def _legal(chosen: Mapping[int, Field | None] | None, *, width: int) -> dict[int, Field | None]:
    chosen = dict(chosen or {})
    for index in chosen:
        if not 0 <= index < width:
            raise BadInput(_("There is no column %(column)s."), code="column-missing", column=index + 1)
    return chosen


def _header_position(table: Table) -> int | None:
    """The first row that names the name column: a title may stand above it, a person's name does not look like it."""
    for position, row in enumerate(table.rows[:HEADER_SEARCH_ROWS]):
        known = [_STRONG_WORDS.get(_compact(cell)) for cell in row.cells if cell]
        found = {name for name in known if name is not None}
        if found & {Field.NAME, Field.FAMILY_NAME}:
            others = sum(
                _compact(cell) in _WEAK_WORDS or _compact(cell) in _IGNORED for cell in row.cells if cell
            )
            if len(found) + others > 1 or len([c for c in row.cells if c]) == 1 or position == 0:
                return position
        if position == 0 and len(found) >= 2:
            return position
    return None


def _by_words(headers: Sequence[str]) -> dict[int, Field | None]:
    fields: dict[int, Field | None] = {}
    for index, header in enumerate(headers):
        if name := _STRONG_WORDS.get(_compact(header)):
            fields[index] = name
    taken = set(fields.values())
    for index, header in enumerate(headers):
        name = _WEAK_WORDS.get(_compact(header) or header.strip())
        if index not in fields and name and name not in taken:
            fields[index] = name
            taken.add(name)
    return fields


def _read_fmjd(rows: Sequence[Row], headers: Sequence[str], fields: dict[int, Field | None]) -> None:
    """A column headed just "FMJD": numbers of players where the list names its ratings elsewhere, else ratings."""
    for index, header in enumerate(headers):
        if _compact(header) != _FMJD or index in fields:
            continue
        cells = [row.cells[index] for row in rows if index < len(row.cells)]
        filled = [unicodedata.normalize("NFKC", cell).strip() for cell in cells if cell.strip()]
        fields[index] = _fmjd_field(filled, taken={name for name in fields.values() if name})


def _fmjd_field(cells: Sequence[str], *, taken: Set[Field]) -> Field:
    lettered = any(not cell.isdecimal() and RATING_CELL.fullmatch(cell) for cell in cells)
    if lettered or Field.FMJD_ID in taken:
        return Field.RATING
    if Field.RATING in taken or any(cell.isdecimal() and int(cell) > HIGHEST_RATING for cell in cells):
        return Field.FMJD_ID
    return Field.RATING


def _refuse_doubles(headers: Sequence[str], fields: Mapping[int, Field | None]) -> None:
    seen: dict[Field, int] = {}
    for index, name in sorted(fields.items()):
        if name is None:
            continue
        if name in seen:
            raise BadInput(
                _(
                    "Columns %(first)s (“%(first_header)s”) and %(second)s (“%(second_header)s”) both mean “%(field)s”. "
                    "Remove one of them."
                ),
                code="header-ambiguous",
                first=seen[name] + 1,
                first_header=headers[seen[name]],
                second=index + 1,
                second_header=headers[index],
                field=LABELS[name],
            )
        seen[name] = index


def _no_names(headers: Sequence[str]) -> BadInput:
    return BadInput(
        _("No column holds names. Head it “姓名” or “Name”. Columns found: %(columns)s."),
        code="name-missing",
        columns=", ".join(header for header in headers if header) or "-",
    )


def _without_header(table: Table, *, chosen: Mapping[int, Field | None] | None) -> Layout:
    width = table.width
    fields: dict[int, Field | None] = {}
    if chosen:
        fields = _legal(chosen, width=width)
        _refuse_doubles([""] * width, fields)
        if Field.NAME not in fields.values() and Field.FAMILY_NAME not in fields.values():
            raise _no_names([])
    else:
        fields.update(_by_contents(table))
    return Layout(
        columns=tuple(Column(index=i, header="", field=fields.get(i)) for i in range(width)),
        rows=table.rows,
        header_line=None,
    )


_SEXES = frozenset({"男", "女", "m", "f", "male", "female"})


def _by_contents(table: Table) -> dict[int, Field]:
    """Fields by what every cell of a column looks like; any doubt is an error, never a guess."""
    columns = [[row.cells[i] if i < len(row.cells) else "" for row in table.rows] for i in range(table.width)]
    kinds = {i: _kind(cells) for i, cells in enumerate(columns) if any(cells)}
    names = [i for i, kind in kinds.items() if kind is Field.NAME]
    others = [kind for kind in kinds.values() if kind is not Field.NAME]
    if None in others or len(set(others)) < len(others) or not names:
        raise _headerless_doubt()
    fields = {i: kind for i, kind in kinds.items() if kind is not None and kind is not Field.NAME}
    if len(names) == 1:
        return {**fields, names[0]: Field.NAME}
    distinct = [i for i in names if len(set(columns[i])) == len(columns[i]) > 2]
    if len(names) == 2 and len(distinct) == 1:
        club = next(i for i in names if i not in distinct)
        return {**fields, distinct[0]: Field.NAME, club: Field.CLUB}
    raise _headerless_doubt()


def _headerless_doubt() -> BadInput:
    return BadInput(
        _(
            "The columns cannot be told apart without a header. Add a first line such as “姓名,单位,等级分” or "
            "“name,club,rating”."
        ),
        code="header-missing",
    )


def _kind(cells: Sequence[str]) -> Field | None:
    """The one field that all filled cells fit, NAME for words, None for a doubt."""
    filled = [unicodedata.normalize("NFKC", cell).strip() for cell in cells if cell.strip()]
    if all(cell.isdecimal() for cell in filled):
        return _kind_of_numbers([int(cell) for cell in filled])
    if all(cell.casefold() in _SEXES for cell in filled):
        return Field.SEX
    if all(re.fullmatch(r"[A-Z]{3}", cell) for cell in filled):
        return Field.FEDERATION
    if all(re.fullmatch(r"(19|20)\d\d[-/.]\d{1,2}([-/.]\d{1,2})?", cell) for cell in filled):
        return Field.BIRTH_YEAR
    if all(any(c.isalpha() for c in cell) and not any(c.isdecimal() for c in cell) for cell in filled):
        return Field.NAME
    return None


def _kind_of_numbers(numbers: Sequence[int]) -> Field | None:
    if list(numbers) == list(range(1, len(numbers) + 1)):
        return Field.SEED_NUMBER
    if all(1900 <= number <= 2100 for number in numbers):
        return None  # years of birth and ratings look alike here
    if all(number == 0 or 500 <= number <= 4000 for number in numbers):
        return Field.RATING
    return None
