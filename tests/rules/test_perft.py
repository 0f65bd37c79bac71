from __future__ import annotations

import pytest

from rules import Position, perft
from tests.rules.perft_tables import TABLES


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_perft_counts_the_published_leaves(table):
    position = Position.from_fen(table.fen)

    counted = tuple(perft(position, depth + 1) for depth in range(table.suite_depth))

    assert counted == table.leaves[: table.suite_depth]


def test_perft_of_depth_nought_is_the_position_itself():
    assert perft(Position.from_fen("W:W26:B21,17,12"), 0) == 1


def test_perft_of_a_blocked_position_is_nought():
    assert perft(Position.from_fen("W:W26:B21,17,12"), 1) == 0
