from __future__ import annotations

from dataclasses import replace

import pytest

from rules import (
    ARTICLES,
    START,
    DrawOffer,
    Ending,
    Final,
    Kind,
    Position,
    Sheet,
    Side,
    Status,
    sudden,
    validate,
)
from rules.articles import IRREGULARITIES, RemarkKind
from tests.rules.played import chance_game


def judged(moves: str, fen: str | None = None, **fields):
    start = START if fen is None else Position.from_fen(fen)
    return validate(Sheet(moves=tuple(moves.split()), start=start, **fields))


@pytest.mark.parametrize("seed", range(40))
def test_a_game_of_legal_moves_is_proved_with_every_position(seed):
    game = chance_game(seed)

    verdict = validate(Sheet(moves=game.moves))

    assert verdict.status is Status.LEGAL
    assert verdict.positions == game.positions
    assert verdict.moves == game.played
    assert verdict.plies == len(game.moves)


@pytest.mark.parametrize(
    ("moves", "fen", "ply", "kind"),
    [
        ("32-28 abc", None, 2, Kind.UNREADABLE),
        ("32-28 19-53", None, 2, Kind.NO_SUCH_SQUARE),
        ("32-32", None, 1, Kind.SAME_SQUARE),
        ("28-22", None, 1, Kind.EMPTY_SQUARE),
        ("19-23", None, 1, Kind.OPPONENT_PIECE),
        ("32-28 31-27 19-23", None, 2, Kind.TWO_IN_A_ROW),
        ("32-28 31-27", None, 2, Kind.OPPONENT_PIECE),
        ("32-28 28-32", None, 2, Kind.TAKEN_BACK),
        ("37-32", None, 1, Kind.OCCUPIED),
        ("32-28 20-25 28-32", None, 3, Kind.MAN_BACKWARDS),
        ("32-23", None, 1, Kind.TOO_FAR),
        ("32-26", None, 1, Kind.MAN_OFF_LINE),
        ("46-45", "W:WK46:B6", 1, Kind.KING_OFF_LINE),
        ("46-5", "W:WK46,28:B6", 1, Kind.KING_BLOCKED),
        ("32-28 19-23 33-29", None, 3, Kind.CAPTURE_MANDATORY),
        ("32-28 19-23 33x29", None, 3, Kind.CAPTURE_MANDATORY),
        ("26x17", "W:W26,K50:B21,22,39", 1, Kind.STOPPED_EARLY),
        ("50x33", "W:W26,K50:B21,22,39", 1, Kind.STOPPED_EARLY),
        ("50x28", "W:W26,K50:B21,22,39", 1, Kind.STOPPED_EARLY),
        ("13x2", "W:W13:B8,9,19,18,28,27", 1, Kind.NOT_MAXIMAL),
        ("37x28", None, 1, Kind.OWN_JUMP),
        ("23x14x3x12x23x14", "W:W23:B8,9,18,19", 1, Kind.JUMPED_TWICE),
        ("32x23", None, 1, Kind.CAPTURE_IMPOSSIBLE),
        ("28x17x10", "W:W25,26,28,34,35,42,43:B3,5,6,14,23,30,32", 1, Kind.PATH_IMPOSSIBLE),
        ("26-21", "W:W26:B21,17,12", 1, Kind.GAME_OVER),
    ],
)
def test_each_fault_has_its_own_kind_and_articles(moves, fen, ply, kind):
    verdict = judged(moves, fen)

    assert verdict.status is Status.ILLEGAL
    assert (verdict.problem.ply, verdict.problem.kind) == (ply, kind)
    assert verdict.problem.articles == ARTICLES[kind]
    assert verdict.plies == ply - 1
    assert verdict.problem.written == moves.split()[ply - 1]


def test_a_problem_says_what_was_legal_and_how_many_must_be_taken():
    problem = judged("26x17", "W:W26,K50:B21,22,39").problem

    assert problem.legal_moves == ("26x28", "50x6", "50x11", "50x17")
    assert (problem.captures_due, problem.captures_made) == (2, 1)
    assert problem.captures[0].path == (26, 17, 28)
    assert problem.captures[0].takes == (21, 22)
    assert problem.fen_before == "W:W26,K50:B21,22,39"
    assert (problem.move_number, problem.side) == (1, Side.WHITE)


def test_moves_are_numbered_from_black_when_black_begins():
    problem = judged("20-24 31-26 99-1", "B:W31:B20").problem

    assert (problem.ply, problem.move_number, problem.side) == (3, 2, Side.BLACK)


