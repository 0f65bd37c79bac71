from __future__ import annotations

import pytest

from rules import DrawOffer, Position, Profile, Sheet, Side, may_agree, validate
from rules.draws import OfferFault, offer_faults


def rights(fen: str, moves: list[str], profile: Profile = Profile.CN) -> list[tuple[str, int]]:
    verdict = validate(Sheet(moves=tuple(moves), start=Position.from_fen(fen)), profile=profile)
    assert verdict.problem is None
    return [(right.kind.value, right.ply) for right in verdict.draws]


SHUTTLE = ["47-36", "5-10", "36-47", "10-5"]
"""Two kings that never meet: the position comes back every four plies."""
WITH_MEN = "W:W45,K47:B26,K5"


@pytest.mark.clause("12.3.1", at="rules/draws.py")
def test_the_third_time_counts_with_the_first_position():
    assert rights(WITH_MEN, SHUTTLE * 2) == [("threefold", 8)]
    assert rights(WITH_MEN, SHUTTLE + SHUTTLE[:3]) == []


@pytest.mark.clause("12.3.2", at="rules/draws.py")
def test_twenty_five_moves_each_with_kings_only():
    assert rights(WITH_MEN, (SHUTTLE * 13)[:50]) == [("threefold", 8), ("25", 50)]
    assert rights(WITH_MEN, (SHUTTLE * 13)[:49]) == [("threefold", 8)]


def test_a_man_that_moves_begins_the_count_of_twenty_five_anew():
    moves = [*(SHUTTLE * 12), "45-40", "5-10", *(["47-36", "10-5", "36-47", "5-10"] * 12)]

    assert [kind for kind, _ in rights(WITH_MEN, moves)] == ["threefold"]
    assert rights(WITH_MEN, [*moves, "47-36"])[-1] == ("25", 99)


@pytest.mark.clause("12.3.3", at="rules/draws.py")
def test_sixteen_moves_each_go_on_over_moves_of_a_man():
    start = "W:W45,K47,K48:BK5"
    moves = [*SHUTTLE, *SHUTTLE, "45-40", "5-10", "47-36", "10-5", "36-47", "5-10", "47-36", "10-5"]
    moves += ["40-34", "5-10", *(["36-47", "10-5", "47-36", "5-10"] * 4)]

    assert ("16", 32) in rights(start, moves[:32])
    assert "16" not in [kind for kind, _ in rights(start, moves[:31])]


@pytest.mark.clause("12.3.4", at="rules/draws.py")
def test_five_moves_each_against_a_lone_king():
    assert rights("W:WK47:BK5", (SHUTTLE * 3)[:10]) == [("threefold", 8), ("5", 10)]


@pytest.mark.parametrize("odd", [0, 3, 7])
def test_a_move_written_oddly_does_not_break_a_count(odd):
    moves = SHUTTLE * 2
    moves[odd] = moves[odd].replace("-", "x")

    assert rights(WITH_MEN, moves) == [("threefold", 8)]
    assert rights(WITH_MEN, [*SHUTTLE[:2], "36-47 a.l.", *SHUTTLE[3:], *SHUTTLE]) == [("threefold", 8)]


def test_a_count_goes_on_when_a_king_is_made_by_a_capture():
    start = "W:W12,45:B8,K50"
    moves = ["12x3", "50-44", *(["3-9", "44-50", "9-3", "50-44"] * 3)]

    assert rights(start, moves[:8]) == []
    assert rights(start, moves[:9]) == [("threefold", 9)]


def test_a_man_counts_as_a_piece_but_some_king_must_stand_against_the_lone_one():
    assert rights("W:W45,44:BK4", ["45-40", "4-9", "40-35", "9-4"]) == []


def test_the_move_that_makes_the_material_is_not_counted():
    fen = "W:WK46,K1,K26:BK4,35"
    moves = ["46-41", "35-40", "41-46", "40-45", "46-41", "45-50"]

    verdict = validate(Sheet(moves=tuple(moves), start=Position.from_fen(fen)))

    assert verdict.counters[-1].plies_16 is None


def test_a_capture_from_three_to_two_pieces_runs_both_counts():
    start = Position.from_fen("W:WK47,K26,33:BK5")

    counted = validate(Sheet(moves=("33-28", "5x46", "26-21"), start=start)).counters

    assert [(after.plies_16, after.plies_5) for after in counted] == [(0, None), (1, None), (2, 0), (3, 1)]


def test_a_last_move_that_wins_beats_the_draw():
    fen = "W:WK47:BK5"
    moves = [*SHUTTLE, *SHUTTLE, "47-41", "5x46"]

    verdict = validate(Sheet(moves=tuple(moves), start=Position.from_fen(fen)))

    assert verdict.final == "black-wins"
    assert [right.kind.value for right in verdict.draws] == ["threefold"]


def test_the_international_profile_counts_the_long_diagonal():
    start = Position.from_fen("W:WK47,K48,K26:BK5")
    sheet = Sheet(moves=tuple((SHUTTLE * 3)[:10]), start=start)

    assert [right.kind.value for right in validate(sheet).draws] == ["threefold"]
    assert [right[:2] for right in validate(sheet, profile=Profile.FMJD_2024).draws][-1] == ("5", 10)


@pytest.mark.parametrize(("plies", "may"), [(79, False), (80, True)])
def test_a_draw_may_be_agreed_after_forty_moves_each(plies, may):
    assert may_agree(plies) is may


@pytest.mark.clause("12.4", at="rules/draws.py")
def test_offers_follow_the_order_of_article_12_4():
    offers = [
        DrawOffer(ply=79, side=Side.WHITE),
        DrawOffer(ply=82, side=Side.WHITE),
        DrawOffer(ply=84, side=Side.BLACK),
        DrawOffer(ply=85, side=Side.WHITE),
    ]

    assert [(offer.ply, fault) for offer, fault in offer_faults(offers)] == [
        (79, OfferFault.TOO_EARLY),
        (82, OfferFault.NOT_AFTER_OWN_MOVE),
        (82, OfferFault.REPEATED),
    ]
