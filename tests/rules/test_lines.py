from __future__ import annotations

import random

import pytest

from rules.board import BOARD, RAYS, SQUARE, squares
from rules.lines import LINES


def looked_along(square: int, empty: int) -> tuple[set[tuple[int, tuple[int, ...]]], list[int]]:
    """(the jumps, the bits a king can slide to), step by step along every ray."""
    jumps = set()
    slides = []
    for ray in RAYS[square]:
        free = [bool(bit & empty) for bit in ray]
        reach = free.index(False) if False in free else len(ray)
        slides += ray[:reach]
        behind = ray[reach + 1 :]
        free = free[reach + 1 :]
        landings = behind[: free.index(False) if False in free else len(behind)]
        if landings:
            jumps.add((ray[reach], landings))
    return jumps, slides


@pytest.mark.parametrize("seed", range(40))
def test_a_king_sees_what_it_meets_step_by_step(seed):
    chance = random.Random(seed)
    empty = sum(bit for bit in SQUARE if chance.random() < chance.choice((0.2, 0.5, 0.8, 1.0)))

    for king, diagonals in LINES.items():
        sights = [table[empty & mask] for mask, table in diagonals]
        jumps, slides = looked_along(king, empty)
        assert {jump for _, seen, _ in sights for jump in seen} == jumps
        assert sum(jumpable for jumpable, _, _ in sights) == sum(victim for victim, _ in jumps)
        assert sorted(move for _, _, moves in sights for move in moves) == sorted(
            (king, bit, 0) for bit in slides
        )


def test_each_square_lies_on_the_diagonals_of_its_rays():
    assert [len(LINES[bit]) for bit in (1, 1 << 53)] == [2, 2]
    assert {SQUARE[bit] for bit in LINES if len(LINES[bit]) == 1} == {5, 46}
    for bit, diagonals in LINES.items():
        assert sum(mask for mask, _ in diagonals) == sum(sum(ray) for ray in RAYS[bit])
        assert all(
            len(table) == 2 ** len(squares(mask)) and mask & BOARD == mask for mask, table in diagonals
        )
