"""The court's pages and steps, knocked at by everybody: who gets in, who is refused, who finds nothing, and nothing happens."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Appeal, Evidence, Incident, Ruling, Vote
from games.services.court import appeals, ballots, exhibits, letters
from games.services.court.incidents import note_refusal
from games.services.court.letters import Draft
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.court_cast import Court, court, log, ruled, user_of
from tests.games.test_court_appeals import png
from tests.permission_table import COURT, LOGGED_IN, Who
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Role, User

pytestmark = pytest.mark.django_db

PERSONAL = {
    "my_court",
    "my_appeal",
    "my_case",
    "my_case_act",
    "my_evidence",
    "own_appeal",
    "own_contest",
    "own_letters",
    "my_letters",
    "my_contest",
    "own_case",
    "own_case_act",
}


@pytest.fixture
def stage() -> Court:
    return court(members=4)


def people(stage: Court) -> dict[str, User | None]:
    stranger = f.make_user()
    other = f.make_user()
    f.make_role(other, f.make_event(), Role.Kind.ORGANIZER)
    player = f.make_user()
    f.make_role(player, stage.event, Role.Kind.PLAYER)
    arbiter = f.make_user()  # not the one whose ruling it is: he is a party to the case
    f.make_role(arbiter, stage.event, Role.Kind.ARBITER)
    return {
        "anonymous": None,
        "stranger": stranger,
        "other organizer": other,
        Who.PLAYER: player,
        Who.ORGANIZER: user_of(stage.organizer),
        Who.CHIEF_ARBITER: user_of(stage.chief),
        Who.ARBITER: arbiter,
        Who.COMMITTEE: user_of(stage.committee[3]),
    }


def arguments(stage: Court, appeal: Appeal) -> dict[str, list[Any]]:
    incident = log(stage, category="TECHNICAL", board=3)
    evidence = Evidence.objects.create(
        appeal=appeal,
        party="APPELLANT",
        filename="a.png",
        media_type="image/png",
        size=1,
        digest="",
        content=b"x",
    )
    question = letters.send_letter(
        Actor(),
        stage.section.pk,
        Draft(kind="QUESTION", text="?", submission="q"),
        link=stage.entries[0].link,
    )
    proposed = note_refusal(stage.arbiter, incident.pk).rulings.get()
    in_round = [stage.section.pk, stage.round.number]
    seat = appeal.seats.first()
    assert seat is not None
    return {
        "articles": [], "precedents": [], "my_courts": [], "court": [stage.event.pk], "paper_appeal": [stage.event.pk], "court_boards": in_round,
        "round_clocks": [*in_round, "start"], "court_person": in_round, "court_penalty": [stage.board(4).pk], "court_irregular": [stage.board(4).pk],
        "letters": [stage.event.pk], "report": [stage.event.pk], "letter_answer": [question.pk], "lateness": in_round, "court_board": [stage.board(4).pk], "incident": [incident.pk],
        "ruling_whatif": [incident.pk], "incident_settle": [incident.pk, "refused"], "ruling_revise": [appeal.ruling_id],
        "ruling": [proposed.pk, "confirm"], "relations": [stage.event.pk], "case": [appeal.pk], "case_pdf": [appeal.pk],
        "case_propose": [appeal.pk], "case_decide": [appeal.pk], "case_whatif": [appeal.pk, 1],
        "case_act": [appeal.pk, "vote"], "seat_act": [seat.pk, "recuse"], "evidence": [evidence.pk],
        "register": [stage.event.code], "public_case": [stage.event.code, appeal.number],
    }  # fmt: skip


def expected(name: str, who: str) -> str:
    row = COURT[f"games:{name}"]
    if Who.ANYONE in row:
        return "in"
    if who == "anonymous":
        return "log-in"
    if row == LOGGED_IN or who in row:
        return "in"
    if name == "precedents":
        return "in" if who == "other organizer" else "nothing"
    at_court = {Who.ORGANIZER, Who.CHIEF_ARBITER, Who.ARBITER, Who.COMMITTEE}
    return "refused" if who in at_court else "nothing"


def said(status: int, address: str) -> str:
    if status == 302 and address.startswith("/accounts/login/"):
        return "log-in"
    return {403: "refused", 404: "nothing"}.get(status, "in")


def fingerprint() -> tuple[Any, ...]:
    return (
        list(Incident.objects.values().order_by("pk")),
        list(Ruling.objects.values().order_by("pk")),
        list(Appeal.objects.values("pk", "state", "fee_state", "ballot")),
        Vote.objects.count(),
        AuditEntry.objects.count(),
    )


def test_every_address_is_tried() -> None:
    names = {name.removeprefix("games:") for name in COURT}
    stage = court(members=4)
    assert names - PERSONAL == set(arguments(stage, cases.heard(stage)))


# Inside the case, the panel's own steps are refused to readers of the file; GET of a step is no page.
INNER = {"case_propose", "case_decide", "case_whatif", "case_act", "seat_act"}


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_gets_in(stage: Court, method: str) -> None:
    appeal = cases.heard(stage)
    found = arguments(stage, appeal)
    appeals.mark_copy_read(stage.chief, appeal.pk)
    wrong = []
    for who, user in people(stage).items():
        client = client_of(user)
        for name, args in found.items():
            want = expected(name, who)
            if method == "post" and want == "in":
                continue
            before = fingerprint()
            answer = getattr(client, method)(reverse(f"games:{name}", args=args))
            if answer.status_code == 405:  # the address does not take this method from anybody
                continue
            got = said(answer.status_code, answer.headers.get("Location", ""))
            if name in INNER and want == "in":
                want = got  # judged step by step below
            if got != want or fingerprint() != before:
                wrong.append((name, who, want, got, answer.status_code))
    assert wrong == []


def test_readers_of_the_file_cannot_take_the_panel_s_steps(stage: Court) -> None:
    appeal = cases.heard(stage)
    proposal = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD")
    root = f.make_user(is_superuser=True, is_staff=True)
    readers = [root, user_of(stage.organizer), user_of(stage.chief), user_of(stage.committee[3])]
    before = fingerprint()
    for reader in readers:
        client = client_of(reader)
        page = client.get(reverse("games:case", args=[appeal.pk]))
        if reader == user_of(stage.chief):
            before = fingerprint()
        assert page.status_code == 200
        assert 'id="deliberation"' not in page.content.decode()
        whatif = client.get(reverse("games:case_whatif", args=[appeal.pk, proposal.pk]))
        vote = client.post(reverse("games:case_act", args=[appeal.pk, "vote"]), {"proposal": proposal.pk})
        close = client.post(reverse("games:case_act", args=[appeal.pk, "close"]))
        decide = client.post(
            reverse("games:case_decide", args=[appeal.pk]), {"reasons": "r", "refund": "yes"}
        )
        propose = client.post(reverse("games:case_propose", args=[appeal.pk]), {"verdict": "DISMISS"})
        assert {
            whatif.status_code,
            vote.status_code,
            close.status_code,
            decide.status_code,
            propose.status_code,
        } == {403}
    assert fingerprint() == before


def test_the_panel_sees_the_deliberation_and_no_vote_of_another(stage: Court) -> None:
    appeal = cases.heard(stage)
    proposal = ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD", text="the witness")
    ballots.cast_vote(stage.committee[1], appeal.pk, proposal.pk)

    page = (
        client_of(user_of(stage.committee[0])).get(reverse("games:case", args=[appeal.pk])).content.decode()
    )

    assert "the witness" in page and "has voted" in page
    assert client_of(user_of(stage.committee[0])).get(
        reverse("games:case_whatif", args=[appeal.pk, proposal.pk])
    ).status_code == 200  # fmt: skip


def test_a_party_sees_its_case_but_not_the_deliberation(stage: Court) -> None:
    appeal = cases.heard(stage)
    ballots.propose_decision(stage.committee[0], appeal.pk, verdict="UPHOLD", text="the witness")
    client = Client(headers={"accept-language": "en"})
    link = appeal.appellant.link

    page = client.get(reverse("games:my_case", args=[link, appeal.pk]))
    text = page.content.decode()

    assert page.status_code == 200 and "Deliberation began" in text and "the witness" not in text
    assert appeal.deliveries.filter(party="APPELLANT", seen_at__isnull=True).count() == 0
    assert appeal.deliveries.filter(party="OPPONENT", seen_at__isnull=True).count() == 2
    for wrong in (stage.board(2).white.link, "nothing"):
        assert client.get(reverse("games:my_case", args=[wrong, appeal.pk])).status_code == 404
    assert page["Cache-Control"].startswith("max-age=0") and page["X-Robots-Tag"] == "noindex, nofollow"


def test_files_are_served_to_be_saved_and_to_their_readers_only(stage: Court) -> None:
    appeal = cases.filed(stage)
    link = appeal.appellant.link
    row = exhibits.add_evidence(cases.NOBODY, appeal.pk, filename="报.png", content=png(), link=link)

    answer = Client().get(reverse("games:my_evidence", args=[link, row.pk]))

    assert answer.content == bytes(row.content)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Content-Disposition"].startswith("attachment")
    assert (
        Client().get(reverse("games:my_evidence", args=[stage.board(2).white.link, row.pk])).status_code
        == 404
    )
    other = f.make_user()
    f.make_role(other, stage.event, Role.Kind.ARBITER)
    assert client_of(other).get(reverse("games:evidence", args=[row.pk])).status_code == 403
    assert (
        client_of(user_of(stage.committee[0])).get(reverse("games:evidence", args=[row.pk])).status_code
        == 200
    )


def test_the_register_tells_no_private_data(stage: Court) -> None:
    appeal = cases.decided(stage, grounds="SECRET GROUNDS", request="SECRET REQUEST")
    client = Client(headers={"accept-language": "en"})

    register = client.get(reverse("games:register", args=[stage.event.code]))
    case = client.get(reverse("games:public_case", args=[stage.event.code, appeal.number]))
    notices = client.get(reverse("public:notices", args=[stage.event.code]))

    for page in (register, case, notices):
        text = page.content.decode()
        assert page.status_code == 200
        assert "SECRET" not in text and "neighbour" not in text and "witness says" not in text
        assert "sessionid" not in page.cookies and "csrftoken" not in page.cookies
    assert "appeal upheld" in register.content.decode()
    assert "upheld" in notices.content.decode()
    held = client.get(
        reverse("games:register", args=[stage.event.code]), headers={"if-none-match": register["ETag"]}
    )
    assert held.status_code == 304


def test_private_rulings_stay_off_the_board_and_warnings_are_on_it(stage: Court) -> None:
    ruled(stage, "REMINDER", note="hushed")
    ruled(stage, "WARNING", board=2, article="14.1.13")
    page = Client(headers={"accept-language": "en"}).get(reverse("public:notices", args=[stage.event.code]))

    text = page.content.decode()
    assert "public warning" in text and "14.1.13" in text
    assert "reminder" not in text and "hushed" not in text


def test_the_file_of_a_case_is_printed_with_its_names_and_time_line(stage: Court) -> None:
    from games.exports import case_file

    appeal = cases.decided(stage, grounds="#panic(1) *x* 证人")
    answer = client_of(user_of(stage.organizer)).get(reverse("games:case_pdf", args=[appeal.pk]))

    assert answer["Content-Type"] == "application/pdf" and answer.content.startswith(b"%PDF-")
    found = case_file.typst_of(appeal, inner=True).query("heading")
    assert "#panic(1) *x* 证人" not in found
    assert len(answer.content) > 5000
