"""The engine against the rulebook on small random states, and its explanations retold from it."""

import pytest

from tests.engine.retelling import Retelling
from tests.engine.rulebook import NO_PAIRING, Rulebook
from tests.engine.states import random_state
from tournaments.engine.swiss import descent, pair_round
from tournaments.engine.types import NoLegalPairing, Tournament


def paired(tournament: Tournament, absent: set[int]) -> set[tuple[int, int]] | str:
    try:
        boards = pair_round(tournament, absent=absent, explain=False).boards
    except NoLegalPairing:
        return NO_PAIRING
    return {(board.white, board.black or 0) for board in boards}


@pytest.mark.parametrize("first", range(0, 600, 50))
def test_every_way_tried_gives_the_same_pairs_and_colours(first: int) -> None:
    for seed in range(first, first + 50):
        tournament, absent = random_state(seed)

        assert paired(tournament, absent) == Rulebook(tournament, absent).pair(), f"state {seed}"


@pytest.mark.parametrize("first", range(10_000, 10_300, 50))
def test_the_same_when_small_fields_are_not_solved_whole(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "WHOLE", 0)

    for seed in range(first, first + 50):
        tournament, absent = random_state(seed)

        assert paired(tournament, absent) == Rulebook(tournament, absent).pair(), f"state {seed}"


def test_random_states_are_of_all_kinds() -> None:
    states = [random_state(seed)[0] for seed in range(200)]

    assert any(state.forbidden for state in states)
    assert any(state.virtual_points for state in states)
    assert any(state.rounds_total == len(state.rounds) + 1 for state in states)
    assert {len(state.rounds) for state in states} >= {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("first", range(20_000, 20_400, 50))
def test_what_refused_a_partner_is_found_again_without_the_engine(first: int) -> None:
    for seed in range(first, first + 50):
        tournament, absent = random_state(seed)
        book = Rulebook(tournament, absent)
        if book.pair() == NO_PAIRING:
            continue

        explanations = pair_round(tournament, absent=absent).explanations

        assert list(Retelling(book, explanations).complaints()) == [], f"state {seed}"
