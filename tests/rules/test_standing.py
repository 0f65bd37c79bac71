"""Two copies that agree and go on after an irregular move: it stood (article 7.7), and nothing is corrected."""

from dataclasses import replace

import pytest

import rules
from rules import Sheet

WRITTEN = "32-28 19-23 35-30 23x32 37x28 14-19 41-37 10-14".split()
"""White must take at ply 3 and does not; Black goes on."""
AGREED = Sheet(moves=tuple(WRITTEN))


def changed(ply: int, text: str) -> Sheet:
    return replace(AGREED, moves=(*WRITTEN[: ply - 1], text, *WRITTEN[ply:]))


def test_the_ply_of_the_irregular_move_is_named_and_the_moves_stay_as_written() -> None:
    found = rules.irregular_moves_that_stood(AGREED, changed(4, "23:32"))

    assert found is not None
    assert (found.plies, found.moves) == ((3,), tuple(WRITTEN))
    assert found.problems[0].kind.value == "capture-mandatory"
    assert rules.validate(replace(AGREED, accepted=frozenset(found.plies))).problem is None


def test_two_irregular_moves_stand_one_after_the_other() -> None:
    twice = replace(AGREED, moves=(*WRITTEN, "37-32", "19-23", "32-27", "23x21"))

    found = rules.irregular_moves_that_stood(twice, twice)

    assert found is not None
    assert found.plies == (3, 11)


def test_a_copy_that_ends_earlier_but_goes_on_after_the_move_agrees() -> None:
    found = rules.irregular_moves_that_stood(AGREED, replace(AGREED, moves=tuple(WRITTEN[:4])))

    assert found is not None
    assert (found.plies, found.moves) == ((3,), tuple(WRITTEN))


@pytest.mark.parametrize(
    ("white", "black"),
    [
        (AGREED, changed(3, "28x19")),  # one copy has it otherwise
        (AGREED, changed(6, "14-20")),  # the copies differ elsewhere
        (AGREED, replace(AGREED, moves=tuple(WRITTEN[:3]))),  # one copy ends with it
        (replace(AGREED, moves=tuple(WRITTEN[:3])), replace(AGREED, moves=tuple(WRITTEN[:3]))),
        (changed(8, "10-25"), changed(8, "10-25")),  # what follows is not legal either, and ends the game
        (changed(3, "25-20"), changed(3, "25-20")),  # no piece is there to be moved
        (Sheet(moves=("32-28", "19-23", "28x19")), Sheet(moves=("32-28", "19-23", "28x19"))),  # legal
        (Sheet(moves=()), AGREED),
    ],
)
def test_nothing_stands_where_the_copies_do_not_show_it(white: Sheet, black: Sheet) -> None:
    assert rules.irregular_moves_that_stood(white, black) is None


def test_a_copy_with_unread_text_shows_nothing() -> None:
    unread = rules.read_sheet("1. 32-28 19-23 2. 35-30 23x32 3. 37x28 14-19 4. 41-37 10-14 § 12")

    assert unread.unread
    assert rules.irregular_moves_that_stood(unread, AGREED) is None
