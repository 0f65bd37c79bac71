"""Standings: places, what separates, shared places and lots, withdrawals, presets."""

import json
import random
from dataclasses import replace

import pytest

from tests.engine.builders import tournament
from tournaments.engine.policies import DirectRule, TieBreakPolicy, Treatment
from tournaments.engine.presets import PRESETS
from tournaments.engine.scoring import SCHEMES, board_points, totals
from tournaments.engine.standings import as_data, compute, draw_lots
from tournaments.engine.tiebreaks import find
from tournaments.engine.types import Board, InvalidState, Outcome, Tournament

EVEN = tournament(4, "1-2:= 3-4:=")  # all tied in everything


def places(event: Tournament, **options: object) -> list[tuple[int, int | None]]:
    table = compute(event, **{"tiebreaks": [], **options})  # type: ignore[arg-type]
    return [(row.number, row.rank) for row in table.rows]


def test_what_nothing_separates_shares_the_place() -> None:
    table = compute(tournament(5, "1-2:= 3-4:1"), tiebreaks=["WINS"])

    assert [(row.number, row.rank, row.rank_to, row.shared) for row in table.rows] == [
        (3, 1, 1, False),
        (1, 2, 3, True),
        (2, 2, 3, True),
        (4, 4, 5, True),
        (5, 4, 5, True),
    ]
    assert [row.separated_by for row in table.rows] == ["", "POINTS", "", "POINTS", ""]


def test_each_row_says_what_put_it_below_the_one_above() -> None:
    event = tournament(6, "1-4:1 2-5:1 3-6:=", "1-2:= 3-4:= 5-6:=", "4-1:1 6-2:= 3-5:=")

    table = compute(event, tiebreaks=["WINS", "SOLKOFF"])

    assert [(row.number, row.points, tuple(row.values.values()), row.separated_by) for row in table.rows] == [
        (2, 4, (1, 2 + 3 + 3), ""),
        (1, 3, (1, 3 + 4 + 3), "POINTS"),
        (4, 3, (1, 3 + 3 + 3), "SOLKOFF"),
        (6, 3, (0, 3 + 2 + 4), "WINS"),
        (3, 3, (0, 3 + 3 + 2), "SOLKOFF"),
        (5, 2, (0, 4 + 3 + 3), "POINTS"),
    ]


def test_lots_are_drawn_from_the_seed_and_recorded() -> None:
    table = compute(EVEN, tiebreaks=["WINS", "LOTS"], lot_seed=7)
    again = compute(EVEN, tiebreaks=["WINS", "LOTS"], lot_seed=7)

    assert table == again
    assert table.lot_seed == 7
    assert table.lots == draw_lots([1, 2, 3, 4], seed=7)
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]
    assert [tuple(row.values.values())[1] for row in table.rows] == [1, 2, 3, 4]
    assert [row.separated_by for row in table.rows] == ["", "LOTS", "LOTS", "LOTS"]
    others = {
        tuple(row.number for row in compute(EVEN, tiebreaks=["LOTS"], lot_seed=n).rows) for n in range(9)
    }
    assert len(others) > 1


def test_lots_drawn_by_hand_are_taken_as_recorded() -> None:
    table = compute(EVEN, tiebreaks=["LOTS"], lots={1: 4, 2: 3, 3: 2, 4: 1})

    assert [row.number for row in table.rows] == [4, 3, 2, 1]
    assert table.lot_seed is None


def test_a_drawing_settles_what_the_order_leaves_also_when_it_does_not_name_lots() -> None:
    table = compute(EVEN, tiebreaks=["WINS"], lot_seed=7)

    assert table.codes == ("WINS", "LOTS")
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]


def test_without_a_drawing_lots_separate_nobody() -> None:
    table = compute(EVEN, tiebreaks=["LOTS"])

    assert [row.rank for row in table.rows] == [1, 1, 1, 1]
    assert table.lots == {}


def test_fewer_warnings_go_first() -> None:
    assert places(EVEN, tiebreaks=["FOULS"], fouls={1: 2, 3: 1}) == [(2, 1), (4, 1), (3, 3), (1, 4)]


def test_place_after_the_round_before_decides() -> None:
    event = tournament(4, "1-2:1 3-4:=", "2-1:1 3-4:=")

    assert places(event, tiebreaks=["PREVIOUS_ROUND"]) == [(1, 1), (3, 2), (4, 2), (2, 4)]


def test_as_of_an_earlier_round_later_rounds_are_not_known() -> None:
    event = tournament(4, "1-2:1 3-4:=", "2-1:1 4-3:1")

    assert places(event, after_round=1) == [(1, 1), (3, 2), (4, 2), (2, 4)]
    assert places(event, after_round=0) == [(1, 1), (2, 1), (3, 1), (4, 1)]
    with pytest.raises(InvalidState):
        compute(event, tiebreaks=[], after_round=3)


