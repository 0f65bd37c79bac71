"""Games made up by chance, legal by construction: the project's own data."""

from __future__ import annotations

import random
from typing import NamedTuple

from rules import START, Move, Position, legal_moves, play, write


class Played(NamedTuple):
    moves: tuple[str, ...]
    played: tuple[Move, ...]
    positions: tuple[Position, ...]


def chance_game(seed: int, *, plies: int = 120, start: Position = START) -> Played:
    chance = random.Random(seed)
    position = start
    written: list[str] = []
    played: list[Move] = []
    positions = [start]
    for _ in range(plies):
        moves = legal_moves(position)
        if not moves:
            break
        move = chance.choice(moves)
        written.append(write(position, move))
        played.append(move)
        position = play(position, move)
        positions.append(position)
    return Played(tuple(written), tuple(played), tuple(positions))
