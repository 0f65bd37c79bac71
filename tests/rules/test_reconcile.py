"""Two copies of one game, side by side."""

from __future__ import annotations

import pytest

from rules import Agreement, Sheet, reconcile
from rules.reconcile import align, same_move

GAME = ("32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37", "14-19", "46-41", "5-10", "32-27")


def sheets(white: tuple[str, ...], black: tuple[str, ...]) -> tuple[Sheet, Sheet]:
    return Sheet(moves=white), Sheet(moves=black)


def test_equal_copies_agree_however_they_are_written() -> None:
    other = (
        "32 28",
        "19-23",
        "28×19",
        "14:23",
        "37-32",
        "10-14",
        "41-37",
        "14-19",
        "46 41!",
        "05-10",
        "32-27",
    )

    found = reconcile(*sheets(GAME, other))

    assert (found.agreement, found.differ_at, found.illegal) == (Agreement.AGREE, None, ())
    assert all(row.same for row in found.rows)
    assert len(found.rows) == len(GAME)


@pytest.mark.clause("10.4", at="rules/reconcile.py")
def test_the_first_difference_is_named() -> None:
    other = (*GAME[:4], "38-32", *GAME[5:])

    found = reconcile(*sheets(GAME, other))

    assert (found.agreement, found.differ_at) == (Agreement.DIFFER, 5)
    assert [(row.white, row.black) for row in found.differences] == [("37-32", "38-32")]


def test_an_illegal_copy_is_named() -> None:
    found = reconcile(*sheets(GAME, (*GAME[:2], "28x29", *GAME[3:])))

    assert found.illegal == ("black",)
    assert found.black.problem is not None
    assert found.black.problem.ply == 3


@pytest.mark.parametrize(
    ("white", "black", "shorter"), [(GAME, GAME[:6], "black"), (GAME[:6], GAME, "white")]
)
def test_a_copy_that_stops_early_is_truncated(
    white: tuple[str, ...], black: tuple[str, ...], shorter: str
) -> None:
    found = reconcile(*sheets(white, black))

    assert (found.agreement, found.shorter, found.differ_at) == (Agreement.TRUNCATED, shorter, 7)


def test_plies_left_out_in_the_middle() -> None:
    found = reconcile(*sheets(GAME, GAME[:3] + GAME[5:]))

    assert found.agreement is Agreement.LACKS_PLIES
    assert [(row.white, row.black) for row in found.differences] == [("14x23", ""), ("37-32", "")]
    assert (found.rows[5].white_ply, found.rows[5].black_ply) == (6, 4)


def test_empty_copies() -> None:
    assert reconcile(*sheets((), ())).agreement is Agreement.NO_MOVES


def test_results_are_compared_where_both_declare_one() -> None:
    white = Sheet(moves=GAME, result="2-0")

    assert reconcile(white, Sheet(moves=GAME, result="1-0")).same_result is True
    assert reconcile(white, Sheet(moves=GAME, result="1-1")).same_result is False
    assert reconcile(white, Sheet(moves=GAME)).same_result is None


def test_every_text_stands_in_one_row_in_order() -> None:
    white, black = list(GAME[:7]), ["5-10", *GAME[2:9], "??"]

    rows = align(white, black)

    assert [row.white for row in rows if row.white_ply] == white
    assert [row.black for row in rows if row.black_ply] == black


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("32-28", "32 28", True), ("47x24x38x13", "47x13", True), ("47x38x24", "47x33x24", False), ("??", "??", False),
        ("32-28", "28-32", False),
    ],
)  # fmt: skip
def test_the_same_move_in_two_ways(one: str, other: str, same: bool) -> None:
    assert same_move(one, other) is same
