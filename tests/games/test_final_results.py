"""What a decision set is final (article 16.2), and what is under appeal stays (13.1.5): every door, one test each."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.db import transaction
from django.utils import timezone

from games import sheets
from games.models import Appeal, DrawOffer, Game, Ruling
from games.services import adjournments, draw_offers, results
from games.services.court import appeals, incidents, lateness, rulings
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from games.services.results import Score
from tests import factories as f
from tests.games import case_cast as cases
from tests.games import match_cast
from tests.games.boards import SHORT_WIN, actor
from tests.games.case_cast import NOBODY
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.errors import DomainError
from tournaments.models import Adjustment, AuditEntry, Entry, Hold, Pairing, Role, Round
from tournaments.services import corrections, entries, matches, rounds
from tournaments.services import results as ledger
from tournaments.services.holds import Held

pytestmark = pytest.mark.django_db

DRAWN = Measure(effect="RESULT", outcome="DRAW")


def late_enough(stage: Court) -> Court:
    """The limit of lateness of the round has passed."""
    Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(minutes=61))
    return stage


@pytest.fixture
def stage() -> Court:
    """White lost board 1 by a ruling; the committee made it a draw."""
    stage = late_enough(court(members=3))
    cases.decided(stage, verdict="PARTLY", measures=[DRAWN])
    assert stage.board().outcome == "DRAW"
    return stage


def enter(stage: Court, outcome: str, *, by: Actor | None = None, reason: str = "") -> None:
    board = stage.board()
    ledger.record_outcome(
        by or stage.arbiter, board.pk, outcome=outcome, version=board.version, reason=reason
    )


def accept_a_score(stage: Court) -> None:
    board = stage.board()
    results.accept_score(
        stage.arbiter, board.pk, Score(moves=SHORT_WIN, outcome="WHITE", version=board.version, note="so it ended")
    )  # fmt: skip


def lose_by_claim(stage: Court) -> None:
    board = stage.board()
    results.judge_claim(
        stage.arbiter, board.pk, claimant="W", moves=SHORT_WIN[:4], kind="3x", upheld=False, version=board.version,
        flag_fell=True,
    )  # fmt: skip


def rule_anew(effect: str, category: str = "CONDUCT", **fields: Any) -> Callable[[Court], None]:
    def attack(stage: Court) -> None:
        incident = log(stage, by=stage.chief, category=category, **fields)
        rulings.rule(stage.chief, incident.pk, Order(effect=effect, side="W", text="once more"))

    return attack


def exchange_seats(stage: Court) -> None:
    one, two = stage.board(1), stage.board(2)
    corrections.exchange_players(
        stage.organizer, stage.round.pk, first=one.white_id, second=two.white_id, reason="x"
    )


ATTACKS: dict[str, Callable[[Court], None]] = {
    "undo": lambda s: enter(s, "BLACK", reason="undone"),
    "the organizer": lambda s: enter(s, "WHITE", by=s.organizer),
    "the chief": lambda s: enter(s, "UNPLAYED", by=s.chief, reason="a mistake"),
    "a superuser": lambda s: enter(s, "WHITE", by=Actor(user=f.make_user(is_superuser=True, is_staff=True))),
    "a forfeit": lambda s: enter(s, "WHITE_FORFEITS"),
    "sheet": accept_a_score,
    "claim": lose_by_claim,
    "ruling": rule_anew("GAME_LOST"),
    "both lose": rule_anew("BOTH_LOSE"),
    "lateness as an incident": rule_anew("FORFEIT", "LATENESS"),
    "replay": rule_anew("REPLAY", "WRONG_BOARD"),
    "colours": rule_anew("TURN_COLOURS", "COLOURS"),
    "seats": exchange_seats,
    "unpublishing": lambda s: rounds.unpublish_round(s.organizer, s.round.pk, reason="again") and None,
}


@pytest.mark.parametrize("door", ATTACKS)
@pytest.mark.clause("16.2", at="tournaments/holds.py")
def test_a_result_that_a_decision_set_is_locked_at_every_door(stage: Court, door: str) -> None:
    before = Pairing.objects.filter(round__section=stage.section).values().order_by("pk")
    kept = list(before)

    with pytest.raises(DomainError), transaction.atomic():
        ATTACKS[door](stage)

    assert list(before.all()) == kept
    assert stage.board().outcome == "DRAW"


@pytest.mark.parametrize("door", sorted(set(ATTACKS) - {"seats", "unpublishing"}))
@pytest.mark.clause("13.1.5", at="tournaments/holds.py")
def test_what_is_under_appeal_stays_at_every_door_until_it_is_decided(door: str) -> None:
    stage = late_enough(court(members=3))
    ruling = ruled(stage, "GAME_LOST")
    assert stage.board().outcome == "BLACK"
    appeal = cases.filed(stage, ruling=ruling)

    same = {"ruling", "claim"}  # the same loss again changes nothing
    if door not in same:
        with pytest.raises(DomainError), transaction.atomic():
            {**ATTACKS, "undo": lambda s: enter(s, "UNPLAYED")}[door](stage)
    assert stage.board().outcome == "BLACK"

    appeals.withdraw_appeal(NOBODY, appeal.pk, link=appeal.appellant.link)
    rulings.withdraw_ruling(stage.chief, ruling.pk, reason="mistaken")
    enter(stage, "DRAW")
    assert stage.board().outcome == "DRAW"


def test_the_same_attacks_succeed_where_nothing_is_decided() -> None:
    """What the tests above refuse is possible on a board that no case holds, so they test the lock and nothing else."""
    others = {"replay", "seats", "unpublishing", "colours", "lateness as an incident"}  # need an open board
    for door in sorted(set(ATTACKS) - others):
        stage = late_enough(court())
        enter(stage, "DRAW")
        ATTACKS[door](stage)
        assert stage.board().outcome != "DRAW", door


def test_an_arbiter_s_ruling_under_appeal_is_neither_withdrawn_nor_revised_nor_added_to() -> None:
    stage = court(members=3)
    ruling = ruled(stage, "GAME_LOST")
    cases.filed(stage, ruling=ruling)
    acts = [
        lambda: rulings.withdraw_ruling(stage.chief, ruling.pk, reason="I was wrong"),
        lambda: rulings.revise_ruling(stage.chief, ruling.pk, Order(effect="REMINDER", side="W", text="milder")),
        lambda: rulings.rule(stage.chief, ruling.incident_id, Order(effect="REMINDER", side="W")),
    ]  # fmt: skip
    for act in acts:
        with pytest.raises(DomainError) as refused:
            act()
        assert refused.value.code == "under-appeal"
    ruling.refresh_from_db()
    assert (ruling.state, Ruling.objects.count()) == (Ruling.State.IN_FORCE, 1)


# --- the pages and the API


def test_the_grid_refuses_with_the_case_named_and_keeps_the_page(stage: Court) -> None:
    board = stage.board()
    page = client_of(user_of(stage.arbiter)).post(
        url("results", section_id=stage.section.pk, number=stage.round.number),
        {
            f"outcome-{board.pk}": "WHITE",
            f"was-{board.pk}": "DRAW",
            f"version-{board.pk}": str(board.version),
            f"confirm-{board.pk}": "1",
        },
    )

    assert page.status_code == 409
    assert "A1" in page.content.decode()
    assert stage.board().outcome == "DRAW"


def test_one_cell_of_the_grid_and_the_undo_button_are_refused(stage: Court) -> None:
    board = stage.board()
    client = client_of(user_of(stage.arbiter))
    newest = AuditEntry.objects.filter(action="record-outcome", object_id=board.pk).latest("pk")

    undone = client.post(
        url("result_undo", pairing_id=board.pk), {"change": newest.pk, "version": board.version}
    )
    typed = client.post(
        url("result", pairing_id=board.pk),
        {
            f"outcome-{board.pk}": "WHITE",
            f"was-{board.pk}": "DRAW",
            f"version-{board.pk}": str(board.version),
            f"confirm-{board.pk}": "1",
        },
        headers={"HX-Request": "true"},
    )

    assert undone.status_code == 409
    assert "16.2" in typed.content.decode()
    assert stage.board().outcome == "DRAW"


def test_the_api_refuses_one_result_and_a_form_of_them(stage: Court) -> None:
    board = stage.board()
    client = client_of(user_of(stage.arbiter))
    root = f"/api/v1/events/{stage.event.code}/sections/{stage.section.code}/"
    one = client.put(
        f"{root}pairings/{board.pk}/result/",
        json.dumps({"outcome": "WHITE", "version": board.version, "reason": "x"}),
        content_type="application/json",
    )
    form = client.post(
        f"{root}results/",
        json.dumps({"lines": [{"pairing": board.pk, "outcome": "WHITE", "version": board.version}], "reason": "x"}),
        content_type="application/json",
    )  # fmt: skip

    assert (one.status_code, one.json()["code"]) == (409, "final")
    assert (form.status_code, form.json()["code"]) == (409, "final")
    assert stage.board().outcome == "DRAW"


def test_the_admin_pages_show_nothing_of_the_ledger_or_the_court() -> None:
    shown = {model._meta.app_label for model in admin.site._registry}
    assert not shown & {"tournaments", "games"}


# --- the lateness list


def forfeited_and_restored() -> Court:
    """White was late; the committee lifted the forfeit, and the board is open again."""
    stage = late_enough(court(members=3))
    (ruling,) = lateness.rule_lateness(stage.arbiter, stage.round.pk, {stage.board().pk: "W"})
    cases.decided(stage, ruling=ruling, verdict="UPHOLD")
    assert stage.board().outcome == "UNPLAYED"
    return stage


@pytest.mark.parametrize("who", ["W", "WB"])
def test_the_lateness_list_does_not_forfeit_a_restored_board_again(who: str) -> None:
    stage = forfeited_and_restored()

    with pytest.raises(Held), transaction.atomic():
        lateness.rule_lateness(stage.arbiter, stage.round.pk, {stage.board().pk: who})
    with pytest.raises(Held), transaction.atomic():
        rule_anew("FORFEIT", "LATENESS")(stage)
    with pytest.raises(Held), transaction.atomic():
        enter(stage, "WHITE_FORFEITS")

    assert stage.board().outcome == "UNPLAYED"
    enter(stage, "BLACK")
    assert stage.board().outcome == "BLACK"


# --- players leaving, annulment


def round_robin_decided(**fields: Any) -> tuple[Court, Entry]:
    stage = court(members=3, format="ROUND_ROBIN", withdrawal="ANNUL", rounds_total=7, **fields)
    Pairing.objects.filter(round__section=stage.section, round__number=1).update(outcome="UNPLAYED")
    f.make_round(stage.section, f.draw(stage.entries, 3))
    cases.decided(stage, verdict="PARTLY", measures=[DRAWN])
    return stage, stage.board().white


def test_an_annulment_passes_over_a_decided_board() -> None:
    stage, white = round_robin_decided()

    entries.withdraw_entry(stage.organizer, white.pk, after_round=2, reason="ill")

    assert stage.board().outcome == "DRAW"
    others = Pairing.objects.filter(round__section=stage.section, white=white).exclude(pk=stage.board().pk)
    assert set(others.values_list("outcome", flat=True)) <= {"VOID"}


def test_a_disqualification_passes_over_a_decided_board() -> None:
    stage, white = round_robin_decided()

    rule_anew("DISQUALIFY")(stage)

    assert Entry.objects.get(pk=white.pk).status == "DISQUALIFIED"
    assert stage.board().outcome == "DRAW"


# --- players and points


def test_who_was_disqualified_by_a_decision_stays_so() -> None:
    stage = court(members=3)
    appeal = cases.decided(
        stage, ruling=ruled(stage, "REMINDER"), verdict="PARTLY", measures=[Measure(effect="DISQUALIFY", side="W")]
    )  # fmt: skip
    gone = Entry.objects.get(pk=appeal.appellant_id)
    assert gone.status == "DISQUALIFIED"

    for attempt in (
        lambda: entries.withdraw_entry(stage.organizer, gone.pk, after_round=9),
        lambda: entries.return_entry(stage.organizer, gone.pk),
    ):
        with pytest.raises(DomainError), transaction.atomic():
            attempt()
    assert Entry.objects.get(pk=gone.pk).status == "DISQUALIFIED"


def test_points_that_a_decision_took_are_not_given_back() -> None:
    stage = court(members=3)
    appeal = cases.decided(
        stage, ruling=ruled(stage, "REMINDER"), verdict="PARTLY",
        measures=[Measure(effect="POINTS", side="W", points=-1)],
    )  # fmt: skip

    with pytest.raises(Held), transaction.atomic():
        ledger.adjust_score(stage.chief, appeal.appellant_id, points=1, after_round=2, reason="back")

    assert Adjustment.objects.get().points == -1


def test_seats_exchanged_by_a_decision_are_neither_exchanged_back_nor_unpublished() -> None:
    stage = court(members=3)
    first = Pairing.objects.get(round__section=stage.section, round__number=1, board=1)
    incident = incidents.log_incident(
        stage.arbiter, first.pk, Report(category="CONDUCT", raised_by="A", against="W")
    )
    ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="REMINDER", side="W"))
    one, two = stage.board(1), stage.board(2)
    cases.decided(
        stage, ruling=ruling, verdict="PARTLY",
        measures=[Measure(effect="EXCHANGE", entry=one.white_id, other=two.white_id)],
    )  # fmt: skip
    after = stage.board(1)
    assert after.white_id == two.white_id

    with pytest.raises(Held), transaction.atomic():
        exchange_seats(stage)
    with pytest.raises(Held), transaction.atomic():
        rounds.unpublish_round(stage.organizer, stage.round.pk, reason="again")
    assert stage.board(1).white_id == after.white_id


# --- matches of several games, knock-outs


def test_the_game_of_a_match_that_a_decision_set_is_locked_while_the_others_go_on() -> None:
    stage = match_cast.team_match()
    committee = [actor(stage.event, Role.Kind.COMMITTEE) for _i in range(3)]
    whole = Court(
        section=stage.section, entries=[stage.white, stage.black], round=stage.round, organizer=stage.organizer,
        chief=stage.chief, arbiter=stage.arbiter, committee=committee,
    )  # fmt: skip
    incident = incidents.log_incident(
        stage.arbiter, stage.pairing.pk, Report(category="CONDUCT", raised_by="A", against="W", game=2)
    )
    ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))
    cases.decided(whole, ruling=ruling, verdict="PARTLY", measures=[DRAWN])
    assert stage.outcomes()[1] == "DRAW"

    lines = [
        matches.BoardLine(first=g.first_id, second=g.second_id, outcome="WHITE")
        for g in stage.pairing.match_games.order_by("number")
    ]
    with pytest.raises(Held), transaction.atomic():
        matches.record_team_match(stage.arbiter, stage.pairing.pk, lines, version=stage.fresh().version)
    with pytest.raises(Held), transaction.atomic():
        ledger.record_outcome(
            stage.arbiter, stage.pairing.pk, outcome="BOTH_FORFEIT", version=stage.fresh().version, reason="x"
        )
    lines[1] = matches.BoardLine(first=lines[1].first, second=lines[1].second, outcome="DRAW")
    matches.record_team_match(stage.arbiter, stage.pairing.pk, lines, version=stage.fresh().version)
    assert stage.outcomes()[:2] == ["WHITE", "DRAW"]


def test_nobody_but_the_winner_of_a_decision_goes_on_in_a_knock_out() -> None:
    stage = court(members=3, format="KNOCKOUT")
    ruling = ruled(stage, "GAME_LOST")
    cases.decided(stage, ruling=ruling, verdict="DISMISS")

    board = stage.board()
    with pytest.raises(Held), transaction.atomic():
        matches.decide(stage.arbiter, board.pk, advances="w", version=board.version, reason="by lot")
    assert stage.board().advances == ""


# --- the database itself


def test_a_draw_accepted_or_a_sealed_move_judged_later_changes_nothing(stage: Court) -> None:
    game = Game.objects.filter(pairing=stage.board()).latest("pk")
    offer = DrawOffer.objects.create(game=game, side="W", ply=80)
    Pairing.objects.filter(pk=stage.board().pk).update(version=5)
    draw_offers.answer_offer(stage.arbiter, offer.pk, accepted=True, version=5)  # the same result
    assert stage.board().outcome == "DRAW"
    with pytest.raises(DomainError):
        adjournments.adjourn(
            stage.arbiter, stage.board().pk, reason="power cut", moves=SHORT_WIN[:2], white_seconds=1, black_seconds=1
        )  # fmt: skip
    assert sheets.start_of(game) is not None


def test_a_decided_case_leaves_final_holds_and_a_withdrawn_one_none(stage: Court) -> None:
    assert [(h.kind, h.is_final, h.case) for h in Hold.objects.filter(ended_at__isnull=True)] == [
        ("RESULT", True, "A1")
    ]
    appeal = cases.filed(stage, ruling=ruled(stage, "GAME_LOST", board=2))
    assert Hold.objects.filter(ended_at__isnull=True, case="A2").count() == 1
    appeals.withdraw_appeal(NOBODY, appeal.pk, link=appeal.appellant.link)
    assert Hold.objects.filter(ended_at__isnull=True, case="A2").count() == 0
    assert appeal.state == Appeal.State.FILED


def test_a_dismissed_appeal_holds_a_board_that_was_annulled_meanwhile() -> None:
    stage = court(members=3, format="ROUND_ROBIN", withdrawal="ANNUL", rounds_total=7)
    Pairing.objects.filter(round__section=stage.section, round__number=1).update(outcome="UNPLAYED")
    f.make_round(stage.section, f.draw(stage.entries, 3))
    white = stage.board().white
    ruling = ruled(stage, "GAME_LOST")
    entries.withdraw_entry(stage.organizer, white.pk, after_round=2, reason="ill")
    assert stage.board().outcome == "VOID"
    cases.decided(stage, ruling=ruling, verdict="DISMISS")
    entries.return_entry(stage.organizer, white.pk)

    for outcome in ("WHITE", "DRAW", "UNPLAYED"):
        with pytest.raises(Held), transaction.atomic():
            enter(stage, outcome, by=stage.chief, reason="he is back")

    assert stage.board().outcome == "VOID"


# --- a second warning while something else is going on


def draw_by_claim(stage: Court) -> None:
    board = stage.board()
    results.judge_claim(
        stage.arbiter, board.pk, claimant="W", moves=SHORT_WIN[:4], kind="3x", upheld=True, version=board.version
    )  # fmt: skip


def accept_an_offer(stage: Court) -> None:
    game = Game.objects.filter(pairing=stage.board()).latest("pk")
    offer = DrawOffer.objects.create(game=game, side="W", ply=80)
    draw_offers.answer_offer(stage.arbiter, offer.pk, accepted=True, version=stage.board().version)


def adjourn(stage: Court) -> None:
    adjournments.adjourn(
        stage.arbiter, stage.board().pk, reason="power cut", moves=SHORT_WIN[:2], white_seconds=1, black_seconds=1
    )  # fmt: skip


GOING_ON: dict[str, Callable[[Court], None]] = {
    "a draw claim": draw_by_claim, "a lost claim": lose_by_claim, "an offer accepted": accept_an_offer, "the sheets": accept_a_score,
    "an adjournment": adjourn, "the grid": lambda s: enter(s, "DRAW"), "a forfeit": lambda s: enter(s, "BLACK_FORFEITS"),
    "another ruling": rule_anew("REPLAY", "WRONG_BOARD"),
}  # fmt: skip


@pytest.mark.parametrize("act", GOING_ON)
@pytest.mark.clause("14.2.4", at="tournaments/holds.py")
def test_whatever_is_going_on_a_second_warning_ends_the_game(act: str) -> None:
    stage = late_enough(court(members=3))
    for _time in range(2):
        ruled(stage, "WARNING", side="W")

    try:
        with transaction.atomic():
            GOING_ON[act](stage)
    except DomainError:
        pass

    assert stage.board().outcome == "BLACK"
