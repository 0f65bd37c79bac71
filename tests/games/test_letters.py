"""What players write to arbiters and organizers: kept, answered by whom it is for, and read by nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Letter
from games.services.court.letters import MOST_WAITING
from tests import factories as f
from tests.games.court_cast import Court, court, user_of
from tests.games.match_cast import member, team_match
from tests.tournaments.desk_cast import client_of
from tournaments.models import AuditEntry, Event, Role, Section

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court(members=1)


def write(
    link: str, text: str = "May I leave the hall?", *, kind: str = "QUESTION", submission: str = "a"
) -> int:
    address = reverse("games:my_letters", args=[link])
    return Client().post(address, {"kind": kind, "text": text, "submission": submission}).status_code


def page(client: Client, address: str) -> str:
    return client.get(address, headers={"accept-language": "en"}).content.decode()


@pytest.mark.clause("13.1.3", at="games/services/court/letters.py")
def test_a_player_asks_the_arbiter_and_reads_the_answer(stage: Court) -> None:
    player = stage.entries[0]
    desk = reverse("games:letters", args=[stage.event.pk])

    assert write(player.link) == 302
    arbiter = client_of(user_of(stage.arbiter))
    letter = Letter.objects.get()
    assert "May I leave the hall?" in page(arbiter, desk)
    answered = arbiter.post(
        reverse("games:letter_answer", args=[letter.pk]), {"answer": "With my permission."}
    )

    assert answered.status_code == 302
    assert "1 new answer" in page(Client(), reverse("public:my", args=[player.link]))
    assert "With my permission." in page(Client(), reverse("games:my_letters", args=[player.link]))
    assert "1 new answer" not in page(Client(), reverse("public:my", args=[player.link]))
    assert Letter.objects.get().answer_read_at is not None


@pytest.mark.clause("13.1.4", at="games/services/court/letters.py")
def test_a_letter_to_the_committee_is_the_organizers_alone(stage: Court) -> None:
    write(stage.entries[0].link, "The hall is cold.", kind="LETTER")
    letter = Letter.objects.get()
    desk, answer = (
        reverse("games:letters", args=[stage.event.pk]),
        reverse("games:letter_answer", args=[letter.pk]),
    )

    for other in (stage.arbiter, stage.chief):
        client = client_of(user_of(other))
        assert "The hall is cold." not in page(client, desk)
        assert client.post(answer, {"answer": "No."}).status_code == 403
    organizer = client_of(user_of(stage.organizer))
    assert "The hall is cold." in page(organizer, desk)
    assert organizer.post(answer, {"answer": "It will be heated."}).status_code == 302
    assert Letter.objects.get().answer == "It will be heated."


def test_the_other_players_and_the_log_know_nothing_of_the_text(stage: Court) -> None:
    write(stage.entries[0].link)

    assert "May I leave" not in page(Client(), reverse("games:my_letters", args=[stage.entries[1].link]))
    row = AuditEntry.objects.get(action="send-letter")
    assert row.actor_name == str(stage.entries[0])
    assert "May I leave" not in str([row.before, row.after, row.reason])
    log = page(client_of(user_of(stage.organizer)), reverse("desk:log", args=[stage.event.pk]))
    assert "letter received" in log and "question to the arbiter" in log


def test_sent_twice_is_one_letter_and_another_players_number_is_not_taken(stage: Court) -> None:
    assert [write(stage.entries[0].link), write(stage.entries[0].link)] == [302, 302]
    assert write(stage.entries[1].link) == 404
    assert Letter.objects.count() == 1


def test_too_many_without_an_answer_are_refused_with_the_text_kept(stage: Court) -> None:
    link = stage.entries[0].link
    for number in range(MOST_WAITING):
        assert write(link, submission=str(number)) == 302

    address = reverse("games:my_letters", args=[link])
    refused = Client().post(
        address,
        {"kind": "QUESTION", "text": "And this?", "submission": "more"},
        headers={"accept-language": "en"},
    )
    assert refused.status_code == 409
    assert "And this?" in refused.content.decode()
    assert Letter.objects.count() == MOST_WAITING


@pytest.mark.parametrize("text", ["", "   ", "x" * 4001])
def test_an_empty_or_endless_text_is_refused(stage: Court, text: str) -> None:
    assert write(stage.entries[0].link, text) == 400
    assert not Letter.objects.exists()


def test_an_answer_stands(stage: Court) -> None:
    write(stage.entries[0].link)
    address = reverse("games:letter_answer", args=[Letter.objects.get().pk])
    arbiter = client_of(user_of(stage.arbiter))

    assert [arbiter.post(address, {"answer": text}).status_code for text in ("Yes.", "Yes.", "No.")] == [
        302,
        302,
        409,
    ]
    assert Letter.objects.get().answer == "Yes."


def test_a_closed_event_still_answers(stage: Court) -> None:
    Section.objects.update(state=Section.State.CLOSED)
    Event.objects.update(state=Event.State.CLOSED)

    assert write(stage.entries[0].link) == 302
    address = reverse("games:letter_answer", args=[Letter.objects.get().pk])
    assert client_of(user_of(stage.chief)).post(address, {"answer": "Yes."}).status_code == 302


def test_a_captain_writes_for_his_player_and_a_stranger_for_nobody(stage: Court) -> None:
    entry = stage.entries[0]
    entry.player.club = "Harbin"
    entry.player.save()
    captain = f.make_user()
    Role.objects.create(user=captain, event=stage.event, kind=Role.Kind.CAPTAIN, delegation="Harbin")
    address = reverse("games:own_letters", args=[entry.pk])
    sent = {"kind": "QUESTION", "text": "Where does he sit?", "submission": "c"}

    assert client_of(f.make_user()).post(address, sent).status_code == 404
    assert client_of(captain).post(address, sent).status_code == 302
    assert Letter.objects.get().sent_by == captain


def test_a_player_of_a_team_reads_only_his_own() -> None:
    stage = team_match()
    one, two = member(stage.white, 1), member(stage.white, 2)
    write(one.link)

    assert "May I leave" in page(Client(), reverse("games:my_letters", args=[one.link]))
    assert "May I leave" not in page(Client(), reverse("games:my_letters", args=[two.link]))
    assert Letter.objects.get().sender == str(one)


def test_by_the_interface(stage: Court) -> None:
    link = stage.entries[0].link
    address = f"/api/v1/events/{stage.event.code}/letters/"
    sent = {"kind": "QUESTION", "text": "When is round 3?", "submission": "a", "link": link}

    made = Client().post(address, sent, content_type="application/json")
    assert made.status_code == 201
    assert Client().get(address).status_code == 404
    assert [row["text"] for row in Client().get(address, {"link": link}).json()["results"]] == [
        "When is round 3?"
    ]
    chief = client_of(user_of(stage.chief))
    assert [row["number"] for row in chief.get(address).json()["results"]] == [1]
    answer = chief.put(f"{address}1/answer/", {"answer": "At two."}, content_type="application/json")
    assert answer.json()["answer"] == "At two."
    assert client_of(f.make_user()).get(address).status_code == 404
