"""Speed of the law beside two other libraries, in one run on one core.

Games of 88 plies, checked move by move: ours with its full verdict (remarks, draws, final position, declarations), and
again with every position read from it; the others by pushing each written move, which is the least they can do. All take
turns over batches of games, each game is judged once, and what is told is the median over the batches; other games warm
them up. Then leaves counted from the start position. The tables are printed; asserted is only that all agree.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import dame
import draughts
import pytest

from rules import START, Position, Sheet, Status, perft, validate
from tests.rules.perft_tables import TABLES
from tests.rules.played import chance_game

PLIES = 88
BATCH = 80
KINGLY_PLIES = 30
PAIRS = Path(__file__).parents[3] / "shared" / "pdn" / "scoresheet_pairs.jsonl"


def chance_games(count: int, kingly_plies: int = 0, seed: int = 0) -> list[tuple[str, ...]]:
    """Games by chance that are at least 88 plies long, cut there; none has an ambiguous capture. `kingly_plies` asks
    for kings on the board after so many of the plies."""
    found = []
    while len(found) < count:
        game = chance_game(seed, plies=PLIES)
        seed += 1
        kingly = sum(bool(position.white_kings | position.black_kings) for position in game.positions)
        plain = all(move.count("x") < 2 for move in game.moves)
        if len(game.moves) == PLIES and plain and kingly >= kingly_plies:
            found.append(game.moves)
    return found


def real_games() -> list[tuple[str, ...]]:
    if not PAIRS.exists():
        pytest.skip("the corpus of real games is not beside this checkout (../shared/pdn)")
    truths = [json.loads(line)["truth"] for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [tuple(moves[:PLIES]) for moves in truths if len(moves) >= PLIES]


SOURCES: dict[str, Callable[[], list[tuple[str, ...]]]] = {
    "real": real_games,
    "chance": lambda: chance_games(5 * BATCH),
    f"chance, kings in {KINGLY_PLIES} plies or more": lambda: chance_games(2 * BATCH, KINGLY_PLIES),
}


def ours(games: list[tuple[str, ...]]) -> int:
    legal = 0
    for moves in games:
        verdict = validate(Sheet(moves=moves))
        legal += verdict.status is Status.LEGAL and verdict.plies == PLIES
    return legal


def ours_with_positions(games: list[tuple[str, ...]]) -> int:
    return sum(len(validate(Sheet(moves=moves)).positions) == PLIES + 1 for moves in games)


def by_dame_rs(games: list[tuple[str, ...]]) -> int:
    legal = 0
    for moves in games:
        board = dame.Board()
        for move in moves:
            board.push(move)
        legal += 1
    return legal


def by_py_draughts(games: list[tuple[str, ...]]) -> int:
    legal = 0
    for moves in games:
        board = draughts.Board()
        for move in moves:
            board.push_uci(move)
        legal += 1
    return legal


CHECKERS: dict[str, Callable[[list[tuple[str, ...]]], int]] = {
    "rules.validate": ours,
    "rules, positions": ours_with_positions,
    "dame-rs": by_dame_rs,
    "py-draughts": by_py_draughts,
}


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """(seconds of processor time, the answer)."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


@pytest.mark.parametrize("source", SOURCES)
def test_games_of_88_plies_side_by_side(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    games = SOURCES[source]()
    batches = [games[first : first + BATCH] for first in range(0, len(games) - BATCH + 1, BATCH)]
    taken: dict[str, list[float]] = {name: [] for name in CHECKERS}
    for check in CHECKERS.values():
        check(chance_games(BATCH, seed=1_000_000))
    for batch in batches:
        for name, check in CHECKERS.items():
            seconds, legal = timed(lambda check=check, batch=batch: check(batch))
            assert legal == BATCH
            taken[name].append(seconds)
    with capsys.disabled():
        print(f"\ngames of {PLIES} plies ({source}), {len(batches)} batches of {BATCH}")
        for name, found in taken.items():
            rate = BATCH / statistics.median(found)
            ratio = statistics.median(
                theirs / own for theirs, own in zip(found, taken["rules.validate"], strict=True)
            )
            print(f"  {name:16}{rate:9.0f} games/s   ours is {ratio:5.1f} times as fast")


def counted_by_py_draughts(board: draughts.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += counted_by_py_draughts(board, depth - 1)
        board.pop()
    return total


def test_leaves_per_second_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    work: dict[str, tuple[int, Callable[[int], int]]] = {
        "rules.perft": (7, lambda depth: perft(START, depth)),
        "py-draughts": (5, lambda depth: counted_by_py_draughts(draughts.Board(), depth)),
        "dame-rs": (7, lambda depth: dame.perft(dame.Board(), depth)),
    }
    rates = {}
    for name, (depth, count) in work.items():
        seconds, leaves = timed(lambda count=count, depth=depth: count(depth))
        assert leaves == TABLES[0].leaves[depth - 1]
        rates[name] = leaves / seconds
    with capsys.disabled():
        print("\nleaves from the start position")
        for name, rate in rates.items():
            print(
                f"  {name:16}{rate:12.0f} leaves/s   ours is {rates['rules.perft'] / rate:6.2f} times as fast"
            )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_leaves_deeper_than_the_suite_counts(table, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    deepest = {
        "start": 9,
        "woldouby": 13,
        "random178": 7,
        "all kings": 7,
        "almost promotion": 7,
        "front rows": 10,
    }
    position = Position.from_fen(table.fen)
    for depth in range(table.suite_depth + 1, deepest[table.name] + 1):
        start = time.perf_counter()
        assert perft(position, depth) == table.leaves[depth - 1]
        with capsys.disabled():
            print(
                f"  {table.name} depth {depth}: {table.leaves[depth - 1]} in {time.perf_counter() - start:.1f} s"
            )
