"""How often the true game is found behind damaged copies, how sure the answer is of itself, and how long it takes.

`make bench` measures some of each kind; `python -m tests.benchmarks.measure_reconstruct N` takes N lines of the file of
damaged pairs for each number of errors and N games by chance, printing as it goes.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import rules
from tests.rules.damage import damaged, played_game

PAIRS = Path(__file__).parents[2].parent / "shared" / "pdn" / "scoresheet_pairs.jsonl"


class Case(NamedTuple):
    name: str
    truth: list[str]
    copies: list[list[str]]


class Outcome(NamedTuple):
    right: bool
    certain: bool
    doubtful: bool
    seconds: float


def pairs(most: int) -> Iterator[Case]:
    """Damaged copies of real games, two together and each alone; the first `most` of each number of errors."""
    if not PAIRS.exists():
        return
    seen: dict[int, int] = defaultdict(int)
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        errors = pair["errors_per_sheet"]
        seen[errors] += 1
        if seen[errors] > most:
            continue
        yield Case(f"two copies, {errors} errors", pair["truth"], [pair["sheet_white"], pair["sheet_black"]])
        yield Case(f"White's copy alone, {errors} errors", pair["truth"], [pair["sheet_white"]])
        yield Case(f"Black's copy alone, {errors} errors", pair["truth"], [pair["sheet_black"]])


def same_gap(most: int) -> Iterator[Case]:
    """Two copies that lack the same three plies, one more error in each: real games where there are any, others by chance."""
    for seed in range(most):
        yield _same_gap("both lack the same 3 plies, by chance", played_game(seed + 500, 70), Random(seed))
    if PAIRS.exists():
        for seed, line in enumerate(PAIRS.read_text(encoding="utf-8").splitlines()[:most]):
            yield _same_gap("both lack the same 3 plies, real games", json.loads(line)["truth"], Random(seed))


def _same_gap(name: str, truth: list[str], chance: Random) -> Case:
    place = chance.randrange(4, len(truth) - 10)
    left = truth[:place] + truth[place + 3 :]
    return Case(name, truth, [damaged(left, errors=1, chance=chance) for _copy in range(2)])


def measure(case: Case) -> Outcome:
    truth = rules.validate(rules.Sheet(moves=tuple(case.truth))).raws
    before = time.process_time()
    found = rules.reconstruct(case.copies)
    seconds = time.process_time() - before
    best = found.best
    right = best is not None and rules.validate(rules.Sheet(moves=best.moves)).raws == truth
    return Outcome(right, found.certain, bool(found.doubtful), seconds)


def report(cases: Iterator[Case]) -> list[Outcome]:
    by_name: dict[str, list[Outcome]] = defaultdict(list)
    for case in cases:
        outcome = measure(case)
        by_name[case.name].append(outcome)
        print(".", end="", flush=True)
    print()
    for name, outcomes in sorted(by_name.items()):
        times = [outcome.seconds for outcome in outcomes]
        right = sum(outcome.right for outcome in outcomes)
        marked = sum(outcome.doubtful for outcome in outcomes if not outcome.right)
        print(
            f"{name}: {right} of {len(outcomes)} exact, {marked} of the others marked doubtful; "
            f"CPU median {median(times):.2f} s, worst {max(times):.2f} s"
        )
    everything = [outcome for outcomes in by_name.values() for outcome in outcomes]
    certain = [outcome for outcome in everything if outcome.certain]
    print(f"certain: {len(certain)} of {len(everything)}, right {sum(o.right for o in certain)}")
    return everything


def test_damaged_copies_give_the_game() -> None:
    outcomes = report(iter([*pairs(5), *same_gap(5)]))

    assert all(outcome.right for outcome in outcomes if outcome.certain)


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    report(iter([*pairs(most), *same_gap(most)]))
