"""One ruling, one decision, and it does what it says (articles 13.1.5, 16.2)."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from games.models import Appeal, AppealDecision, Proposal, Ruling
from games.selectors.fouls import warnings_by_entry
from games.services.court import appeals, ballots, decisions, panels, rulings
from games.services.court.effects import Measure
from games.services.court.rulings import Order
from tests.games import case_cast as cases
from tests.games.case_cast import NOBODY, filing
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.tournaments.builders import work_all
from tests.tournaments.desk_cast import client_of, url
from tournaments.errors import WrongState
from tournaments.models import AuditEntry, Notice, Pairing, Round, Section, Standings
from tournaments.services import results

pytestmark = pytest.mark.django_db

DRAWN = Measure(effect="RESULT", outcome="DRAW")


@pytest.fixture
def stage() -> Court:
    return court(members=5)


def of_black(stage: Court, ruling: Ruling) -> Appeal:
    black = ruling.incident.black
    assert black is not None
    return appeals.file_appeal(NOBODY, ruling.pk, filing(request="Let it stand."), link=black.link)


# --- one ruling, one decision


def test_appeals_of_both_sides_are_joined_and_decided_together(stage: Court) -> None:
    ruling = ruled(stage, "BOTH_LOSE", side="")
    white = ruling.incident.white
    assert white is not None
    first = appeals.file_appeal(NOBODY, ruling.pk, filing(), link=white.link)
    second = of_black(stage, ruling)
    assert second.joined_to == first
    for appeal in (first, second):
        appeals.confirm_fee(stage.organizer, appeal.pk)
        appeals.admit_appeal(stage.organizer, appeal.pk)
    with pytest.raises(WrongState) as joined:
        panels.seat_member(stage.organizer, second.pk, user_id=user_of(stage.committee[0]).pk)
    assert joined.value.code == "joined"

    cases.seated(stage, first)
    panels.open_hearing(stage.organizer, first.pk)
    panels.file_statement(NOBODY, first.pk, text="white", link=white.link)
    panels.file_statement(NOBODY, second.pk, text="black", link=second.appellant.link)
    panels.waive_statement(stage.committee[0], first.pk, party="ARBITER", reason="did not come")
    assert not panels.unheard(first)
    panels.begin_deliberation(stage.committee[0], first.pk)
    chosen = ballots.propose_decision(stage.committee[0], first.pk, verdict="PARTLY", measures=[DRAWN])
    for member in stage.committee[:3]:
        ballots.cast_vote(member, first.pk, chosen.pk)
    ballots.close_ballot(stage.committee[0], first.pk)
    ballots.decide_appeal(stage.committee[0], first.pk, reasons="Both right.")

    for appeal in (first, second):
        appeal.refresh_from_db()
        assert (appeal.state, appeal.fee_state) == (Appeal.State.DECIDED, Appeal.Fee.REFUNDED)
        assert appeal.decision.proposal == chosen
        assert appeal.deliveries.filter(kind="DECIDED").exists()
    assert (stage.board().outcome, Notice.objects.filter(kind="DECISION").count()) == ("DRAW", 1)


def test_an_appeal_filed_during_the_deliberation_is_closed_with_the_decision(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    first = cases.voted(stage, ruling=ruling, verdict="DISMISS")
    second = of_black(stage, ruling)

    ballots.decide_appeal(stage.committee[0], first.pk, reasons="It stands.")

    second.refresh_from_db()
    assert (second.state, second.fee_state) == (Appeal.State.DECIDED, Appeal.Fee.NONE)


def test_the_joined_appeal_goes_on_when_the_first_is_withdrawn(stage: Court) -> None:
    ruling = ruled(stage, "BOTH_LOSE", side="")
    white = ruling.incident.white
    assert white is not None
    first = appeals.file_appeal(NOBODY, ruling.pk, filing(), link=white.link)
    second = of_black(stage, ruling)

    appeals.withdraw_appeal(NOBODY, first.pk, link=white.link)

    second.refresh_from_db()
    assert (second.joined_to, second.state) == (None, Appeal.State.FILED)
    with pytest.raises(WrongState) as frozen:
        rulings.withdraw_ruling(stage.chief, ruling.pk, reason="x")
    assert frozen.value.code == "under-appeal"


def test_the_database_itself_knows_one_decision_a_ruling(stage: Court) -> None:
    appeal = cases.decided(stage, verdict="DISMISS")
    decision = AppealDecision.objects.get()
    other = cases.filed(stage, ruling=ruled(stage, "GAME_LOST", board=2))

    with pytest.raises(IntegrityError), transaction.atomic():
        AppealDecision.objects.create(
            appeal=other, proposal=decision.proposal, reasons="x", ruling=appeal.ruling
        )


def test_another_case_cannot_contradict_a_decision(stage: Court) -> None:
    cases.decided(stage, verdict="PARTLY", measures=[DRAWN])
    other = cases.heard(stage, ruling=ruled(stage, "REMINDER"))

    with pytest.raises(WrongState) as refused:
        ballots.propose_decision(
            stage.committee[0], other.pk, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="WHITE")]
        )  # fmt: skip
    assert (refused.value.code, refused.value.values["case"]) == ("final", "A1")
    assert stage.board().outcome == "DRAW"


# --- it does what it says


@pytest.mark.parametrize(
    ("effect", "verdict", "measures"),
    [
        ("GAME_LOST", "PARTLY", [Measure(effect="RESULT", outcome="BLACK")]),
        ("NONE", "UPHOLD", []),
    ],
)
def test_what_changes_nothing_is_refused_before_the_vote(
    stage: Court, effect: str, verdict: str, measures: list[Measure]
) -> None:
    appeal = cases.heard(stage, ruling=ruled(stage, effect))

    with pytest.raises(decisions.ChangesNothing):
        ballots.propose_decision(stage.committee[0], appeal.pk, verdict=verdict, measures=measures)

    assert not Proposal.objects.exists()
    assert stage.board().outcome == ("BLACK" if effect == "GAME_LOST" else "UNPLAYED")


@pytest.mark.parametrize("effect", ["REMINDER", "WARNING", "GAME_LOST", "BOTH_LOSE"])
def test_an_appeal_upheld_takes_back_whatever_the_ruling_was(stage: Court, effect: str) -> None:
    appeal = cases.decided(stage, ruling=ruled(stage, effect), verdict="UPHOLD")

    assert Ruling.objects.get(pk=appeal.ruling_id).state == Ruling.State.OVERTURNED
    assert stage.board().outcome == "UNPLAYED"


def test_a_trial_leaves_nothing(stage: Court) -> None:
    appeal = cases.heard(stage)
    before = (
        Ruling.objects.count(),
        AuditEntry.objects.count(),
        Notice.objects.count(),
        stage.fresh().version,
    )
    decisions_before = list(Pairing.objects.values().order_by("pk"))

    with transaction.atomic():
        decisions.try_decision(
            stage.committee[0], appeal.pk, "PARTLY", [DRAWN, Measure(effect="WARNING", side="W")]
        )

    assert before == (
        Ruling.objects.count(), AuditEntry.objects.count(), Notice.objects.count(), stage.fresh().version
    )  # fmt: skip
    assert decisions_before == list(Pairing.objects.values().order_by("pk"))


def test_each_measure_is_a_ruling_by_authority_of_the_committee_and_told_in_full(stage: Court) -> None:
    appeal = cases.decided(
        stage, verdict="PARTLY",
        measures=[DRAWN, Measure(effect="WARNING", side="B"), Measure(effect="TIME", side="W", white_seconds=-120)],
    )  # fmt: skip

    made = decisions.measures_of(appeal)
    assert [(r.effect, r.side, r.state, r.decided_in_id) for r in made] == [
        ("RESULT", "", "IN_FORCE", appeal.pk), ("WARNING", "B", "IN_FORCE", appeal.pk), ("TIME", "W", "IN_FORCE", appeal.pk),
    ]  # fmt: skip
    assert stage.board().outcome == "DRAW"
    black = stage.board().black
    assert black is not None
    notice = AppealDecision.objects.get().notice
    assert notice is not None
    for words in ("draw", "public warning", str(black), "2:00"):
        assert words in notice.texts["en"], words
    for ruling in made:
        with pytest.raises(WrongState) as final:
            rulings.withdraw_ruling(stage.chief, ruling.pk, reason="x")
        assert final.value.code == "decided"


def test_a_warning_of_a_decision_counts_to_two(stage: Court) -> None:
    cases.decided(
        stage,
        ruling=ruled(stage, "REMINDER"),
        verdict="PARTLY",
        measures=[Measure(effect="WARNING", side="W")],
    )
    white = stage.board().white
    assert warnings_by_entry(stage.section, after_round=2)[white.pk] == 1

    second = log(stage)
    rulings.rule(stage.arbiter, second.pk, Order(effect="WARNING", side="W"))

    loss = Ruling.objects.get(effect="GAME_LOST")
    if loss.state == Ruling.State.PROPOSED:
        rulings.confirm_ruling(stage.arbiter, loss.pk)
    assert stage.board().outcome == "BLACK"


def test_a_disqualification_that_waits_is_decided_upon_like_any_ruling(stage: Court) -> None:
    waiting = ruled(stage, "DISQUALIFY", by=stage.arbiter)
    assert waiting.state == Ruling.State.AWAITING

    cases.decided(stage, ruling=waiting, verdict="UPHOLD")

    waiting.refresh_from_db()
    assert waiting.state == Ruling.State.OVERTURNED
    with pytest.raises(WrongState):
        rulings.confirm_ruling(stage.chief, waiting.pk)


def test_the_fee_follows_the_outcome(stage: Court) -> None:
    for board, verdict, fee in ((1, "UPHOLD", Appeal.Fee.REFUNDED), (2, "DISMISS", Appeal.Fee.KEPT)):
        appeal = cases.voted(stage, ruling=ruled(stage, "GAME_LOST", board=board), verdict=verdict)
        ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="r")
        appeal.refresh_from_db()
        assert appeal.fee_state == fee


# --- a closed section


def closed(stage: Court) -> tuple[Court, Appeal]:
    """All boards have results, an appeal waits, and the section is closed with a reason."""
    Section.objects.filter(pk=stage.section.pk).update(rounds_total=2)
    ruling = ruled(stage, "GAME_LOST")
    for board in Pairing.objects.filter(round=stage.round, outcome="UNPLAYED"):
        results.record_outcome(stage.arbiter, board.pk, outcome="DRAW", version=board.version)
    appeal = cases.filed(stage, ruling=ruling)
    with pytest.raises(WrongState) as asks:
        results.close_section(stage.organizer, stage.section.pk)
    assert asks.value.code == "appeals-open"
    results.close_section(stage.organizer, stage.section.pk, reason="The prizes are given at six.")
    return stage, appeal


def test_a_closed_section_is_no_obstacle(stage: Court) -> None:
    stage, appeal = closed(stage)
    before = Standings.objects.get(section=stage.section, after_round=2, final=True)
    appeals.confirm_fee(stage.organizer, appeal.pk)
    appeals.admit_appeal(stage.organizer, appeal.pk)
    cases.seated(stage, appeal)
    panels.open_hearing(stage.organizer, appeal.pk)
    for party in panels.unheard(appeal):
        panels.waive_statement(stage.committee[0], appeal.pk, party=party, reason="heard elsewhere")
    panels.begin_deliberation(stage.committee[0], appeal.pk)
    chosen = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="PARTLY", measures=[DRAWN])
    for member in stage.committee[:3]:
        ballots.cast_vote(member, appeal.pk, chosen.pk)
    ballots.close_ballot(stage.committee[0], appeal.pk)

    ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="r")

    section = stage.fresh()
    after = Standings.objects.get(section=section, after_round=2, final=True)
    assert (section.state, stage.board().outcome) == (Section.State.CLOSED, "DRAW")
    white = stage.board().white_id
    points = {row["entry"]: row["points"] for row in after.rows}
    assert points[white] == {row["entry"]: row["points"] for row in before.rows}[white] + 1
    assert after.version == section.version
    work_all(section)
    assert Standings.objects.get(section=section, after_round=2, final=True).rows == after.rows


def test_a_board_to_be_played_again_leaves_the_section_open(stage: Court) -> None:
    stage, appeal = closed(stage)
    with transaction.atomic():
        decisions.try_decision(stage.committee[0], appeal.pk, "PARTLY", [Measure(effect="REPLAY")])
    assert stage.fresh().state == Section.State.CLOSED


# --- open appeals are said


def test_closing_publishing_and_pairing_say_which_appeals_are_open(stage: Court) -> None:
    appeal = cases.filed(stage)
    said = f"Appeal {appeal.number} of {appeal.appellant}"
    client = client_of(user_of(stage.organizer))

    assert said in client.get(url("section_close", section_id=stage.section.pk)).content.decode()
    for board in Pairing.objects.filter(round=stage.round, outcome="UNPLAYED"):
        results.record_outcome(stage.arbiter, board.pk, outcome="DRAW", version=board.version)
    page = client.post(url("pair", section_id=stage.section.pk), follow=True)
    assert said in page.content.decode()
    work_all(stage.section)
    draft = Round.objects.get(section=stage.section, number=3)
    page = client.get(url("publish", section_id=stage.section.pk, number=draft.number))
    assert said in page.content.decode()
    assert AuditEntry.objects.filter(action="request-pairing").latest("pk").after["appeals"]
