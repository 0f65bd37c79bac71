"""What is called certain is so: damage that agrees with itself, ends that nothing tests, moves in another order."""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

import rules
from rules import ChangeKind
from tests.rules.adversarial import KINDS
from tests.rules.damage import played_game

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "copies.jsonl"
GAME = played_game(8, 60)


def same_game(moves: tuple[str, ...], truth: list[str]) -> bool:
    return list(moves) == truth


@pytest.mark.parametrize("kind", KINDS)
def test_no_certain_answer_is_wrong_whatever_the_damage(kind: str) -> None:
    truth = played_game(301, 30)
    copies = KINDS[kind](truth, Random(1))

    found = rules.reconstruct(copies)

    assert found.best is not None
    assert not found.certain or same_game(found.best.moves, truth)


def test_what_a_bounded_search_cuts_off_counts_as_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = played_game(301, 30)
    copies = KINDS["two: same ply"](truth, Random(2))
    whole = rules.reconstruct(copies)

    for bound in ("MOST_WORK", "WORK_PER_PLY"):
        monkeypatch.setattr(import_module("rules.reconstruct"), bound, 0)
    cut = rules.reconstruct(copies)

    assert cut.best is not None
    assert (whole.certain, cut.certain, cut.certain_up_to_order) == (True, False, False)
    assert cut.complete


@pytest.mark.skipif(not CASES.exists(), reason="the handed-out copies are not beside this checkout")
def test_no_certain_answer_is_wrong_among_the_handed_out_copies() -> None:
    for line in CASES.read_text(encoding="utf-8").splitlines()[::3]:
        case = json.loads(line)
        if "truth" not in case:
            continue
        copies = [case[key] for key in ("sheet_white", "sheet_black") if key in case]
        found = rules.reconstruct(copies)
        assert found.best is not None
        assert not found.certain or same_game(found.best.moves, case["truth"])
        if found.certain_up_to_order:
            assert Counter(found.best.moves) == Counter(case["truth"])


def test_one_copy_is_certain_at_most_up_to_the_order_of_moves() -> None:
    found = rules.reconstruct([GAME])

    assert (found.certain, found.certain_up_to_order) == (False, True)
    assert found.unordered
    assert set(found.proved) == set(range(1, len(GAME) + 1)) - {*found.likely, *found.unordered}


def test_two_copies_that_agree_are_certain() -> None:
    found = rules.reconstruct([GAME, list(GAME)])

    assert found.certain and found.certain_up_to_order
    assert len(found.proved) == len(GAME)


def test_a_last_ply_that_one_copy_alone_has_is_only_likely() -> None:
    moves = ["32-28", "19-23", "28x19", "14x23", "37-32"]

    found = rules.reconstruct([moves, moves[:-1]])

    assert found.best is not None and list(found.best.moves) == moves
    assert found.likely == (5,)
    assert (found.certain, found.certain_up_to_order) == (False, True)


def test_a_disagreement_at_the_end_that_nothing_tests_is_not_certain() -> None:
    moves = ["32-28", "19-23", "28x19", "14x23", "37-32"]

    found = rules.reconstruct([[*moves[:-1], "37-31"], moves])

    assert (found.certain, found.certain_up_to_order) == (False, False)


def test_a_text_that_stands_for_no_ply_leaves_nothing_certain() -> None:
    found = rules.reconstruct([[*GAME, "99-99"], [*GAME, "88-88"]])

    assert not found.certain


def test_moves_of_one_player_exchanged_in_one_copy_are_named() -> None:
    copy = list(GAME)
    copy[0], copy[2] = copy[2], copy[0]

    found = rules.reconstruct([copy, GAME])

    assert found.best is not None and list(found.best.moves) == GAME
    assert [(change.ply, change.kind) for change in found.best.changes] == [
        (1, ChangeKind.REORDERED),
        (3, ChangeKind.REORDERED),
    ]


def test_of_two_orders_that_both_could_be_played_none_is_certain() -> None:
    moves = ["32-28", "18-22", "37-32", "20-25", "41-37", "12-18"]
    other = ["32-28", "20-25", "37-32", "18-22", "41-37", "12-18"]

    found = rules.reconstruct([moves, other])

    assert not found.certain
    assert {2, 4} <= set(found.doubtful)


def test_where_both_are_wrong_at_one_ply_the_game_is_found_all_the_same() -> None:
    truth = played_game(31, 50)
    one, other = list(truth), list(truth)
    one[20], other[20] = "77-" + truth[20].split("-")[-1].split("x")[-1], truth[20][:2] + "-99"

    found = rules.reconstruct([one, other])

    assert found.best is not None
    assert not found.certain or same_game(found.best.moves, truth)


def test_two_copies_of_own_moves_only_are_one_game() -> None:
    found = rules.reconstruct([GAME[1::2], GAME[::2]])

    assert found.best is not None and list(found.best.moves) == GAME
    assert sorted(number for number, _layout in found.layouts) == [0, 1]
    assert not found.certain


def test_what_is_changed_is_named_by_the_copy_it_stands_on() -> None:
    white, black = GAME[::2], GAME[1::2]
    white[10] = white[10].replace("-", "-9") if "-" in white[10] else white[10].replace("x", "x9")

    found = rules.reconstruct([white, black])

    assert found.best is not None and list(found.best.moves) == GAME
    assert [(change.sheet, change.index, change.ply) for change in found.best.changes] == [(0, 10, 21)]


def test_a_copy_with_its_columns_exchanged_is_put_in_order() -> None:
    copy = [text for pair in zip(GAME[1::2], GAME[::2], strict=True) for text in pair]

    found = rules.reconstruct([copy, GAME])

    assert found.best is not None and list(found.best.moves) == GAME
    assert found.certain
    assert [number for number, _layout in found.layouts] == [0]


def test_of_two_copies_one_of_them_hopeless_the_good_one_is_the_answer() -> None:
    chance = Random(1)
    nonsense = [f"{chance.randint(1, 50)}-{chance.randint(1, 50)}" for _n in range(30)]

    found = rules.reconstruct([nonsense, GAME[:30]])

    assert found.best is not None and list(found.best.moves) == GAME[:30]
    assert (found.copies, found.certain) == ((1,), False)


def test_of_two_copies_of_different_games_none_is_certain_and_both_are_proposed() -> None:
    other = played_game(77, 40)

    found = rules.reconstruct([GAME[:40], other])

    assert {tuple(GAME[:40]), tuple(other)} == {game.moves for game in found.games[:2]}
    assert not found.certain and not found.certain_up_to_order
