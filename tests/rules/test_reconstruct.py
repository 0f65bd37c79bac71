"""The game behind damaged copies: found, sure of itself only where it may be, and always legal."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

import rules
from rules import ChangeKind
from rules.marks import texts as marks_of
from rules.reconstruct import NORMAL
from rules.search import Search
from tests.rules.damage import damaged, played_game

SHARED = Path(__file__).parents[2].parent / "shared" / "pdn" / "scoresheet_pairs.jsonl"
GAME = played_game(8, 60)


def raws(moves: tuple[str, ...] | list[str]) -> tuple[object, ...]:
    return rules.validate(rules.Sheet(moves=tuple(moves))).raws


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_undamaged_copy_comes_back_unchanged_and_certain_up_to_order(seed: int) -> None:
    moves = played_game(seed, 50)

    found = rules.reconstruct([moves])

    assert found.best is not None
    assert list(found.best.moves) == moves
    assert (found.certain_up_to_order, found.best.changes, found.doubtful) == (True, (), ())


@pytest.mark.parametrize("seed", range(4))
def test_two_damaged_copies_give_the_game(seed: int) -> None:
    moves = played_game(seed + 20, 60)
    chance = Random(seed)
    copies = [damaged(moves, errors=4, chance=chance), damaged(moves, errors=4, chance=chance)]

    found = rules.reconstruct(copies)

    assert found.best is not None
    assert raws(found.best.moves) == raws(moves)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_proposed_is_legal_and_the_same_each_time(seed: int) -> None:
    moves = damaged(played_game(seed + 40, 40), errors=4, chance=Random(seed))

    found, again = rules.reconstruct([moves]), rules.reconstruct([moves])

    assert found == again
    for candidate in found.games[:5]:
        assert rules.validate(rules.Sheet(moves=candidate.moves)).status in {
            rules.Status.LEGAL,
            rules.Status.AMBIGUOUS,
        }


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        (lambda m: m.__setitem__(4, "/".join(m[4])), ChangeKind.UNREADABLE),
        (lambda m: m.insert(6, m[5]), ChangeKind.TWICE),
        (lambda m: m.pop(8), ChangeKind.MISSING),
    ],
)
def test_each_change_is_named(edit: object, kind: ChangeKind) -> None:
    moves = list(GAME)
    edit(moves)  # type: ignore[operator]

    found = rules.reconstruct([moves, list(GAME)])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert [(change.sheet, change.kind) for change in found.best.changes] == [(0, kind)]


def test_a_copy_that_stops_early_is_completed_by_the_other() -> None:
    found = rules.reconstruct([GAME[:40], GAME])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert found.certain_up_to_order
    assert not found.certain  # behind its end one copy alone speaks, and cannot show exchanged moves


@pytest.mark.parametrize("seed", [0, 1])
def test_plies_in_a_row_that_both_copies_lack_are_filled_in_and_stay_doubtful(seed: int) -> None:
    moves = played_game(seed, 50)
    left = moves[:20] + moves[23:]

    found = rules.reconstruct([left, left])

    assert moves in [list(game.moves) for game in found.games]
    assert found.best is not None
    assert not found.certain
    assert set(found.best.unseen) <= set(found.doubtful)


def test_a_ply_that_both_copies_lack_is_never_certain() -> None:
    left = [*GAME[:8], *GAME[9:]]

    found = rules.reconstruct([left, left])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert (found.certain, found.best.unseen) == (False, (9,))
    assert 9 in found.doubtful


def rebuilt(game: rules.Candidate, sheet: int, texts: list[str]) -> dict[int, str]:
    """The texts of a copy by the ply (1-based) they stand for, as the changes say."""
    changes = [change for change in game.changes if change.sheet == sheet]
    unwritten = {ChangeKind.EXTRA, ChangeKind.TWICE}
    passed_over = {change.index for change in changes if change.kind in unwritten}
    named = {change.ply: change.index for change in changes if change.kind not in unwritten}
    free = iter(n for n in range(len(texts)) if n not in passed_over and n not in named.values())
    places = {ply: named[ply] if ply in named else next(free) for ply in range(1, len(game.moves) + 1)}
    assert next(free, None) is None
    return {ply: texts[place] for ply, place in places.items() if place is not None}


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_the_changes_account_for_every_text_of_every_copy(seed: int, copies: int) -> None:
    chance = Random(seed)
    moves = played_game(seed + 80, 40)
    sheets = [damaged(moves, errors=3, chance=chance) for _copy in range(copies)]

    found = rules.reconstruct(sheets)

    assert found.games
    for game in found.games[:10]:
        for number, texts in enumerate(sheets):
            told = {change.ply for change in game.changes if change.sheet == number}
            for ply, text in rebuilt(game, number, texts).items():
                assert ply in told or text == game.moves[ply - 1]


def test_no_game_behind_nonsense_is_reliable() -> None:
    chance = Random(1)
    nonsense = [f"{chance.randint(1, 50)}-{chance.randint(1, 50)}" for _n in range(20)]

    found = rules.reconstruct([nonsense])

    assert not found.certain
    assert not found.reliable


@pytest.mark.parametrize("empty_first", [True, False])
def test_an_empty_copy_says_nothing(empty_first: bool) -> None:
    copy = damaged(GAME, errors=2, chance=Random(4))
    alone = rules.reconstruct([copy])

    found = rules.reconstruct([[], copy] if empty_first else [copy, []])

    assert alone.best is not None and found.best is not None
    assert (found.best.moves, found.confidence) == (alone.best.moves, alone.confidence)
    assert (found.certain, found.doubtful) == (alone.certain, alone.doubtful)
    assert [change.index for change in found.best.changes] == [change.index for change in alone.best.changes]
    assert {change.sheet for change in found.best.changes} == {int(empty_first)}


def test_a_copy_that_goes_on_alone_may_lack_its_last_move_as_if_it_were_alone() -> None:
    copy = damaged(GAME, errors=4, chance=Random(4))

    beside_a_beginning = rules.reconstruct([copy, GAME[:1]])
    beside_the_whole = rules.reconstruct([copy, GAME])

    assert beside_a_beginning.confidence < 0.997 < beside_the_whole.confidence


@pytest.mark.parametrize(("text", "most"), [("zzz", 200_000), ("50-45", 80_000)])
def test_a_search_that_has_lost_its_way_goes_on_with_little(text: str, most: int) -> None:
    hopeless = Search([marks_of([text] * 60, {})], rules.START, NORMAL)

    complete = hopeless.run(None, None)

    assert complete
    assert hopeless.work < most


def test_the_search_stops_when_told() -> None:
    found = rules.reconstruct([GAME], should_stop=lambda: True)

    assert (found.complete, found.certain) == (False, False)


@pytest.mark.parametrize("sheets", [[], [[]], [["32-28"]] * 3])
def test_wrong_calls_are_refused(sheets: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="one or two copies"):
        rules.reconstruct(sheets)


def test_the_command_answers_a_line_for_a_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps({"sheet_white": GAME[:20], "sheet_black": GAME[:20]}) + "\n", encoding="utf-8")
    out = io.StringIO()

    call_command("reconstruct", str(file), "--json", stdout=out)

    said = json.loads(out.getvalue())
    assert said["moves"] == GAME[:20]
    assert said["certain"] is True
    assert set(said) == {
        *("moves", "certain", "certain_up_to_order", "confidence", "proved", "doubtful", "likely"),
        *("unordered", "copies", "layouts", "changes"),
    }


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"sheet_white": 3}', "{}"])
def test_the_command_names_the_line_it_cannot_read(tmp_path: Path, line: str) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(line, encoding="utf-8")

    with pytest.raises(CommandError, match="line 1") as refused:
        call_command("reconstruct", str(file))

    assert refused.value.returncode == 2


@pytest.mark.skipif(
    not SHARED.exists(), reason="the damaged copies of real games are not beside this checkout"
)
def test_real_games_from_two_copies() -> None:
    lines = SHARED.read_text(encoding="utf-8").splitlines()
    for line in lines[::25]:
        pair = json.loads(line)
        found = rules.reconstruct([pair["sheet_white"], pair["sheet_black"]])
        assert found.best is not None
        assert raws(found.best.moves) == raws(pair["truth"])