def test_a_wrong_sign_is_a_remark_and_no_fault():
    verdict = judged("32x28 19-23 28-19 14x23")

    assert verdict.status is Status.LEGAL
    assert [(remark.ply, remark.kind) for remark in verdict.remarks] == [
        (1, RemarkKind.WRONG_SEPARATOR),
        (3, RemarkKind.WRONG_SEPARATOR),
    ]


def test_squares_without_any_sign_are_no_remark():
    verdict = validate(Sheet(moves=("32 28", "19 23", "28 19")))

    assert (verdict.status, verdict.remarks) == (Status.LEGAL, ())


TWO_SETS = "W:WK4:B13,32,37,20"


def test_an_ambiguous_capture_stays_open_when_nothing_settles_it():
    verdict = judged("4x15", TWO_SETS)

    assert verdict.status is Status.AMBIGUOUS
    assert (verdict.unsettled, verdict.readings, verdict.final) == ((1,), 2, Final.OPEN)


@pytest.mark.parametrize(("path", "left"), [("4x27x38x15", 37), ("4x31x42x15", 32)])
def test_a_whole_path_settles_it(path, left):
    verdict = judged(path, TWO_SETS)

    assert verdict.status is Status.LEGAL
    assert verdict.final_position.men(Side.BLACK) == (left,)


def test_later_moves_settle_it():
    verdict = judged("4x15 37-41", TWO_SETS)

    assert verdict.status is Status.LEGAL
    assert verdict.positions[1].men(Side.BLACK) == (37,)
    assert [(remark.ply, remark.kind) for remark in verdict.remarks] == [(1, RemarkKind.AMBIGUOUS)]


def test_moves_that_fit_no_reading_are_illegal_after_the_ambiguous_one():
    verdict = judged("4x15 13-18", TWO_SETS)

    assert (verdict.status, verdict.problem.ply) == (Status.ILLEGAL, 2)


@pytest.mark.parametrize(
    ("fen", "moves", "final"),
    [
        ("W:W32:B28", "32x23", Final.WHITE_WINS),
        ("B:W26:B16,12,17", "17-21", Final.OPEN),
        ("B:W26:B16,12,7", "12-17", Final.OPEN),
        ("B:W36,K46:B31,27,22,41", "31-37", Final.OPEN),
    ],
)
@pytest.mark.clause("12.2.2", at="rules/verdict.py")
def test_what_the_final_position_proves(fen, moves, final):
    assert judged(moves, fen).final is final


@pytest.mark.clause("12.2.3", at="rules/verdict.py")
def test_a_blocked_side_has_lost():
    verdict = judged("7-12", "B:W26:B21,17,7")

    assert verdict.final is Final.BLACK_WINS


@pytest.mark.clause("7.7", at="rules/replay.py")
def test_an_accepted_irregular_move_stands_and_the_sheet_goes_on():
    moves = "32-28 19-23 33-29 23x32 37x28"
    refused, accepted = judged(moves), judged(moves, accepted=frozenset({3}))

    assert refused.problem.ply == 3
    assert accepted.status is Status.LEGAL
    assert accepted.plies == 5
    assert [(stood.ply, stood.kind) for stood in accepted.irregularities] == [(3, Kind.CAPTURE_MANDATORY)]
    assert [(remark.ply, remark.kind) for remark in accepted.remarks] == [(3, RemarkKind.ACCEPTED)]


def test_an_accepted_short_capture_takes_what_was_jumped():
    verdict = judged("26x17 22x11", "W:W26,K50:B21,22,39", accepted=frozenset({1}))

    assert verdict.status is Status.LEGAL
    assert verdict.positions[1].fen() == "B:W17,K50:B22,39"


def test_two_moves_in_a_row_that_stand_leave_the_answer_to_the_opponent():
    verdict = judged("32-28 31-27 19-23", accepted=frozenset({2}))

    assert verdict.status is Status.LEGAL
    assert verdict.positions[2].side is Side.BLACK


def test_a_fault_that_moves_nothing_cannot_stand():
    assert judged("32-28 abc", accepted=frozenset({2})).problem.kind is Kind.UNREADABLE


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        ("B:W23,K50:B21,22,28", RemarkKind.CAPTURED_LEFT),
        ("B:W23,K50:B21", RemarkKind.UNCAPTURED_REMOVED),
        ("B:W23:B21,22", RemarkKind.OWN_REMOVED),
        ("B:W23,K50:B21,22", RemarkKind.POSITION_SET),
    ],
)
def test_a_position_set_up_after_a_capture_shows_what_was_removed_wrongly(after, kind):
    start = "W:W32,K50:B21,22,28"
    verdict = judged("32x23", start, setups=((1, Position.from_fen(after)),))

    assert [remark.kind for remark in verdict.remarks] == [kind]
    assert verdict.final_position.fen() == after


