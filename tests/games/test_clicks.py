"""Clicks counted: the five commonest acts from where one stands, and one whole case from filing to decision."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Appeal, Incident, Ruling
from games.services.court import ballots, panels
from tests.games import case_cast as cases
from tests.games.clicks import Hand
from tests.games.court_cast import Court, court, ruled, user_of
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import Role, Round

pytestmark = pytest.mark.django_db


BOARD = "Log an incident"  # of board 1, the first


@pytest.fixture
def stage() -> Court:
    return court(members=3)


def at(who: Actor, address: str) -> Hand:
    hand = Hand(client=client_of(user_of(who)))
    hand.open(address)
    return hand


def boards(stage: Court) -> str:
    return reverse("games:court_boards", args=[stage.section.pk, 2])


def test_a_public_warning_takes_three(stage: Court) -> None:
    hand = at(stage.arbiter, boards(stage))

    hand.follow(BOARD)
    hand.follow("public warning")
    hand.press("14.1.1 ")

    assert (hand.clicks, Ruling.objects.get().effect) == (3, "WARNING")


@pytest.mark.parametrize(
    "answer,words,settled",
    [
        ("RECTIFY", "The opponent has it put right", "RULED"),
        ("STAND", "The opponent lets it stand", "ACCEPTED"),
        ("MOVED_ON", "The opponent has moved since", "ACCEPTED"),
        ("REFUSED", "The player refuses", ""),
    ],
)
def test_an_irregular_move_takes_three(stage: Court, answer: str, words: str, settled: str) -> None:
    hand = at(stage.arbiter, boards(stage))

    hand.follow(BOARD)
    hand.press(words)

    incident = Incident.objects.get()
    assert hand.clicks == 3  # whose move it was is unfolded
    assert (incident.category, incident.raised_by, incident.against) == ("IRREGULAR", "B", "W")
    assert incident.settled == settled
    states = [(r.effect, r.state) for r in incident.rulings.all()]
    assert states == {"RECTIFY": [("RECTIFY", "IN_FORCE")], "REFUSED": [("GAME_LOST", "PROPOSED")]}.get(
        answer, []
    )


def test_a_refusal_is_confirmed_by_a_fourth(stage: Court) -> None:
    hand = at(stage.arbiter, boards(stage))
    hand.follow(BOARD)
    hand.press("The player refuses")
    hand.press("Confirm")

    assert (hand.clicks, stage.board().outcome) == (4, "BLACK")


def test_an_irregular_move_sent_twice_is_one(stage: Court) -> None:
    address = reverse("games:court_irregular", args=[stage.board().pk])
    client = client_of(user_of(stage.arbiter))
    for _time in range(2):
        sent = {"side": "W", "answer": "RECTIFY", "submission": "one"}
        assert client.post(address, sent).status_code == 302
    assert (Incident.objects.count(), Ruling.objects.count()) == (1, 1)
    assert client.post(address, {"side": "W", "answer": "MAYBE"}).status_code == 400


def test_a_player_who_is_late_takes_two(stage: Court) -> None:
    Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(minutes=90))
    hand = at(stage.arbiter, boards(stage))

    hand.press("White")
    hand.press("Yes, forfeit")

    assert (hand.clicks, stage.board().outcome) == (2, "WHITE_FORFEITS")


def test_a_ruling_taken_back_takes_four(stage: Court) -> None:
    ruled(stage, "WARNING")
    hand = at(stage.arbiter, boards(stage))

    hand.follow(BOARD)
    hand.follow("Incident 1")
    hand.write("reason", "not he", form="/withdraw/")
    hand.press("Withdraw the ruling")

    assert (hand.clicks, Ruling.objects.get().state) == (4, "WITHDRAWN")


def test_an_appeal_takes_two_from_the_player_s_page(stage: Court) -> None:
    ruled(stage, "GAME_LOST")
    link = stage.board().white.link
    assert link is not None
    hand = Hand(client=Client())
    hand.open(reverse("games:my_court", args=[link]))

    hand.follow("Appeal against this ruling")
    hand.write("grounds", "I said nothing.")
    hand.write("request", "Take it back.")
    hand.press("File the appeal")

    assert (hand.clicks, Appeal.objects.get().state) == (2, "FILED")


def test_a_whole_case_from_filing_to_decision_takes_ten(stage: Court) -> None:
    """The player files, the organizer starts the case, the convenor hears and proposes, three vote, it is decided."""
    Role.objects.filter(event=stage.event, kind=Role.Kind.COMMITTEE).update(delegation="")
    ruled(stage, "GAME_LOST")
    link = stage.board().white.link
    assert link is not None
    player = Hand(client=Client())
    player.open(reverse("games:my_court", args=[link]))
    player.follow("Appeal against this ruling")
    player.write("grounds", "I said nothing.")
    player.write("request", "Take it back.")
    player.press("File the appeal")

    organizer = at(stage.organizer, reverse("games:court", args=[stage.event.pk]))
    organizer.follow("Appeal 1")
    organizer.press("accept the case and open the hearing" if stage.section.appeal_fee else "Accept the case")
    assert Appeal.objects.get().state == "HEARING"

    chair = Appeal.objects.get().seats.get(is_convenor=True).user
    convenor = at(Actor(user=chair), reverse("desk:home"))  # lands on his case
    convenor.write("reason", "called, did not come", form="/hear/")
    convenor.press("Record the waivers and begin the deliberation")
    convenor.press("Propose: appeal upheld")
    convenor.press("Vote for this")
    others = [seat.user for seat in Appeal.objects.get().seats.exclude(user=chair)]
    members = [at(Actor(user=user), reverse("desk:home")) for user in others]
    for member in members:
        member.press("Vote for this")
    convenor.open(convenor.address)
    convenor.write("reasons", "The witness says so.")
    convenor.press("Make the decision")

    assert (Appeal.objects.get().state, stage.board().outcome) == ("DECIDED", "UNPLAYED")
    counted = [hand.clicks for hand in (player, organizer, convenor, *members)]
    assert counted == [2, 2, 4, 1, 1]
    assert sum(counted) == 10


@pytest.mark.parametrize(
    "who,members,status", [("organizer", 2, 409), ("chief", 3, 403), ("arbiter", 3, 403)]
)
def test_a_case_is_started_whole_or_not_at_all(stage: Court, who: str, members: int, status: int) -> None:
    appeal = cases.filed(stage)
    seats = [str(user_of(member).pk) for member in stage.committee[:members]]
    sent = {"members": seats, "convenor": seats[0]}

    answer = client_of(user_of(getattr(stage, who))).post(
        reverse("games:case_act", args=[appeal.pk, "start"]), sent
    )

    fresh = Appeal.objects.get()
    assert answer.status_code == status
    assert (fresh.state, fresh.fee_state, fresh.seats.count()) == ("FILED", appeal.fee_state, 0)


@pytest.mark.parametrize("who", ["arbiter", "organizer", "member"])
def test_the_convenor_alone_closes_the_hearing(stage: Court, who: str) -> None:
    appeal = cases.admitted(stage)
    cases.seated(stage, appeal)
    panels.open_hearing(stage.organizer, appeal.pk)
    actor = stage.committee[1] if who == "member" else getattr(stage, who)

    client_of(user_of(actor)).post(
        reverse("games:case_act", args=[appeal.pk, "hear"]), {"reason": "called, did not come"}
    )

    fresh = Appeal.objects.get()
    assert (fresh.state, fresh.statements.count()) == ("HEARING", 0)


# --- before: the same by the forms that do one step each, which are still there


def test_an_irregular_move_by_the_whole_form_takes_nine(stage: Court) -> None:
    hand = at(stage.arbiter, boards(stage))

    hand.follow(BOARD)
    for name, value in (
        ("category", "IRREGULAR"), ("against", "W"), ("raised_by", "B"), ("asked", "RECTIFY"), ("moved_on", "no"),
    ):  # fmt: skip
        hand.choose(name, value, form="/court/")
    hand.press("Log the incident")
    hand.choose("effect", "RECTIFY")
    hand.press("Rule")

    assert (hand.clicks, Ruling.objects.get().effect) == (9, "RECTIFY")


def test_a_whole_case_step_by_step_takes_twenty_seven(stage: Court) -> None:
    ruled(stage, "GAME_LOST")
    link = stage.board().white.link
    assert link is not None
    player = Hand(client=Client())
    player.open(reverse("games:my_court", args=[link]))
    player.follow("Appeal against this ruling")
    player.write("grounds", "I said nothing.")
    player.write("request", "Take it back.")
    player.press("File the appeal")

    organizer = at(stage.organizer, reverse("games:court", args=[stage.event.pk]))
    organizer.follow("Appeal 1")
    if stage.section.appeal_fee:
        organizer.press("The fee is paid")
    organizer.press("Accept the case")
    for member in stage.committee:
        organizer.choose("user", str(user_of(member).pk), form="/seat/")
        if member is stage.committee[0]:
            organizer.choose("convenor", "yes", form="/seat/")
        organizer.press("Give a seat")
    organizer.press("Open the hearing")

    convenor, *members = [at(who, reverse("games:my_courts")) for who in stage.committee]
    convenor.follow("Appeal 1")
    for _party in range(3):
        convenor.write("reason", "called, did not come", form="/waive/")
        convenor.press("waives")
    convenor.press("Begin the deliberation")
    convenor.choose("verdict", "UPHOLD")
    convenor.clicked.append("Propose")
    ballots.propose_decision(stage.committee[0], Appeal.objects.get().pk, verdict="UPHOLD")
    convenor.open(convenor.address)
    convenor.press("Vote for this")
    for member_hand in members:
        member_hand.follow("Appeal 1")
        member_hand.press("Vote for this")
    convenor.clicked.append("Close the ballot and count")  # it counts itself now
    convenor.open(convenor.address)
    convenor.write("reasons", "The witness says so.")
    convenor.press("Make the decision")

    assert Appeal.objects.get().state == "DECIDED"
    counted = [hand.clicks for hand in (player, organizer, convenor, *members)]
    assert (counted, sum(counted)) == ([2, 11, 10, 2, 2], 27)
