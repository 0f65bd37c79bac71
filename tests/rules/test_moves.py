from __future__ import annotations

import random
from itertools import pairwise

import pytest

from rules import START, Position, has_legal_move, legal_moves, play
from rules.board import SQUARE
from rules.moves import is_quiet_move, play_raw, positions_before, raw_captures, raw_quiet_moves
from tests.rules.played import chance_game


def described(fen: str) -> list[tuple[str, tuple[int, ...]]]:
    position = Position.from_fen(fen, uncrowned=True)
    return [(str(move), move.captured_squares) for move in legal_moves(position)]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("W:W25,26,28,34,35,42,43:B3,5,6,14,23,30,32", [("28x10", (14, 23))]),
        ("B:WK2,28,31,44:B20,K50", [("50x36", (28, 31, 44))]),
        ("B:W6,24,28,38,41:B13,K49", [("49x30", (24, 28, 38)), ("49x35", (24, 28, 38))]),
        ("W:W23:B8,9,18,19", [("23x23", (8, 9, 18, 19))]),
        ("W:W11:B6,7", [("11x2", (7,))]),
        ("W:WK46:B10,19,28", [("46x5", (10, 19, 28))]),
        (
            "W:W26,K50:B21,22,39",
            [("26x28", (21, 22)), ("50x6", (22, 39)), ("50x11", (22, 39)), ("50x17", (22, 39))],
        ),
        ("W:WK47:B9,14,19,20,29,31,42", [("47x4", (9, 19, 29, 42)), ("47x36", (19, 29, 31, 42))]),
        ("B:W13,14,18,23,29,30,38,39:BK35", [("35x34", (23, 30, 38, 39))]),
        ("W:W13:B8,9,19", [("13x2", (8,)), ("13x4", (9,)), ("13x24", (19,))]),
        ("W:W32,K5:B28,19,10", [("5x23", (10, 19)), ("32x14", (19, 28))]),
        ("W:WK1:B23", [("1x29", (23,)), ("1x34", (23,)), ("1x40", (23,)), ("1x45", (23,))]),
        ("W:W26:B21,17,12", []),
        ("W:WK4:B13,32,37,20", [("4x15", (13, 20, 32)), ("4x15", (13, 20, 37))]),
    ],
)
@pytest.mark.clause("5.9", "6.1", "6.3", "6.5", "6.6", "6.7", "6.8", "6.12", "6.13", at="rules/moves.py")
def test_the_legal_moves_with_what_they_take(fen, moves):
    assert described(fen) == moves


@pytest.mark.parametrize(
    ("fen", "count"),
    [
        ("W:WK15,20,26,35:B3,5,6,37,K47", 5),
        ("B:W21,K33:B5,6,14,K36", 13),
        ("W:WK25:B6,10,K15", 9),
        ("B:WK46:B6,K15", 10),
        ("W:WK5:B46", 8),
        ("W:W31-50:B1-20", 9),
        ("W:WK40:B8", 11),
    ],
)
@pytest.mark.clause("5.4", "6.2", at="rules/moves.py")
def test_the_number_of_legal_moves(fen, count):
    assert len(described(fen)) == count


@pytest.mark.clause("6.14", at="rules/moves.py")
def test_a_man_that_passes_the_promotion_row_stays_a_man():
    position = Position.from_fen("W:W11:B7,8")

    (move,) = legal_moves(position)

    assert (move.origin, move.destination) == (11, 13)
    assert play(position, move).fen() == "B:W13:B"


@pytest.mark.clause("5.1", "5.5", "5.6", at="rules/moves.py")
def test_a_man_that_ends_on_the_promotion_row_becomes_a_king():
    position = Position.from_fen("B:W31:B41")

    after = [play(position, move).fen() for move in legal_moves(position)]

    assert after == ["W:W31:BK46", "W:W31:BK47"]


@pytest.mark.clause("6.11", at="rules/moves.py")
def test_captured_pieces_leave_the_board_when_the_capture_is_over():
    position = Position.from_fen("B:W13,14,18,23,29,30,38,39:BK35")

    (move,) = legal_moves(position)

    assert play(position, move).fen() == "W:W13,14,18,29:BK34"


def random_positions(*, games: int, seed: int):
    chance = random.Random(seed)
    for _ in range(games):
        position = START
        for _ in range(chance.randrange(120)):
            moves = legal_moves(position)
            if not moves:
                break
            position = play(position, chance.choice(moves))
        yield position


def test_the_two_sides_move_alike_on_a_turned_board():
    for position in random_positions(games=60, seed=1):
        turned = position.turned()

        here = {
            (51 - move.origin, 51 - move.destination, move.captured_count) for move in legal_moves(position)
        }
        there = {(move.origin, move.destination, move.captured_count) for move in legal_moves(turned)}

        assert here == there
        assert turned.turned() == position


def test_a_legal_move_leaves_a_position_that_obeys_the_articles():
    for position in random_positions(games=60, seed=2):
        assert position.fault() is None
        for move in legal_moves(position):
            after = play(position, move)
            lost = position.occupied.bit_count() - after.occupied.bit_count()
            assert after.fault() is None
            assert lost == move.captured_count
            assert after.white_to_move is not position.white_to_move


def test_has_legal_move_agrees_with_the_list():
    for position in random_positions(games=60, seed=3):
        assert has_legal_move(position) == bool(legal_moves(position))
    assert not has_legal_move(Position.from_fen("W:W26:B21,17,12"))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.clause("5.2", "5.3", "5.8", at="rules/replay.py")
def test_the_positions_of_a_game_are_those_of_its_moves_played_one_by_one(seed):
    game = chance_game(seed, plies=200)
    raws = [
        next(
            raw
            for raw in raw_captures(position) or raw_quiet_moves(position)
            if play_raw(position, raw) == following
        )
        for position, following in pairwise(game.positions)
    ]

    assert positions_before(START, raws) == list(game.positions[:-1])
    assert positions_before(game.positions[1], raws[1:]) == list(game.positions[1:-1])


def test_a_quiet_move_is_known_without_the_list(chance_positions):
    for position in chance_positions[::7]:
        listed = {raw[:2] for raw in raw_quiet_moves(position)}
        for origin in SQUARE:
            for destination in SQUARE:
                assert is_quiet_move(position, origin, destination) == ((origin, destination) in listed)
