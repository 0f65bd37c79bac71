from __future__ import annotations

import random

import pytest

from rules import START, Position, RemarkKind, Sheet, legal_moves, replay, validate
from rules.board import BIT, BLACK_PROMOTION, WHITE_PROMOTION
from rules.lanes import play_crowned, play_men
from rules.moves import play
from tests.rules.fuzzing import strewn_position
from tests.rules.played import chance_game


@pytest.fixture
def slow_road(monkeypatch):
    """Judge without the lanes."""

    def judge(sheet: Sheet):
        with monkeypatch.context() as patch:
            patch.setattr(replay, "play_men", lambda moves, start: ([], start))
            patch.setattr(replay, "play_crowned", lambda moves, start: ([], start, False))
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


def plain_moves(position: Position) -> dict[str, Position]:
    """The written moves that have one meaning and promote no man, and what they lead to."""
    moves = legal_moves(position)
    texts = [str(move) for move in moves]
    men = position.white_men if position.white_to_move else position.black_men
    promotion = WHITE_PROMOTION if position.white_to_move else BLACK_PROMOTION
    return {
        text: play(position, move)
        for text, move in zip(texts, moves, strict=True)
        if texts.count(text) == 1
        and move.origin != move.destination
        and not (BIT[move.origin] & men and BIT[move.destination] & promotion)
    }


@pytest.mark.parametrize("seed", range(15))
def test_with_kings_on_the_board_exactly_the_plain_moves_are_played(seed):
    position = Position.from_fen(strewn_position(random.Random(seed)))
    plain = plain_moves(position)

    for origin in position.men(position.side) + position.kings(position.side) + (1, 28):
        for destination in range(1, 51):
            for text in (f"{origin}-{destination}", f"{origin}x{destination}"):
                played, after, _ = play_crowned([text], position)
                assert after == plain.get(text, position)
                assert len(played) == (text in plain)


@pytest.mark.parametrize("seed", range(30))
def test_games_full_of_kings_have_the_verdict_of_the_slow_road(seed, slow_road):
    start = Position.from_fen(strewn_position(random.Random(seed)))
    sheet = Sheet(moves=chance_game(seed, plies=100, start=start).moves, start=start)

    fast, slow = validate(sheet), slow_road(sheet)

    assert fast.positions == slow.positions
    assert (fast.raws, fast.draws, fast.final, fast.remarks) == (
        slow.raws,
        slow.draws,
        slow.final,
        slow.remarks,
    )


def test_a_long_slide_is_no_capture_whatever_bits_it_passes():
    assert play_crowned(["13-27"], Position.from_fen("W:WK13,38:B32,40"))[0] == []


def test_standing_still_is_noticed_and_broken_by_a_man():
    shuttle = ["47-36", "5-10", "36-47", "10-5"]
    position = Position.from_fen("W:W45,K47:B26,K5")

    assert [play_crowned(shuttle * 2, position)[2], play_crowned([*shuttle, *shuttle[:3]], position)[2]] == [
        True,
        False,
    ]
    assert not play_crowned([*shuttle, "45-40", "5-10", "47-36", "10-5", "36-47", "5-10"], position)[2]


def test_a_man_marked_ad_libitum_is_remarked_wherever_it_stands():
    verdict = validate(Sheet(moves=("32-28", "19-23", "28x19 a.l.", "14x23")))

    assert [(remark.ply, remark.kind) for remark in verdict.remarks] == [(3, RemarkKind.AD_LIBITUM)]
    assert verdict.plies == 4


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
