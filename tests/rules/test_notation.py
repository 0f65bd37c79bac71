from __future__ import annotations

import pytest

from rules import Position, legal_moves, parse, paths, write
from rules.board import BIT
from rules.notation import from_algebraic, routes_taken


@pytest.mark.parametrize(
    ("text", "path", "capture"),
    [
        ("32-28", (32, 28), False),
        ("19x23", (19, 23), True),
        ("19X23", (19, 23), True),
        ("19×23", (19, 23), True),
        ("19х23", (19, 23), True),
        ("19:23", (19, 23), True),
        ("19%23", (19, 23), True),
        ("19*23", (19, 23), True),
        ("32–28", (32, 28), False),
        ("32‒28", (32, 28), False),
        ("32‑28", (32, 28), False),
        ("32−28", (32, 28), False),
        ("06-11", (6, 11), False),
        ("1- 7", (1, 7), False),
        (" 9 -  3 ", (9, 3), False),
        ("32 28", (32, 28), False),
        ("3228", (32, 28), False),
        ("39x28x17x6", (39, 28, 17, 6), True),
        ("29-18-27", (29, 18, 27), False),
        ("23x23", (23, 23), True),
        ("32-28!?", (32, 28), False),
        ("３２－２８！", (32, 28), False),
        ("32×28？！", (32, 28), True),
        ("32\u00ad-\u200b28", (32, 28), False),
        ("19-23(!?!!!)", (19, 23), False),
    ],
)
@pytest.mark.clause("10.2.1", "10.2.2", "10.2.3", at="rules/notation.py")
def test_every_dialect_of_a_move_is_read(text, path, capture):
    written = parse(text)

    assert (written.path, written.capture, written.fault) == (path, capture, None)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not-written"),
        ("-", "not-written"),
        ("e4", "unreadable"),
        ("32-", "unreadable"),
        ("32-281", "unreadable"),
        ("1" * 500, "unreadable"),
        ("x".join(["32"] * 30), "unreadable"),
        ("51-46", "no-such-square"),
        ("0-5", "no-such-square"),
        ("32-32", "same-square"),
    ],
)
def test_what_is_no_move_says_why(text, fault):
    assert parse(text).fault == fault


@pytest.mark.clause("10.2.4", "10.2.5", "10.2.6", at="rules/notation.py")
def test_marks_behind_a_move_are_kept_apart():
    written = parse("4x15 a.l. +")

    assert (written.path, written.ad_libitum, written.end_mark) == ((4, 15), True, "+")


@pytest.mark.parametrize(
    ("text", "move"), [("a3b4", "36-31"), ("b6:d4", "21x32"), ("a1-b2", "46-41"), ("a2-b3", None)]
)
def test_algebraic_squares_of_the_large_board(text, move):
    assert from_algebraic(text) == move


def test_two_captures_between_the_same_squares_are_written_in_full():
    position = Position.from_fen("W:WK4:B13,32,37,20")

    assert [write(position, move) for move in legal_moves(position)] == ["4x27x38x15", "4x31x42x15"]


def test_a_capture_is_written_short_when_nothing_else_could_be_meant():
    position = Position.from_fen("W:W25,26,28,34,35,42,43:B3,5,6,14,23,30,32")
    (move,) = legal_moves(position)

    assert write(position, move) == "28x10"
    assert write(position, move, ascii_only=False) == "28×10"


def test_every_road_of_a_circular_capture_is_given():
    position = Position.from_fen("W:W23:B8,9,18,19")
    (move,) = legal_moves(position)

    assert set(paths(position, move)) == {(23, 14, 3, 12, 23), (23, 12, 3, 14, 23)}


def test_a_path_by_another_order_or_landing_names_the_same_capture():
    position = Position.from_fen("B:WK5,12,21,27,29,43,46,K50:BK48")
    found = routes_taken(position, BIT[48], (48, 34, 18, 7))

    assert {raw[2] for raw in found} == {BIT[12] | BIT[29] | BIT[43]}


def test_a_written_move_reads_back_as_the_same_move(chance_positions):
    for position in chance_positions:
        for move in legal_moves(position):
            written = parse(write(position, move))
            if not move.captured:
                assert written.path == (move.origin, move.destination)
                continue
            meant = routes_taken(position, BIT[move.origin], written.path)
            greatest = {raw[2] for raw in meant if raw[2].bit_count() == move.captured_count}
            assert greatest == {move.captured}
