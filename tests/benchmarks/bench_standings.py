"""Standings of 100 to 10,000 players after 11 rounds with five tie-breaks: the growth should be that of the games."""

import random
import time

import pytest

from tournaments.engine.standings import compute
from tournaments.engine.types import Board, Outcome, Player, Round, Tournament

ROUNDS = 11
CODES = ("SOLKOFF_MEDIAN", "SOLKOFF", "SOLKOFF_TRUNC_FULL", "WINS", "DIRECT")


def event(players: int) -> Tournament:
    chance = random.Random(players)
    points = dict.fromkeys(range(1, players + 1), 0)
    rounds = []
    for number in range(1, ROUNDS + 1):
        order = sorted(points, key=lambda player: (-points[player], chance.random()))
        boards = []
        for index, (white, black) in enumerate(zip(order[::2], order[1::2], strict=True), start=1):
            outcome, gain = chance.choice(
                [(Outcome.WHITE, (2, 0)), (Outcome.DRAW, (1, 1)), (Outcome.BLACK, (0, 2))]
            )
            points[white] += gain[0]
            points[black] += gain[1]
            boards.append(Board(number=index, white=white, black=black, outcome=outcome))
        rounds.append(Round(number=number, boards=tuple(boards)))
    return Tournament(
        players=tuple(Player(number=n, rating=2400 - n % 1000) for n in points),
        rounds=tuple(rounds),
        rounds_total=ROUNDS,
    )


@pytest.mark.parametrize("players", [100, 1_000, 10_000])
def test_standings_after_eleven_rounds(benchmark, players: int) -> None:  # type: ignore[no-untyped-def]
    tournament = event(players)

    table = benchmark.pedantic(compute, args=(tournament,), kwargs={"tiebreaks": CODES}, rounds=3)

    assert len(table.rows) == players


def test_growth_from_one_hundred_to_ten_thousand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for players in (100, 1_000, 10_000):
        tournament = event(players)
        runs = []
        for _ in range(3):
            start = time.perf_counter()
            compute(tournament, tiebreaks=CODES)
            runs.append(time.perf_counter() - start)
        seconds = min(runs)
        games = players * ROUNDS // 2
        lines.append(
            f"{players:>6} players {games:>6} games {seconds:7.3f} s {1e6 * seconds / games:6.1f} us a game"
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert len(lines) == 3
