"""Rows to entries: which column is which, what each cell says, who is there already, and every bad row with its reason."""

from __future__ import annotations

import pytest

from tests.tournaments.test_import_tables import workbook
from tournaments.errors import BadInput
from tournaments.importers.columns import Field
from tournaments.importers.entry_list import EntryRow, KnownPlayer, Preview, Repeats, preview_entries


def read(text: str, **options: object) -> Preview:
    return preview_entries(text.encode(), **options)  # type: ignore[arg-type]


def problems(preview: Preview) -> list[tuple[int, str, str]]:
    return [(remark.line, remark.column, remark.code) for remark in preview.problems]


def refusal(text: str, **options: object) -> BadInput:
    with pytest.raises(BadInput) as caught:
        read(text, **options)
    return caught.value


def test_a_whole_chinese_row_is_read_into_its_fields() -> None:
    preview = read(
        "序号,姓名,性别,出生年月,单位,协会,等级分,技术等级,称号,FMJD ID,抽签号,备注\n"
        "3,张　伟,男,2010年5月,北京棋院,CHN,１５００,一级棋士,MF,12345,7,素食\n"
    )

    assert preview.problems == ()
    assert preview.rows == (
        EntryRow(
            line=2, name="张伟", sex="m", birth_year=2010, club="北京棋院", federation="CHN", rating=1500, grade="一级棋士",
            title="MF", fmjd_id="12345", seed_number=3, lot_number=7,
        ),
    )  # fmt: skip
    assert [column.field for column in preview.columns][-1] is None


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("姓名", Field.NAME), ("选手姓名", Field.NAME), ("Name", Field.NAME), (" PLAYER NAME ", Field.NAME), ("Ｎａｍｅ", Field.NAME),
        ("姓名（必填）", Field.NAME), ("Surname, Name", Field.NAME),
    ],
)  # fmt: skip
def test_words_for_the_name(header: str, field: Field) -> None:
    preview = preview_entries(workbook({"S": [[header, "rating"], ["张伟", 1500]]}))

    assert preview.columns[0].field is field
    assert preview.rows[0].name == "张伟"


@pytest.mark.parametrize(
    ("header", "cell", "field", "value"),
    [
        ("种子", "4", "seed_number", 4), ("No.", "4", "seed_number", 4), ("编号", "4", "seed_number", 4), ("#", "4", "seed_number", 4),
        ("代表队", "江苏", "club", "江苏"), ("俱乐部", "江苏", "club", "江苏"), ("Club/Delegation", "X", "club", "X"), ("学校", "二中", "club", "二中"),
        ("Elo", "1500", "rating", 1500), ("FMJD rating", "1500", "rating", 1500), ("等级分", "无", "rating", 0),
        ("Gender", "F", "sex", "f"), ("性别", "女子", "sex", "f"), ("Sex", "w", "sex", "f"),
        ("Year of birth", "2010", "birth_year", 2010), ("DOB", "1.5.2010", "birth_year", 2010),
        ("出生日期", "2010-05-01", "birth_year", 2010), ("出生日期", "20100501", "birth_year", 2010), ("生日", "2010.5", "birth_year", 2010),
        ("Fed", "chn", "federation", "CHN"), ("国家", "中国", "federation", "中国"),
        ("Title", "GMI", "title", "GMI"), ("技术等级", "二级", "grade", "二级"), ("FMJD号", "12345.0", "fmjd_id", "12345"),
        ("拼音", "Zhang Wei", "latin_name", "Zhang Wei"), ("签号", "12", "lot_number", 12),
    ],
)  # fmt: skip
def test_header_words_and_cells(header: str, cell: str, field: str, value: object) -> None:
    preview = read(f"姓名;{header}\n张伟;{cell}\n")

    assert preview.problems == ()
    assert getattr(preview.rows[0], field) == value


def test_a_strong_word_wins_over_a_running_number() -> None:
    preview = read("序号,种子号,姓名\n1,8,张伟\n2,3,李娜\n")

    assert [row.seed_number for row in preview.rows] == [8, 3]
    assert preview.columns[0].field is None


