"""The regulations' articles 8 to 12 as the site keeps them, one named test a line; those of sheets, adjournments and claims
stand in `test_sheets`, `test_adjournments` and `test_pages`."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import rules
from games import sheets as reading
from games.adjudication import RESULT_OF_OUTCOME, Doubt, Meeting, Ruling, decide
from games.models import Result
from games.services import results, sheets
from games.services.results import NotAgreed, Score
from games.services.sheets import Handed
from tests.games.boards import LEGAL, Board, board
from tests.tournaments.desk_cast import client_of

pytestmark = pytest.mark.django_db

KINGS = "W:WK1,K2,K3:BK46"


@pytest.fixture
def on() -> Board:
    return board()


def clock(**query: str) -> str:
    return Client(headers={"accept-language": "en"}).get("/clock/", query).content.decode()


def sheet(text: str, **fields: Any) -> rules.Sheet:
    from dataclasses import replace

    return replace(reading.read_sheet(text), **fields)


def decided(white: rules.Sheet, black: rules.Sheet, *rulings: Ruling) -> Any:
    both = {rules.Side.WHITE: white, rules.Side.BLACK: black}
    return decide(both, {side: rules.validate(one) for side, one in both.items()}, rulings)


def shuffle(position: rules.Position, plies: int) -> tuple[list[str], rules.Position]:
    """Moves that take nothing and repeat as little as may be."""
    seen, moves = {position}, []
    for _ply in range(plies):
        quiet = [m for m in rules.legal_moves(position) if not m.captured]
        fresh = [m for m in quiet if _is_fresh(position, m, seen)]
        move = (fresh or quiet)[0]
        moves.append(rules.write(position, move))
        position = rules.play(position, move)
        seen.add(position)
    return moves, position


def _is_fresh(position: rules.Position, move: rules.Move, seen: set[rules.Position]) -> bool:
    after = rules.play(position, move)
    replies = rules.legal_moves(after)
    return after not in seen and bool(replies) and not replies[0].captured


@pytest.mark.parametrize(
    ("text", "mode", "base", "increment"),
    [("4800", "sudden", 4800, 0), ("4800+60", "fischer", 4800, 60), (" 900 + 5 ", "fischer", 900, 5)],
)
def test_8_1_a_time_control_is_sudden_death_or_fischer(
    text: str, mode: str, base: int, increment: int
) -> None:
    control = reading.control_of(text)

    assert control is not None
    assert (str(control.mode), control.base, control.increment) == (mode, base, increment)
    assert reading.control_of("80 minutes") is None


def test_8_2_the_limit_itself_plays_and_more_forfeits() -> None:
    late = {"part": "late", "starts": "9:00", "limit": "15", "white": "9:00"}

    assert "Black has used" in clock(**late, black="9:15")
    assert "Black is too late and forfeits the game." in clock(**late, black="9:15:01")


def test_8_3_both_beyond_the_limit_forfeit() -> None:
    page = clock(part="late", starts="9:00", limit="15", white="9:16", black="9:40")

    assert "Both are too late and forfeit: 0-0." in page


def test_8_4_a_late_player_pays_from_his_own_clock() -> None:
    page = clock(part="late", starts="9:00", limit="60", white="9:10", black="9:00")

    assert ("White has used 0:10:00." in page, "Black has used 0:00:00." in page) == (True, True)


def test_8_5_a_replaced_clock_is_set_to_what_each_had_left() -> None:
    asked = {
        "part": "restore",
        "base": "1:20",
        "increment": "60",
        "white_used": "0:40",
        "black_used": "0:30:30",
    }
    page = clock(**asked, white_moves="10", black_moves="9")

    assert ("clock to 0:50:00." in page, "clock to 0:58:30." in page) == (True, True)


def test_8_8_the_time_of_a_correction_is_the_offenders() -> None:
    page = clock(part="correction", white_used="0:10", black_used="0:12", offender="B", seconds="90")

    assert ("White has used 0:10:00." in page, "Black has used 0:13:30." in page) == (True, True)


def test_9_2_the_limit_counts_from_the_scheduled_start() -> None:
    page = clock(part="late", starts="9:00", limit="30", white="9:20", black="9:31")

    assert "Black is too late and forfeits the game." in page


def test_9_3_lateness_that_is_nobodys_fault_restores_the_initial_time() -> None:
    page = clock(part="initial", base="1:20", increment="60")

    assert page.count("clock to 1:20:00.") == 2


def test_10_1_moves_are_taken_in_every_spelling_with_their_end_marks() -> None:
    read = reading.read_sheet("1. 32-28 19x23 2. 28×19 14:23 +")

    assert read.moves[:4] == ("32-28", "19x23", "28×19", "14:23")
    assert read.end_mark == "+"


def test_12_1_a_ruling_stands_above_what_both_sheets_say() -> None:
    both = sheet(LEGAL, result="2-0")

    plain, ruled = decided(both, both), decided(both, both, Ruling(outcome="BOTH_LOSE", reason="14.2.4"))

    assert (plain.outcome, plain.is_clear, ruled.outcome, ruled.ruled) == ("WHITE", True, "BOTH_LOSE", True)


def test_12_2_counters_are_shown_and_only_an_arbiter_ends_the_game(on: Board) -> None:
    moves = ["32-28", "18-23"]
    sent = Handed(text=" ".join(moves), submission="x", result="1-1")
    sheets.file_sheet(on.arbiter, on.pairing.pk, sent, link=on.white.link)
    page = client_of(on.arbiter.user).get(reverse("games:claim", args=[on.pairing.pk])).content.decode()

    assert ("1 / 3" in page, "0 / 50" in page, "– / 32" in page) == (True, True, True)
    assert (on.fresh().outcome, Result.objects.count()) == ("UNPLAYED", 0)


def test_12_3_the_count_begins_after_the_move_that_made_the_material() -> None:
    start = rules.Position.from_fen(KINGS)
    moves, _end = shuffle(start, 32)
    verdict = rules.validate(rules.Sheet(moves=tuple(moves), start=start))

    assert verdict.counters[0].plies_16 == 0
    assert [right.ply for right in verdict.draws if str(right.kind) == "16"] == [32]


def test_12_4_a_last_move_that_wins_is_a_win() -> None:
    (move,) = rules.legal_moves(rules.Position.from_fen("W:WK50:B39"))[:1]
    verdict = rules.validate(rules.Sheet(moves=(str(move),), start=rules.Position.from_fen("W:WK50:B39")))

    assert (str(verdict.final), verdict.draws) == ("white-wins", ())


@pytest.mark.clause("12.6.1", "12.6.2", "12.6.3", at="games/adjudication.py")
def test_12_7_forfeits_are_told_from_played_games() -> None:
    assert (RESULT_OF_OUTCOME["WHITE"], RESULT_OF_OUTCOME["BLACK_FORFEITS"]) == ("2-0", "2-0F")
    assert (RESULT_OF_OUTCOME["BOTH_LOSE"], RESULT_OF_OUTCOME["BOTH_FORFEIT"]) == ("0-0", "0-0F")


def test_a_result_that_the_last_position_contradicts_needs_the_arbiters_reason(on: Board) -> None:
    game = results.accept_score(
        on.arbiter, on.pairing.pk, Score(moves=("32-28",), outcome="WHITE", version=on.fresh().version)
    )
    game.fen = "W:WK50:B39"
    game.save()
    (move,) = rules.legal_moves(rules.Position.from_fen(game.fen))[:1]
    lost = {"moves": (str(move),), "outcome": "BLACK"}

    with pytest.raises(NotAgreed):
        results.accept_score(on.arbiter, on.pairing.pk, Score(**lost, version=on.fresh().version))
    assert on.fresh().outcome == "WHITE"
    note = "White's flag had fallen before the move"
    results.accept_score(on.arbiter, on.pairing.pk, Score(**lost, version=on.fresh().version, note=note))
    assert on.fresh().outcome == "BLACK"


def test_sheets_that_agree_but_declare_different_results_propose_none() -> None:
    decision = decided(sheet(LEGAL, result="2-0"), sheet(LEGAL, result="1-1"))

    assert (decision.meeting, decision.outcome, Doubt.RESULTS_DIFFER in decision.doubts) == (
        Meeting.DECLARED, None, True,
    )  # fmt: skip


def test_the_sound_sheet_is_proposed_when_the_other_is_not_legal() -> None:
    faulty = sheet(LEGAL.replace("31-27", "31-22"), result="2-0")

    decision = decided(faulty, sheet(LEGAL, result="2-0"))

    assert (decision.side, decision.outcome, decision.differs_at) == (rules.Side.BLACK, "WHITE", 5)
    assert Doubt.WHITE_FAULTY in decision.doubts


def test_a_sheet_that_ends_before_the_other_differs_there() -> None:
    shorter = sheet(" ".join(LEGAL.split()[:-1]), result="2-0")

    assert decided(shorter, sheet(LEGAL, result="2-0")).differs_at == 8
