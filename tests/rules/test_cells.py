"""Copies read from pictures: probabilities in place of texts."""

from __future__ import annotations

from math import exp, log
from random import Random

import pytest

import rules
from rules import Cell, ChangeKind
from tests.rules.damage import played_game

GAME = played_game(8, 60)
SURE = 0.9999


def squares_of(move: str) -> tuple[int, int]:
    origin, goal = move.replace("x", "-").split("-")
    return int(origin), int(goal)


def logs(square: int, *, sure: float = SURE, other: int | None = None) -> list[float]:
    """A square as a reader gives it: nearly all on one, the rest on another or spread."""
    rest = (1 - sure) / 49
    found = [rest] * 50
    if other is not None:
        found[other - 1] = 1 - sure
    found[square - 1] = sure
    return [log(share) for share in found]


def cell(move: str, *, sure: float = SURE) -> Cell:
    origin, goal = squares_of(move)
    return Cell.of_squares(logs(origin, sure=sure), logs(goal, sure=sure))


def unlike(square: int, chance: Random) -> int:
    return chance.choice([other for other in range(1, 51) if other != square])


def noisy(moves: list[str], chance: Random, *, wrong: float) -> list[Cell]:
    """As a reader sees a page: mostly right and sure, here and there wrong and unsure, the truth second."""
    cells = []
    for move in moves:
        parts = []
        for square in squares_of(move):
            if chance.random() < wrong:
                parts.append(logs(unlike(square, chance), sure=0.6, other=square))
            else:
                parts.append(logs(square, sure=chance.uniform(0.9, SURE)))
        cells.append(Cell.of_squares(*parts))
    return cells


def test_cells_read_well_are_the_game() -> None:
    found = rules.reconstruct_cells([[cell(move) for move in GAME], [cell(move) for move in GAME]])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert (found.certain, found.best.changes) == (True, ())


@pytest.mark.parametrize("seed", range(3))
def test_what_the_reader_takes_wrongly_is_no_error_of_the_writer(seed: int) -> None:
    page = noisy(GAME, Random(seed), wrong=0.05)

    found = rules.reconstruct_cells([page])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert found.best.changes == ()


def test_one_picture_is_certain_at_most_up_to_the_order_of_moves() -> None:
    found = rules.reconstruct_cells([[cell(move) for move in GAME]])

    assert (found.certain, found.certain_up_to_order) == (False, True)


def test_a_legal_reading_does_not_end_the_argument() -> None:
    moves = ["32-28", "19-23", "28x19", "14x23", "37-32"]
    blurred = Cell({(37, 31): -log(0.45), (37, 32): -log(0.55)})

    found = rules.reconstruct_cells([[*map(cell, moves[:-1]), blurred]])

    assert found.best is not None
    assert found.doubtful == (5,)
    assert (found.certain, found.certain_up_to_order) == (False, False)


def test_a_slip_of_the_writer_is_named() -> None:
    moves = list(GAME)
    origin, goal = squares_of(moves[10])
    moves[10] = f"{goal}-{origin}"

    found = rules.reconstruct_cells([[cell(move) for move in moves], [cell(move) for move in GAME]])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert [(change.ply, change.kind) for change in found.best.changes] == [(11, ChangeKind.EXCHANGED)]


def test_a_move_written_again_is_found_though_the_pictures_differ() -> None:
    cells = [cell(move, sure=0.98) for move in GAME]
    again = cell(GAME[5], sure=0.9)

    found = rules.reconstruct_cells([[*cells[:6], again, *cells[6:]]])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert [change.kind for change in found.best.changes] == [ChangeKind.TWICE]


def test_two_pictures_too_poor_alone_are_read_together() -> None:
    copies = [noisy(GAME, Random(seed), wrong=0.2) for seed in (5, 6)]

    found = rules.reconstruct_cells(copies)

    assert found.best is not None
    assert list(found.best.moves) == GAME


def test_a_good_picture_beside_one_of_nothing_gives_the_game() -> None:
    chance = Random(3)
    nonsense = [
        Cell.of_squares(logs(chance.randint(1, 50), sure=0.9), logs(chance.randint(1, 50), sure=0.9))
        for _ply in GAME
    ]

    found = rules.reconstruct_cells([nonsense, [cell(move) for move in GAME]])

    assert found.best is not None
    assert list(found.best.moves) == GAME
    assert found.copies == (1,)
    assert not found.certain


@pytest.mark.parametrize(("tens", "units"), [(10, 7), (7, 10), (0, 7)])
def test_squares_below_ten_are_read_however_they_are_set_in_the_boxes(tens: int, units: int) -> None:
    def box(digit: int) -> list[float]:
        return [log(0.99) if value == digit else log(0.001) for value in range(11)]

    found = Cell.of_boxes([box(tens), box(units), box(1), box(2)])

    assert found.written == "7-12"
    assert exp(-found.least) > 0.9


@pytest.mark.parametrize(
    "make",
    [
        lambda: Cell({}),
        lambda: Cell({(32, 28): -0.1}),
        lambda: Cell.of_squares([0.0] * 49, [0.0] * 50),
        lambda: Cell.of_boxes([[0.0] * 11] * 3),
    ],
)
def test_cells_that_are_none_are_refused(make: object) -> None:
    with pytest.raises(ValueError, match=r"needs costs|four boxes|fifty"):
        make()  # type: ignore[operator]
