"""Nothing that was written vanishes: it is read, or set beside the moves as what it is, or named as not understood."""

from __future__ import annotations

import pytest

from rules import Status, read_sheet, validate
from rules.record import record

HALF = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 "


def judged(text: str):
    return validate(read_sheet(text))


@pytest.mark.parametrize("lost", ["%", "§§", "5", "51O", "7#", "?9?9", "{5-10", "q5-10q", "§5§10§", "<5-10>"])
def test_text_that_nobody_understands_keeps_a_sheet_from_being_legal(lost):
    verdict = judged(f"{HALF}{lost} 5. 46-41")

    assert verdict.status is not Status.LEGAL
    assert verdict.unread or verdict.problem is not None


def test_what_was_not_understood_is_named_with_its_place():
    verdict = judged("1. 32-28 19-23\n2. 28x19 14x23 §§ 3. 37-32")

    assert verdict.status is Status.UNREAD
    (found,) = verdict.unread
    assert (found.text, found.line, found.column, found.ply) == ("§§", 2, 16, 5)


def test_the_record_lists_what_was_not_understood():
    sheet = read_sheet(HALF + "§§")

    found = record(1, sheet, validate(sheet))

    assert found["status"] == "unread"
    assert found["unread"] == [{"text": "§§", "line": 1, "column": 55, "ply": 8}]


def test_a_sheet_read_whole_has_nothing_unread():
    sheet = read_sheet(HALF)

    assert (sheet.unread, validate(sheet).status) == ((), Status.LEGAL)
    assert record(1, sheet, validate(sheet))["unread"] == []


def test_moves_behind_a_bracket_that_is_never_closed_belong_to_the_game():
    verdict = judged("1. 32-28 (19-23 2. 28x19 14x23")

    assert (verdict.status, verdict.plies) == (Status.UNREAD, 4)
    assert [found.text for found in verdict.unread] == ["("]


def test_text_behind_the_result_is_read_too():
    assert judged("1. 32-28 19-23 2-0 §§").status is Status.UNREAD
