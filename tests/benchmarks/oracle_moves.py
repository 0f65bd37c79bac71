"""Compare legal moves with those of dame-rs on random positions: `python -m tests.benchmarks.oracle_moves 1000000 [SEED]`.

Half of the positions come from games by chance, half are strewn over the board with kings. A difference is printed and
ends the run with exit code 1.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

import dame

from rules import START, Position, legal_moves, play, squares
from rules.board import BLACK_PROMOTION, WHITE_PROMOTION, mask_of

OPENING_PLIES = 140


def from_games(chance: random.Random) -> Iterator[Position]:
    while True:
        position = START
        for _ in range(OPENING_PLIES):
            moves = legal_moves(position)
            if not moves:
                break
            position = play(position, chance.choice(moves))
            yield position


def strewn(chance: random.Random) -> Iterator[Position]:
    numbers = list(range(1, 51))
    while True:
        white, black = chance.randint(1, 20), chance.randint(1, 20)
        chosen = chance.sample(numbers, white + black)
        kings = mask_of(n for n in chosen if chance.random() < chance.choice((0.05, 0.3, 0.9)))
        whites, blacks = mask_of(chosen[:white]), mask_of(chosen[white:])
        white_kings = whites & (kings | WHITE_PROMOTION)
        black_kings = blacks & (kings | BLACK_PROMOTION)
        yield Position(
            whites ^ white_kings, white_kings, blacks ^ black_kings, black_kings, chance.random() < 0.5
        )


def ours(position: Position) -> list[tuple[int, int, tuple[int, ...]]]:
    return [(move.origin, move.destination, squares(move.captured)) for move in legal_moves(position)]


def theirs(position: Position) -> list[tuple[int, int, tuple[int, ...]]]:
    found = [
        (move.from_square, move.to_square, tuple(sorted(move.captured)))
        for move in dame.Board(position.fen()).legal_moves
    ]
    return sorted(found)


def main(count: int, seed: int) -> int:
    chance = random.Random(seed)
    sources = (from_games(chance), strewn(chance))
    start = time.perf_counter()
    moves = captures = 0
    for number in range(count):
        position = next(sources[number % 2])
        found = ours(position)
        if sorted(found) != theirs(position):
            print(f"{position.fen()}\n  ours   {sorted(found)}\n  dame-rs {theirs(position)}")
            return 1
        moves += len(found)
        captures += bool(found and found[0][2])
    seconds = time.perf_counter() - start
    print(
        f"{count} positions (seed {seed}), {captures} with captures, {moves} moves: no difference; {seconds:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
