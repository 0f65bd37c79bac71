"""A round by hand: byes, absences, orders, refusals, and the questions an arbiter asks."""

from dataclasses import replace
from typing import Any

import pytest

from tests.engine.builders import rounds
from tournaments.engine.swiss import Criterion, Role, TimeLimit, as_data, baku, pair_round, why_not
from tournaments.engine.types import (
    Adjustment,
    Colour,
    ForbiddenGroup,
    InvalidState,
    NoLegalPairing,
    Outcome,
    Player,
    RequestedBye,
    Tournament,
    VirtualPoints,
)


def event(players: int, *lines: str, total: int = 9) -> Tournament:
    return Tournament(
        players=tuple(Player(number=n) for n in range(1, players + 1)),
        rounds=rounds(lines),
        rounds_total=total,
    )


def pairs(tournament: Tournament, **options: object) -> list[tuple[int, int]]:
    boards = pair_round(tournament, **options).boards  # type: ignore[arg-type]
    return [(board.white, board.black or 0) for board in boards]


def test_round_one_is_top_half_against_bottom_half_with_alternating_colours() -> None:
    assert pairs(event(6)) == [(1, 4), (5, 2), (3, 6)]
    assert pairs(replace(event(6), initial_colour=Colour.BLACK)) == [(4, 1), (2, 5), (6, 3)]


def test_the_odd_one_out_has_the_bye_as_board_zero() -> None:
    boards = pair_round(event(5)).boards

    assert [(b.number, b.white, b.black, b.outcome) for b in boards] == [
        (1, 1, 3, Outcome.UNPLAYED),
        (2, 4, 2, Outcome.UNPLAYED),
        (0, 5, None, Outcome.BYE),
    ]


def test_a_second_bye_goes_to_the_next_one_up() -> None:
    pairing = pair_round(event(5, "1-3:1 4-2:0 5:U"))

    bye = pairing.boards[-1]
    told = pairing.explanations[bye.white]
    assert (bye.white, bye.outcome) == (4, Outcome.BYE)
    assert told.role == Role.BYE


def test_a_win_without_play_bars_from_the_bye() -> None:
    # 3 won by forfeit over 2, who has no points either: only 2 is left for the bye.
    assert pairs(event(3, "1:H 3-2:+")) == [(3, 1), (2, 0)]


def test_who_is_absent_withdrawn_or_has_asked_for_a_bye_is_not_paired() -> None:
    tournament = replace(
        event(8, "1-5:1 6-2:0 3-7:1 8-4:0"),
        requested_byes=(RequestedBye(player=2, round=2, kind=Outcome.HALF_BYE),),
    )
    players = tuple(replace(p, withdrawn_after=1) if p.number == 7 else p for p in tournament.players)

    named = {p for pair in pairs(replace(tournament, players=players), absent=[1, 5]) for p in pair}

    assert named == {3, 4, 6, 8}


def test_a_late_entry_does_not_shift_the_colours_of_round_one() -> None:
    # 2 enters later: among those who play, 3 is the second and 4 the third.
    assert pairs(event(5), absent=[2]) == [(1, 4), (5, 3)]


def test_virtual_points_part_the_field() -> None:
    tournament = replace(
        event(8),
        virtual_points=(
            VirtualPoints(points=2, first_round=1, last_round=1, players=frozenset({1, 2, 3, 4})),
        ),
    )

    assert {frozenset(pair) for pair in pairs(tournament)} == {
        frozenset(pair) for pair in ((1, 3), (2, 4), (5, 7), (6, 8))
    }


@pytest.mark.parametrize(
    ("players", "rounds_", "expected"),
    [
        (12, 9, [(6, 2, 1, 3), (6, 1, 4, 5)]),
        (13, 9, [(8, 2, 1, 3), (8, 1, 4, 5)]),
        (17, 7, [(10, 2, 1, 2), (10, 1, 3, 4)]),
        (4, 1, [(2, 2, 1, 1)]),
        (0, 5, []),
    ],
)
def test_baku_groups_and_rounds(
    players: int, rounds_: int, expected: list[tuple[int, int, int, int]]
) -> None:
    records = baku(players=players, rounds=rounds_)

    assert [(len(r.players), r.points, r.first_round, r.last_round) for r in records] == expected
    assert all(r.players == frozenset(range(1, len(r.players) + 1)) for r in records)


def test_forbidden_pairs_hold_for_their_rounds_only() -> None:
    for last, expected in ((1, False), (0, True)):
        tournament = replace(
            event(4), forbidden=(ForbiddenGroup(players=frozenset({1, 3}), last_round=last),)
        )

        assert ((1, 3) in pairs(tournament)) == expected


def test_a_given_order_ranks_inside_the_score_group() -> None:
    assert pairs(event(4), order=[4, 3, 2, 1]) == [(4, 2), (1, 3)]


def test_progress_is_told_up_to_the_last_player() -> None:
    heard: list[tuple[int, int]] = []

    pair_round(event(9, "1-5:1 6-2:0 3-7:= 8-4:1 9:U"), progress=lambda *told: heard.append(told))

    assert heard[-1] == (9, 9)
    assert heard == sorted(heard)


def test_a_time_limit_pairs_nobody() -> None:
    with pytest.raises(TimeLimit):
        pair_round(event(4), should_stop=lambda: True)
    with pytest.raises(TimeLimit) as caught:
        pair_round(event(12, "1-7:1 8-2:0 3-9:= 10-4:1 5-11:0 12-6:0"), should_stop=lambda: True)

    assert caught.value.values == {"round": 2}


