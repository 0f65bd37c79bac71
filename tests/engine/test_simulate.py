"""Simulated tournaments: the same for the same seed, and with what was asked for in them."""

from tournaments.engine.simulate import Simulation, simulate
from tournaments.engine.types import FORFEITS, Outcome, Tournament


def outcomes(tournament: Tournament) -> set[Outcome]:
    return {board.outcome for round_ in tournament.rounds for board in round_.boards}


def test_a_seed_gives_one_tournament() -> None:
    spec = Simulation(players=20, rounds=5, seed=7, absences=5, forfeits=5)

    assert simulate(spec) == simulate(spec)
    assert simulate(spec) != simulate(Simulation(players=20, rounds=5, seed=8, absences=5, forfeits=5))


def test_nobody_meets_twice_whichever_way_it_is_made() -> None:
    for paired in (True, False):
        tournament = simulate(Simulation(players=30, rounds=6, seed=1, paired=paired))
        met = [
            frozenset((board.white, board.black))
            for round_ in tournament.rounds
            for board in round_.boards
            if board.black
        ]

        assert len(met) == 15 * 6
        assert len(set(met)) == len(met)


def test_what_is_asked_for_happens() -> None:
    plain = simulate(Simulation(players=21, rounds=5, seed=2))
    mixed = simulate(
        Simulation(players=60, rounds=6, seed=2, forfeits=10, absences=10, withdrawals=5, late=20, clubs=5)
    )

    assert outcomes(plain) == {Outcome.WHITE, Outcome.DRAW, Outcome.BLACK, Outcome.BYE}
    assert outcomes(mixed) & FORFEITS
    assert {Outcome.HALF_BYE, Outcome.ZERO_BYE} <= outcomes(mixed)
    assert any(p.withdrawn_after is not None for p in mixed.players)
    assert len(mixed.forbidden) == 5
    clubs = {p.number: p.club for p in mixed.players}
    assert all(
        clubs[board.white] != clubs[board.black]
        for round_ in mixed.rounds
        for board in round_.boards
        if board.black
    )


def test_it_stops_where_nobody_can_be_paired_any_more() -> None:
    assert len(simulate(Simulation(players=4, rounds=9, seed=1)).rounds) <= 3
