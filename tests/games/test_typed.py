"""Typed sheets: whatever spelling a field is given, the same game is handed in; what cannot be read is named."""

from __future__ import annotations

from random import Random

import pytest

import rules
from games import sheets as reading
from games.demo import games as demo_games
from games.web import typed

SPELLINGS = ("plain", "blank", "solid", "cross", "padded")


def spelled(move: str, how: str) -> str:
    squares = move.replace("x", "-").split("-")
    if how == "blank":
        return " ".join(squares)
    if how == "solid" and len(squares) == 2:
        return "".join(square.zfill(2) for square in squares)
    if how == "cross":
        return move.replace("x", "\u00d7")
    return f"  {move} " if how == "padded" else move


@pytest.mark.parametrize("seed", range(12))
def test_every_spelling_hands_in_the_same_game(seed: int) -> None:
    chance = Random(seed)
    moves = demo_games.play(chance, 100)
    fields = [spelled(move, chance.choice(SPELLINGS)) for move in moves]

    text = typed.text_of(typed.moves_in([*fields, "", ""]))

    verdict = rules.validate(reading.read_sheet(text))
    assert reading.canonical(verdict, reading.read_sheet(text).moves) == moves
    assert verdict.remarks == rules.validate(rules.Sheet(moves=tuple(moves))).remarks


def test_an_empty_field_keeps_its_place_and_the_gap_shows() -> None:
    check = typed.check(typed.moves_in(["32-28", "", "38-32", ""]))

    assert check.problem is not None
    assert check.moves == ("32-28", "", "38-32")
    assert (check.problem.ply, check.problem.kind, check.legal_now) == (2, rules.Kind.NOT_WRITTEN, ())


def test_unreadable_fields_are_named_by_their_ply() -> None:
    assert typed.unreadable(["32-28", "what", "99-1", "a"]) == [2, 4]


def test_the_form_has_rows_beyond_what_is_typed_and_marks_the_fault() -> None:
    rows = typed.rows(["32-28"] * 101, fault=4)

    assert len(rows) == 59
    assert [(row.number, row.white_fault, row.black_fault) for row in rows[:3]] == [
        (1, False, False), (2, False, True), (3, False, False),
    ]  # fmt: skip


def test_the_moves_to_tap_are_written_so_that_no_two_are_alike() -> None:
    check = typed.check(demo_games.play(Random(3), 60))

    assert len(set(check.legal_now)) == len(check.legal_now) > 0