# Withdrawals -----------------------------------------------------------------------------------------------------

# Round robin of four in three rounds; 4 leaves after one round (played 1 of 3) or after two (2 of 3).
ROBIN = ("1-4:0 2-3:=", "4-3:? 1-2:1", "2-4:? 3-1:=")
TWO_PLAYED = ("1-4:0 2-3:=", "4-3:= 1-2:1", "2-4:? 3-1:=")


def leaving(event: Tournament, player: int, after: int) -> Tournament:
    players = tuple(replace(p, withdrawn_after=after) if p.number == player else p for p in event.players)
    return replace(event, players=players)


def test_withdrawn_below_half_of_a_round_robin_is_annulled_and_has_no_place() -> None:
    event = leaving(tournament(4, *ROBIN), 4, 1)

    table = compute(
        event, tiebreaks=["SOLKOFF"], policy=TieBreakPolicy(withdrawal=Treatment.ANNUL_BELOW_HALF)
    )

    assert [(row.number, row.rank, row.points) for row in table.rows] == [
        (1, 1, 3),
        (3, 2, 2),
        (2, 3, 1),
        (4, 4, 0),
    ]
    assert [row.placed for row in table.rows] == [True, True, True, False]
    assert dict(table.row(1).values) == {"SOLKOFF": 1 + 2}  # the annulled game gives nothing


def test_withdrawn_after_half_forfeits_the_rest_and_what_was_played_stands() -> None:
    event = leaving(tournament(4, *TWO_PLAYED), 4, 2)

    table = compute(event, tiebreaks=[], policy=TieBreakPolicy(withdrawal=Treatment.ANNUL_BELOW_HALF))

    assert {row.number: row.points for row in table.rows} == {1: 3, 2: 3, 3: 3, 4: 3}
    assert table.row(4).rank == 1


def test_half_of_the_games_is_counted_over_the_whole_schedule_when_only_a_part_is_laid_out() -> None:
    short = replace(tournament(4, *ROBIN[:1]), rounds_total=3)

    table = compute(
        leaving(short, 4, 1), tiebreaks=[], policy=TieBreakPolicy(withdrawal=Treatment.ANNUL_BELOW_HALF)
    )

    assert not table.row(4).placed
    assert table.row(1).points == 0


def test_in_a_swiss_results_of_the_withdrawn_stand() -> None:
    event = leaving(tournament(4, *ROBIN), 4, 1)

    table = compute(event, tiebreaks=[])

    assert {row.number: row.points for row in table.rows} == {1: 3, 2: 1, 3: 2, 4: 2}
    assert table.row(4).rank == 2


def test_a_withdrawal_does_not_reach_back_to_standings_before_it() -> None:
    event = leaving(tournament(4, *TWO_PLAYED), 4, 2)
    policy = TieBreakPolicy(withdrawal=Treatment.ANNUL)

    assert compute(event, tiebreaks=[], policy=policy, after_round=1).row(4).points == 2
    assert compute(event, tiebreaks=[], policy=policy, after_round=2).row(4).placed is False


def test_both_leaving_before_their_game_is_a_double_forfeit() -> None:
    event = leaving(leaving(tournament(2, "1-2:1", "2-1:?"), 1, 1), 2, 1)

    table = compute(event, tiebreaks=[], policy=TieBreakPolicy(withdrawal=Treatment.FORFEIT_REST))

    assert {row.number: row.points for row in table.rows} == {1: 2, 2: 0}


@pytest.mark.parametrize(
    ("treatment", "points"),
    [
        (Treatment.STAND, {1: 3, 2: 1, 3: 2, 4: 2}),
        (Treatment.FORFEIT_ALL, {1: 5, 2: 3, 3: 4, 4: 0}),
        (Treatment.ANNUL, {1: 3, 2: 1, 3: 2, 4: 0}),
    ],
)
def test_disqualified_have_no_place_and_their_games_follow_the_policy(
    treatment: Treatment, points: dict[int, int]
) -> None:
    table = compute(
        tournament(4, *ROBIN),
        tiebreaks=[],
        policy=TieBreakPolicy(disqualification=treatment),
        disqualified=[4],
    )

    assert {row.number: row.points for row in table.rows} == points
    assert table.rows[-1].number == 4
    assert not table.rows[-1].placed


