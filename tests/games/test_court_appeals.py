"""Appeals against articles 8.5, 13.1.5 and 16: filing, fee, panel, hearing, votes, decision; one test a line and more."""

from __future__ import annotations

import datetime as dt
import struct
import zlib

import pytest
from django.db import connection, transaction
from django.db.utils import InternalError, ProgrammingError
from django.utils import timezone

from games import encryption
from games.models import Appeal, AppealDecision, Evidence, Ruling, Statement, Vote
from games.services.court import appeals, ballots, exhibits, panels, rulings
from games.services.court.effects import Measure
from games.services.court.files import LARGEST, BadFile, checked_type, clean_name
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.case_cast import NOBODY, filing
from tests.games.court_cast import Court, court, log, ruled, user_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotAllowed, NotFound, WrongState
from tournaments.models import Adjustment, AuditEntry, Entry, Notice, Pairing, Player, Role, Standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court(members=5)


def png(width: int = 1, height: int = 1) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * (width + 1) * height) if width * height < 1000 else b"x"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PDF = (
    b"%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
    b"2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj\n"
    b"3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"
)


# --- article 13 and filing


@pytest.mark.clause("13.1.5", at="games/services/court/appeals.py")
def test_13_1_a_player_appeals_in_writing_while_the_game_goes_on_with_a_copy_to_the_chief(
    stage: Court,
) -> None:
    ruling = ruled(stage, "WARNING")
    before = stage.board().outcome

    appeal = cases.filed(stage, ruling=ruling)

    assert stage.board().outcome == before == "UNPLAYED"
    assert appeal.copy_to_chief_at is not None and appeal.copy_to_chief_at == appeal.filed_at
    assert (appeal.deadline_at, appeal.state) == (None, Appeal.State.FILED)
    appeals.mark_copy_read(stage.chief, appeal.pk)
    appeal.refresh_from_db()
    assert appeal.copy_read_at is not None


