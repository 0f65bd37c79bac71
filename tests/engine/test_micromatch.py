"""Micro-matches: stages, colours, what each stage's win is worth, and matches of several."""

import pytest

from tournaments.engine.micromatch import RULES, MatchGame, MatchState, Pace, as_board, evaluate, series
from tournaments.engine.scoring import SCHEMES, board_points
from tournaments.engine.types import Board, InvalidState, Outcome

W, D, B = Outcome.WHITE, Outcome.DRAW, Outcome.BLACK


def games(*rows: tuple[int, bool, Outcome]) -> list[MatchGame]:
    return [MatchGame(stage=stage, first_white=white, outcome=outcome) for stage, white, outcome in rows]


def state(code: str, *rows: tuple[int, bool, Outcome]) -> MatchState:
    return evaluate(RULES[code], games(*rows))


@pytest.mark.parametrize(
    ("rows", "winner", "score"),
    [
        ([(0, True, W)], 1, (12, 0)),
        ([(0, True, B)], 2, (0, 12)),
        ([(0, True, D), (1, False, B)], 1, (8, 4)),
        ([(0, True, D), (1, False, D), (2, True, B)], 2, (5, 7)),
        ([(0, True, D), (1, False, D), (2, True, D)], 0, (6, 6)),
    ],
)
def test_world_title_match_2020(
    rows: list[tuple[int, bool, Outcome]], winner: int, score: tuple[int, int]
) -> None:
    reached = state("WTM_2020", *rows)

    assert (reached.finished, reached.winner, reached.score) == (True, winner, score)
    assert reached.next_game is None


def test_the_score_is_a_grade_of_the_scheme_for_micro_matches() -> None:
    for rows in ([(0, True, W)], [(0, True, D), (1, False, B)], [(0, True, D), (1, False, D), (2, True, D)]):
        for first_is_white in (True, False):
            reached = state("WTM_2020", *rows)
            outcome, grade = as_board(reached, scheme=SCHEMES["MICRO12"], first_is_white=first_is_white)
            board = Board(number=1, white=1, black=2, outcome=outcome, grade=grade)
            points = board_points(board, SCHEMES["MICRO12"])
            assert points == (reached.score if first_is_white else (reached.score or (0, 0))[::-1])


def test_colours_alternate_and_the_next_game_is_told() -> None:
    first = state("WTM_2020")
    second = state("WTM_2020", (0, True, D))

    assert first.next_game is not None and second.next_game is not None
    assert (first.next_game.pace, first.next_game.first_white) == (Pace.CLASSICAL, True)
    assert (second.next_game.pace, second.next_game.first_white) == (Pace.RAPID, False)
    assert not second.finished
    assert as_board(second) == (Outcome.UNPLAYED, "")


def test_super_blitz_goes_on_to_the_first_win() -> None:
    drawn = [(1, at % 2 == 1, D) for at in range(9)]

    going = state("WORLD_CUP_FINAL_2017", (0, True, D), *drawn)
    won = state("WORLD_CUP_FINAL_2017", (0, True, D), *drawn, (1, False, W))

    assert going.winner is None
    assert going.next_game is not None and going.next_game.pace is Pace.SUPER_BLITZ
    assert (won.winner, won.score, won.decided_in) == (2, (2, 3), 1)


def test_two_games_are_added_up() -> None:
    assert state("TWO_GAMES", (0, True, W)).winner is None
    assert state("TWO_GAMES", (0, True, W), (0, False, D)).score == (2, 0)
    assert state("TWO_GAMES", (0, True, W), (0, False, W)).score == (1, 1)
    assert as_board(state("TWO_GAMES", (0, True, W), (0, False, W))) == (Outcome.DRAW, "")


def test_first_win_inside_a_stage_ends_the_match() -> None:
    assert state("BLITZ_2023", (0, True, W)).winner == 1
    assert state("BLITZ_2023", (0, True, D), (0, False, D), (1, True, D), (1, False, W)).winner == 2


def test_an_open_game_and_an_annulled_one_change_nothing() -> None:
    assert state("WTM_2020", (0, True, Outcome.UNPLAYED)) == state("WTM_2020")
    assert state("WTM_2020", (0, True, Outcome.VOID), (0, True, D)) == state("WTM_2020", (0, True, D))


def test_a_forfeit_is_a_win() -> None:
    assert state("WTM_2020", (0, False, Outcome.BLACK_FORFEITS)).score == (0, 12)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([(1, True, W)], "game-out-of-order"),
        ([(0, True, W), (1, False, W)], "game-out-of-order"),
        ([(0, True, D), (0, False, W)], "game-out-of-order"),
        ([(0, True, Outcome.UNPLAYED), (1, False, W)], "game-without-result"),
    ],
)
def test_games_out_of_order_are_refused(rows: list[tuple[int, bool, Outcome]], code: str) -> None:
    with pytest.raises(InvalidState) as caught:
        state("WTM_2020", *rows)

    assert caught.value.code == code


WIN, RAPID_WIN, ALL_DRAWN = (
    [(0, True, W)],
    [(0, True, D), (1, False, B)],
    [(0, True, D), (1, False, D), (2, True, D)],
)
LOSS, RAPID_LOSS = [(0, True, B)], [(0, True, D), (1, False, W)]


@pytest.mark.parametrize(
    ("matches", "planned", "expected"),
    [
        ([WIN] * 4, 9, ((48, 0), False, None, "")),
        ([WIN] * 4 + [RAPID_LOSS], 9, ((52, 8), False, None, "")),
        ([WIN] * 4 + [RAPID_WIN], 9, ((56, 4), True, 1, "score")),
        ([WIN, RAPID_LOSS, RAPID_LOSS, RAPID_LOSS], 4, ((24, 24), True, 1, "CLASSICAL")),
        ([WIN, LOSS], 2, ((12, 12), False, None, "")),
        ([ALL_DRAWN, RAPID_WIN], 2, ((14, 10), True, 1, "score")),
    ],
)
def test_a_match_of_several_ends_over_half_and_is_told_apart_by_stages(
    matches: list[list[tuple[int, bool, Outcome]]],
    planned: int,
    expected: tuple[tuple[int, int], bool, int | None, str],
) -> None:
    rule = RULES["WTM_2020"]

    found = series(rule, [evaluate(rule, games(*rows)) for rows in matches], planned=planned)

    assert (found.score, found.finished, found.winner, found.decided_by) == expected


def test_the_better_in_the_earliest_stage_wins_where_the_rule_says_so() -> None:
    rule = RULES["WTM_2013"]
    one = evaluate(rule, games((0, True, W)))
    others = [evaluate(rule, games((0, True, D), (1, False, W))) for _ in range(2)]

    found = series(rule, [one, *others], planned=3)

    assert (found.winner, found.decided_by) == (1, "CLASSICAL")
