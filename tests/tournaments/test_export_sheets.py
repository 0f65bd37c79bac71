"""Lists as CSV, XLSX and PDF: what is written is read back the same, and no cell becomes a formula or markup."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import openpyxl
import pytest

from tournaments.exports.printing import Column, Document, Part, content_key, to_pdf, typst_of
from tournaments.exports.sheets import Sheet, guarded, to_csv, to_xlsx
from tournaments.exports.shelf import Shelf
from tournaments.importers.entry_list import preview_entries
from tournaments.importers.tables import read_table

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "＝1+1", "  =1", "\t=1", "\r=1"]
LIST = Sheet(
    name="棋手",
    header=("名次", "姓名", "平均"),
    rows=((1, "欧阳娜娜", Fraction(7, 2)), (2, 'a,"b"\nc', None), (3, "=1+1", Fraction(-1, 3))),
)


def test_csv_opens_right_in_a_chinese_spreadsheet_program() -> None:
    content = to_csv(LIST)

    assert content.startswith(b"\xef\xbb\xbf")
    assert (
        content.decode("utf-8-sig")
        == '名次,姓名,平均\r\n1,欧阳娜娜,3.50\r\n2,"a,""b""\nc",\r\n3,\'=1+1,-0.33\r\n'
    )


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_of_a_csv_is_run_as_a_formula(text: str) -> None:
    content = to_csv(Sheet(name="x", header=(text,), rows=((text,),))).decode("utf-8-sig")

    for row in csv.reader(io.StringIO(content, newline="")):
        assert row[0].startswith("'")


@pytest.mark.parametrize("text", ["", "a=b", "张伟", "2-0", "'quoted'", " ", "1+1"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert guarded(text) == text


def test_numbers_below_zero_are_numbers() -> None:
    assert to_csv(Sheet(name="x", header=("a",), rows=((-2,),))).endswith(b"\r\n-2\r\n")


@pytest.mark.parametrize("text", FORMULAS[:6])
def test_no_text_of_a_workbook_is_a_formula(text: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx([Sheet(name="x", header=("h",), rows=((text,),))])))

    cell = book.worksheets[0]["A2"]
    assert (cell.data_type, cell.value) == ("s", text)


def test_a_workbook_has_numbers_a_frozen_bold_header_and_room_for_the_text() -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx([LIST])))
    page = book["棋手"]

    assert [[c.value for c in row] for row in page.iter_rows()] == [
        ["名次", "姓名", "平均"], [1, "欧阳娜娜", 3.5], [2, "a,\"b\"\nc", None], [3, "=1+1", pytest.approx(-1 / 3)],
    ]  # fmt: skip
    assert page.freeze_panes == "A2"
    assert page["B1"].font.bold
    assert page["C2"].number_format == "0.00"
    assert page.column_dimensions["B"].width >= 8


def test_titles_stand_above_a_frozen_header() -> None:
    sheet = Sheet(name="x", header=("a",), rows=((1,),), titles=("标题",))

    page = openpyxl.load_workbook(io.BytesIO(to_xlsx([sheet]))).worksheets[0]

    assert [page["A1"].value, page["A2"].value, page["A3"].value] == ["标题", "a", 1]
    assert page.freeze_panes == "A3"
    assert to_csv(sheet).decode("utf-8-sig") == "a\r\n1\r\n"


def test_tabs_have_names_that_workbooks_allow_and_no_two_alike() -> None:
    names = ["a/b:c", "A b c", "长" * 40, "长" * 40, "", "'q'", "[x]*?"]

    book = openpyxl.load_workbook(io.BytesIO(to_xlsx([Sheet(name=n, header=("h",), rows=()) for n in names])))

    assert len({title.casefold() for title in book.sheetnames}) == len(names)
    assert all(0 < len(title) <= 31 and not set(title) & set("[]:*?/\\") for title in book.sheetnames)


def test_characters_that_no_workbook_holds_are_left_out() -> None:
    book = openpyxl.load_workbook(
        io.BytesIO(to_xlsx([Sheet(name="a\x01", header=("h\x02",), rows=(("x\x0b\ud800y",),))]))
    )

    assert [c.value for c in book.worksheets[0]["A"]] == ["h", "xy"]


@pytest.mark.parametrize("form", [to_csv, lambda sheet: to_xlsx([sheet])], ids=["csv", "xlsx"])
def test_a_written_list_can_be_entered_again(form: object) -> None:
    rows = (("欧阳娜娜", 1500), ("=Odd, Name", 0), ("José", 1400))

    content = form(Sheet(name="x", header=("姓名", "等级分"), rows=rows))  # type: ignore[operator]

    assert [(row.name, row.rating) for row in preview_entries(content).rows] == list(rows)


def test_a_large_list_is_written_and_read_whole() -> None:
    rows = tuple((n, f"棋手{n}") for n in range(10_000))

    table = read_table(to_xlsx([Sheet(name="x", header=("n", "姓名"), rows=rows)]))

    assert table.rows[-1].cells == ("9999", "棋手9999")
    assert len(table.rows) == 10_001


HOSTILE = [
    "#panic(1)",
    "$x_1$ *b* _i_ `c`",
    '#import "/etc/passwd"',
    "<label> @ref // c",
    "\\ \" ' [a] {b}",
    "= heading",
    "+ item",
    "~ -- --- ...",
]


def document(names: list[str]) -> Document:
    part = Part(title=names[0], columns=(Column(title="#head", width=1), Column(title="n", side="right")),
                rows=tuple((name, str(n)) for n, name in enumerate(names)), notes=(names[0],))  # fmt: skip
    return Document(title=names[0], lines=tuple(names), parts=[part], stamp=names[0], footer=names[0])


def printed_words(found: Document) -> str:
    """The text of the document as the type-setter understood it."""
    page = typst_of(found).compile(format="html").decode()
    return html.unescape(re.sub(r"<[^>]*>", "\n", page))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_printed_as_text_whatever_it_holds(name: str) -> None:
    words = printed_words(document([name]))

    assert words.count(name) >= 4  # title, line under it, cell, note
    assert to_pdf(document([name])).startswith(b"%PDF-")


def test_a_document_without_tables_is_printed() -> None:
    assert to_pdf(Document(title="空", lines=(), parts=[])).startswith(b"%PDF-")


def test_a_row_is_never_squeezed_out_of_a_long_table() -> None:
    rows = tuple((f"棋手{n}", str(n)) for n in range(500))
    part = Part(title="名次", columns=(Column(title="姓名", width=1), Column(title="积分")), rows=rows)

    pages = re.findall(rb"/Type\s*/Page\b", to_pdf(Document(title="成绩册", lines=(), parts=[part])))

    assert len(pages) > 8


def test_a_document_is_the_same_whenever_it_is_printed() -> None:
    one = document(["甲"])

    assert content_key(replace(one, footer="12:00")) == content_key(replace(one, footer="13:00"))
    assert content_key(one) != content_key(replace(one, stamp="another"))
    assert content_key(one) != content_key(document(["乙"]))


def test_a_shelf_keeps_the_last_files_and_makes_each_once() -> None:
    shelf, made = Shelf(size=2), []

    def maker(name: str) -> Callable[[], bytes]:
        def make() -> bytes:
            made.append(name)
            return name.encode()

        return make

    assert [shelf.get(key, maker(key)) for key in "abaca"] == [b"a", b"b", b"a", b"c", b"a"]
    assert made == ["a", "b", "c"]
    assert shelf.get("b", maker("b")) == b"b"
    assert made == ["a", "b", "c", "b"]


def test_a_shelf_keeps_nothing_of_a_failure() -> None:
    shelf = Shelf(size=2)

    def fail() -> bytes:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        shelf.get("a", fail)
    assert shelf.get("a", lambda: b"a") == b"a"


def test_a_shelf_makes_one_file_for_many_who_ask_at_once() -> None:
    shelf, made = Shelf(size=2), []

    def make() -> bytes:
        made.append(1)
        return b"x"

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _n: shelf.get("a", make), range(40)))

    assert (set(found), len(made)) == ({b"x"}, 1)
