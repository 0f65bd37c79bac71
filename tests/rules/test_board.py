from __future__ import annotations

import pytest

from rules import START, FenError, Piece, Position, Side, squares
from rules.board import BIT, BOARD, JUMPS, RAYS, SQUARE


@pytest.mark.clause("1.1.1", "1.1.2", at="rules/board.py")
def test_fifty_squares_and_no_other_bit():
    assert squares(BOARD) == tuple(range(1, 51))
    assert len(SQUARE) == 50


@pytest.mark.clause("1.1.3", "1.1.6.3", at="rules/lines.py")
def test_rays_run_along_the_seventeen_diagonals():
    assert [squares(sum(ray)) for ray in RAYS[BIT[28]]] == [
        (6, 11, 17, 22),
        (5, 10, 14, 19, 23),
        (32, 37, 41, 46),
        (33, 39, 44, 50),
    ]
    assert sum(len(ray) for rays in RAYS.values() for ray in rays) == 570


@pytest.mark.clause("1.1.5.2", "1.1.6.2", at="rules/board.py")
def test_a_man_on_the_edge_jumps_inwards_only():
    assert [(SQUARE[over], SQUARE[landing]) for over, landing in JUMPS[BIT[26]]] == [(21, 17), (31, 37)]


@pytest.mark.clause("2.1", "2.2", "1.1.6.1", at="rules/board.py")
def test_the_start_position():
    assert Position.from_fen("W:W31-50:B1-20") == START
    assert START.side is Side.WHITE
    assert START.men(Side.BLACK) == tuple(range(1, 21))
    assert START.kings(Side.WHITE) == ()
    assert START.piece_at(31) == Piece(Side.WHITE, king=False)
    assert START.piece_at(25) is None


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("W:W31-33:B1", "W:W31,32,33:B1"),
        ("W:WK31-33:B1", "W:WK31,K32,K33:B1"),
        ("W:WK31-K33:B1", "W:WK31,K32,K33:B1"),
        ("b:b1,k2:w31", "B:W31:B1,K2"),
        ("B:B1,K2:W31.", "B:W31:B1,K2"),
        (" W : W 31, 32 : B 1 ", "W:W31,32:B1"),
        ("W:W31:B1:H0:F1", "W:W31:B1"),
        ("W:W31:B", "W:W31:B"),
        ("W:W:B", "W:W:B"),
        ("W:W06:B07", "W:W6:B7"),
        ("W:?31:B1", "W:W31:B1"),
    ],
)
def test_fen_is_read_with_its_dialects_and_written_one_way(text, fen):
    position = Position.from_fen(text)

    assert position.fen() == fen
    assert Position.from_fen(position.fen()) == position


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("", "shape", ""),
        ("W:W31", "shape", "W:W31"),
        ("X:W31:B1", "turn", "X"),
        ("?:W31:B1", "turn-unknown", "?"),
        ("W:W31,31:B1", "overlap", "31"),
        ("W:W31,K31:B1", "overlap", "K31"),
        ("W:W31:B31", "overlap", "31"),
        ("W:W60:B1", "square", "60"),
        ("W:W0:B1", "square", "0"),
        ("W:W4:B1", "man-on-promotion-row", "4"),
        ("W:W31:B47", "man-on-promotion-row", "47"),
        ("W:W31,:B1", "piece", ""),
        ("W:Wx31:B1", "piece", "x31"),
        ("W:W33-31:B1", "range", "33-31"),
        ("W:W31:W32", "colour-twice", "W"),
        ("W:V31:B1", "colour", "V31"),
        ("W:W26-50:B1", "too-many", "25"),
        ("W:" + "W" * 2000, "too-long", "W:" + "W" * 18),
    ],
)
def test_fen_that_is_no_position_is_refused_by_name(text, code, part):
    with pytest.raises(FenError) as caught:
        Position.from_fen(text)

    assert (caught.value.code, caught.value.part) == (code, part)


def test_an_unknown_turn_can_be_given_by_the_reader():
    assert Position.from_fen("?:W31:B1", unknown_turn=Side.BLACK).fen() == "B:W31:B1"


@pytest.mark.clause("1.1.5.1", at="rules/board.py")
def test_an_uncrowned_piece_is_let_in_on_demand_only():
    assert Position.from_fen("W:WK5:B46", uncrowned=True).men(Side.BLACK) == (46,)