@pytest.mark.parametrize(
    ("tournament", "values"),
    [
        (event(4, "1-2:1 3-4:?"), {"player": 3, "round": 1, "why": "result-missing"}),
        (event(4, "1-2:1 1-4:1"), {"player": 1, "round": 1, "why": "player-twice-in-the-round"}),
        (event(2, "1-7:1"), {"player": 7, "round": 1, "why": "player-unknown"}),
        (
            Tournament(players=(Player(number=1), Player(number=1))),
            {"player": 1, "why": "number-twice"},
        ),
    ],
)
def test_a_contradiction_is_named_with_player_and_round(
    tournament: Tournament, values: dict[str, object]
) -> None:
    with pytest.raises(InvalidState) as caught:
        pair_round(tournament)

    assert caught.value.values == values


@pytest.mark.parametrize(
    "record",
    [
        {"forbidden": (ForbiddenGroup(players=frozenset({1, 9})),)},
        {"virtual_points": (VirtualPoints(points=2, first_round=1, last_round=2, players=frozenset({9})),)},
        {"requested_byes": (RequestedBye(player=9, round=1),)},
        {"adjustments": (Adjustment(player=9, points=1, after_round=1),)},
    ],
    ids=lambda record: next(iter(record)),
)
def test_a_record_about_nobody_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(InvalidState) as caught:
        pair_round(replace(event(4), **record))

    assert caught.value.values["player"] == 9


def test_points_of_a_ruling_move_a_player_to_another_score_group() -> None:
    tournament = event(6, "1-4:1 5-2:0 3-6:1")
    ruled = replace(tournament, adjustments=(Adjustment(player=1, points=-2, after_round=1),))

    # 1 stands with the losers now, so 2 and 3 meet.
    assert (2, 3) not in pairs(tournament)
    assert frozenset((2, 3)) in {frozenset(pair) for pair in pairs(ruled)}


def test_an_order_must_name_everybody_once() -> None:
    for order in ([1, 2, 2, 4], [1, 2, 3], [1, 2, 3, 9]):
        with pytest.raises(InvalidState):
            pair_round(event(4), order=order)


def test_no_legal_pairing_names_who_is_stuck_and_what_would_help() -> None:
    # 1 has met everybody: the other three are no obstacle, but 1 and one more stay alone.
    tournament = event(4, "1-2:1 3-4:=", "3-1:0 4:Z 2:Z", "1-4:1 2:Z 3:Z")

    with pytest.raises(NoLegalPairing) as caught:
        pair_round(tournament)

    values = caught.value.values
    assert set(values["players"]) >= {1}  # type: ignore[call-overload]
    assert "rematch" in values["relax"]  # type: ignore[operator]


def test_no_legal_pairing_by_the_arbiters_list() -> None:
    tournament = replace(event(4), forbidden=(ForbiddenGroup(players=frozenset({1, 2, 3})),))

    with pytest.raises(NoLegalPairing) as caught:
        pair_round(tournament)

    assert caught.value.values["players"] == (1, 2, 3)
    assert caught.value.values["relax"] == ("forbidden-pairs",)


def test_nobody_to_pair_is_a_round_without_boards() -> None:
    assert pair_round(event(2), absent=[1, 2]).boards == ()
    assert pairs(event(1)) == [(1, 0)]


# Questions


def test_why_not_names_the_rule_between_two() -> None:
    met = why_not(event(4, "1-3:1 2-4:1"), 1, 3)
    listed = why_not(replace(event(4), forbidden=(ForbiddenGroup(players=frozenset({1, 3})),)), 3, 1)

    assert met.refusal is not None and (met.refusal.criterion, met.refusal.round) == (Criterion.C1, 1)
    assert listed.refusal is not None and listed.refusal.criterion == Criterion.FORBIDDEN


def test_why_not_names_what_the_pair_would_cost() -> None:
    # 1 and 2 won, 3 and 4 lost: 1 against 4 would make floaters of both groups.
    answer = why_not(event(4, "1-3:1 2-4:1"), 1, 4)

    assert answer.refusal is not None
    assert (answer.refusal.criterion, answer.refusal.was, answer.refusal.would) == (Criterion.C6, 0, 2)
    assert (answer.bracket, answer.score, answer.pairs) == (1, 2, ())


def test_why_not_has_nothing_against_those_who_meet() -> None:
    assert why_not(event(4), 1, 3).refusal is None


def test_why_not_of_two_equally_good_is_the_order() -> None:
    answer = why_not(event(4), 1, 4)

    assert answer.refusal is not None and answer.refusal.criterion == Criterion.ORDER
    assert set(answer.pairs) == {(1, 4), (2, 3)}


def test_why_not_refuses_who_is_not_there() -> None:
    for a, b in ((1, 9), (1, 1)):
        with pytest.raises(InvalidState):
            why_not(event(4), a, b)
    with pytest.raises(InvalidState):
        why_not(event(4), 1, 2, absent=[2])


def test_an_explanation_becomes_plain_data() -> None:
    tournament = event(4, "1-3:1 2-4:1")

    told = as_data(pair_round(tournament).explanations[1])

    assert told == {
        "player": 1,
        "bracket": 1,
        "score": 2,
        "role": "S1",
        "number": 1,
        "opponent": 2,
        "natural": 2,
        "colour": "b",
        "colour_rule": "5.2.4",
        "preference": "b",
        "strength": "strong",
        "difference": 1,
    }