@pytest.mark.clause("16.1", at="games/services/court/appeals.py")
def test_filed_by_account_and_by_the_captain_of_the_delegation_only(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    white = cases.loser(ruling)
    white.player.club = "Utrecht"
    white.player.save()
    captain, other = f.make_user(), f.make_user()
    Role.objects.create(event=stage.event, user=captain, kind=Role.Kind.CAPTAIN, delegation="Utrecht")
    Role.objects.create(event=stage.event, user=other, kind=Role.Kind.CAPTAIN, delegation="Delft")

    for stranger in (Actor(user=other), Actor(user=f.make_user()), NOBODY, stage.organizer, stage.chief):
        with pytest.raises(NotFound):
            appeals.file_appeal(stranger, ruling.pk, filing())
    with pytest.raises(NotFound):
        appeals.file_appeal(NOBODY, ruling.pk, filing(), link=stage.board(2).white.link)

    appeal = appeals.file_appeal(Actor(user=captain), ruling.pk, filing())
    assert (appeal.by_captain, appeal.appellant) == (True, white)
    assert Appeal.objects.count() == 1


def test_one_submission_is_one_case_and_terms_are_frozen(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    said = filing()
    one = appeals.file_appeal(NOBODY, ruling.pk, said, link=cases.loser(ruling).link)
    two = appeals.file_appeal(NOBODY, ruling.pk, said, link=cases.loser(ruling).link)
    assert one == two
    with pytest.raises(WrongState) as again:
        cases.filed(stage, ruling=ruling)
    assert again.value.code == "filed-already"

    stage.section.appeal_fee, stage.section.appeal_deadline = 9, 1
    stage.section.save()
    one.refresh_from_db()
    assert (one.fee, one.deadline_minutes) == (500, 30)
    assert one.deadline_at is not None and one.deadline_at > one.filed_at


@pytest.mark.clause("8.5", "16.2", at="games/services/court/appeals.py")
def test_16_2_late_unpaid_and_outside_are_not_accepted_with_the_reason(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    long_ago = timezone.now() - dt.timedelta(minutes=31)
    Ruling.objects.filter(pk=ruling.pk).update(in_force_at=long_ago)
    read = Ruling.objects.select_related("incident__section", "incident__pairing").get(pk=ruling.pk)
    assert not appeals.terms_of(read).is_late  # the result was posted later than the ruling is told to be

    stage.section.appeal_deadline = 0
    stage.section.save()
    late = cases.filed(stage, ruling=Ruling.objects.get(pk=ruling.pk))
    assert (late.state, late.reasons) == (Appeal.State.REFUSED, [appeals.LATE])

    stage.section.appeal_deadline = 30
    stage.section.save()
    unpaid = cases.filed(stage, ruling=ruled(stage, "GAME_LOST", board=2))
    with pytest.raises(WrongState) as missing:
        appeals.admit_appeal(stage.organizer, unpaid.pk)
    assert missing.value.code == appeals.UNPAID
    appeals.refuse_appeal(stage.organizer, unpaid.pk, reason="not paid in time")
    unpaid.refresh_from_db()
    assert (unpaid.reasons, unpaid.note) == ([appeals.UNPAID], "not paid in time")

    from games.selectors import court_cases

    assert court_cases.case_for(stage.committee[0], late.pk).reasons == [appeals.LATE]
    assert late.deliveries.filter(kind="REFUSED").count() == 3  # both sides and the arbiter


def test_16_2_a_case_needs_text_fee_time_ruling_and_copy(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    for missing in ("grounds", "request"):
        with pytest.raises(BadInput):
            cases.filed(stage, ruling=ruling, **{missing: "  "})
    assert Appeal.objects.count() == 0

    appeal = cases.admitted(stage, ruling=ruling)

    assert (appeal.ruling, appeal.fee_state, appeal.state) == (ruling, Appeal.Fee.PAID, Appeal.State.ADMITTED)
    assert appeal.fee_paid_at and appeal.deadline_at and appeal.copy_to_chief_at


@pytest.mark.clause("8.2.5", at="games/services/court/appeals.py")
def test_8_6_an_appeal_about_clock_signals_is_refused_when_none_was_raised_before_the_flag(
    stage: Court,
) -> None:
    ruling = ruled(stage, "GAME_LOST", category="FLAG", article="8.2.6")

    appeal = cases.filed(stage, ruling=ruling, kind="CLOCK_SIGNAL")

    assert (appeal.state, appeal.reasons) == (Appeal.State.REFUSED, [appeals.CLOCK_SIGNAL])
    raised = log(stage, category="CLOCK_SIGNAL", raised_by="W", against="", board=2)
    denied = rulings.rule(stage.arbiter, raised.pk, rulings.Order(effect="NONE", side="W"))
    assert cases.filed(stage, ruling=denied, kind="CLOCK_SIGNAL").state == Appeal.State.FILED


def test_no_fee_no_payment_to_wait_for() -> None:
    stage = court(members=3, appeal_fee=0)

    assert cases.admitted(stage).fee_state == Appeal.Fee.NONE


# --- the panel


@pytest.mark.clause("16.2", at="games/services/court/panels.py")
def test_16_1_an_even_or_small_panel_cannot_open_and_one_convenor_is_needed(stage: Court) -> None:
    appeal = cases.admitted(stage)
    convened = [user_of(member).pk for member in stage.committee]
    for count in (1, 2):
        panels.seat_member(stage.organizer, appeal.pk, user_id=convened[count - 1])
        with pytest.raises(WrongState) as small:
            panels.open_hearing(stage.organizer, appeal.pk)
        assert small.value.code == "panel"
    panels.seat_member(stage.organizer, appeal.pk, user_id=convened[2])
    with pytest.raises(WrongState):
        panels.open_hearing(stage.organizer, appeal.pk)
    panels.seat_member(stage.organizer, appeal.pk, user_id=convened[3], convenor=True)
    with pytest.raises(WrongState):
        panels.open_hearing(stage.organizer, appeal.pk)
    panels.seat_member(stage.organizer, appeal.pk, user_id=convened[4])

    assert panels.open_hearing(stage.organizer, appeal.pk).state == Appeal.State.HEARING
    with pytest.raises(BadInput):
        panels.seat_member(stage.organizer, cases.filed(stage, ruling=ruled(stage, "WARNING", board=2)).pk,
                           user_id=user_of(stage.chief).pk)  # fmt: skip


def test_16_6_interests_are_found_and_must_be_answered(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    white, black = ruling.incident.white, ruling.incident.black
    assert white is not None and black is not None
    Player.objects.update(club="")
    white.player.club = "Utrecht"
    white.player.save()
    club, family, rival, spare, fifth = stage.committee
    Role.objects.filter(user=user_of(club)).update(delegation="Utrecht")
    panels.declare_relation(family, stage.event.pk, entry_id=black.pk)
    third = stage.board(2).white
    cases.login(third, user_of(rival))
    Standings.objects.create(
        section=stage.section, after_round=1, version=1,
        rows=[{"entry": e.pk, "points": 2} for e in (white, black, third)],
    )  # fmt: skip
    appeal = cases.admitted(stage, ruling=ruling)

    found = [
        panels.seat_member(stage.organizer, appeal.pk, user_id=user_of(m).pk, convenor=m is spare).interests
        for m in (club, family, rival, spare, fifth)
    ]

    assert found == [["club"], ["family"], ["standings"], [], []]
    with pytest.raises(WrongState) as unanswered:
        panels.open_hearing(stage.organizer, appeal.pk)
    assert unanswered.value.code == "panel"


def test_16_3_a_recused_member_is_replaced_so_that_the_number_stays_odd(stage: Court) -> None:
    appeal = cases.admitted(stage)
    cases.seated(stage, appeal)
    chair, second, third = appeal.seats.order_by("pk")
    with pytest.raises(WrongState):
        panels.recuse_member(stage.organizer, third.pk, reason="no interest")
    panels.declare_relation(stage.committee[2], stage.event.pk, entry_id=appeal.appellant.pk)
    third.refresh_from_db()
    assert third.interests == ["family"]
    with pytest.raises(NotAllowed):
        panels.excuse_member(stage.committee[1], third.pk, reason="I may not")

    panels.recuse_member(stage.committee[2], third.pk, reason="my cousin")
    with pytest.raises(WrongState):
        panels.open_hearing(stage.organizer, appeal.pk)
    substitute = panels.seat_member(
        stage.committee[0], appeal.pk, user_id=user_of(stage.committee[3]).pk, replaces=third.pk
    )

    assert substitute.replaces == third
    assert panels.open_hearing(stage.committee[0], appeal.pk).state == Appeal.State.HEARING
    assert (chair.is_convenor, second.is_convenor) == (True, False)


def test_the_convenor_excuses_with_a_reason_but_never_himself(stage: Court) -> None:
    appeal = cases.admitted(stage)
    cases.seated(stage, appeal)
    chair, second, _third = appeal.seats.order_by("pk")
    panels.declare_relation(stage.committee[1], stage.event.pk, entry_id=appeal.appellant.pk, kind="OTHER")

    with pytest.raises(BadInput):
        panels.excuse_member(stage.committee[0], second.pk, reason=" ")
    panels.excuse_member(stage.committee[0], second.pk, reason="played once in one team, years ago")
    second.refresh_from_db()
    assert not second.must_answer

    panels.declare_relation(stage.committee[0], stage.event.pk, entry_id=appeal.appellant.pk)
    with pytest.raises(NotAllowed):
        panels.excuse_member(stage.committee[0], chair.pk, reason="I am fair")
    with pytest.raises(WrongState):
        panels.open_hearing(stage.organizer, appeal.pk)


# --- hearing, votes, decision


@pytest.mark.clause("16.2", at="games/services/court/panels.py")
def test_16_3_both_parties_are_heard_or_waive_it_before_the_deliberation(stage: Court) -> None:
    appeal = cases.admitted(stage)
    cases.seated(stage, appeal)
    panels.open_hearing(stage.organizer, appeal.pk)
    for _step in range(2):
        with pytest.raises(WrongState) as early:
            panels.begin_deliberation(stage.committee[0], appeal.pk)
        assert early.value.code == "unheard"
        panels.file_statement(NOBODY, appeal.pk, text="I was silent.", link=appeal.appellant.link)
    assert appeal.opponent is not None
    panels.waive_statement(NOBODY, appeal.pk, reason="no wish to", link=appeal.opponent.link)
    with pytest.raises(WrongState):
        panels.begin_deliberation(stage.committee[0], appeal.pk)
    panels.file_statement(stage.arbiter, appeal.pk, text="I heard him myself.")
    with pytest.raises(NotAllowed):
        panels.begin_deliberation(stage.committee[1], appeal.pk)
    with pytest.raises(NotFound):
        panels.file_statement(NOBODY, appeal.pk, text="me too", link=stage.board(2).white.link)

    assert panels.begin_deliberation(stage.committee[0], appeal.pk).state == Appeal.State.DELIBERATION
    with pytest.raises(WrongState):
        panels.file_statement(NOBODY, appeal.pk, text="one more thing", link=appeal.appellant.link)
    assert Statement.objects.count() == 4


@pytest.mark.clause("16.2", at="games/services/court/ballots.py")
def test_16_3_one_vote_each_and_a_majority_of_all_seats(stage: Court) -> None:
    appeal = cases.heard(stage, members=5)
    up = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD")
    down = ballots.propose_decision(stage.committee[1], appeal.pk, verdict="DISMISS")
    other = ballots.propose_decision(
        stage.committee[2], appeal.pk, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")]
    )
    for member, proposal in zip(stage.committee, (up, up, down, down, other), strict=True):
        with pytest.raises(WrongState):
            ballots.close_ballot(stage.committee[0], appeal.pk)
        ballots.cast_vote(member, appeal.pk, proposal.pk)
        with pytest.raises(WrongState) as twice:
            ballots.cast_vote(member, appeal.pk, up.pk)
        assert twice.value.code == "voted"

    first = ballots.close_ballot(stage.committee[0], appeal.pk)
    assert (first.chosen, [tuple(c) for c in first.counts]) == (
        None,
        [(up.pk, 2), (down.pk, 2), (other.pk, 1)],
    )

    for member, proposal in zip(stage.committee, (up, up, up, down, down), strict=True):
        ballots.cast_vote(member, appeal.pk, proposal.pk)
    second = ballots.close_ballot(stage.committee[0], appeal.pk)
    assert (second.ballot, second.chosen, second.seats) == (2, up, 5)


def test_a_vote_cannot_be_read_cast_or_changed_by_anyone_else(stage: Court) -> None:
    appeal = cases.heard(stage)
    up = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD")
    down = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="DISMISS")
    root = Actor(user=f.make_user(is_superuser=True, is_staff=True))
    for member in stage.committee[:2]:
        ballots.cast_vote(member, appeal.pk, up.pk)
    for stranger in (root, stage.organizer, stage.chief, stage.arbiter, stage.committee[4]):
        with pytest.raises(NotAllowed):
            ballots.cast_vote(stranger, appeal.pk, up.pk)
        with pytest.raises(NotAllowed):
            ballots.close_ballot(stranger, appeal.pk)

    one, two = Vote.objects.order_by("pk")
    assert one.sealed != two.sealed
    assert "proposal" not in one.sealed
    logged = AuditEntry.objects.filter(action="cast-vote")
    assert all("proposal" not in entry.after for entry in logged)
    for statement in ("UPDATE games_vote SET sealed = ''", "DELETE FROM games_vote"):
        with (
            pytest.raises((InternalError, ProgrammingError)),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)

    # A vote put into the table by hand is not one: it does not open, or it names another seat.
    third = appeal.seats.order_by("pk")[2]
    with transaction.atomic():
        Vote.objects.create(seat=third, ballot=1, sealed=one.sealed)
        with pytest.raises(DomainError) as forged:
            ballots.close_ballot(stage.committee[0], appeal.pk)
        assert forged.value.code == "broken-seal"
        transaction.set_rollback(True)
    with pytest.raises(encryption.BrokenSeal):
        encryption.unseal("forged")
    ballots.cast_vote(stage.committee[2], appeal.pk, down.pk)
    assert ballots.close_ballot(stage.committee[0], appeal.pk).chosen == up


@pytest.mark.clause("16.2", at="games/services/court/ballots.py")
def test_16_4_the_decision_is_final_told_and_applied_once(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    assert stage.board().outcome == "BLACK"
    appeal = cases.decided(stage, ruling=ruling)

    ruling.refresh_from_db()
    assert (stage.board().outcome, ruling.state) == ("UNPLAYED", Ruling.State.OVERTURNED)
    told = appeal.deliveries.filter(kind="DECIDED")
    assert {row.party for row in told} == {"APPELLANT", "OPPONENT", "ARBITER"} and all(
        row.told_at for row in told
    )
    notice = AppealDecision.objects.get().notice
    assert notice is not None and notice.kind == Notice.Kind.DECISION and notice.pairing == stage.board()
    again = ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="Once more.", refund=False)
    assert (again.reasons, AppealDecision.objects.count()) == ("The witness says so.", 1)
    with pytest.raises(WrongState):
        cases.filed(stage, ruling=ruling)
    with pytest.raises(WrongState):
        rulings.withdraw_ruling(stage.chief, ruling.pk, reason="I still think so")
    with pytest.raises(WrongState) as anew:
        rulings.rule(stage.chief, ruling.incident_id, rulings.Order(effect="GAME_LOST", side="W"))
    assert anew.value.code == "decided"


def test_16_4_a_dismissed_appeal_leaves_the_ruling_and_neither_party_may_appeal_again(stage: Court) -> None:
    ruling = ruled(stage, "GAME_LOST")
    appeal = cases.decided(stage, ruling=ruling, verdict="DISMISS", refund=False)

    assert (stage.board().outcome, appeal.fee_state) == ("BLACK", Appeal.Fee.KEPT)
    for entry in (appeal.appellant, appeal.opponent):
        assert entry is not None
        with pytest.raises(WrongState) as final:
            appeals.file_appeal(NOBODY, ruling.pk, filing(), link=entry.link)
        assert final.value.code == "final"
    with pytest.raises(WrongState) as decided:
        rulings.withdraw_ruling(stage.chief, ruling.pk, reason="changed my mind")
    assert decided.value.code == "decided"


def test_16_5_the_fee_is_refunded_or_kept(stage: Court) -> None:
    one = cases.decided(stage, ruling=ruled(stage, "GAME_LOST", board=1), refund=True)
    two = cases.decided(stage, ruling=ruled(stage, "GAME_LOST", board=2), refund=False)

    assert (one.fee_state, two.fee_state) == (Appeal.Fee.REFUNDED, Appeal.Fee.KEPT)
    assert one.fee_settled_at and two.fee_settled_at


@pytest.mark.parametrize(
    ("measure", "outcome"),
    [
        (Measure(effect="RESULT", outcome="DRAW"), "DRAW"),
        (Measure(effect="REPLAY"), "UNPLAYED"),
        (Measure(effect="WARNING", side="W"), "UNPLAYED"),
        (Measure(effect="TIME", side="W", white_seconds=-300), "UNPLAYED"),
    ],
)
def test_a_decision_sets_result_penalty_time_or_replay(stage: Court, measure: Measure, outcome: str) -> None:
    appeal = cases.decided(stage, verdict="PARTLY", measures=[measure])

    assert (appeal.state, stage.board().outcome) == (Appeal.State.DECIDED, outcome)


def test_a_decision_gives_points_and_takes_a_player_out_and_back(stage: Court) -> None:
    out = ruled(stage, "DISQUALIFY", by=stage.chief)
    white = cases.loser(out)
    assert Entry.objects.get(pk=white.pk).status == "DISQUALIFIED"

    cases.decided(
        stage, ruling=out, verdict="PARTLY", measures=[Measure(effect="POINTS", entry=white.pk, points=-1)]
    )

    assert Entry.objects.get(pk=white.pk).status == "ACTIVE"
    assert Adjustment.objects.get().points == -1
    assert stage.board().outcome == "UNPLAYED"


def test_16_4_the_published_next_round_stays_but_boards_not_begun_may_change(stage: Court) -> None:
    first = Pairing.objects.get(round__section=stage.section, round__number=1, board=1)
    from games.services.court import incidents

    incident = incidents.log_incident(
        stage.arbiter, first.pk, incidents.Report(category="CONDUCT", raised_by="A", against="W")
    )
    ruling = rulings.rule(stage.arbiter, incident.pk, rulings.Order(effect="GAME_LOST", side="W"))
    before = list(stage.round.pairings.values_list("board", "white_id", "black_id"))
    one, two = stage.board(1), stage.board(2)

    cases.decided(
        stage, ruling=ruling, verdict="PARTLY",
        measures=[Measure(effect="EXCHANGE", entry=one.white_id, other=two.white_id)],
    )  # fmt: skip

    first.refresh_from_db()
    assert first.outcome == "WHITE"
    after = list(stage.round.pairings.values_list("board", "white_id", "black_id"))
    assert [row for row in after if row not in before] == [
        (1, two.white_id, one.black_id), (2, one.white_id, two.black_id),
    ]  # fmt: skip


def test_nothing_is_left_of_a_decision_that_the_ledger_refuses(stage: Court) -> None:
    one, two = stage.board(3), stage.board(4)
    appeal = cases.voted(
        stage, verdict="PARTLY", ruling=ruled(stage, "REMINDER"),
        measures=[Measure(effect="EXCHANGE", entry=one.white_id, other=two.white_id)],
    )  # fmt: skip
    Pairing.objects.filter(pk=two.pk).update(outcome="WHITE")  # the next board has begun meanwhile
    with pytest.raises(DomainError):
        ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="x", refund=True)

    appeal.refresh_from_db()
    assert (appeal.state, appeal.fee_state) == (Appeal.State.VOTED, Appeal.Fee.PAID)
    assert not AppealDecision.objects.exists()
    assert not Notice.objects.filter(kind=Notice.Kind.DECISION).exists()
    with pytest.raises(NotAllowed):
        ballots.vote_again(stage.committee[1], appeal.pk, reason="the board has begun")
    again = ballots.vote_again(stage.committee[0], appeal.pk, reason="the board has begun")
    assert (again.state, again.ballot) == (Appeal.State.DELIBERATION, 2)


def test_the_prediction_is_what_the_decision_does(stage: Court) -> None:
    from games.selectors import court_cases
    from tests.tournaments.builders import rows_after, work_all

    appeal = cases.heard(stage)
    proposal = ballots.propose_decision(
        stage.committee[0], appeal.pk, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")]
    )
    work_all(stage.section)
    read = court_cases.case_for(stage.committee[0], appeal.pk)
    foreseen = rows_after(stage.fresh(), court_cases.changes_of(read, proposal))
    today = rows_after(stage.fresh())
    for member in stage.committee[:3]:
        ballots.cast_vote(member, appeal.pk, proposal.pk)
    ballots.close_ballot(stage.committee[0], appeal.pk)
    ballots.decide_appeal(stage.committee[0], appeal.pk, reasons="r", refund=True)
    work_all(stage.section)

    stored = Standings.objects.filter(section=stage.section, after_round=2).latest("version")
    assert stored.rows == foreseen != today


# --- what is kept


def test_nothing_of_the_court_can_be_deleted(stage: Court) -> None:
    appeal = cases.decided(stage)
    appeals_tables = ["incident", "ruling", "appeal", "panelseat", "statement", "proposal", "vote", "tally", "appealdecision", "delivery"]  # fmt: skip
    for table in appeals_tables:
        with (
            pytest.raises((InternalError, ProgrammingError)),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM games_{table}")
    assert Appeal.objects.get().pk == appeal.pk


# --- evidence


def test_evidence_is_told_by_its_bytes(stage: Court) -> None:
    appeal = cases.filed(stage)
    link = appeal.appellant.link

    row = exhibits.add_evidence(NOBODY, appeal.pk, filename="../../a<b>.exe", content=png(), link=link)
    again = exhibits.add_evidence(NOBODY, appeal.pk, filename="b.png", content=png(), link=link)
    exhibits.add_evidence(NOBODY, appeal.pk, filename="c.html", content=PDF, link=link)

    assert row == again
    assert [(e.filename, e.media_type) for e in Evidence.objects.all()] == [
        ("ab.png", "image/png"),
        ("c.pdf", "application/pdf"),
    ]
    with pytest.raises(NotFound):
        exhibits.add_evidence(
            NOBODY, appeal.pk, filename="x.png", content=png(2), link=stage.board(2).white.link
        )


@pytest.mark.parametrize(
    "content",
    [
        b"", b"<html><script>alert(1)</script>", b"GIF89a......", png()[:-4], png() + b"<script>", b"\xff\xd8\xff\xe0\x00",
        b"\xff\xd8\xff\xd9", png(20_000, 20_000), b"%PDF-1.4 cut short", b"%PDF-" + b"x" * LARGEST, b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    ],
    ids=range(11),
)  # fmt: skip
def test_what_is_no_sound_image_or_pdf_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile):
        checked_type(content)


def test_names_of_files_are_made_safe() -> None:
    assert clean_name("..\\..\\照片 1.JPG", "image/jpeg") == "照片 1.jpg"
    assert clean_name('a"\r\nSet-Cookie: x', "application/pdf") == "aSet-Cookie x.pdf"
    assert clean_name("///", "image/png") == "file.png"
