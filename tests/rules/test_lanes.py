from __future__ import annotations

import random

import pytest

from rules import START, Position, Sheet, legal_moves, replay, validate
from rules.lanes import play_men
from tests.rules.played import chance_game


@pytest.fixture
def slow_road(monkeypatch):
    """Judge without the lanes."""

    def judge(sheet: Sheet):
        with monkeypatch.context() as patch:
            patch.setattr(replay, "play_men", lambda moves, start: ([], start))
            return validate(sheet)

    return judge


@pytest.mark.parametrize("seed", range(60))
def test_the_fast_road_gives_the_verdict_of_the_slow_one(seed, slow_road):
    chance = random.Random(seed)
    moves = list(chance_game(seed, plies=100).moves)
    if seed % 2:
        at = chance.randrange(len(moves))
        moves[at] = chance.choice(
            [f"{chance.randint(1, 50)}{sign}{chance.randint(1, 50)}" for sign in "-x-x"]
        )
    sheet = Sheet(moves=tuple(moves))

    fast, slow = validate(sheet), slow_road(sheet)

    assert fast.positions == slow.positions
    assert fast.raws == slow.raws
    assert (fast.status, fast.problem, fast.draws, fast.final) == (
        slow.status,
        slow.problem,
        slow.draws,
        slow.final,
    )


def test_every_capture_of_men_among_several_is_played_as_the_rules_say(chance_positions):
    for position in chance_positions:
        if position.white_kings or position.black_kings:
            continue
        for move in legal_moves(position):
            played, after = play_men([str(move)], position)
            if played:
                assert played[0][2] == move.captured
                assert after in {validate(Sheet(moves=(str(move),), start=position)).final_position}


@pytest.mark.parametrize(
    ("fen", "move", "plies"),
    [
        ("W:W27,33:B22,29", "27x18", 1),
        ("W:W32,33:B28", "32x23", 1),
        ("W:W32,33:B28,19", "32x14", 1),
        ("W:W32,33:B28,19", "33x22", 0),
        ("W:W32,33:B28,19", "32x23", 0),
        ("W:W32:B28", "32-23", 0),
        ("W:W7:B20", "7-1", 0),
        ("W:W12:B7", "12x1", 0),
        ("B:W31:B27", "27x36", 1),
        ("W:W23:B8,9,18,19", "23x23", 0),
    ],
)
def test_what_is_not_plain_is_left_to_the_slow_road(fen, move, plies):
    played, _ = play_men([move], Position.from_fen(fen))

    assert len(played) == plies


def test_it_begins_with_black_where_black_is_to_move():
    played, after = play_men(["20-24", "35-30", "24x35"], Position.from_fen("B:W35,50:B20"))

    assert len(played) == 3
    assert after == Position.from_fen("W:W50:B35")
    assert play_men(["32-28"], START)[1].side == "B"
