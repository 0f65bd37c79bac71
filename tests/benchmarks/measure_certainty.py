"""Whether what is called certain is so, under damage that no odds of ours were fitted to, and how honest the odds are.

`python -m tests.benchmarks.measure_certainty FILE.jsonl --games 3000 --first 0` appends a line for each case to the file:
one kind of damage a game, real games and games made up here in turn. `--report` reads the file and prints the tables.
`--ordinary N` measures everyday damage instead, N games for each number of errors.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import rules
from tests.rules.adversarial import KINDS
from tests.rules.damage import damaged

SHARED = Path(__file__).parents[2].parent / "shared" / "pdn"
BY_HAND = ("Yodachess+BrunoGUI_Dames", "wiegerw+draughts", "wiegerw+pdn")
BY_PROGRAM = ("EricCJoyce+Datasets",)
SHORTEST, LONGEST = 24, 140
BINS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)


@cache
def real_games(folders: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    found: dict[tuple[str, ...], None] = {}
    for folder in folders:
        for file in sorted((SHARED / folder).glob("*.pdn")):
            for sheet in rules.sheets_of(file.read_bytes()):
                verdict = rules.validate(sheet)
                plain = verdict.status is rules.Status.LEGAL and sheet.start == rules.START
                if plain and not sheet.variant and SHORTEST <= verdict.plies <= LONGEST:
                    found[_as_written(verdict)] = None
    return tuple(found)


def _as_written(verdict: rules.Verdict) -> tuple[str, ...]:
    return tuple(
        rules.write(position, move)
        for position, move in zip(verdict.positions, verdict.moves, strict=False)
        if move is not None
    )


def made_up(seed: int) -> tuple[str, ...]:
    """A game by a player who looks two plies ahead at the men on the board and else moves by chance."""
    chance = Random(seed)
    position, moves = rules.START, []
    for _ply in range(chance.randrange(40, 110)):
        legal = rules.legal_moves(position)
        if not legal:
            break
        scored = [(_loss(rules.play(position, move)), chance.random(), move) for move in legal]
        move = min(scored, key=lambda entry: entry[:2])[2]
        moves.append(rules.write(position, move))
        position = rules.play(position, move)
    return tuple(moves)


def _loss(position: rules.Position) -> int:
    """What the side to move gains by the best capture at once, less what is taken back."""
    best = 0
    for move in rules.legal_moves(position):
        if not move.captured:
            break
        back = max(
            (reply.captured_count for reply in rules.legal_moves(rules.play(position, move))), default=0
        )
        best = max(best, move.captured_count - back)
    return best


def game(number: int) -> tuple[str, list[str]]:
    """The game of a case: people's games, a program's, and our own in turn."""
    source = number // len(KINDS) % 3
    if source == 2:
        return "made up", list(made_up(number))
    pool = real_games(BY_HAND if source == 0 else BY_PROGRAM)
    return ("people", "program")[source], list(pool[number * 7 % len(pool)])


def adversarial(first: int, count: int) -> Iterator[tuple[dict[str, Any], list[str], list[list[str]]]]:
    kinds = list(KINDS)
    for number in range(first, first + count):
        source, moves = game(number)
        kind = kinds[number % len(kinds)]
        if len(moves) < SHORTEST:
            continue
        yield {"n": number, "kind": kind, "source": source}, moves, KINDS[kind](moves, Random(number))


def ordinary(count: int, first: int = 0) -> Iterator[tuple[dict[str, Any], list[str], list[list[str]]]]:
    """Everyday damage of people's games: `tests.rules.damage`, as the product has always been measured."""
    pool = real_games(BY_HAND)
    for number in range(first, first + count):
        moves = list(pool[number * 11 % len(pool)])
        for copies, errors in ((1, 1), (1, 3), (2, 1), (2, 3), (2, 6)):
            chance = Random(number * 100 + errors)
            sheets = [damaged(moves, errors=errors, chance=chance) for _copy in range(copies)]
            name = f"{'one' if copies == 1 else 'two'}: {errors} errors each, everyday"
            yield {"n": number, "kind": name, "source": "people"}, moves, sheets


def measure(truth: list[str], copies: list[list[str]]) -> dict[str, Any]:
    before = time.process_time()
    found = rules.reconstruct(copies)
    seconds = time.process_time() - before
    best = [] if found.best is None else list(found.best.moves)
    likely = set(getattr(found, "likely", ()))
    wrong = [
        ply for ply in range(1, max(len(best), len(truth)) + 1) if best[ply - 1 : ply] != truth[ply - 1 : ply]
    ]
    return {
        "right": best == truth,
        "same_moves": Counter(best) == Counter(truth),
        "proved_right": _proved_right(best, truth, likely),
        "certain": found.certain,
        "up_to_order": getattr(found, "certain_up_to_order", found.certain),
        "confidence": found.confidence,
        "wrong": wrong[:6],
        "likely": len(likely),
        "doubtful": len(found.doubtful),
        "seconds": round(seconds, 3),
    }


def _proved_right(best: list[str], truth: list[str], likely: set[int]) -> bool:
    """Whether the moves that do not rest on their own text alone were played, in whatever order."""
    proved = Counter(text for ply, text in enumerate(best, 1) if ply not in likely)
    return not proved - Counter(truth)


def report(lines: list[dict[str, Any]]) -> None:
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        kinds[line["kind"]].append(line)
    print(
        f"{'kind':38} cases right  certain  wrong | up to order  moves wrong  proved wrong | CPU median worst"
    )
    for name, cases in [*sorted(kinds.items()), ("all", lines)]:
        sure = [case for case in cases if case["certain"]]
        order = [case for case in cases if case["up_to_order"] or case["certain"]]
        times = sorted(case["seconds"] for case in cases)
        print(
            f"{name:38} {len(cases):5} {sum(c['right'] for c in cases):5} {len(sure):8} "
            f"{sum(not c['right'] for c in sure):6} | {len(order):11} {sum(not c['same_moves'] for c in order):12} "
            f"{sum(not c['proved_right'] for c in order):13} | {times[len(times) // 2]:6.2f} {times[-1]:6.2f}"
        )
    print("\nconfidence    cases  exact  share")
    for low, high in zip((0.0, *BINS), (*BINS, 1.01), strict=True):
        inside = [case for case in lines if low <= case["confidence"] < high]
        if inside:
            right = sum(case["right"] for case in inside)
            print(f"{low:5.3f}-{min(high, 1):5.3f} {len(inside):7} {right:6} {right / len(inside):6.3f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ordinary", type=int, default=0)
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    cases = (
        adversarial(options.first, options.games)
        if options.games
        else ordinary(options.ordinary, options.first)
    )
    with options.file.open("a", encoding="utf-8") as file:
        for about, truth, copies in cases:
            file.write(json.dumps({**about, **measure(truth, copies)}) + "\n")
            file.flush()
    if options.report:
        report([json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()])


if __name__ == "__main__":
    main()
