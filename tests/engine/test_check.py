"""The checker names what differs and what breaks a rule, and nothing else."""

from dataclasses import replace

import pytest

from tests.engine.builders import rounds
from tournaments.engine.check import (
    DifferenceKind,
    Rule,
    check_round,
    check_tournament,
    compare_boards,
    find_breaches,
)
from tournaments.engine.simulate import Simulation, simulate
from tournaments.engine.swiss import pair_round
from tournaments.engine.types import (
    Board,
    ForbiddenGroup,
    InvalidState,
    Outcome,
    Player,
    RequestedBye,
    Tournament,
)


def event(players: int, *lines: str) -> Tournament:
    return Tournament(
        players=tuple(Player(number=n) for n in range(1, players + 1)), rounds=rounds(lines), rounds_total=9
    )


def board(white: int, black: int | None) -> Board:
    outcome = Outcome.UNPLAYED if black else Outcome.BYE
    return Board(number=1 if black else 0, white=white, black=black, outcome=outcome)


def breaches(tournament: Tournament, *boards: Board) -> list[tuple[Rule, tuple[int, ...], int]]:
    return [(b.rule, b.players, b.earlier) for b in find_breaches(tournament, boards)]


@pytest.mark.parametrize("seed", range(8))
def test_what_the_engine_paired_is_clean(seed: int) -> None:
    tournament = simulate(
        Simulation(players=17 + seed, rounds=6, seed=seed, absences=6, forfeits=5, withdrawals=3, late=10)
    )

    checks = check_tournament(tournament)

    assert [check.round for check in checks] == [1, 2, 3, 4, 5, 6]
    assert all(check.clean for check in checks)


def test_swapped_colours_are_told_board_by_board() -> None:
    check = check_round(event(4, "3-1:1 4-2:0"), 1)

    assert [(d.kind, d.engine, d.found) for d in check.differences] == [
        (DifferenceKind.COLOURS, ((1, 3),), ((3, 1),)),
    ]
    assert check.breaches == ()


def test_other_pairs_are_told_together() -> None:
    check = check_round(event(4, "1-2:1 4-3:0"), 1)

    assert [(d.kind, d.engine, d.found) for d in check.differences] == [
        (DifferenceKind.PAIRS, ((1, 3), (4, 2)), ((1, 2), (4, 3))),
    ]


def test_a_rematch_is_a_breach_with_its_first_round() -> None:
    check = check_round(event(4, "1-3:1 4-2:0", "3-1:0 2-4:1"), 2)

    assert [(b.rule, b.players, b.earlier) for b in check.breaches] == [
        (Rule.REMATCH, (3, 1), 1),
        (Rule.REMATCH, (2, 4), 1),
    ]


def test_a_forfeited_pair_may_meet_again() -> None:
    assert breaches(event(2, "1-2:+"), board(2, 1)) == []


def test_a_second_bye_and_two_byes_are_breaches() -> None:
    tournament = event(3, "1-2:1 3:U")

    assert breaches(tournament, board(1, 2), board(3, None)) == [
        (Rule.REMATCH, (1, 2), 1),
        (Rule.SECOND_BYE, (3,), 1),
    ]
    assert breaches(tournament, board(1, None), board(2, None)) == [
        (Rule.TWO_BYES, (1, 2), 0),
        (Rule.NOT_PAIRED, (3,), 0),
    ]


def test_the_same_absolute_colour_is_a_breach() -> None:
    tournament = event(4, "1-3:1 2-4:1", "1-4:= 2-3:=")

    assert breaches(tournament, board(1, 2), board(3, 4)) == [
        (Rule.COLOURS, (1, 2), 0),
        (Rule.COLOURS, (3, 4), 0),
    ]


def test_a_forbidden_pair_and_wrong_people_are_breaches() -> None:
    tournament = replace(event(4), forbidden=(ForbiddenGroup(players=frozenset({1, 2})),))

    assert breaches(tournament, board(1, 2), board(1, 7)) == [
        (Rule.FORBIDDEN, (1, 2), 0),
        (Rule.PAIRED_TWICE, (1,), 0),
        (Rule.NOT_PRESENT, (7,), 0),
        (Rule.NOT_PAIRED, (3, 4), 0),
    ]


def test_a_full_point_bye_that_was_asked_for_is_no_pairing() -> None:
    tournament = event(5, "1-3:1 4-2:0 5:U")
    asked = replace(tournament, requested_byes=(RequestedBye(player=5, round=1, kind=Outcome.BYE),))
    two = event(5, "1-3:1 4:U 5-2:0", "3-2:1 4-1:0 5:U")

    assert check_round(asked, 1).clean
    assert check_round(tournament, 1, full_byes=[5]).clean
    assert check_round(two, 1).differences != ()
    # 4 asked for it, so the four others were paired among themselves.
    assert check_round(two, 1, full_byes=[4]).clean


def test_where_no_legal_pairing_is_left_the_round_says_so() -> None:
    tournament = event(2, "1-2:1", "2-1:1")

    check = check_round(tournament, 2)

    assert check.pairing is None
    assert [d.kind for d in check.differences] == [DifferenceKind.NO_LEGAL_PAIRING]
    assert [b.rule for b in check.breaches] == [Rule.REMATCH]


def test_a_round_that_is_not_there_is_refused() -> None:
    for number in (0, 2):
        with pytest.raises(InvalidState):
            check_round(event(2, "1-2:1"), number)


def test_a_pairing_does_not_differ_from_itself() -> None:
    boards = pair_round(event(7)).boards

    assert compare_boards(1, boards, boards[::-1]) == ()
