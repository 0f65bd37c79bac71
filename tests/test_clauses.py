"""The clauses of the rules: all of them can be cited, and the table of what holds them is up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.wording.articles import ARTICLES
from tests import clauses

RULES = Path(__file__).resolve().parents[2] / "shared" / "reference" / "rules-of-100-square-draughts.zh.txt"
NUMERALS = "一二三四五六七八九十"


def test_the_table_of_clauses_is_what_the_tests_carry() -> None:
    assert clauses.TABLE.read_text(encoding="utf-8") == clauses.table(), "run: python -m tests.clauses"


def test_every_clause_a_test_carries_is_one_and_stands_somewhere() -> None:
    for one in clauses.carried():
        assert set(one.clauses) <= set(ARTICLES), one
        assert (clauses.ROOT / one.at).is_file(), one


def test_every_clause_that_a_program_can_hold_is_held() -> None:
    """What is left over is about the board, the pieces, the clock, the hands, and the arbiter's person."""
    physical = {number for number, _text, tests in clauses.rows() if not tests}
    allowed = {
        number for number, _text in clauses.leaves() if number.split(".")[0] in {"1", "2", "3"}
    } | PHYSICAL

    assert physical - allowed == set()


PHYSICAL = {
    "4.2.3", "4.3",  # the paper and where it lies
    "5.10", "5.11", "5.12", "5.13", "5.14", "6.4", "6.9", "6.10", "8.2.2", "8.2.9",  # hands
    "10.3.1", "10.3.2", "11.4.2", "12.2.1",  # writing at once, where the sheet lies, handing it back, resigning
    "13.1.2", "13.1.6", "13.2.1", "13.2.3", "13.2.4",  # the players' persons
    "15.2.1", "15.2.2", "15.2.3", "15.2.6", "15.2.10", "15.2.12", "15.2.14",  # the arbiter's person
}  # fmt: skip


@pytest.mark.skipif(not RULES.exists(), reason="the text of the rules lies beside the project")
def test_every_clause_of_the_text_can_be_cited_in_both_languages() -> None:
    missing = [number for number in _numbers(RULES.read_text(encoding="utf-8")) if number not in ARTICLES]

    assert missing == []
    assert all(article.zh and article.en for article in ARTICLES.values())
    in_chinese = [a.number for a in ARTICLES.values() if re.search("[一-鿿]", a.en)]
    assert in_chinese == []


def _numbers(text: str) -> list[str]:
    """The numbers of the clauses of the text as it prints them, below their article."""
    found: list[str] = []
    article = point = 0
    for line in text.replace("　", "").splitlines():
        heading = re.match(r"第([一二三四五六七八九十]+)條", line)
        if heading:
            article, point = _numeral(heading[1]), 0
            continue
        match = re.match(r"\s*(\d+(?:\.\d+)*)\s?\.?", line)
        if not article or match is None:
            continue
        parts = match[1].split(".")
        if int(parts[0]) != point:  # "6.20 white pieces" is the sixth
            point = int(parts[0])
            found.append(f"{article}.{point}")
        elif len(parts) > 1:
            found.append(f"{article}.{match[1]}")
    return found


def _numeral(text: str) -> int:
    if text.startswith("十"):
        return 10 + (NUMERALS.index(text[1]) + 1 if len(text) > 1 else 0)
    return NUMERALS.index(text[0]) + 1
