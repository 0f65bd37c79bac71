"""Files to rows: every encoding with every separator gives the same cells, and what is no table is refused with a reason."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import openpyxl
import pytest

from tournaments.encodings import Encoding
from tournaments.errors import BadInput
from tournaments.importers.tables import MAX_BYTES, MAX_ROWS, read_table

ROWS = [
    ("序号", "姓名", "单位", "等级分"),
    ("1", "欧阳娜娜", "北京市棋院", "1500"),
    ("2", "李伟", '上海"申花"，二队;A\t组,乙', "1420"),
    ("3", "王芳", "广州\n天河", "0"),
]
ENCODINGS = {
    "utf-8": Encoding.UTF_8,
    "utf-8-sig": Encoding.UTF_8,
    "gb18030": Encoding.GB18030,
    "utf-16-le": Encoding.UTF_16_LE,
    "utf-16-be": Encoding.UTF_16_BE,
}
MARKED = {
    "utf-16-le with mark": (b"\xff\xfe", "utf-16-le", Encoding.UTF_16_LE),
    "utf-16-be with mark": (b"\xfe\xff", "utf-16-be", Encoding.UTF_16_BE),
}


def quoted(rows: list[tuple[str, ...]], *, separator: str, newline: str) -> str:
    lines = (separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    return newline.join(lines) + newline


def workbook(sheets: dict[str, list[list[object]]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def repacked(content: bytes, *, part: str, text: str) -> bytes:
    """The workbook with one part of its archive replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            new.writestr(item.filename, text if item.filename == part else old.read(item.filename))
    return out.getvalue()


def refusal(content: bytes, **options: object) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read_table(content, **options)  # type: ignore[arg-type]
    return caught.value


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("separator", [",", "\t", ";"], ids=["comma", "tab", "semicolon"])
@pytest.mark.parametrize("encoding", [*ENCODINGS, *MARKED])
def test_every_encoding_with_every_separator_gives_the_same_cells(
    encoding: str, separator: str, newline: str
) -> None:
    text = quoted(ROWS, separator=separator, newline=newline)
    mark, codec, expected = MARKED.get(encoding, (b"", encoding, ENCODINGS.get(encoding)))

    table = read_table(mark + text.encode(codec))

    assert [row.cells for row in table.rows] == ROWS
    assert (table.encoding, table.separator) == (expected, separator)


def test_a_quoted_line_break_does_not_shift_the_line_numbers() -> None:
    table = read_table(b'name,club\n"A","x\ny"\n\nB,z\n')

    assert [(row.line, row.cells) for row in table.rows] == [
        (1, ("name", "club")),
        (2, ("A", "x\ny")),
        (5, ("B", "z")),
    ]


@pytest.mark.parametrize("codec", ["utf-8", "gb18030"])
def test_a_list_of_one_column_has_no_separator(codec: str) -> None:
    table = read_table("姓名\n张伟\n李娜\n".encode(codec))

    assert [row.cells for row in table.rows] == [("姓名",), ("张伟",), ("李娜",)]
    assert table.separator == ""


def test_the_announced_separator_of_a_spreadsheet_program_is_no_row() -> None:
    table = read_table(b"sep=;\r\nname;club\r\nA, B;C\r\n")

    assert [(row.line, row.cells) for row in table.rows] == [(2, ("name", "club")), (3, ("A, B", "C"))]


def test_a_comma_in_every_name_does_not_hide_the_semicolons() -> None:
    table = read_table(b"name;rating\nSmith, John;1500\nBaker, Ann;1400\n")

    assert table.separator == ";"
    assert table.rows[1].cells == ("Smith, John", "1500")


def test_a_short_chinese_file_that_is_valid_utf_8_too_is_not_guessed() -> None:
    content = b"\xce\xa7\xce\xb0\n"  # in UTF-8 two Greek letters, in GB18030 two everyday ideographs

    error = refusal(content)

    assert error.code == "encoding-undecidable"
    assert error.values["candidates"] == "UTF-8, GB18030"
    assert read_table(content, encoding=Encoding.GB18030).rows[0].cells == (
        content.decode("gb18030").strip(),
    )
    assert read_table(content, encoding=Encoding.UTF_8).rows[0].cells == (content.decode("utf-8").strip(),)


def test_accents_and_cyrillic_in_utf_8_are_no_doubt() -> None:
    for text in ("name,club\nJosé,Åbo\n", "имя;клуб\nИванов;Москва\n", "name,club\nPağan,Çeşme\n"):
        assert read_table(text.encode()).encoding is Encoding.UTF_8


def test_a_broken_byte_is_named_with_its_line() -> None:
    error = refusal("姓名\n张伟\n".encode() + b"\xff\n", encoding=Encoding.UTF_8)

    assert (error.code, error.values["line"]) == ("encoding-broken", 3)


@pytest.mark.parametrize(
    "content", [b"", b"  \r\n\n", b"\xef\xbb\xbf", b"\xff\xfe", b",,,\n,,\n", b"\x00\x00"]
)
def test_an_empty_file_is_called_empty(content: bytes) -> None:
    assert refusal(content).code == "file-empty"


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"%PDF-1.7\n",
        b"\xff\xd8\xff\xe0\x00\x10JFIF",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 512,
        bytes(range(256)) * 4,
        b"PK\x03\x04" + b"\x00" * 20,
    ],
    ids=["png", "pdf", "jpeg", "xls", "bytes", "half an archive"],
)
def test_a_file_of_another_kind_is_refused_whatever_its_name(content: bytes) -> None:
    assert refusal(content).code in {"not-a-table", "workbook-broken"}


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")

    assert refusal(stream.getvalue()).code == "not-a-table"