def test_choices_of_a_section_go_to_json_and_back() -> None:
    policy = TieBreakPolicy(direct=DirectRule.ANY, forfeits_in_wins=True, withdrawal=Treatment.ANNUL)

    data = json.loads(json.dumps(policy.as_json()))

    assert TieBreakPolicy.from_json(data) == policy
    assert TieBreakPolicy.from_json({"direct": "any"}, base=policy) == policy
    assert TieBreakPolicy.from_json({}) == TieBreakPolicy()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"byes": True}, "unknown-policy"),
        ({"direct": "never"}, "bad-policy"),
        ({"forfeits_in_wins": "no"}, "bad-policy"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(data: dict[str, object], code: str) -> None:
    with pytest.raises(InvalidState) as caught:
        TieBreakPolicy.from_json(data)

    assert caught.value.code == code
    assert caught.value.values["expected"]


# Schemes, presets, refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scheme", "grade", "points"),
    [
        ("STD", "", (2, 0)),
        ("XQ3", "", (3, 0)),
        ("DELFT4", "3-1", (3, 1)),
        ("GRAD12", "7-3", (7, 3)),
        ("MICRO12", "4-8", (4, 8)),
        ("XQ_SECOND", "1-2", (1, 2)),
        ("PLUS", "1+1-", (1, 1)),
    ],
)
def test_points_of_a_scheme(scheme: str, grade: str, points: tuple[int, int]) -> None:
    board = Board(number=1, white=1, black=2, outcome=Outcome.WHITE, grade=grade)

    assert board_points(board, SCHEMES[scheme]) == points


def test_a_grade_that_the_scheme_lacks_is_refused() -> None:
    board = Board(number=1, white=1, black=2, outcome=Outcome.WHITE, grade="9-0")

    with pytest.raises(InvalidState) as caught:
        board_points(board, SCHEMES["STD"])

    assert caught.value.code == "unknown-grade"


@pytest.mark.parametrize("code", PRESETS)
def test_every_preset_orders_a_tournament(code: str) -> None:
    preset = PRESETS[code]
    event = tournament(6, "1-2:1 3-4:= 5-6:+", "2-3:= 4-5:0 6-1:00", "1-3:1 2-5:= 4:U 6:Z")

    table = compute(event, tiebreaks=preset.tiebreaks, policy=preset.policy, lot_seed=1)

    assert sorted(row.number for row in table.rows) == [1, 2, 3, 4, 5, 6]
    assert table.codes[: len(preset.tiebreaks)] == preset.tiebreaks
    assert {row.number: row.points for row in table.rows} == totals(event)


def test_presets_of_the_issue_are_there_with_their_source() -> None:
    assert {"CN_SWISS", "CN_ROUND_ROBIN", "FMJD_SWISS", "FMJD_ROUND_ROBIN", "XIANGQI_2011"} <= set(PRESETS)
    for preset in PRESETS.values():
        assert preset.source
        assert [find(code).code for code in preset.tiebreaks] == list(preset.tiebreaks)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1-2:1 1-3:1", "player-twice"),
        ("1-9:1", "unknown-player"),
        ("1-2:U", "bye-with-opponent"),
        ("1:1", "bye-with-opponent"),
    ],
)
def test_a_round_that_contradicts_itself_is_refused(line: str, code: str) -> None:
    with pytest.raises(InvalidState) as caught:
        compute(tournament(3, line), tiebreaks=[])

    assert caught.value.code == code


def test_the_table_as_data_is_json_and_complete() -> None:
    event = tournament(3, "1-2:1 3:U", ratings=[2001, 1900, 1801])

    data = json.loads(
        json.dumps(as_data(compute(event, tiebreaks=["ARO", "SOLKOFF_TRUNC_FULL", "LOTS"], lot_seed=3)))
    )

    assert data["lot_seed"] == 3
    assert data["rows"][0] == {
        "number": 1,
        "rank": 1,
        "rank_to": 1,
        "placed": True,
        "points": 2,
        "adjustment": 0,
        "played": 1,
        "wins": 1,
        "draws": 0,
        "losses": 0,
        "values": {"ARO": 1900, "SOLKOFF_TRUNC_FULL": [], "LOTS": None},
        "separated_by": "",
    }


def test_order_of_players_and_boards_in_the_input_changes_nothing() -> None:
    chance = random.Random(3)
    event = tournament(8, "1-2:1 3-4:= 5-6:+ 7-8:0", "2-3:= 4-5:0 6-1:00 8:U", "1-8:1 2-5:= 4-7:= 6:Z")
    players, rounds = list(event.players), []
    chance.shuffle(players)
    for round_ in event.rounds:
        boards = list(round_.boards)
        chance.shuffle(boards)
        rounds.append(replace(round_, boards=tuple(boards)))
    codes = ["SOLKOFF_MEDIAN", "DIRECT", "PREVIOUS_ROUND", "LOTS"]

    one = compute(event, tiebreaks=codes, lot_seed=4)
    two = compute(replace(event, players=tuple(players), rounds=tuple(rounds)), tiebreaks=codes, lot_seed=4)

    assert one == two
