"""Filing scoresheets, and from two of them to a final result (articles 4, 10 and 12)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction

import rules
from games import sheets as reading
from games.adjudication import Gap, Meeting, decide
from games.models import Copy, Game, GameRules, Result, Scoresheet, Verdict
from games.selectors.completeness import missing_to_finalise
from games.services import draw_offers, results, sheets
from games.services.results import NotAgreed, NotComplete, Score
from games.services.sheets import Filed, Handed
from tests import factories as f
from tests.games.boards import LEGAL, Board, board
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.models import AuditEntry, Event, Job, Role, Round

pytestmark = pytest.mark.django_db

NOBODY = Actor(address="192.0.2.9")


@pytest.fixture
def on() -> Board:
    return board(time_control="4800")


def hand(on: Board, side: str, *, text: str = LEGAL, submission: str = "", **fields: Any) -> Filed:
    entry = on.white if side == "W" else on.black
    fields = {"result": "2-0", "white_seconds": 3000, "black_seconds": 3100, **fields}
    signed = {"white_signed": side == "W", "black_signed": side == "B"}
    handed = Handed(text=text, submission=submission or f"{side}{text}", **{**signed, **fields})
    return sheets.file_sheet(NOBODY, on.pairing.pk, handed, link=entry.link)


def score(on: Board, **fields: Any) -> Score:
    moves = reading.read_sheet(LEGAL).moves
    return Score(
        **{"moves": moves, "outcome": "WHITE", "version": on.fresh().version, "source": "WHITE", **fields}
    )


@pytest.mark.clause("10.1", "12.1", at="games/services/sheets.py")
def test_a_player_files_by_personal_link_and_nothing_else_moves(on: Board) -> None:
    filed = hand(on, "W")

    sheet = Scoresheet.objects.get()
    assert (sheet.side, sheet.text, sheet.filer, sheet.filed_by) == ("W", LEGAL, on.white.player.name, None)
    assert filed.verdict.status == "legal"
    assert Verdict.objects.get().record["plies"] == 8
    assert {c.side: c.status for c in Copy.objects.all()} == {"W": "RECEIVED", "B": "ISSUED"}
    assert on.fresh().outcome == "UNPLAYED"
    assert Job.objects.count() == 0
    entry = AuditEntry.objects.get(action="file-sheet")
    assert (entry.actor_name, entry.after["text"]) == (on.white.player.name, LEGAL)


def test_the_same_submission_is_kept_once_and_answered_alike(on: Board) -> None:
    first = hand(on, "W", submission="one")
    second = hand(on, "W", submission="one", text="1. 33-29")

    assert (second.again, second.sheet.pk) == (True, first.sheet.pk)
    assert Scoresheet.objects.count() == 1
    with pytest.raises(Conflict):
        hand(on, "B", submission="one")


def test_a_sheet_its_verdict_and_a_result_are_never_changed(on: Board) -> None:
    hand(on, "W")
    results.accept_score(on.arbiter, on.pairing.pk, score(on))
    for model, change in (
        (Scoresheet, {"text": "x"}),
        (Verdict, {"plies": 0}),
        (Result, {"outcome": "DRAW"}),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            model.objects.update(**change)


@pytest.mark.parametrize(
    "who", ["stranger", "other link", "player of the other board", "committee", "link of a draft event"]
)
def test_nobody_else_files(on: Board, who: str) -> None:
    handed = Handed(text=LEGAL, submission="x")
    other = on.section.entries.get(number=3)
    actor, link, side = NOBODY, "", "W"
    if who == "other link":
        link, side = other.link, ""
    if who == "player of the other board":
        user = other.player.user = f.make_user()
        other.player.save()
        actor = Actor(user=user)
    if who == "committee":
        user = f.make_user()
        f.make_role(user, on.event, Role.Kind.COMMITTEE)
        actor = Actor(user=user)
    if who == "link of a draft event":
        Event.objects.update(state=Event.State.DRAFT)
        link, side = on.white.link, ""

    with pytest.raises((NotFound, NotAllowed)):
        sheets.file_sheet(actor, on.pairing.pk, handed, side=side, link=link)

    assert Scoresheet.objects.count() == 0


def test_a_player_files_by_account_for_his_own_side_only(on: Board) -> None:
    on.white.player.user = f.make_user()
    on.white.player.save()
    actor = Actor(user=on.white.player.user)

    filed = sheets.file_sheet(actor, on.pairing.pk, Handed(text=LEGAL, submission="a"))
    with pytest.raises(NotAllowed):
        sheets.file_sheet(actor, on.pairing.pk, Handed(text=LEGAL, submission="b"), side="B")

    assert (filed.sheet.side, filed.sheet.filed_by) == ("W", on.white.player.user)


def test_a_player_signs_for_himself_only(on: Board) -> None:
    filed = hand(on, "W", white_signed=True, black_signed=True)

    assert (filed.sheet.white_signed, filed.sheet.black_signed) == (True, False)


def test_a_round_that_is_a_draft_takes_no_sheet(on: Board) -> None:
    Round.objects.update(state=Round.State.PAIRED)

    with pytest.raises(NotFound):
        hand(on, "W")
    with pytest.raises(WrongState):
        sheets.file_sheet(on.arbiter, on.pairing.pk, Handed(text=LEGAL, submission="x"), side="W")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no-moves"),
        ("hello", "no-moves"),
        ('[White "a"]\n\n1. 32-28 *\n\n[White "b"]\n\n1. 32-28 *', "several-games"),
        ("3" * 70000, "too-large"),
    ],
)
def test_what_is_no_sheet_is_refused_with_its_reason(on: Board, text: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        hand(on, "W", text=text, submission="x")

    assert caught.value.code == code
    assert Scoresheet.objects.count() == 0


def test_an_illegal_sheet_is_kept_with_its_first_fault(on: Board) -> None:
    filed = hand(on, "W", text="1. 32-28 18-23 2. 38-33")

    assert filed.verdict.problem is not None
    assert (filed.verdict.problem.ply, str(filed.verdict.problem.kind)) == (3, "occupied")
    assert Verdict.objects.get().status == "illegal"


def test_a_sheet_after_the_result_is_kept_and_marked(on: Board) -> None:
    results.accept_score(on.arbiter, on.pairing.pk, score(on))

    filed = hand(on, "B")

    assert filed.sheet.after_result is True
    assert on.fresh().outcome == "WHITE"


@pytest.mark.clause("4.4", "15.2.16", at="games/adjudication.py")
def test_4_1_no_result_is_final_until_both_copies_are_in_or_waived(on: Board) -> None:
    hand(on, "W", black_signed=True)
    results.accept_score(on.arbiter, on.pairing.pk, score(on))

    with pytest.raises(NotComplete) as caught:
        results.finalise(on.arbiter, on.pairing.pk, note="in a hurry")
    assert caught.value.values["gaps"] == ["black-copy", "black-signature"]

    sheets.mark_copy(on.arbiter, on.pairing.pk, "B", waived_reason="left the hall ill")
    assert results.finalise(on.arbiter, on.pairing.pk).is_final
    assert Copy.objects.get(side="B").waived_reason == "left the hall ill"


def test_4_1_copies_are_issued_received_and_missing(on: Board) -> None:
    assert sheets.issue_copies(on.arbiter, on.pairing.round_id) == 2
    assert sheets.issue_copies(on.arbiter, on.pairing.round_id) == 0

    sheets.mark_copy(on.arbiter, on.pairing.pk, "B", status="MISSING")
    hand(on, "W")

    game = Game.objects.get(pairing=on.pairing)
    assert {c.side: c.status for c in game.copies.all()} == {"W": "RECEIVED", "B": "MISSING"}
    assert Copy.objects.filter(status="ISSUED").count() == 2


def test_10_2_sheets_that_differ_show_the_first_ply_and_the_arbiter_chooses(on: Board) -> None:
    white = hand(on, "W")
    black = hand(on, "B", text=LEGAL.replace("31-27", "31-26"))
    read = {rules.Side(s.sheet.side): reading.sheet_value(s.sheet) for s in (white, black)}

    decision = decide(read, {side: rules.validate(sheet) for side, sheet in read.items()})

    assert (decision.meeting, decision.differs_at) == (Meeting.DIFFER, 5)
    results.accept_score(
        on.arbiter, on.pairing.pk, score(on, moves=read[rules.Side.BLACK].moves, source="BLACK")
    )
    game = Game.objects.get(pairing=on.pairing)
    assert (game.moves[4], game.accepted_from) == ("31-26", "BLACK")


@pytest.mark.clause("10.6", "14.3.3", at="games/adjudication.py")
def test_10_3_times_result_and_signatures_are_asked_for(on: Board) -> None:
    for side in "WB":
        hand(
            on,
            side,
            result="",
            white_seconds=None,
            black_seconds=None,
            white_signed=False,
            black_signed=False,
        )

    game = Game.objects.get(pairing=on.pairing)
    assert missing_to_finalise(game, outcome="UNPLAYED") == (
        Gap.SCORE, Gap.RESULT, Gap.WHITE_TIME, Gap.BLACK_TIME, Gap.WHITE_SIGNATURE, Gap.BLACK_SIGNATURE,
    )  # fmt: skip

    results.accept_score(on.arbiter, on.pairing.pk, score(on))
    with pytest.raises(NotComplete):
        results.finalise(on.arbiter, on.pairing.pk)
    final = results.finalise(on.arbiter, on.pairing.pk, note="Black refused to sign: 14.3.3")
    assert (final.is_final, final.finalise_note) == (True, "Black refused to sign: 14.3.3")


def test_a_final_result_is_worked_on_only_after_it_is_opened_again(on: Board) -> None:
    hand(on, "W")
    hand(on, "B")
    results.accept_score(on.arbiter, on.pairing.pk, score(on))
    results.finalise(on.arbiter, on.pairing.pk)

    with pytest.raises(WrongState):
        results.accept_score(on.arbiter, on.pairing.pk, score(on, outcome="BLACK", note="x"))
    with pytest.raises(BadInput):
        results.reopen(on.arbiter, on.pairing.pk, reason=" ")
    results.reopen(on.arbiter, on.pairing.pk, reason="wrong colour")
    results.accept_score(on.arbiter, on.pairing.pk, score(on, outcome="BLACK"))

    assert on.fresh().outcome == "BLACK"


@pytest.mark.parametrize(
    ("remaining", "control", "waived"), [(299, "4800", True), (300, "4800", False), (100, "4800+60", False)]
)
@pytest.mark.clause("10.5.1.1", "10.5.1.2", at="games/services/sheets.py")
def test_10_4_recording_is_waived_in_time_trouble_only(remaining: int, control: str, waived: bool) -> None:
    on = board(time_control=control)

    if waived:
        copy = sheets.waive_recording(on.arbiter, on.pairing.pk, "W", remaining=remaining)
        assert copy.to_complete is True
    else:
        with pytest.raises(WrongState):
            sheets.waive_recording(on.arbiter, on.pairing.pk, "W", remaining=remaining)
        assert Copy.objects.filter(to_complete=True).count() == 0


@pytest.mark.clause("10.5.2", at="games/services/sheets.py")
def test_10_4_a_completed_sheet_clears_the_duty(on: Board) -> None:
    hand(on, "W")
    sheets.waive_recording(on.arbiter, on.pairing.pk, "W", remaining=100)
    game = Game.objects.get(pairing=on.pairing)
    assert Gap.WHITE_TO_COMPLETE in missing_to_finalise(game, outcome="WHITE")

    hand(on, "W", submission="completed")

    game = Game.objects.get(pairing=on.pairing)
    assert Gap.WHITE_TO_COMPLETE not in missing_to_finalise(game, outcome="WHITE")


def test_accepting_a_score_sets_the_outcome_and_rings_for_standings(on: Board) -> None:
    results.accept_score(on.arbiter, on.pairing.pk, score(on))

    row = Result.objects.get()
    assert (row.outcome, row.before, row.source, row.supersedes) == ("WHITE", "UNPLAYED", "SHEETS", None)
    assert on.fresh().outcome == "WHITE"
    assert Job.objects.get().kind == "STANDINGS"


def test_a_correction_supersedes_the_result_before(on: Board) -> None:
    results.accept_score(on.arbiter, on.pairing.pk, score(on))
    results.accept_score(
        on.arbiter, on.pairing.pk, score(on, outcome="BLACK", note="read from the wrong side")
    )

    first, second = Result.objects.all()
    assert (second.supersedes, second.reason) == (first, "read from the wrong side")


def test_a_score_on_a_stale_board_is_refused_whole(on: Board) -> None:
    stale = score(on)
    results.accept_score(on.arbiter, on.pairing.pk, score(on))

    with pytest.raises(Conflict):
        results.accept_score(on.chief, on.pairing.pk, score(on, outcome="BLACK", version=stale.version))

    assert (on.fresh().outcome, Result.objects.count()) == ("WHITE", 1)


def test_illegal_moves_are_no_score_unless_the_opponent_let_them_stand(on: Board) -> None:
    moves = ("32-28", "18-23", "38-33")
    with pytest.raises(BadInput) as caught:
        results.accept_score(on.arbiter, on.pairing.pk, score(on, moves=moves))
    assert (caught.value.code, caught.value.values["ply"]) == ("not-legal", 3)

    results.accept_score(
        on.arbiter, on.pairing.pk, score(on, moves=("32-28", "18-23", "28-22", "17x28"), accepted=(3,))
    )
    assert Game.objects.get().accepted_plies == [3]


def test_12_6_a_draw_agreed_before_move_40_is_refused_or_lost_for_both(on: Board) -> None:
    drawn = score(on, outcome="DRAW", ended_by="agreement")
    with pytest.raises(NotAgreed) as caught:
        results.accept_score(on.arbiter, on.pairing.pk, drawn)
    assert (caught.value.code, on.fresh().outcome) == ("early-draw", "UNPLAYED")

    results.set_game_rules(on.organizer, on.section.pk, early_draw="BOTH_LOSE", sheets="ACCEPTED")
    results.accept_score(on.arbiter, on.pairing.pk, drawn)
    assert on.fresh().outcome == "BOTH_LOSE"
    assert GameRules.objects.get().early_draw == "BOTH_LOSE"


def test_12_5_offers_wait_for_move_40_and_for_the_opponent(on: Board) -> None:
    with pytest.raises(WrongState) as caught:
        draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=79)
    assert caught.value.code == "offer-too-early"

    draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=81)
    with pytest.raises(WrongState) as caught:
        draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=83)
    assert caught.value.code == "offer-repeated"

    offer = draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="B", ply=84)
    states = [o.state for o in offer.game.draw_offers.all()]
    assert states == ["BREACH", "REFUSED", "BREACH", "OPEN"]  # what is refused stays on record
    draw_offers.answer_offer(on.arbiter, offer.pk, accepted=True, version=on.fresh().version)
    assert (on.fresh().outcome, Result.objects.get().source) == ("DRAW", "AGREEMENT")


@pytest.mark.clause("8.2.7", at="games/services/results.py")
def test_8_7_a_claim_pending_when_the_flag_falls(on: Board) -> None:
    moves = reading.read_sheet(LEGAL).moves
    with pytest.raises(NotAgreed):
        results.judge_claim(
            on.arbiter, on.pairing.pk, claimant="W", moves=moves, kind="threefold", upheld=True, version=0
        )
    results.judge_claim(
        on.arbiter,
        on.pairing.pk,
        claimant="W",
        moves=moves,
        kind="threefold",
        upheld=False,
        version=0,
        flag_fell=True,
    )

    assert on.fresh().outcome == "BLACK"


@pytest.mark.clause("12.3.6", at="games/services/results.py")
def test_12_3_6_neither_can_win_is_the_arbiters_ruling_with_a_reason(on: Board) -> None:
    claim = {"claimant": "W", "moves": ("32-28",), "kind": "no-win", "upheld": True, "version": 0}
    with pytest.raises(BadInput):
        results.judge_claim(on.arbiter, on.pairing.pk, **claim)
    results.judge_claim(on.arbiter, on.pairing.pk, **claim, reason="a fortress")

    assert (on.fresh().outcome, Result.objects.get().source) == ("DRAW", "CLAIM")


@pytest.mark.parametrize("verb", ["accept", "finalise", "mark", "waive", "offer", "claim", "issue"])
def test_players_and_committee_do_none_of_the_arbiters_work(on: Board, verb: str) -> None:
    user = f.make_user()
    f.make_role(user, on.event, Role.Kind.COMMITTEE)
    user2 = on.white.player.user = f.make_user()
    on.white.player.save()
    pk = on.pairing.pk
    for actor in (Actor(user=user), Actor(user=user2), NOBODY):
        with pytest.raises((NotFound, NotAllowed)):
            {
                "accept": lambda who: results.accept_score(who, pk, score(on)),
                "finalise": lambda who: results.finalise(who, pk),
                "mark": lambda who: sheets.mark_copy(who, pk, "W", status="RECEIVED"),
                "waive": lambda who: sheets.waive_recording(who, pk, "W", remaining=1),
                "offer": lambda who: draw_offers.offer_draw(who, pk, side="W", ply=81),
                "claim": lambda who: results.judge_claim(
                    who, pk, claimant="W", moves=("32-28",), kind="no-win", upheld=True, version=0, reason="x"
                ),
                "issue": lambda who: sheets.issue_copies(who, on.pairing.round_id),
            }[verb](actor)

    assert (on.fresh().outcome, Game.objects.count(), AuditEntry.objects.count()) == ("UNPLAYED", 0, 0)