def test_a_set_up_position_excuses_the_irregular_move_before_it():
    after = Position.from_fen("B:W31,32:B19")
    verdict = judged("32-23 19-24", "W:W31,37:B19", setups=((1, after),))

    assert verdict.status is Status.LEGAL
    assert verdict.plies == 2
    assert verdict.moves[0] is None


def disagreeing(moves: str, fen: str | None = None, **fields) -> list[str]:
    return [found.kind.value for found in judged(moves, fen, **fields).disagreements]


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"result": "2-0"}, []),
        ({"result": "1-0"}, []),
        ({"result": "0-2"}, ["result-against-final"]),
        ({"result": "1/2-1/2", "end_mark": "="}, ["end-mark-against-result", "result-against-final"]),
        ({"result": "2-0", "text_result": "0-2"}, ["results-differ"]),
        ({"result": "2-0", "end_mark": "="}, ["end-mark-against-result"]),
        ({"result": "2-0", "end_mark": "+"}, []),
        ({"result": "2-0", "ended_by": Ending.NO_PIECES}, []),
        ({"result": "2-0", "ended_by": Ending.BLOCKED}, []),
        ({"ended_by": Ending.THREEFOLD}, ["claim-unfounded"]),
        ({"ended_by": Ending.AGREEMENT}, ["draw-before-move-40"]),
    ],
)
def test_declarations_are_held_against_the_moves(fields, kinds):
    assert disagreeing("32x23", "W:W32:B28", **fields) == kinds


@pytest.mark.clause("8.1.1", "8.1.2", at="rules/declarations.py")
def test_the_times_are_held_against_the_time_control():
    fields = {"time_control": sudden(3600), "white_seconds": 3601, "black_seconds": 3600}

    assert disagreeing("32-28", **fields) == ["time-exceeded"]
    assert disagreeing("32-28", **fields, ended_by=Ending.TIME) == []


@pytest.mark.clause("10.6", at="rules/declarations.py")
def test_a_copy_handed_in_is_complete_by_article_10_6():
    sheet = Sheet(moves=("32-28",), handed_in=True)
    complete = replace(
        sheet, result="2-0", white_seconds=1, black_seconds=1, white_signed=True, black_signed=True
    )

    assert [found.kind.value for found in validate(sheet).disagreements] == [
        "result-missing",
        "signature-missing",
        "signature-missing",
        "time-missing",
        "time-missing",
    ]
    assert validate(complete).disagreements == ()


def test_draw_offers_are_held_against_article_12_4():
    assert disagreeing("32-28", draw_offers=(DrawOffer(ply=1, side=Side.WHITE),)) == ["offer-too-early"]


def test_another_variant_is_not_judged():
    verdict = validate(Sheet(moves=("32-28",), variant="gametype-25"))

    assert (verdict.status, verdict.plies) == (Status.OTHER_VARIANT, 0)


def test_no_moves_are_no_proof():
    assert judged("").status is Status.NO_MOVES


def test_a_bad_start_position_is_named():
    verdict = validate(Sheet(moves=("32-28",), bad_setups=((0, "W:W31:B31"),)))

    assert (verdict.status, verdict.problem.kind, verdict.problem.ply) == (Status.ILLEGAL, Kind.BAD_START, 0)


@pytest.mark.clause(
    "7.4.1",
    "7.4.2",
    "7.4.3",
    "7.4.4",
    "7.4.5",
    "7.4.6",
    "7.4.7",
    "7.4.8",
    "7.4.9",
    "7.4.10",
    "7.4.11",
    "7.4.12",
    "7.4.13",
    "7.4.14",
    "7.4.15",
    at="rules/articles.py",
)
def test_every_irregularity_of_article_7_4_has_its_place():
    assert list(IRREGULARITIES) == [f"7.4.{n}" for n in range(1, 16)]
    assert set(ARTICLES) == set(Kind)


@pytest.mark.parametrize("seed", range(30))
def test_one_changed_move_never_goes_unnoticed_before_it_and_never_raises(seed):
    game = chance_game(seed)
    at = len(game.moves) // 2
    legal_here = {str(move) for move in game.played[at : at + 1]}
    moves = [*game.moves[:at], "5-46", *game.moves[at + 1 :]]

    verdict = validate(Sheet(moves=tuple(moves)))

    assert "5-46" not in legal_here
    assert verdict.problem.ply == at + 1
    assert verdict.positions == game.positions[: at + 1]