@pytest.mark.parametrize("text", ['name,club\nA,"B\n', 'name,club\nA,"B"x\n'])
def test_a_broken_quotation_is_named_with_its_line(text: str) -> None:
    error = refusal(text.encode())

    assert (error.code, error.values["line"]) == ("quotes-broken", 2)


def test_a_file_over_the_limit_of_bytes_is_refused_before_it_is_read() -> None:
    assert refusal(b"a,b\n" * (MAX_BYTES // 4 + 1)).code == "file-too-large"


def test_a_table_over_the_limit_of_rows_is_refused() -> None:
    assert refusal(b"a,b\n" * (MAX_ROWS + 1)).code == "table-too-large"
    assert len(read_table(b"a,b\n" * MAX_ROWS).rows) == MAX_ROWS


def test_a_row_of_too_many_columns_is_named() -> None:
    error = refusal(b"a,b\n" + b"," * 300 + b"x\n")

    assert (error.code, error.values["line"]) == ("table-too-large", 2)


def test_a_workbook_gives_numbers_as_people_type_them_and_dates_as_iso() -> None:
    content = workbook(
        {
            "名单": [
                ["姓名", "等级分", "出生", "k"],
                ["张伟", 1500.0, date(2010, 5, 1), 1.5],
                ["李娜", "0012", None, True],
            ]
        }
    )

    table = read_table(content)

    assert [row.cells for row in table.rows] == [
        ("姓名", "等级分", "出生", "k"),
        ("张伟", "1500", "2010-05-01", "1.5"),
        ("李娜", "0012", "", "TRUE"),
    ]
    assert (table.encoding, table.sheet) == (None, "名单")


def test_a_formula_gives_its_last_value() -> None:
    plain = workbook({"S": [["a", 1]]})
    cells = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="2">'
        '<c r="A2"><f>700+800</f><v>1500</v></c><c r="B2" t="str"><f>A1&amp;"x"</f><v>张伟</v></c></row></sheetData></worksheet>'
    )

    table = read_table(repacked(plain, part="xl/worksheets/sheet1.xml", text=cells))

    assert [(row.line, row.cells) for row in table.rows] == [(2, ("1500", "张伟"))]


def test_the_first_sheet_with_something_in_it_is_read_and_the_others_are_named() -> None:
    content = workbook({"说明": [], "甲组": [["姓名"], ["张伟"]], "乙组": [["姓名"], ["李娜"]]})

    table = read_table(content)

    assert (table.sheet, table.other_sheets, table.rows[1].cells) == ("甲组", ("乙组",), ("张伟",))
    assert read_table(content, sheet="乙组").rows[1].cells == ("李娜",)
    assert refusal(content, sheet="丙组").code == "sheet-missing"


def test_a_blank_line_in_a_workbook_keeps_the_row_numbers() -> None:
    table = read_table(workbook({"S": [[None], ["姓名"], [None], ["张伟"]]}))

    assert [row.line for row in table.rows] == [2, 4]


def test_an_empty_workbook_is_called_empty() -> None:
    assert refusal(workbook({"S": []})).code == "file-empty"


def test_a_workbook_that_unpacks_to_too_much_is_refused() -> None:
    bomb = repacked(
        workbook({"S": [["姓名"]]}), part="xl/styles.xml", text="<a>" + " " * (70 * 1024 * 1024) + "</a>"
    )

    assert len(bomb) < 1024 * 1024
    assert refusal(bomb).code == "file-too-large"


@pytest.mark.parametrize(
    "cell",
    [
        '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "<row r='1048576'><c r='XFD1048576' t='n'><v>1</v></c></row>",
        '<row r="1048576"><c><v>1</v></c></row>',
    ],
)
def test_a_cell_in_the_far_corner_is_refused_before_the_sheet_is_spread_out(cell: str) -> None:
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        f'<row r="1"><c r="A1"><v>1</v></c></row>{cell}</sheetData></worksheet>'
    )

    error = refusal(repacked(workbook({"S": [["x"]]}), part="xl/worksheets/sheet1.xml", text=sheet))

    assert (error.code, error.values["row"]) == ("table-too-large", 1048576)


def test_styled_empty_cells_far_below_do_not_matter() -> None:
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c></row>'
        '<row r="1048576"><c r="A1048576" s="0"/></row></sheetData></worksheet>'
    )

    table = read_table(repacked(workbook({"S": [["x"]]}), part="xl/worksheets/sheet1.xml", text=sheet))

    assert [row.cells for row in table.rows] == [("姓名",)]


def test_a_workbook_with_a_damaged_part_is_refused() -> None:
    content = repacked(workbook({"S": [["x"]]}), part="xl/workbook.xml", text="<workbook")

    assert refusal(content).code == "workbook-broken"


def test_a_workbook_whose_bytes_were_changed_is_refused() -> None:
    content = bytearray(workbook({"S": [["姓名", "x" * 500]]}))
    place = content.index(b"xl/worksheets/sheet1.xml") + 60
    content[place] ^= 0xFF

    assert refusal(bytes(content)).code == "workbook-broken"