def test_family_and_given_name_make_one_name() -> None:
    assert [row.name for row in read("姓,名,单位\n欧阳,娜娜,甲\n李,伟,乙\n").rows] == ["欧阳娜娜", "李伟"]
    preview = read("Last name;First name;Club\nvan den Berg;Jan;X\n")
    assert (preview.rows[0].name, preview.rows[0].family_name) == ("Jan van den Berg", "van den Berg")


def test_a_title_above_the_header_and_a_repeated_header_are_no_players() -> None:
    preview = read("2026年国际跳棋公开赛报名表,,\n\n序号,姓名,单位\n1,张伟,甲\n序号,姓名,单位\n2,李娜,乙\n")

    assert (preview.title_lines, preview.header_line) == ((1,), 3)
    assert [(row.line, row.name) for row in preview.rows] == [(4, "张伟"), (6, "李娜")]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("张伟\n李娜\n", [Field.NAME]),
        ("1,张伟,1500\n2,李娜,1400\n", [Field.SEED_NUMBER, Field.NAME, Field.RATING]),
        ("张伟,男,CHN\n李娜,女,CHN\n", [Field.NAME, Field.SEX, Field.FEDERATION]),
        ("张伟\t北京\n李娜\t上海\n王芳\t北京\n", [Field.NAME, Field.CLUB]),
        ("北京,张伟\n上海,李娜\n北京,王芳\n", [Field.CLUB, Field.NAME]),
        ("1;张伟;2010-05-01\n2;李娜;2011-07-02\n", [Field.SEED_NUMBER, Field.NAME, Field.BIRTH_YEAR]),
    ],
)
def test_a_list_without_header_is_read_when_its_cells_leave_no_doubt(text: str, fields: list[Field]) -> None:
    preview = read(text)

    assert [column.field for column in preview.columns] == fields
    assert preview.header_line is None
    assert len(preview.rows) == len(text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        "张伟,北京\n李娜,上海\n",  # either could be the name
        "张伟,2010\n李娜,2012\n",  # a year of birth, or a rating
        "张伟,1500,1600\n李娜,1400,1300\n",
        "张伟,a1\n李娜,b2\n",
        "1,2\n3,4\n",
    ],
)
def test_a_list_without_header_that_leaves_a_doubt_asks_for_one(text: str) -> None:
    assert refusal(text).code == "header-missing"


def test_columns_chosen_by_hand_settle_the_doubt() -> None:
    preview = read("张伟,2010\n李娜,2012\n", chosen={0: Field.NAME, 1: Field.BIRTH_YEAR})

    assert [(row.name, row.birth_year, row.line) for row in preview.rows] == [
        ("张伟", 2010, 1),
        ("李娜", 2012, 2),
    ]


def test_a_column_can_be_left_out_by_hand() -> None:
    preview = read("姓名,等级分\n张伟,强\n", chosen={1: None})

    assert preview.is_ready
    assert preview.rows[0].rating == 0


def test_two_columns_for_one_field_are_named() -> None:
    error = refusal("姓名,单位,代表队\n张伟,甲,乙\n")

    assert error.code == "header-ambiguous"
    assert (error.values["first_header"], error.values["second_header"]) == ("单位", "代表队")


def test_a_header_without_names_is_named() -> None:
    error = refusal("单位,等级分\n甲,1500\n")

    assert error.code == "name-missing"
    assert "单位" in error.message


def test_every_bad_cell_is_named_with_line_column_and_reason() -> None:
    preview = read(
        "姓名,等级分,性别,出生,FMJD ID,序号,称号\n"
        "张伟,12a,男,2010,1,1,MF\n"
        ",1500,女,,,2,\n"
        "12345,1500,x,99,??,0,\n"
        "李娜,4001,女,1850,2,3,TITLE-TOO-LONG\n"
        "王芳,-5,女,2011,3,4,\n"
        "赵敏,1400,女,2012,4,5,\n"
    )

    assert problems(preview) == [
        (2, "等级分", "rating"),
        (3, "姓名", "no-name"),
        (4, "姓名", "not-a-name"), (4, "性别", "sex"), (4, "出生", "birth"), (4, "FMJD ID", "fmjd"), (4, "序号", "number"),
        (5, "等级分", "rating"), (5, "出生", "birth"), (5, "称号", "too-long"),
        (6, "等级分", "rating"),
    ]  # fmt: skip
    assert not preview.is_ready
    assert [row.name for row in preview.rows] == ["赵敏"]
    assert all(remark.reason for remark in preview.problems)


