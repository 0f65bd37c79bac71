"""The Chinese texts: the terms of the rules, one way to cite an article, full-width punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from config import catalogues

HAN = "\u4e00-\u9fff"
HALF_WIDTH = re.compile(rf"[{HAN}）”][,;:?!](?:[{HAN}（“]|$)")
BRACKETS = re.compile(rf"\([^()%]*[{HAN}][^()%]*\)")
CITED_OTHERWISE = re.compile(r"第\d+(?:\.\d+)+条|第[一二三四五六七八九十]+条\d")
FORMATS = re.compile("[时分]:[分秒](?::秒)?")  # how a time is typed: the colon is the one to type

# What the rules call otherwise, and their word for it.
TERMS = {
    "合议组": "仲裁委员会", "开庭": "召开仲裁会议", "维持裁决": "维持原判", "撤销裁决": "撤销原判", "申诉期限": "申诉时限",
    "白兵": "白方普通棋子", "黑兵": "黑方普通棋子", "定案": "确认", "封存": "暗记、密封", "官员": "工作人员", "主办方": "组织者",
    "名次表": "成绩表", "交叉表": "循环赛成绩表", "草案": "编排初稿", "段位": "技术等级", "桌签": "台签", "双方议和": "双方同意作和",
    "忘记按钟": "忘记按停棋钟", "归队": "恢复参赛",
}  # fmt: skip


def texts() -> Iterator[str]:
    for entry in catalogues.merged():
        yield from ([entry.msgstr] if entry.msgstr else entry.msgstr_plural.values())


def test_the_catalogue_is_read() -> None:
    assert sum(1 for _text in texts()) > 2000


@pytest.mark.parametrize("term", TERMS)
def test_the_terms_are_those_of_the_rules(term: str) -> None:
    assert [text for text in texts() if term in text] == [], TERMS[term]


def test_articles_are_cited_in_one_way() -> None:
    assert [text for text in texts() if CITED_OTHERWISE.search(text)] == []


def test_punctuation_between_chinese_characters_is_full_width() -> None:
    assert [
        text for text in texts() if HALF_WIDTH.search(FORMATS.sub("", text)) or BRACKETS.search(text)
    ] == []
