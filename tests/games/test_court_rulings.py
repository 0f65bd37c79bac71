"""Incidents and rulings against articles 7, 8, 9, 14 and 15, one test a line of the acceptance list."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from games.models import Game, Incident, Result, Ruling
from games.selectors.lateness import lateness_ends
from games.services.court import incidents, rulings
from games.services.court import lateness as late_players
from games.services.court.incidents import OpponentOnly
from games.services.court.orders import Order
from rules.board import Side as Colour
from rules.clock import (
    Attendance,
    FlagOutcome,
    TimeControl,
    charge_correction,
    fischer,
    flag_during_claim,
    lateness,
    restore,
    restore_initial,
    sudden,
)
from tests.games.court_cast import Court, court, log, ruled
from tournaments.errors import BadInput, DomainError, NotAllowed, NotFound, WrongState
from tournaments.models import AuditEntry, Entry, Notice, Pairing

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court()


def outcome(stage: Court, board: int = 1) -> str:
    return stage.board(board).outcome


# --- article 7


@pytest.mark.clause("7.1", at="games/court_rules.py")
def test_7_1_wrong_board_orientation_voids_the_game_and_links_the_replay(stage: Court) -> None:
    incident = log(stage, category="WRONG_BOARD", against="")
    with pytest.raises(BadInput):
        rulings.rule(stage.arbiter, incident.pk, Order(effect="NONE"))

    ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="REPLAY"))

    old, new = Game.objects.filter(pairing=stage.board()).order_by("number")
    assert new.replaces == old and ruling.article == "7.1"
    assert outcome(stage) == "UNPLAYED"


@pytest.mark.clause("7.2", "7.3", at="games/court_rules.py")
def test_7_2_wrong_set_up_must_be_put_right(stage: Court) -> None:
    incident = log(stage, category="WRONG_POSITION", article="7.3", against="")

    for effect in ("NONE", "LET_STAND", "WARNING"):
        with pytest.raises(BadInput):
            rulings.rule(stage.arbiter, incident.pk, Order(effect=effect, side="W"))

    assert rulings.rule(stage.arbiter, incident.pk, Order(effect="RECTIFY")).is_in_force


@pytest.mark.parametrize("number", range(1, 16))
@pytest.mark.clause(
    "7.4",
    "7.4.1",
    "7.4.2",
    "7.4.3",
    "7.4.4",
    "7.4.5",
    "7.4.6",
    "7.4.7",
    "7.4.8",
    "7.4.9",
    "7.4.10",
    "7.4.11",
    "7.4.12",
    "7.4.13",
    "7.4.14",
    "7.4.15",
    at="games/court_rules.py",
)
def test_7_3_the_opponent_raises_and_chooses_before_his_next_move(stage: Court, number: int) -> None:
    article = f"7.4.{number}"
    with pytest.raises(OpponentOnly):
        log(stage, category="IRREGULAR", article=article, raised_by="W", against="W", moved_on=False)

    asked = log(
        stage, category="IRREGULAR", article=article, raised_by="B", against="W", ply=21, plies_made=21
    )
    assert rulings.rule(stage.arbiter, asked.pk, Order(effect="RECTIFY", side="W")).article == article

    late = log(
        stage, category="IRREGULAR", article=article, raised_by="B", against="W", ply=23, plies_made=24
    )
    assert late.settled == Incident.Settled.ACCEPTED
    assert Game.objects.get(pairing=stage.board()).accepted_plies == [23]
    with pytest.raises(WrongState) as refused:
        rulings.rule(stage.arbiter, late.pk, Order(effect="RECTIFY", side="W"))
    assert refused.value.code == "right-lost"


@pytest.mark.clause("7.4", "7.6", "7.7", "7.8", at="games/court_rules.py")
def test_7_4_no_penalty_before_the_choice_and_the_refusal_and_nothing_once_he_has_moved_on(
    stage: Court,
) -> None:
    claim = log(stage, category="IRREGULAR", raised_by="B", against="W", moved_on=False)
    for effect in ("REMINDER", "WARNING", "GAME_LOST", "DISQUALIFY", "EXPEL"):
        with pytest.raises(WrongState) as early:
            rulings.rule(stage.chief, claim.pk, Order(effect=effect, side="W"))
        assert early.value.code == "not-refused"

    rulings.rule(stage.arbiter, claim.pk, Order(effect="RECTIFY", side="W"))
    claim.refresh_from_db()
    assert claim.asked == "RECTIFY"
    incidents.note_refusal(stage.arbiter, claim.pk)
    assert rulings.rule(stage.arbiter, claim.pk, Order(effect="WARNING", side="W")).is_in_force

    moved_on = log(stage, category="IRREGULAR", raised_by="B", against="W", moved_on=True)
    stands = log(stage, category="IRREGULAR", raised_by="B", against="W", asked="STAND")
    for settled in (moved_on, stands):
        assert settled.settled == Incident.Settled.ACCEPTED
        for effect in ("RECTIFY", "WARNING", "TIME"):
            seconds = 60 if effect == "TIME" else 0
            with pytest.raises(WrongState) as late:
                rulings.rule(stage.arbiter, settled.pk, Order(effect=effect, side="W", white_seconds=seconds))
            assert late.value.code == "right-lost"


@pytest.mark.parametrize("category", ["UNCROWNED", "IRREGULAR"])
@pytest.mark.clause("5.7", at="games/court_rules.py")
def test_5_7_moving_an_uncrowned_king_is_penalised_without_a_refusal(stage: Court, category: str) -> None:
    moved = log(stage, category=category, article="5.7", raised_by="A", against="W")

    assert (moved.category, moved.article) == ("UNCROWNED", "5.7")
    assert rulings.rule(stage.arbiter, moved.pk, Order(effect="WARNING", side="W")).is_in_force


@pytest.mark.clause("8.2.3", at="games/court_rules.py")
def test_8_2_3_forgetting_the_clock_is_not_punished(stage: Court) -> None:
    forgot = log(stage, category="CLOCK_FORGOTTEN", raised_by="W", against="B")

    for effect in ("REMINDER", "WARNING", "TIME", "GAME_LOST"):
        with pytest.raises(BadInput):
            rulings.rule(stage.arbiter, forgot.pk, Order(effect=effect, side="B"))
    assert rulings.rule(stage.arbiter, forgot.pk, Order(effect="NONE")).is_in_force


@pytest.mark.clause("14.2.1", "14.2.3", at="games/services/court/orders.py")
def test_14_2_1_a_breach_of_order_gets_one_of_the_four_penalties_or_was_none_with_a_reason(
    stage: Court,
) -> None:
    breach = log(stage, article="14.1.1")
    for effect in ("NONE", "UNFOUNDED"):
        with pytest.raises(BadInput):
            rulings.rule(stage.arbiter, breach.pk, Order(effect=effect))
    for effect in ("RECTIFY", "LET_STAND", "TIME"):
        with pytest.raises(BadInput):
            rulings.rule(stage.arbiter, breach.pk, Order(effect=effect, side="W", white_seconds=9))

    ruling = rulings.rule(stage.arbiter, breach.pk, Order(effect="NONE", text="he spoke to the arbiter"))
    assert (ruling.effect, ruling.text) == ("UNFOUNDED", "he spoke to the arbiter")


def test_7_3_an_open_claim_is_let_stand_by_the_next_move(stage: Court) -> None:
    claim = log(stage, category="IRREGULAR", raised_by="B", against="W", ply=21)

    incidents.let_stand(stage.arbiter, claim.pk, plies_made=22)

    claim.refresh_from_db()
    assert (claim.settled, claim.plies_made) == (Incident.Settled.ACCEPTED, 22)
    with pytest.raises(WrongState):
        rulings.rule(stage.arbiter, claim.pk, Order(effect="RECTIFY", side="W"))


@pytest.mark.clause("15.1.3", at="games/court_rules.py")
def test_7_4_the_arbiter_cannot_open_an_irregularity_on_his_own(stage: Court) -> None:
    with pytest.raises(OpponentOnly):
        log(stage, category="IRREGULAR", raised_by="A", against="W", ply=3)
    with pytest.raises(OpponentOnly):
        log(stage, category="CLOCK_FORGOTTEN", raised_by="A", against="B")
    assert Incident.objects.count() == 0

    assert log(stage, category="CONDUCT", raised_by="A").number == 1
    assert log(stage, category="CLOCK_FORGOTTEN", raised_by="W", against="B").number == 2


@pytest.mark.clause("7.8", "14.3.1", "14.4", at="games/court_rules.py")
def test_7_5_refusing_to_put_it_right_loses_the_game(stage: Court) -> None:
    claim = log(stage, category="IRREGULAR", article="7.4.6", raised_by="B", against="W", ply=9, plies_made=9)
    with pytest.raises(WrongState) as early:
        rulings.rule(stage.arbiter, claim.pk, Order(effect="GAME_LOST", side="W"))
    assert early.value.code == "not-refused"

    incidents.note_refusal(stage.arbiter, claim.pk)
    incidents.note_refusal(stage.arbiter, claim.pk)
    (proposed,) = claim.rulings.all()
    assert (proposed.state, proposed.article, outcome(stage)) == ("PROPOSED", "14.4", "UNPLAYED")

    rulings.confirm_ruling(stage.arbiter, proposed.pk)
    rulings.confirm_ruling(stage.arbiter, proposed.pk)
    assert outcome(stage) == "BLACK"
    assert Result.objects.get().source == Result.Source.RULING


@pytest.mark.clause("7.5", at="games/court_rules.py")
def test_7_6_an_accident_noticed_at_once_is_no_offence(stage: Court) -> None:
    incident = log(stage, category="DISTURBED", against="")

    for effect in ("REMINDER", "WARNING", "GAME_LOST", "DISQUALIFY"):
        with pytest.raises(BadInput):
            rulings.rule(stage.arbiter, incident.pk, Order(effect=effect, side="W"))
    assert rulings.rule(stage.arbiter, incident.pk, Order(effect="RECTIFY")).is_in_force


# --- articles 8 and 9


def test_8_1_a_time_control_is_sudden_death_or_fischer() -> None:
    assert sudden(4800).allowance(60) == 4800
    assert fischer(4800, 60).allowance(10) == 5400
    with pytest.raises(ValueError, match="increment"):
        TimeControl(mode=sudden(1).mode, base=60, increment=1)


@pytest.mark.clause("8.3.2", "15.2.13", at="games/services/court/lateness.py")
def test_8_2_later_than_the_limit_forfeits_and_at_the_limit_plays() -> None:
    stage = court(lateness_limit=15)
    start = timezone.now() - dt.timedelta(minutes=15)
    stage.round.starts_at = start
    stage.round.save()
    at_the_limit = start + dt.timedelta(minutes=15)

    with pytest.raises(WrongState) as early:
        late_players.rule_lateness(stage.arbiter, stage.round.pk, {stage.board().pk: "B"}, at=at_the_limit)
    assert early.value.code == "too-early"
    (ruling,) = late_players.rule_lateness(
        stage.arbiter, stage.round.pk, {stage.board().pk: "B"}, at=at_the_limit + dt.timedelta(seconds=1)
    )

    assert (ruling.article, outcome(stage)) == ("8.3.2", "BLACK_FORFEITS")
    assert stage.section._meta.get_field("lateness_limit").default == 60
    assert lateness(white_arrives=0, black_arrives=900, limit=900).attendance is Attendance.PLAY


@pytest.mark.clause("8.3.3", at="games/services/court/lateness.py")
def test_8_3_both_later_than_the_limit_forfeit_both() -> None:
    stage = court(lateness_limit=0)
    stage.round.starts_at = timezone.now() - dt.timedelta(minutes=1)
    stage.round.save()
    one, two = stage.board(1), stage.board(2)

    made = late_players.rule_lateness(stage.arbiter, stage.round.pk, {one.pk: "WB", two.pk: "W"})

    assert [r.article for r in made] == ["8.3.3", "8.3.2"]
    assert (outcome(stage, 1), outcome(stage, 2)) == ("BOTH_FORFEIT", "WHITE_FORFEITS")
    with pytest.raises(WrongState):
        late_players.rule_lateness(stage.arbiter, stage.round.pk, {stage.board(3).pk: "W", one.pk: "W"})
    assert outcome(stage, 3) == "UNPLAYED"


@pytest.mark.clause("8.3.2", at="games/selectors/lateness.py")
def test_8_3_a_forfeit_for_lateness_waits_for_the_limit_as_an_incident_too(stage: Court) -> None:
    logged = log(stage, category="LATENESS", against="B")
    order = Order(effect="FORFEIT", side="B")
    with pytest.raises(WrongState) as unset:
        rulings.rule(stage.arbiter, logged.pk, order)
    assert unset.value.code == "no-start"

    late_players.start_clocks(stage.arbiter, stage.round.pk)
    with pytest.raises(WrongState) as early:
        rulings.rule(stage.arbiter, logged.pk, order)
    assert (early.value.code, outcome(stage)) == ("too-early", "UNPLAYED")

    stage.round.refresh_from_db()
    stage.round.starts_at = timezone.now() - dt.timedelta(minutes=61)
    stage.round.save()
    rulings.rule(stage.arbiter, logged.pk, order)
    assert outcome(stage) == "BLACK_FORFEITS"


def test_8_4_a_late_player_within_the_limit_pays_from_his_own_clock() -> None:
    charged = lateness(white_arrives=600, black_arrives=0, limit=3600)
    assert (charged.white_seconds, charged.black_seconds) == (600, 0)


@pytest.mark.clause("8.2.4", at="rules/clock.py")
def test_8_5_a_broken_clock_is_replaced_and_both_times_restored(stage: Court) -> None:
    setting = restore(sudden(4800), white_used=100, black_used=4000, white_moves=10, black_moves=10)
    assert (setting.white_left, setting.black_left) == (4700, 800)

    incident = log(stage, category="CLOCK_FAULT", raised_by="A", against="")
    ruling = rulings.rule(
        stage.arbiter, incident.pk, Order(effect="TIME", white_seconds=-60, black_seconds=0)
    )
    assert (ruling.white_seconds, ruling.article) == (-60, "8.2.4")


@pytest.mark.clause("8.2.5", at="games/services/court/incidents.py")
def test_8_6_objections_to_clock_signals_are_heard_before_the_flag_falls_only(stage: Court) -> None:
    with pytest.raises(WrongState) as late:
        log(stage, category="CLOCK_SIGNAL", raised_by="W", against="", flag_fell=True)
    assert late.value.code == "too-late"

    assert log(stage, category="CLOCK_SIGNAL", raised_by="W", against="").article == "8.2.5"


@pytest.mark.clause("8.2.7", at="rules/clock.py")
def test_8_7_a_flag_that_falls_during_a_claim_counts_only_if_the_claim_fails() -> None:
    assert flag_during_claim(claim_upheld=True) is FlagOutcome.DRAW
    assert flag_during_claim(claim_upheld=False) is FlagOutcome.LOSS


@pytest.mark.clause("8.2.8", at="games/court_rules.py")
def test_8_8_the_time_of_correcting_is_charged_to_the_offender(stage: Court) -> None:
    assert charge_correction(white_used=10, black_used=20, offender=Colour.BLACK, seconds=90) == (10, 110)

    claim = log(stage, category="IRREGULAR", raised_by="B", against="W")
    order = Order(effect="TIME", article="8.2.8", side="W", white_seconds=90)
    with pytest.raises(WrongState) as early:  # the opponent chooses first (7.4)
        rulings.rule(stage.arbiter, claim.pk, order)
    assert early.value.code == "no-choice"

    rulings.rule(stage.arbiter, claim.pk, Order(effect="RECTIFY", side="W"))
    ruling = rulings.rule(stage.arbiter, claim.pk, order)
    assert (ruling.article, ruling.white_seconds) == ("8.2.8", 90)
    again = log(stage, category="IRREGULAR", raised_by="B", against="W", asked="RECTIFY")
    at_once = rulings.rule(stage.arbiter, again.pk, Order(effect="RECTIFY", side="W", white_seconds=60))
    assert (at_once.effect, at_once.white_seconds) == ("RECTIFY", 60)


@pytest.mark.clause("9.2", at="rules/clock.py")
def test_9_1_both_absent_share_the_time_until_the_first_arrival() -> None:
    first = lateness(white_arrives=50 * 60, black_arrives=20 * 60)
    assert (first.white_seconds, first.black_seconds) == (40 * 60, 10 * 60)
    second = lateness(white_arrives=20 * 60, black_arrives=50 * 60, white_moves_at=21 * 60)
    assert (second.white_seconds, second.black_seconds) == (11 * 60, 39 * 60)
    odd = lateness(white_arrives=61, black_arrives=61)
    assert (odd.white_seconds, odd.black_seconds) == (31, 30)


def test_9_2_the_limit_counts_from_the_scheduled_start() -> None:
    late = lateness(white_arrives=3601, black_arrives=1800, limit=3600)
    assert late.attendance is Attendance.WHITE_FORFEITS

    stage = court(lateness_limit=30)
    stage.round.starts_at = timezone.now()
    ends = lateness_ends(stage.section, stage.round)
    assert ends == stage.round.starts_at + dt.timedelta(minutes=30)


@pytest.mark.clause("9.1", at="rules/clock.py")
def test_9_3_time_lost_without_fault_is_restored_with_a_reason(stage: Court) -> None:
    assert restore_initial(sudden(4800)).white_left == 4800
    incident = log(
        stage, category="LATENESS", article="9.1", raised_by="W", against="W", note="bus broke down"
    )

    order = Order(effect="TIME", article="9.1", side="W", white_seconds=-900, text="not his fault")
    ruling = rulings.rule(stage.arbiter, incident.pk, order)

    logged = AuditEntry.objects.filter(action="rule").latest("pk")
    assert (ruling.white_seconds, logged.reason) == (-900, "not his fault")


@pytest.mark.clause("9.3", at="tournaments/services/corrections.py")
def test_9_4_reversed_colours_stand_with_the_colours_played(stage: Court) -> None:
    board = stage.board()
    white, black = board.white_id, board.black_id
    Pairing.objects.filter(pk=board.pk).update(outcome="WHITE")
    incident = log(stage, category="COLOURS", against="")

    ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="TURN_COLOURS"))
    turned = stage.board()
    assert (turned.white_id, turned.black_id, turned.outcome) == (black, white, "BLACK")

    rulings.withdraw_ruling(stage.arbiter, ruling.pk, reason="they were right")
    assert (stage.board().white_id, stage.board().outcome) == (white, "WHITE")


@pytest.mark.parametrize("article", ["9.1", "14.3.5"])
@pytest.mark.clause("9.1", "14.3.5", "15.2.9", at="games/court_rules.py")
def test_9_5_stopping_the_clocks_loses_without_a_refusal(stage: Court, article: str) -> None:
    stopped = log(stage, category="CLOCK", article=article, raised_by="A", against="B")

    ruling = rulings.rule(stage.arbiter, stopped.pk, Order(effect="GAME_LOST", side="B"))

    assert (ruling.state, ruling.article, outcome(stage)) == ("IN_FORCE", article, "WHITE")


@pytest.mark.parametrize(
    ("category", "article"), [("CLOCK_ALTERED", "14.3.4"), ("CLOCK_ALTERED", "9.1"), ("CLOCK_MOVED", "9.1")]
)
@pytest.mark.clause("9.1", "14.3.4", at="games/court_rules.py")
def test_9_5_an_altered_or_moved_clock_is_put_right_and_loses_when_it_is_not(
    stage: Court, category: str, article: str
) -> None:
    restored = log(stage, category=category, article=article, raised_by="A", against="B")
    with pytest.raises(WrongState) as early:
        rulings.rule(stage.arbiter, restored.pk, Order(effect="GAME_LOST", side="B"))
    assert early.value.code == "not-refused"
    assert rulings.rule(stage.arbiter, restored.pk, Order(effect="RECTIFY", side="B")).is_in_force

    lost = log(stage, category=category, article=article, raised_by="A", against="B", refused=True)
    rulings.confirm_ruling(stage.arbiter, lost.rulings.get().pk)
    assert outcome(stage) == "WHITE"


# --- article 14


@pytest.mark.clause("14.2.2", "14.1.1", "14.1.7", "14.1.13", at="games/court_rules.py")
def test_14_1_the_levels_of_penalty(stage: Court) -> None:
    reminder = ruled(stage, "REMINDER", article="14.1.1")
    warning = ruled(stage, "WARNING", article="14.1.13")
    both = ruled(stage, "BOTH_LOSE", side="", article="14.1.7")

    assert (reminder.notice, outcome(stage)) == (None, "BOTH_LOSE")
    assert warning.notice is not None and warning.notice.kind == Notice.Kind.WARNING
    assert both.notice is not None and both.notice.kind == Notice.Kind.RULING
    assert set(warning.notice.texts) == {"zh-hans", "en"}
    assert str(stage.board().white) in warning.notice.texts["en"]


@pytest.mark.clause("14.2.4", at="games/services/court/rulings.py")
def test_14_2_the_second_warning_loses_the_game_at_once(stage: Court) -> None:
    ruled(stage, "REMINDER")
    first = ruled(stage, "WARNING")
    ruled(stage, "REMINDER")
    ruled(stage, "WARNING", side="B", against="B")
    ruled(stage, "WARNING", board=2)
    assert (outcome(stage), outcome(stage, 2)) == ("UNPLAYED", "UNPLAYED")

    second = ruled(stage, "WARNING")

    loss = Ruling.objects.get(effect="GAME_LOST")
    assert (loss.state, loss.side, loss.article, loss.follows) == ("IN_FORCE", "W", "14.2.4", second)
    assert outcome(stage) == "BLACK"
    assert loss.notice is not None and "14.2.4" in loss.notice.texts["en"]

    rulings.withdraw_ruling(stage.arbiter, first.pk, reason="wrong player")
    loss.refresh_from_db()
    assert (loss.state, outcome(stage)) == ("WITHDRAWN", "UNPLAYED")


def test_14_2_the_loss_by_warnings_is_revoked_with_a_reason_and_a_third_warning_loses_again(
    stage: Court,
) -> None:
    ruled(stage, "WARNING")
    ruled(stage, "WARNING")
    loss = Ruling.objects.get(effect="GAME_LOST")
    with pytest.raises(BadInput):
        rulings.withdraw_ruling(stage.arbiter, loss.pk, reason=" ")
    assert outcome(stage) == "BLACK"

    rulings.withdraw_ruling(stage.arbiter, loss.pk, reason="the second was meant as a reminder")
    assert outcome(stage) == "UNPLAYED"

    ruled(stage, "WARNING")
    assert outcome(stage) == "BLACK"


@pytest.mark.clause("14.2.4", at="tournaments/holds.py")
def test_14_2_until_it_is_revoked_nothing_says_otherwise(stage: Court) -> None:
    from games.services import results as game_results
    from tournaments.services.results import record_outcome

    ruled(stage, "WARNING")
    ruled(stage, "WARNING")
    board = stage.board()
    for who in (stage.arbiter, stage.chief, stage.organizer):
        for result in ("WHITE", "DRAW", "UNPLAYED", "WHITE_FORFEITS"):
            with pytest.raises(WrongState) as held:
                record_outcome(who, board.pk, outcome=result, version=board.version, reason="they agreed")
            assert held.value.code == "lost-by-warnings"
    with pytest.raises(WrongState):
        game_results.judge_claim(
            stage.arbiter, board.pk, claimant="W", moves=["32-28"], kind="no-win", upheld=True, version=board.version,
            reason="nobody can win",
        )  # fmt: skip
    with pytest.raises(WrongState):
        ruled(stage, "BOTH_LOSE", side="")
    assert outcome(stage) == "BLACK"

    loss = Ruling.objects.get(effect="GAME_LOST")
    rulings.withdraw_ruling(stage.arbiter, loss.pk, reason="the clocks were stopped")
    board = stage.board()
    record_outcome(stage.arbiter, board.pk, outcome="DRAW", version=board.version)
    assert outcome(stage) == "DRAW"


def test_14_2_two_warnings_each_lose_the_game_for_both(stage: Court) -> None:
    for side in ("W", "B", "W", "B"):
        last = ruled(stage, "WARNING", side=side, against=side)
    assert outcome(stage) == "BOTH_LOSE"

    rulings.withdraw_ruling(stage.arbiter, last.pk, reason="it was the other one")
    assert outcome(stage) == "BLACK"


def test_14_2_the_loss_by_warnings_holds_when_an_earlier_ruling_is_taken_back(stage: Court) -> None:
    earlier = ruled(stage, "BOTH_LOSE", side="")
    ruled(stage, "WARNING")
    ruled(stage, "WARNING")
    assert outcome(stage) == "BOTH_LOSE"  # White has lost it already, and Black's loss is a ruling of its own

    rulings.withdraw_ruling(stage.arbiter, earlier.pk, reason="too hard")
    assert outcome(stage) == "BLACK"


def test_14_2_warnings_end_with_the_game(stage: Court) -> None:
    ruled(stage, "WARNING")
    replayed = log(stage, category="WRONG_BOARD", against="")
    rulings.rule(stage.arbiter, replayed.pk, Order(effect="REPLAY"))

    ruled(stage, "WARNING")

    assert not Ruling.objects.filter(effect="GAME_LOST").exists()


@pytest.mark.clause("14.2.5", at="games/services/court/rulings.py")
def test_14_3_disqualification_waits_for_the_chief(stage: Court) -> None:
    white = stage.board().white
    ruling = ruled(stage, "DISQUALIFY")
    assert (ruling.state, Entry.objects.get(pk=white.pk).status) == ("AWAITING", "ACTIVE")
    with pytest.raises(NotAllowed):
        rulings.confirm_ruling(stage.arbiter, ruling.pk)

    rulings.confirm_ruling(stage.chief, ruling.pk)
    assert Entry.objects.get(pk=white.pk).status == "DISQUALIFIED"
    assert outcome(stage) == "BLACK"  # lost, and played: 12.2.4

    with pytest.raises(NotAllowed):
        rulings.withdraw_ruling(stage.arbiter, ruling.pk, reason="no")
    rulings.withdraw_ruling(stage.chief, ruling.pk, reason="mistaken identity")
    assert Entry.objects.get(pk=white.pk).status == "ACTIVE"
    assert outcome(stage) == "UNPLAYED"


@pytest.mark.parametrize("effect", ["DISQUALIFY", "GAME_LOST", "EXPEL"])
@pytest.mark.clause("12.2.4", at="games/services/court/effects.py")
def test_12_2_4_lost_before_the_clocks_start_is_a_forfeit_and_after_it_a_game_played(
    stage: Court, effect: str
) -> None:
    started = timezone.now() - dt.timedelta(minutes=5)
    stage.round.clocks_started_at = started
    stage.round.save()

    early = ruled(stage, effect, by=stage.chief, happened_at=started - dt.timedelta(minutes=1))
    assert outcome(stage) == "WHITE_FORFEITS"
    rulings.withdraw_ruling(stage.chief, early.pk, reason="again")

    ruled(stage, effect, by=stage.chief, happened_at=started + dt.timedelta(minutes=1))
    assert outcome(stage) == "BLACK"


def test_12_2_4_a_finished_game_of_a_disqualified_player_stays_as_it_ended(stage: Court) -> None:
    Pairing.objects.filter(pk=stage.board().pk).update(outcome="DRAW")

    ruled(stage, "DISQUALIFY", by=stage.chief)

    assert outcome(stage) == "DRAW"


@pytest.mark.clause("14.5", at="games/services/court/effects.py")
def test_14_5_expulsion_is_the_chiefs_alone_ends_the_game_and_can_be_taken_back(stage: Court) -> None:
    white = stage.board().white
    with pytest.raises(NotAllowed):
        ruled(stage, "EXPEL")

    out = ruled(stage, "EXPEL", by=stage.chief)
    assert (out.article, outcome(stage)) == ("14.5", "BLACK")
    assert (
        Entry.objects.get(pk=white.pk).status == "ACTIVE"
    )  # later rounds are lost by a disqualification only

    with pytest.raises(NotAllowed):
        rulings.withdraw_ruling(stage.arbiter, out.pk, reason="no")
    rulings.withdraw_ruling(stage.chief, out.pk, reason="he apologised")
    assert outcome(stage) == "UNPLAYED"


@pytest.mark.parametrize(
    ("policy", "played", "first", "third"),
    [
        ("ANNUL", 1, "VOID", "VOID"),
        ("ANNUL", 2, "WHITE", "FORFEIT"),
        ("FORFEIT", 1, "WHITE", "FORFEIT"),
        ("STAND", 1, "WHITE", "FORFEIT"),
    ],
)
def test_14_4_earlier_results_follow_the_policy_of_the_section(
    policy: str, played: int, first: str, third: str
) -> None:
    from tests import factories as f
    from tournaments.engine.types import Outcome
    from tournaments.models import Round

    stage = court(withdrawal=policy, format="ROUND_ROBIN", players=4)
    Round.objects.all().delete()
    out, *others = stage.entries
    for number, other in enumerate(others, start=1):
        rest = [e for e in others if e != other]
        result = Outcome.WHITE if number <= played else Outcome.UNPLAYED
        f.make_round(stage.section, [(out, other, result), (rest[0], rest[1], Outcome.DRAW)])
    board = Pairing.objects.get(round__number=1, board=1)
    incident = incidents.log_incident(
        stage.chief, board.pk, incidents.Report(category="CONDUCT", raised_by="A", against="W")
    )

    rulings.rule(stage.chief, incident.pk, Order(effect="DISQUALIFY", side="W"))

    found = list(
        Pairing.objects.filter(white=out).order_by("round__number").values_list("outcome", flat=True)
    )
    assert found[0] == first
    assert found[2] == ("WHITE_FORFEITS" if third == "FORFEIT" else third)


# --- revising and withdrawing


def test_a_ruling_is_revised_and_the_old_one_stays_readable(stage: Court) -> None:
    old = ruled(stage, "GAME_LOST")
    assert outcome(stage) == "BLACK"

    new = rulings.revise_ruling(stage.arbiter, old.pk, Order(effect="BOTH_LOSE", text="both talked"))

    old.refresh_from_db()
    assert (old.state, old.ended_reason, new.supersedes) == ("REVISED", "both talked", old)
    assert outcome(stage) == "BOTH_LOSE"
    assert old.notice is not None and Notice.objects.get(pk=old.notice_id).withdrawn_at is not None
    rulings.withdraw_ruling(stage.arbiter, new.pk, reason="neither did")
    assert outcome(stage) == "UNPLAYED"
    assert Ruling.objects.count() == 2 and Incident.objects.count() == 1


def test_a_result_that_a_ruling_set_is_changed_by_withdrawing_the_ruling_alone(stage: Court) -> None:
    from tournaments.services.results import record_outcome

    ruling = ruled(stage, "GAME_LOST")
    board = stage.board()
    with pytest.raises(WrongState) as held:
        record_outcome(stage.chief, board.pk, outcome="DRAW", version=board.version, reason="agreed")
    assert (held.value.code, outcome(stage)) == ("ruled", "BLACK")

    rulings.withdraw_ruling(stage.arbiter, ruling.pk, reason="moot")
    board = stage.board()
    record_outcome(stage.chief, board.pk, outcome="DRAW", version=board.version, reason="agreed")

    assert outcome(stage) == "DRAW"


def test_the_same_order_twice_is_one_ruling_and_one_submission_one_incident(stage: Court) -> None:
    one = log(stage, submission="tap-1")
    two = log(stage, submission="tap-1")
    rulings.rule(stage.arbiter, one.pk, Order(effect="WARNING", side="W"))
    rulings.rule(stage.arbiter, two.pk, Order(effect="WARNING", side="W"))

    assert (Incident.objects.count(), Ruling.objects.count()) == (1, 1)


def test_nothing_is_left_of_a_ruling_that_the_ledger_refuses(stage: Court) -> None:
    incident = log(stage)
    stage.section.state = "CLOSED"
    stage.section.save()

    with pytest.raises(DomainError):
        rulings.rule(stage.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))

    assert not Ruling.objects.exists() and not Notice.objects.exists()


# --- article 15


@pytest.mark.clause("15.1.2", "13.2.2", at="games/permissions.py")
def test_15_the_roles_of_the_court(stage: Court) -> None:
    from games import permissions
    from games.permissions import Act
    from tests.games.boards import actor as someone
    from tournaments import permissions as ledger
    from tournaments.permissions import Action

    player = someone(stage.event, "PLAYER")
    member = someone(stage.event, "COMMITTEE")
    for who in (player, member, stage.organizer):
        with pytest.raises((NotAllowed, NotFound)):
            log(stage, by=who)
    for action in Action:
        assert not ledger.allowed(player.user, action, stage.event)
        assert not ledger.allowed(member.user, action, stage.event)
    for act in Act:
        assert not permissions.allowed(player.user, act, stage.event)
    for action in (Action.PAIR, Action.ENTER_RESULTS, Action.POST_NOTICES):
        assert ledger.allowed(stage.arbiter.user, action, stage.event)
    assert Incident.objects.count() == 0


@pytest.mark.clause("15.2.7", at="games/selectors/court.py")
def test_15_an_assistant_is_always_assigned(stage: Court) -> None:
    from games.selectors import court as selectors
    from tournaments.models import Role

    assert not selectors.lacks_assistant(stage.event)
    Role.objects.filter(event=stage.event, kind=Role.Kind.ARBITER).delete()
    assert selectors.lacks_assistant(stage.event)


# --- article 11


def test_11_4_an_adjourned_game_counts_as_drawn_for_the_pairing_and_for_nothing_else() -> None:
    from games.services import adjournments
    from tests.tournaments import builders as b
    from tournaments.selectors import next_step
    from tournaments.services import results, rounds

    organizer = b.organizer()
    section = b.section(organizer, players=6, rounds_total=3)
    round_ = b.publish_next(organizer, section)
    board, *others = round_.pairings.order_by("board")
    for other in others:
        results.record_outcome(organizer, other.pk, outcome="WHITE", version=0)
    with pytest.raises(WrongState) as missing:
        rounds.request_pairing(organizer, section.pk)
    assert missing.value.code == "results-missing"

    adjournments.adjourn(
        organizer, board.pk, reason="power cut", moves=["32-28"], white_seconds=60, black_seconds=30
    )
    section.refresh_from_db()
    assert next_step.of(section).kind == next_step.Kind.PAIR
    draft = b.draft(organizer, section)

    assert '"DRAW"' in draft.canonical_input and '"UNPLAYED"' not in draft.canonical_input
    b.work_all(section)
    rows = {row["entry"]: row["points"] for row in section.standings.latest("version").rows}
    assert (rows[board.white_id], rows[board.black_id]) == (0, 0)
    with pytest.raises(WrongState):
        results.close_section(organizer, section.pk)


def test_a_warning_is_foreseen_in_the_tie_break_by_fouls() -> None:
    from tests.tournaments.builders import rows_after, work_all
    from tournaments.models import Standings

    stage = court(tiebreaks=["FOULS", "SOLKOFF"])
    incident = log(stage)
    order = Order(effect="WARNING", side="W")
    today = rows_after(stage.fresh())
    foreseen = rows_after(stage.fresh(), rulings.changes_of(incident, order))

    ruling = rulings.rule(stage.arbiter, incident.pk, order)
    work_all(stage.section)
    back = rows_after(stage.fresh(), rulings.changes_back(ruling))

    stored = Standings.objects.filter(section=stage.section, after_round=2).latest("version").rows
    assert stored == foreseen != today
    assert back == today


@pytest.mark.parametrize("first,second", ["WB", "BW"])
def test_14_2_lost_for_both_by_warnings_is_revoked_side_by_side_to_the_board_as_it_was(
    stage: Court, first: str, second: str
) -> None:
    given = {side: [ruled(stage, "WARNING", side=side) for _time in range(2)] for side in "WB"}
    assert stage.board().outcome == "BOTH_LOSE"

    rulings.withdraw_ruling(stage.chief, given[first][0].pk, reason="not he")
    assert stage.board().outcome == {"W": "WHITE", "B": "BLACK"}[first]
    rulings.withdraw_ruling(stage.chief, given[second][1].pk, reason="nor he")

    assert stage.board().outcome == "UNPLAYED"


def test_14_2_a_loss_by_warnings_outlives_another_ruling_and_is_revoked_after_it(stage: Court) -> None:
    both = ruled(stage, "BOTH_LOSE", side="")
    warnings = [ruled(stage, "WARNING") for _time in range(2)]

    rulings.withdraw_ruling(stage.chief, both.pk, reason="one only")
    assert stage.board().outcome == "BLACK"
    rulings.withdraw_ruling(stage.chief, warnings[0].pk, reason="a mistake")

    assert stage.board().outcome == "UNPLAYED"