def test_a_name_that_is_too_long_or_damaged_is_refused() -> None:
    preview = read("姓名,单位\n" + "张" * 121 + ",甲\n李\ufffd,乙\n")

    assert problems(preview) == [(2, "姓名", "too-long"), (3, "姓名", "broken-characters")]


def test_a_short_row_has_empty_cells_and_an_extra_cell_is_not_read() -> None:
    preview = read("姓名,单位,等级分\n张伟\n李娜,甲,1500,剩余\n")

    assert [(row.name, row.club, row.rating) for row in preview.rows] == [
        ("张伟", "", 0),
        ("李娜", "甲", 1500),
    ]


@pytest.mark.parametrize(
    "second",
    ["张 伟,甲", "张　伟,甲", "张伟,", "张伟, 甲 "],
)
def test_the_same_player_twice_in_the_file_is_found(second: str) -> None:
    preview = read(f"姓名,单位\n张伟,甲\n{second}\n")

    assert problems(preview) == [(3, "", "duplicate")]
    assert "2" in preview.problems[0].reason


@pytest.mark.parametrize(
    ("first", "second"), [("José Núñez", "jose nunez"), ("Ｊｏｈｎ Doe", "John  Doe"), ("MÜLLER", "Muller")]
)
def test_accents_width_and_case_do_not_make_another_person(first: str, second: str) -> None:
    assert problems(read(f"name\n{first}\n{second}\n")) == [(3, "", "duplicate")]


@pytest.mark.parametrize(
    ("header", "first", "second"),
    [("单位", "甲", "乙"), ("出生", "2010", "2012"), ("FMJD ID", "1", "2")],
)
def test_namesakes_told_apart_are_entered_with_a_warning(header: str, first: str, second: str) -> None:
    preview = read(f"姓名,{header}\n张伟,{first}\n张伟,{second}\n")

    assert preview.is_ready
    assert [(remark.line, remark.code) for remark in preview.warnings] == [(3, "namesake")]
    assert len(preview.rows) == 2


def test_one_fmjd_number_is_one_person_under_any_name() -> None:
    assert problems(read("姓名,FMJD ID\n张伟,77\nZhang Wei,77\n")) == [(3, "", "duplicate")]


def test_a_player_entered_already_is_refused_or_skipped() -> None:
    known = [
        KnownPlayer(player_id=5, name="张伟", club="甲"),
        KnownPlayer(player_id=6, name="Wang Fang", fmjd_id="9"),
    ]
    text = "姓名,单位,FMJD ID\n张 伟,甲,\n李娜,甲,\n王芳,乙,9\n"

    refused = read(text, known=known)
    skipped = read(text, known=known, repeats=Repeats.SKIP)

    assert problems(refused) == [(2, "", "entered"), (4, "", "entered")]
    assert skipped.is_ready
    assert (skipped.repeats, [row.name for row in skipped.rows]) == ((2, 4), ["李娜"])


def test_a_player_of_another_section_is_the_same_person() -> None:
    known = [KnownPlayer(player_id=5, name="张伟", club="甲", entered=False)]

    assert [row.player_id for row in read("姓名,单位\n张伟,甲\n张伟,乙\n", known=known).rows] == [5, None]


def test_a_seed_number_belongs_to_one_player() -> None:
    known = [KnownPlayer(player_id=5, name="赵敏", seed_number=4)]

    preview = read("序号,姓名\n1,张伟\n1,李娜\n4,王芳\n", known=known)

    assert problems(preview) == [(3, "序号", "number-taken"), (4, "序号", "number-taken")]


def test_reading_a_file_twice_gives_equal_previews() -> None:
    text = "姓名,单位\n张伟,甲\n李娜,乙\n"

    assert read(text) == read(text)
