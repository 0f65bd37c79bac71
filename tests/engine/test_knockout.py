"""Knock-out brackets, micro-matches in their ties, and groups before them."""

import pytest

from tournaments.engine.knockout import (
    Entrance,
    bracket,
    group_rounds,
    groups_by_seed,
    progress,
    qualified,
    seed_order,
)
from tournaments.engine.types import InvalidState


def play(n: int, *, third_place: bool = False, winners: dict[int, int] | None = None) -> dict[int, int]:
    """The better seed wins every tie, unless told otherwise."""
    ties = bracket(n, third_place=third_place)
    told: dict[int, int] = {}
    while open_ := progress(ties, told).open:
        for meeting in open_:
            told[meeting.tie] = (winners or {}).get(meeting.tie, meeting.upper)
    return told


def test_seeds_stand_as_far_apart_as_they_can() -> None:
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@pytest.mark.parametrize("n", range(2, 34))
def test_better_seeds_win_through_and_meet_as_late_as_possible(n: int) -> None:
    ties = bracket(n)
    told = play(n)
    final = progress(ties, told)

    assert (1, 1, 1) in final.places
    assert len(final.meetings) == n - 1
    assert sorted(seed for seed, _, _ in final.places) == list(range(1, n + 1))
    for meeting in final.meetings:
        rounds_left = ties[-1].round - meeting.round
        assert meeting.upper <= 2**rounds_left


@pytest.mark.parametrize("n", range(2, 34))
def test_byes_go_to_the_best_seeds(n: int) -> None:
    first = [tie for tie in bracket(n) if tie.round == 1]
    byes = {tie.upper.number for tie in first if tie.is_bye}

    assert byes == set(range(1, 2 * len(first) - n + 1))
    assert all(tie.upper.entrance is Entrance.SEED for tie in first)


def test_losers_of_a_round_share_its_places() -> None:
    places = progress(bracket(8), play(8)).places

    assert sorted(places) == [
        (1, 1, 1),
        (2, 2, 2),
        (3, 3, 4),
        (4, 3, 4),
        (5, 5, 8),
        (6, 5, 8),
        (7, 5, 8),
        (8, 5, 8),
    ]


def test_with_byes_fewer_players_share_the_places_of_the_first_round() -> None:
    places = {seed: (first, last) for seed, first, last in progress(bracket(5), play(5)).places}

    assert places == {1: (1, 1), 2: (2, 2), 3: (3, 4), 4: (3, 4), 5: (5, 5)}


def test_match_for_the_third_place() -> None:
    ties = bracket(4, third_place=True)
    third = next(tie for tie in ties if tie.third_place)
    told = play(4, third_place=True, winners={third.number: 4})

    final = progress(ties, told)

    assert sorted(final.places) == [(1, 1, 1), (2, 2, 2), (3, 4, 4), (4, 3, 3)]
    assert [tie.third_place for tie in bracket(3, third_place=True)] == [False, False, False]


def test_only_ties_whose_players_are_known_are_open() -> None:
    ties = bracket(4)

    assert [(m.tie, m.upper, m.lower) for m in progress(ties, {}).open] == [(1, 1, 4), (2, 2, 3)]
    assert [(m.tie, m.upper, m.lower) for m in progress(ties, {1: 4}).open] == [(2, 2, 3)]
    assert [(m.tie, m.upper, m.lower) for m in progress(ties, {1: 4, 2: 2}).open] == [(3, 2, 4)]
    assert all(first > 1 or last > 1 for _, first, last in progress(ties, {1: 4, 2: 2}).places)


@pytest.mark.parametrize(("winners", "code"), [({1: 2}, "winner-not-in-tie"), ({3: 1}, "tie-not-playable")])
def test_a_winner_that_cannot_be_is_refused(winners: dict[int, int], code: str) -> None:
    with pytest.raises(InvalidState) as caught:
        progress(bracket(4), winners)

    assert caught.value.code == code


def test_too_few_players_are_refused() -> None:
    with pytest.raises(InvalidState):
        bracket(1)
    with pytest.raises(InvalidState):
        groups_by_seed(3, groups=2)
    with pytest.raises(InvalidState):
        qualified([[1, 2], [3]], per_group=2)


def test_seeds_are_dealt_to_groups_to_and_fro() -> None:
    assert groups_by_seed(8, groups=2) == ((1, 4, 5, 8), (2, 3, 6, 7))
    assert groups_by_seed(7, groups=3) == ((1, 6, 7), (2, 5), (3, 4))


def test_group_rounds_are_over_the_players_of_the_group() -> None:
    rounds = group_rounds((2, 3, 6, 7))

    assert [[(board.white, board.black) for board in round_.boards] for round_ in rounds] == [
        [(2, 7), (3, 6)],
        [(7, 6), (2, 3)],
        [(3, 7), (6, 2)],
    ]


@pytest.mark.parametrize("groups", [2, 4, 8])
def test_winner_and_second_of_a_group_can_only_meet_in_the_final(groups: int) -> None:
    tables = [[10 * index + 1, 10 * index + 2, 10 * index + 3] for index in range(groups)]
    seeds = qualified(tables, per_group=2)

    assert seeds[:groups] == tuple(table[0] for table in tables)
    order = seed_order(len(seeds))
    half = len(seeds) // 2
    side = {seeds[seed - 1]: place < half for place, seed in enumerate(order)}
    for table in tables:
        assert side[table[0]] != side[table[1]]


@pytest.mark.parametrize(
    ("groups", "per_group"), [(groups, per_group) for groups in range(2, 18) for per_group in range(2, 6)]
)
def test_nobody_meets_his_own_group_in_the_first_round(groups: int, per_group: int) -> None:
    tables = [[10 * index + place for place in range(1, per_group + 1)] for index in range(groups)]
    seeds = qualified(tables, per_group=per_group)

    assert sorted(seeds) == sorted(player for table in tables for player in table)
    for tie in bracket(len(seeds)):
        if tie.round == 1 and not tie.is_bye:
            assert seeds[tie.upper.number - 1] // 10 != seeds[tie.lower.number - 1] // 10
