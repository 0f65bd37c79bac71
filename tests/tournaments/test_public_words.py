"""Values and codes as readers see them."""

import pytest
from django.utils import translation

from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.engine.workings import REASON_TEXTS
from tournaments.templatetags import words
from tournaments.wording import tiebreaks


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (12, "12"),
        (0, "0"),
        (None, "–"),
        ([18, 14, 10], "18 14 10"),
        ("6680/3", "2226.7"),
        ("1/3", "0.3"),
        ("1/20", "0.1"),
        ("-1/3", "-0.3"),
    ],
)
def test_values(value, shown) -> None:
    assert tiebreaks.value_text(value) == shown


def test_a_mean_is_also_given_exactly() -> None:
    assert words.value_exact("6680/3") == "2226.7 (6680/3)"
    assert words.value_exact(7) == "7"


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("code", [*TIEBREAKS, "SOLKOFF_TRUNC_2", "CUM_DROP_1"])
def test_every_tie_break_has_a_head_a_name_and_a_meaning(language, code) -> None:
    with translation.override(language):
        told = (tiebreaks.short(code), tiebreaks.name(code), tiebreaks.meaning(code))

    assert all(told)
    assert "{" not in "".join(told)
    if language == "zh-hans":
        assert all(max(text) >= "\u4e00" for text in told[1:])


def test_numbered_ones_show_their_number() -> None:
    with translation.override("en"):
        assert tiebreaks.short("SOLKOFF_TRUNC_2") == "Solk-2"
        assert "2" in tiebreaks.name("SOLKOFF_TRUNC_2")


def test_a_code_that_is_not_known_stands_for_itself() -> None:
    assert (tiebreaks.short("X9"), tiebreaks.name("X9"), tiebreaks.meaning("X9")) == (
        "X9",
        "X9",
        "",
    )


def test_remarks_leave_the_plain_case_unsaid() -> None:
    with translation.override("en"):
        remarks = {str(code): words.remark(str(code)) for code in REASON_TEXTS}

    assert {code for code, text in remarks.items() if not text} == {
        "opponent",
        "counted",
        "rating",
        "running-total",
    }
