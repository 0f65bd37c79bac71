from __future__ import annotations

import pytest

from rules import Position
from tests.rules.played import chance_game


@pytest.fixture(scope="session")
def chance_positions() -> list[Position]:
    """Positions of every phase of the game."""
    return [position for seed in range(25) for position in chance_game(seed, plies=160).positions[::4]]
