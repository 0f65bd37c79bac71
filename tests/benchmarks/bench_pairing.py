"""One round of a Swiss, explained, for 100 to 10,000 players: processor seconds on one core. Figures are printed, none is asserted.

Histories: `thrown`, neighbours by score thrown together, and `paired`, every round paired by the engine itself. Fields:
`plain`, and `mixed` with 5 % absent, 2 % forfeits and the members of clubs kept apart.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments.engine.simulate import Simulation, simulate
from tournaments.engine.swiss import pair_round
from tournaments.engine.types import Outcome, Tournament

SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
ROUNDS = (5, 7, 9)
KINDS = {
    "thrown plain": {"paired": False},
    "thrown mixed": {"paired": False, "absences": 5, "forfeits": 2},
    "paired plain": {},
    "paired mixed": {"absences": 5, "forfeits": 2},
}
# Seconds of the reference program for one round of these sizes, recorded elsewhere: another machine, so no ratio.
REFERENCE = {100: 0.02, 200: 0.17, 500: 3.4, 1_000: 26.5, 2_000: 361.0}


def history(players: int, kind: str, seed: int) -> Tournament:
    options = {"players": players, "rounds": 9, "rounds_total": 9, "seed": seed} | KINDS[kind]
    if "mixed" in kind:
        options["clubs"] = max(2, players // 10)
    return simulate(Simulation(**options))  # type: ignore[arg-type]


def states(tournament: Tournament) -> Iterator[tuple[Tournament, list[int]]]:
    """The tournament before each of ROUNDS, and who was absent then."""
    for number in ROUNDS:
        absent = [
            board.white
            for board in tournament.rounds[number - 1].boards
            if board.outcome in (Outcome.HALF_BYE, Outcome.ZERO_BYE)
        ]
        yield replace(tournament, rounds=tournament.rounds[: number - 1]), absent


def seconds_of(tournament: Tournament, absent: list[int], *, explain: bool) -> float:
    start = time.process_time()
    pair_round(tournament, absent=absent, explain=explain)
    return time.process_time() - start


def measure(players: int, seeds: int) -> Iterator[tuple[str, list[float], list[float]]]:
    for kind in KINDS:
        alone: list[float] = []
        explained: list[float] = []
        for seed in range(seeds):
            for tournament, absent in states(history(players, kind, seed)):
                alone.append(seconds_of(tournament, absent, explain=False))
                explained.append(seconds_of(tournament, absent, explain=True))
        yield kind, alone, explained


def test_one_round_by_size(capsys: pytest.CaptureFixture[str]) -> None:
    medians: dict[int, float] = {}
    worst: dict[int, float] = {}
    with capsys.disabled():
        print(
            f"\n{'players':>8} {'history':<13} {'paired':>8} {'longest':>8} {'explained':>10} {'longest':>8}"
        )
        for players in SIZES:
            every: list[float] = []
            for kind, alone, explained in measure(players, seeds=3 if players <= 2_000 else 1):
                every += explained
                print(
                    f"{players:>8} {kind:<13} {statistics.median(alone):8.3f} {max(alone):8.3f}"
                    f" {statistics.median(explained):10.3f} {max(explained):8.3f}",
                    flush=True,
                )
            medians[players], worst[players] = statistics.median(every), max(every)
            if players in REFERENCE:
                print(
                    f"{'':>8} the reference program, recorded elsewhere on another machine: {REFERENCE[players]} s"
                )
        print(f"growth from 1,000 to 10,000 players: {medians[10_000] / medians[1_000]:.1f} times")
        slowest = max(SIZES, key=lambda players: worst[players] / medians[players])
        ratio = worst[slowest] / medians[slowest]
        print(f"longest over median: {ratio:.1f} times at most, for {slowest:,} players")


def test_memory_of_ten_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    program = "from tests.benchmarks.bench_pairing import peak_of; print(peak_of(10_000))"
    peak = int(
        subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    )

    with capsys.disabled():
        print(f"\nmemory for 10,000 players, explained: {peak} MB")


def peak_of(players: int) -> int:
    """Megabytes of this program at most, after pairing one round.

    Asked of the kernel's account of the program itself: `ru_maxrss` of a child counts what its parent held when it was
    started, here the whole test run.
    """
    tournament = history(players, "thrown mixed", 0)
    pair_round(replace(tournament, rounds=tournament.rounds[:8]))
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024
