"""Any decision of an arbiter can be appealed, on paper too (articles 13.1.5, 16.1, 16.2)."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.exports import case_file
from games.models import Appeal, AppealDecision, Evidence, Party, Ruling, Subject
from games.selectors import court_cases
from games.services import results as games_results
from games.services.court import appeals, ballots, contested, incidents, lodging, panels, rulings
from games.services.court.appeals import Paper
from games.services.court.contested import Contested
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.boards import SHORT_WIN
from tests.games.case_cast import NOBODY, filing
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.games.test_court_appeals import png
from tests.tournaments.desk_cast import client_of
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.models import Adjustment, AuditEntry, Entry, Notice, Role, Section
from tournaments.services import events
from tournaments.services import results as ledger

pytestmark = pytest.mark.django_db

DRAWN = Measure(effect="RESULT", outcome="DRAW")


@pytest.fixture
def stage() -> Court:
    return court(members=5)


def enter(stage: Court, outcome: str, *, board: int = 1) -> None:
    row = stage.board(board)
    ledger.record_outcome(stage.arbiter, row.pk, outcome=outcome, version=row.version)


def contest(stage: Court, subject: str, *, words: str = "", side: str = "white", **fields: Any) -> Appeal:
    entry = getattr(stage.board(), side)
    return lodging.contest(
        NOBODY, stage.section.pk, Contested(subject=subject, round_number=2, words=words),
        filing(**{"kind": "OTHER", **fields}), link=entry.link,
    )  # fmt: skip


def go_on(stage: Court, appeal: Appeal, verdict: str, measures: list[Measure]) -> None:
    if appeal.fee_state == Appeal.Fee.DUE:
        appeals.confirm_fee(stage.organizer, appeal.pk)
    appeals.admit_appeal(stage.organizer, appeal.pk)
    cases.seated(stage, appeal)
    decide(stage, appeal, verdict, measures)


def decide(stage: Court, appeal: Appeal, verdict: str, measures: list[Measure]) -> None:
    chair = stage.committee[0]
    panels.open_hearing(chair, appeal.pk)
    for party in panels.unheard(Appeal.objects.get(pk=appeal.pk)):
        panels.waive_statement(chair, appeal.pk, party=party, reason="heard elsewhere")
    panels.begin_deliberation(chair, appeal.pk)
    chosen = ballots.propose_decision(chair, appeal.pk, verdict=verdict, measures=measures)
    for member in stage.committee[:3]:
        ballots.cast_vote(member, appeal.pk, chosen.pk)
    ballots.close_ballot(chair, appeal.pk)
    ballots.decide_appeal(chair, appeal.pk, reasons="So it was.")


# --- decisions without a ruling


def test_a_typed_result_is_appealed_and_its_arbiter_is_the_party(stage: Court) -> None:
    enter(stage, "BLACK")
    assert not Ruling.objects.exists()  # nothing is listed until it is appealed

    appeal = contest(stage, "RESULT")

    ruling = appeal.ruling
    assert (ruling.subject, ruling.effect, ruling.made_by) == (Subject.RESULT, "RESULT", stage.arbiter.user)
    assert not court_cases.public_rulings(stage.event)
    with pytest.raises(WrongState) as held:
        enter(stage, "DRAW")
    assert held.value.code == "under-appeal"
    go_on(stage, appeal, "PARTLY", [DRAWN])
    assert stage.board().outcome == "DRAW"


def test_a_result_taken_back_by_the_committee_is_as_it_was_before(stage: Court) -> None:
    enter(stage, "DRAW")
    enter(stage, "BLACK")
    go_on(stage, contest(stage, "RESULT"), "UPHOLD", [])
    assert stage.board().outcome == "DRAW"
    with pytest.raises(WrongState):
        enter(stage, "BLACK")


def test_both_sides_of_one_result_are_one_case(stage: Court) -> None:
    enter(stage, "DRAW")
    one, two = contest(stage, "RESULT"), contest(stage, "RESULT", side="black")
    assert (two.ruling, two.joined_to) == (one.ruling, one)


def test_a_result_that_a_ruling_set_is_appealed_at_the_ruling(stage: Court) -> None:
    ruled(stage, "GAME_LOST")
    with pytest.raises(WrongState) as refused:
        contest(stage, "RESULT")
    assert refused.value.code == "ruled"


def test_a_draw_claim_refused_is_appealed(stage: Court) -> None:
    with pytest.raises(WrongState) as none:
        contest(stage, "CLAIM")
    assert none.value.code == "no-decision"
    board = stage.board()
    games_results.judge_claim(
        stage.arbiter, board.pk, claimant="W", moves=SHORT_WIN[:4], kind="3x", upheld=False, version=board.version,
        reason="only twice",
    )  # fmt: skip

    appeal = contest(stage, "CLAIM")

    assert (appeal.ruling.effect, appeal.ruling.made_by) == ("NONE", stage.arbiter.user)
    go_on(stage, appeal, "PARTLY", [DRAWN])
    assert stage.board().outcome == "DRAW"


def test_points_taken_by_hand_are_appealed_and_given_back(stage: Court) -> None:
    white = stage.board().white
    ledger.adjust_score(stage.chief, white.pk, points=-1, after_round=2, reason="late twice")

    go_on(stage, contest(stage, "POINTS"), "UPHOLD", [])

    assert sum(Adjustment.objects.filter(entry=white).values_list("points", flat=True)) == 0


@pytest.mark.parametrize("subject", ["REFUSAL", "OTHER"])
def test_a_refusal_to_act_and_another_decision_are_appealed_in_the_party_s_words(
    stage: Court, subject: str
) -> None:
    with pytest.raises(BadInput):
        contest(stage, subject)
    appeal = contest(stage, subject, words="The arbiter would not look at the clock.")
    assert appeal.ruling.incident.note == "The arbiter would not look at the clock."
    go_on(stage, appeal, "PARTLY", [Measure(effect="TIME", side="W", white_seconds=-120)])


def test_a_pairing_is_appealed(stage: Court) -> None:
    appeal = contest(stage, "PAIRING")
    assert appeal.ruling.subject == Subject.PAIRING
    with pytest.raises(BadInput):
        lodging.contest(
            NOBODY, stage.section.pk, Contested(subject="PAIRING", round_number=9), filing(kind="OTHER"),
            link=stage.board().white.link,
        )  # fmt: skip


def test_nobody_contests_for_another(stage: Court) -> None:
    enter(stage, "BLACK")
    for actor in (stage.arbiter, stage.organizer, NOBODY):
        with pytest.raises(NotFound):
            lodging.contest(
                actor, stage.section.pk, Contested(subject="RESULT", round_number=2), filing(kind="OTHER"),
                entry_id=stage.board().white_id,
            )  # fmt: skip
    assert not Ruling.objects.exists()


def test_every_subject_has_its_article_and_its_record() -> None:
    assert set(contested.LOOK) == set(contested.ARTICLE) == set(Subject) - {Subject.RULING}


# --- on paper


def paper(**fields: Any) -> Paper:
    return Paper(**{"received_at": timezone.now(), "received_by": "Li Wei", **fields})


@pytest.mark.parametrize("who", ["organizer", "chief", "arbiter", "committee"])
def test_an_appeal_on_paper_is_logged_by_every_official(stage: Court, who: str) -> None:
    ruling = ruled(stage, "GAME_LOST")
    actor = stage.committee[0] if who == "committee" else getattr(stage, who)

    appeal = lodging.log_paper(
        actor,
        cases.loser(ruling).pk,
        filing(),
        paper(captain="Coach Wang"),
        ruling_id=ruling.pk,
        contested=None,
    )

    assert (appeal.on_paper, appeal.received_by, appeal.by_captain, appeal.filer) == (
        True, "Li Wei", True, "Coach Wang",
    )  # fmt: skip
    logged = AuditEntry.objects.get(action="file-appeal")
    assert (logged.actor, logged.after["on_paper"], logged.after["received_by"]) == (
        actor.user,
        True,
        "Li Wei",
    )
    go_on(stage, appeal, "UPHOLD", [])
    assert stage.board().outcome == "UNPLAYED"


def test_it_counts_from_when_the_sheet_was_received(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    enter_at = timezone.now() + dt.timedelta(minutes=31)
    with pytest.raises(BadInput):
        lodging.log_paper(
            stage.arbiter, cases.loser(ruling).pk, filing(), paper(received_at=enter_at), ruling_id=ruling.pk,
            contested=None,
        )  # fmt: skip
    in_time = lodging.log_paper(
        stage.arbiter, cases.loser(ruling).pk, filing(), paper(), ruling_id=ruling.pk, contested=None
    )
    assert (in_time.state, in_time.filed_at) == (Appeal.State.FILED, in_time.received_at)


def test_strangers_log_nothing_and_another_s_ruling_is_not_the_player_s(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    for stranger in (NOBODY,):
        with pytest.raises(NotFound):
            lodging.log_paper(
                stranger, cases.loser(ruling).pk, filing(), paper(), ruling_id=ruling.pk, contested=None
            )
    with pytest.raises(BadInput):
        lodging.log_paper(
            stage.chief, stage.board(2).white_id, filing(), paper(), ruling_id=ruling.pk, contested=None
        )
    assert not Appeal.objects.exists()


def test_the_form_logs_an_appeal_on_paper_with_a_photograph(stage: Court) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    enter(stage, "BLACK")
    client = client_of(user_of(stage.chief))
    address = reverse("games:paper_appeal", args=[stage.event.pk])
    assert client.get(address).status_code == 200

    sent = {
        "entry": stage.board().white_id, "subject": "RESULT", "round_number": 2, "kind": "OTHER", "grounds": "I won.",
        "request": "The point.", "submission": uuid4().hex, "received_by": "Li Wei",
        "received_at": timezone.localtime().strftime("%Y-%m-%dT%H:%M"),
        "files": SimpleUploadedFile("sheet.png", png(), "image/png"),
    }  # fmt: skip
    reply = client.post(address, sent)

    appeal = Appeal.objects.get()
    assert reply.status_code == 302, reply.content.decode()
    assert (appeal.on_paper, appeal.ruling.subject, Evidence.objects.get().appeal) == (True, "RESULT", appeal)
    page = client.get(reverse("games:case", args=[appeal.pk])).content.decode()
    assert "received" in page and "Li Wei" in page


def test_the_player_s_own_form_against_a_result(stage: Court) -> None:
    enter(stage, "BLACK")
    link = stage.board().white.link
    client = Client(headers={"accept-language": "en"})
    address = reverse("games:my_contest", args=[link])
    assert "a result entered" in client.get(address).content.decode()

    reply = client.post(
        address,
        {"subject": "RESULT", "round_number": 2, "kind": "OTHER", "grounds": "g", "request": "r", "submission": uuid4().hex},
    )  # fmt: skip

    assert reply.status_code == 302
    assert Appeal.objects.get().appellant == stage.board().white


# --- the arbiter


def test_the_arbiter_sees_states_and_is_told_of_the_case_against_his_ruling(stage: Court) -> None:
    appeal = cases.filed(stage)
    other = f.make_user()
    f.make_role(other, stage.event, Role.Kind.ARBITER)
    client = client_of(user_of(stage.arbiter))

    assert client.get(reverse("games:case", args=[appeal.pk])).status_code == 200
    assert f"/court/cases/{appeal.pk}/" in client.get(reverse("games:my_courts")).content.decode()
    assert client_of(other).get(reverse("games:case", args=[appeal.pk])).status_code == 403
    told = appeal.deliveries.get(party=Party.ARBITER, kind="FILED")
    assert told.seen_at is not None
    panels.file_statement(stage.arbiter, appeal.pk, text="I heard him twice.")
    with pytest.raises(NotAllowed):
        panels.file_statement(cases.Actor(user=other), appeal.pk, text="me too")


def test_an_acting_arbiter_cannot_sit_on_the_committee(stage: Court) -> None:
    for kind, actor in (("COMMITTEE", stage.arbiter), ("ARBITER", stage.committee[0])):
        with pytest.raises(WrongState) as refused:
            events.assign_role(stage.organizer, stage.event.pk, username=user_of(actor).username, kind=kind)
        assert refused.value.code == "arbiter-on-committee"
    appeal = cases.filed(stage)
    Role.objects.create(event=stage.event, user=user_of(stage.arbiter), kind=Role.Kind.COMMITTEE)
    with pytest.raises(WrongState):
        panels.seat_member(stage.organizer, appeal.pk, user_id=user_of(stage.arbiter).pk)


# --- terms, late cases, fees


def test_terms_are_those_in_force_when_the_ruling_was_made(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    with pytest.raises(BadInput):
        events.update_section(stage.organizer, stage.section.pk, {"appeal_fee": 900})
    events.update_section(
        stage.organizer,
        stage.section.pk,
        {"appeal_fee": 900, "appeal_deadline": 5},
        reason="agreed at the meeting",
    )
    later = ruled(stage, "GAME_LOST", board=2)

    earlier, after = cases.filed(stage, ruling=ruling), cases.filed(stage, ruling=later)

    assert (earlier.fee, earlier.deadline_minutes) == (500, 30)
    assert (after.fee, after.deadline_minutes) == (900, 5)


def late(stage: Court, **fields: Any) -> Appeal:
    ruling = ruled(stage, "GAME_LOST", **fields)
    Section.objects.filter(pk=stage.section.pk).update(appeal_deadline=0)
    return cases.filed(stage, ruling=ruling)


def test_the_committee_hears_a_late_case_for_a_stated_cause(stage: Court) -> None:
    appeal = late(stage)
    assert appeal.state == Appeal.State.REFUSED
    with pytest.raises(BadInput):
        appeals.hear_late(stage.committee[0], appeal.pk, cause=" ")
    for other in (stage.organizer, stage.chief, stage.arbiter):
        with pytest.raises(NotAllowed):
            appeals.hear_late(other, appeal.pk, cause="x")

    appeals.hear_late(stage.committee[0], appeal.pk, cause="He was with the doctor.")

    appeal.refresh_from_db()
    assert (appeal.state, appeal.fee_state, appeal.late_cause) == (
        Appeal.State.FILED, Appeal.Fee.DUE, "He was with the doctor.",
    )  # fmt: skip
    with pytest.raises(WrongState):
        enter(stage, "DRAW")


def test_8_2_5_a_clock_signal_after_the_flag_is_never_heard(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST", category="FLAG", article="8.2.6")
    appeal = cases.filed(stage, ruling=ruling, kind="CLOCK_SIGNAL")
    with pytest.raises(WrongState):
        appeals.hear_late(stage.committee[0], appeal.pk, cause="please")


@pytest.mark.parametrize(("refunds", "state"), [(True, Appeal.Fee.REFUNDED), (False, Appeal.Fee.KEPT)])
def test_a_withdrawn_appeal_settles_its_fee_by_the_regulations(
    stage: Court, *, refunds: bool, state: str
) -> None:
    Section.objects.filter(pk=stage.section.pk).update(refunds_withdrawn=refunds)
    appeal = cases.admitted(stage)
    appeals.withdraw_appeal(NOBODY, appeal.pk, link=appeal.appellant.link)
    appeal.refresh_from_db()
    assert (appeal.fee_state, appeal.fee_settled_at is not None) == (state, True)


# --- what was private stays so, the file, the committee's second word


def test_an_appeal_does_not_publish_what_was_private(stage: Court) -> None:
    private = "He said it under his breath."
    incident = log(stage, note=private)
    ruling = rulings.rule(
        stage.arbiter, incident.pk, rulings.Order(effect="REMINDER", side="W", text="a quiet word")
    )
    go_on(stage, cases.filed(stage, ruling=ruling, grounds="secret grounds"), "UPHOLD", [])

    client = Client(headers={"accept-language": "en"})
    pages = [
        client.get(reverse("games:register", args=[stage.event.code])),
        client.get(reverse("games:public_case", args=[stage.event.code, 1])),
        client.get(reverse("public:notices", args=[stage.event.code])),
    ]
    told = " ".join(page.content.decode() for page in pages)
    assert all(page.status_code == 200 for page in pages)
    for words in (private, "secret grounds", "a quiet word", "reminder"):
        assert words not in told, words
    assert Notice.objects.filter(kind="DECISION").exists()


def test_the_file_carries_the_regulations_signatures_and_a_place_for_the_seal(stage: Court) -> None:
    stage.event.regulations = "Article 9: nobody smokes."
    stage.event.save()
    appeal = cases.decided(stage)

    found = court_cases.case_for(stage.committee[0], appeal.pk)
    data = case_file._data(found, inner=True)

    assert [part["paragraphs"] for part in data["parts"] if "Article 9: nobody smokes." in part["paragraphs"]]
    assert len(data["signatures"]) == 3
    assert data["seal"]
    assert case_file.to_pdf(found, inner=True).startswith(b"%PDF")


def test_only_the_committee_changes_its_decision_and_the_new_one_names_the_old(stage: Court) -> None:
    old = cases.decided(stage, verdict="PARTLY", measures=[DRAWN])
    for other in (stage.organizer, stage.chief, stage.arbiter, stage.committee[1]):
        with pytest.raises(NotAllowed):
            panels.take_up_again(other, old.pk, reason="no")

    new = panels.take_up_again(stage.committee[0], old.pk, reason="A video has come.")
    decide(stage, new, "PARTLY", [Measure(effect="RESULT", outcome="WHITE")])

    assert stage.board().outcome == "WHITE"
    first, second = AppealDecision.objects.order_by("pk")
    assert (first.ended_at is not None, second.ended_at) == (True, None)
    assert second.notice is not None and "appeal 1" in second.notice.texts["en"]
    assert [r.state for r in Ruling.objects.filter(decided_in=old)] == ["OVERTURNED"]
    with pytest.raises(WrongState):
        enter(stage, "DRAW")


def test_a_case_taken_up_again_and_dismissed_leaves_the_first_decision(stage: Court) -> None:
    old = cases.decided(stage, verdict="PARTLY", measures=[DRAWN])
    new = panels.take_up_again(stage.committee[0], old.pk, reason="Let us look once more.")
    decide(stage, new, "DISMISS", [])

    assert stage.board().outcome == "DRAW"
    assert AppealDecision.objects.filter(ended_at__isnull=True, is_joined=False).get().appeal == old
    with pytest.raises(WrongState):
        enter(stage, "WHITE")


def test_the_interface_takes_paper_contests_fees_and_late_cases(stage: Court) -> None:
    enter(stage, "BLACK")
    root = f"/api/v1/events/{stage.event.code}/"
    body: dict[str, Any] = {"kind": "OTHER", "grounds": "g", "request": "r"}
    white: Entry = stage.board().white
    filed = Client().post(
        f"{root}sections/{stage.section.code}/contested-decisions/",
        {**body, "subject": "RESULT", "round": 2, "link": white.link, "submission": "one"},
        content_type="application/json",
    )
    assert filed.status_code == 201, filed.content
    chief = client_of(user_of(stage.chief))
    on_paper = chief.post(
        f"{root}paper-appeals/",
        {**body, "entry": stage.board().black_id, "subject": "RESULT", "round": 2, "submission": "two",
         "received_at": timezone.now().isoformat(), "received_by": "Li"},
        content_type="application/json",
    )  # fmt: skip
    assert on_paper.status_code == 201, on_paper.content
    assert Appeal.objects.get(number=2).joined_to == Appeal.objects.get(number=1)
    paid = chief.post(f"{root}appeals/1/fee/", content_type="application/json")
    assert (paid.status_code, Appeal.objects.get(number=1).fee_state) == (200, Appeal.Fee.PAID)
    Appeal.objects.filter(number=2).update(state="REFUSED", reasons=["late"])
    member = client_of(user_of(stage.committee[0]))
    heard = member.post(
        f"{root}appeals/2/late-hearing/", {"cause": "the train was late"}, content_type="application/json"
    )
    assert (heard.status_code, heard.json()["state"]) == (200, "FILED")


def test_a_decided_case_is_taken_up_again_through_the_interface_of_a_closed_section_too(stage: Court) -> None:
    ruling = ruled(stage, "BOTH_LOSE", side="")
    black = stage.board().black
    assert black is not None
    for link, name in ((stage.board().white.link, "one"), (black.link, "two")):
        appeals.file_appeal(NOBODY, ruling.pk, filing(submission=name), link=link)
    first, joined = Appeal.objects.order_by("number")
    go_on(stage, first, "PARTLY", [DRAWN])
    for number in (2, 3, 4):
        enter(stage, "DRAW", board=number)
    Section.objects.filter(pk=stage.section.pk).update(rounds_total=2)
    ledger.close_section(stage.organizer, stage.section.pk)
    root, said = f"/api/v1/events/{stage.event.code}/appeals/", {"reason": "a new witness"}
    chair = client_of(user_of(stage.committee[0]))

    def again(client: Client, number: int, body: dict[str, str]) -> tuple[int, Any]:
        answer = client.post(f"{root}{number}/revision/", body, content_type="application/json")
        return answer.status_code, answer.json()

    assert again(client_of(user_of(stage.committee[1])), 1, said)[0] in (200, 201, 403)
    assert again(chair, 2, said)[1]["code"] == "joined"
    assert again(chair, 1, {"reason": " "})[0] == 400
    Appeal.objects.filter(revises=first).delete()
    status, body = again(chair, 1, said)
    assert (status, body["state"], Appeal.objects.get(number=body["number"]).revises) == (
        201,
        "ADMITTED",
        first,
    )
    assert again(chair, 1, said)[0] == 409

    decide(
        stage,
        Appeal.objects.get(number=body["number"]),
        "PARTLY",
        [Measure(effect="RESULT", outcome="WHITE")],
    )
    stage.section.refresh_from_db()
    joined.refresh_from_db()
    assert (stage.board().outcome, stage.section.state, joined.state) == ("WHITE", "CLOSED", "DECIDED")


# --- people without a board


def resting_and_disqualified(stage: Court) -> tuple[Entry, Ruling]:
    """A ninth player without a board in the round, disqualified for his conduct in the hall."""
    resting = f.make_entry(stage.section, number=9)
    report = Report(category="CONDUCT", raised_by="A", entry=resting.pk)
    incident = incidents.log_person(stage.chief, stage.section.pk, 2, report)
    return resting, rulings.rule(stage.chief, incident.pk, Order(effect="DISQUALIFY", side="P"))


def test_a_player_without_a_board_appeals_by_his_link_and_is_given_back_his_place(stage: Court) -> None:
    resting, ruling = resting_and_disqualified(stage)
    phone = Client()
    listed = phone.get(reverse("games:my_court", args=[resting.link])).content.decode()
    address = reverse("games:my_appeal", args=[resting.link, ruling.pk])
    assert address in listed and phone.get(address).status_code == 200

    sent = {"kind": "CONDUCT", "grounds": "g", "request": "r", "submission": "bye"}
    assert phone.post(address, sent).status_code == 302
    appeal = Appeal.objects.get()
    assert (appeal.appellant, appeal.opponent, appeal.state) == (resting, None, "FILED")

    go_on(stage, appeal, "UPHOLD", [])
    resting.refresh_from_db()
    assert resting.status == "ACTIVE"
    assert phone.get(reverse("games:my_case", args=[resting.link, appeal.pk])).status_code == 200
    chair = client_of(user_of(stage.committee[0]))
    assert chair.get(reverse("games:case", args=[appeal.pk])).status_code == 200
    assert chair.get(reverse("games:case_pdf", args=[appeal.pk])).status_code == 200


def test_a_paper_of_a_player_without_a_board_is_logged(stage: Court) -> None:
    resting, ruling = resting_and_disqualified(stage)
    paper = Paper(received_at=timezone.now(), received_by="Li")

    appeal = lodging.log_paper(
        stage.arbiter, resting.pk, cases.filing(), paper, ruling_id=ruling.pk, contested=None
    )
    with pytest.raises(BadInput):
        lodging.log_paper(
            stage.arbiter, stage.board().white_id, cases.filing(), paper, ruling_id=ruling.pk, contested=None
        )

    assert (appeal.appellant, appeal.on_paper) == (resting, True)


@pytest.mark.parametrize("subject", ["PAIRING", "REFUSAL", "OTHER"])
def test_who_was_not_paired_contests_that_through_his_form(stage: Court, subject: str) -> None:
    resting = f.make_entry(stage.section, number=9)
    address = reverse("games:my_contest", args=[resting.link])
    assert 'value="2"' in Client().get(address).content.decode()
    sent = {
        "round_number": "2", "subject": subject, "words": "I was not paired.", "kind": "OTHER", "grounds": "g",
        "request": "r", "submission": "s",
    }  # fmt: skip

    assert Client().post(address, sent).status_code == 302

    incident = Appeal.objects.get().ruling.incident
    assert (incident.entry, incident.board, incident.person) == (resting, 0, str(resting))
    assert Client().post(address, {**sent, "subject": "RESULT", "submission": "t"}).status_code == 400
