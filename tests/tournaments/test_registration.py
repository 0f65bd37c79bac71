"""Registration from the form to the entry: opened, sent, confirmed, accepted, waiting, refused, paid, and by every wrong door."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotAllowed, NotFound, WrongState
from tournaments.models import Entry, Event, Registration, Role, Section
from tournaments.services import absence_requests, entries, registration

pytestmark = pytest.mark.django_db
SENT = {"name": "张伟", "club": "北京", "birth_year": "1990", "rating": "2000", "contact": "zw@example.org"}


@pytest.fixture
def organizer() -> Actor:
    return builders.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    made = builders.section(organizer, players=2, rounds_total=3)
    Event.objects.update(state=Event.State.OPEN)
    registration.set_terms(organizer, made.pk, {"is_open": True, "places": 3, "fee": 100})
    return made


def at(section: Section) -> str:
    return reverse("public:register", args=[section.event.code, section.code])


def send(section: Section, client: Client | None = None, **fields: str) -> Any:
    """Fill the form, look at it once more, say yes."""
    client = client or Client(headers={"accept-language": "en"})
    page = client.get(at(section)).content.decode()
    number = re.search(r'name="submission" value="([^"]+)"', page)
    assert number is not None
    return client.post(at(section), {**SENT, "submission": number[1], "confirm": "1", **fields})


class TestForm:
    def test_what_was_typed_is_shown_before_it_is_sent(self, section: Section) -> None:
        client = Client(headers={"accept-language": "en"})
        page = client.post(at(section), {**SENT, "submission": "n1"}).content.decode()

        assert "Is this right?" in page
        assert "zw@example.org" in page
        assert not section.registrations.exists()

    def test_it_can_be_changed_before_it_is_sent(self, section: Section) -> None:
        page = Client().post(at(section), {**SENT, "submission": "n1", "change": "1"}).content.decode()

        assert 'value="张伟"' in page
        assert not section.registrations.exists()

    def test_the_sender_gets_a_link_at_once(self, section: Section) -> None:
        answer = send(section)
        made = section.registrations.get()

        assert answer["Location"] == reverse("public:my", args=[made.link])
        page = Client(headers={"accept-language": "en"}).get(answer["Location"])
        assert "Your registration is in." in page.content.decode()
        assert page["X-Robots-Tag"] == "noindex, nofollow"

    def test_sent_twice_it_is_one(self, section: Section) -> None:
        first = Client().post(at(section), {**SENT, "submission": "n1", "confirm": "1"})
        second = Client().post(at(section), {**SENT, "submission": "n1", "confirm": "1"})

        assert first["Location"] == second["Location"]
        assert section.registrations.count() == 1

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("name", ""), ("name", "Sm\u202eith"), ("club", "\u2066x"), ("contact", ""), ("rating", "9000"), ("fmjd_id", "A 2339"),
            ("birth_year", "20"), ("sex", "x"),
        ],
    )  # fmt: skip
    def test_wrong_input_is_refused_at_the_form(self, section: Section, field: str, value: str) -> None:
        answer = send(section, **{field: value})

        assert answer.status_code == 400
        assert not section.registrations.exists()

    def test_nobody_registers_twice_but_namesakes_do(self, section: Section) -> None:
        send(section)

        assert send(section).status_code == 400
        assert send(section, birth_year="").status_code == 400
        assert send(section, name="Player 1").status_code == 400  # entered by hand
        assert send(section, birth_year="1991").status_code == 302

    def test_many_from_one_browser_are_refused_for_a_minute(self, section: Section) -> None:
        answers = [send(section, name=f"Player {chr(65 + n)}").status_code for n in range(12)]

        assert answers[:10] == [302] * 10
        assert 429 in answers[10:]

    @pytest.mark.parametrize("how", ["closed", "section", "event", "drawn", "draft"])
    def test_a_closed_registration_takes_nothing(self, organizer: Actor, section: Section, how: str) -> None:
        if how == "closed":
            registration.set_terms(organizer, section.pk, {"is_open": False})
        elif how == "section":
            Section.objects.update(state=Section.State.CLOSED)
        elif how == "event":
            Event.objects.update(state=Event.State.CLOSED)
        elif how == "draft":
            Event.objects.update(state=Event.State.DRAFT)
        else:
            Section.objects.update(rounds_total=1)
            builders.publish_next(organizer, Section.objects.get(pk=section.pk))

        for answer in (
            Client().get(at(section)),
            Client().post(at(section), {**SENT, "submission": "n", "confirm": "1"}),
        ):
            assert answer.status_code == (404 if how == "draft" else 200)
        assert not section.registrations.exists()

    def test_open_forms_are_linked_and_closed_ones_are_not(self, organizer: Actor, section: Section) -> None:
        event = reverse("public:event", args=[section.event.code])
        players = reverse("public:players", args=[section.event.code, section.code])
        assert all(at(section) in Client().get(page).content.decode() for page in (event, players))

        registration.set_terms(organizer, section.pk, {"is_open": False})

        assert not any(at(section) in Client().get(page).content.decode() for page in (event, players))


class TestAnswer:
    def test_accepted_the_link_becomes_the_players_own(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()
        client = client_of(organizer.user)

        client.post(reverse("desk:registration_answer", args=[made.pk]), {"accept": "1"})

        entry = section.entries.get(player__name="张伟")
        assert (entry.link, entry.player.rating, entry.player.club) == (made.link, 2000, "北京")
        page = (
            Client(headers={"accept-language": "en"})
            .get(reverse("public:my", args=[made.link]))
            .content.decode()
        )
        assert "Zhang Wei" in page
        assert "Entry fee still owed: 100 of 100." in page
        assert "zw@example.org" not in page

    def test_a_renewed_link_closes_the_first_one(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()
        registration.accept(organizer, made.pk)
        entries.renew_link(organizer, section.entries.get(player__name="张伟").pk)

        assert Client().get(reverse("public:my", args=[made.link])).status_code == 404

    def test_over_the_places_they_wait_in_the_order_they_came(
        self, organizer: Actor, section: Section
    ) -> None:
        for name in ("A", "B", "C"):
            send(section, name=f"Player {name}")
        first, second, third = section.registrations.all()
        assert registration.accept(organizer, first.pk).state == Registration.State.ACCEPTED
        assert registration.accept(organizer, second.pk).state == Registration.State.WAITING
        assert registration.accept(organizer, third.pk).state == Registration.State.WAITING

        page = (
            Client(headers={"accept-language": "en"})
            .get(reverse("public:my", args=[third.link]))
            .content.decode()
        )
        assert "You stand on the waiting list, place 2." in page
        with pytest.raises(WrongState):
            registration.accept(organizer, second.pk)

        entries.withdraw_entry(organizer, builders.entry_list(section)[0].pk, after_round=0)
        assert registration.accept(organizer, second.pk).state == Registration.State.ACCEPTED
        assert registration.accept(organizer, third.pk, over=True).state == Registration.State.ACCEPTED

    def test_refused_with_a_reason_the_sender_reads(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()
        with pytest.raises(BadInput):
            registration.refuse(organizer, made.pk, reason=" ")

        client_of(organizer.user).post(
            reverse("desk:registration_answer", args=[made.pk]), {"refuse": "1", "reason": "Juniors only"}
        )

        assert "Juniors only" in Client().get(reverse("public:my", args=[made.link])).content.decode()
        assert section.entries.count() == 2
        for again in (registration.accept, lambda a, pk: registration.refuse(a, pk, reason="x")):
            with pytest.raises(WrongState):
                again(organizer, made.pk)

    def test_the_sender_withdraws(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()

        Client().post(reverse("public:registration_withdraw", args=[made.link]))

        made.refresh_from_db()
        assert made.state == Registration.State.WITHDRAWN
        with pytest.raises(WrongState):
            registration.accept(organizer, made.pk)
        assert send(section).status_code == 302  # and may come again

    def test_an_accepted_one_is_not_withdrawn_by_its_link(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()
        registration.accept(organizer, made.pk)

        assert Client().post(reverse("public:registration_withdraw", args=[made.link])).status_code == 404
        with pytest.raises(WrongState):
            registration.withdraw(Actor(), made.link)
        assert section.entries.filter(link=made.link, status=Entry.Status.ACTIVE).exists()

    def test_who_may_open_and_who_may_answer(self, organizer: Actor, section: Section) -> None:
        send(section)
        made = section.registrations.get()
        arbiter = builders.with_role(section.event, Role.Kind.ARBITER)
        chief = builders.with_role(section.event, Role.Kind.CHIEF_ARBITER)
        with pytest.raises(NotAllowed):
            registration.set_terms(chief, section.pk, {"is_open": False})
        with pytest.raises(NotAllowed):
            registration.accept(arbiter, made.pk)
        with pytest.raises(NotFound):
            registration.accept(builders.organizer(), made.pk)
        assert registration.accept(chief, made.pk).state == Registration.State.ACCEPTED

    def test_fees_owed_and_paid(self, organizer: Actor, section: Section) -> None:
        entry = builders.entry_list(section)[0]
        client = client_of(organizer.user)
        desk = reverse("desk:registration", args=[section.pk])
        assert client.get(desk).content.decode().count("<strong>100</strong>") == 2

        client.post(reverse("desk:payment", args=[entry.pk]), {"amount": "100"})

        assert client.get(desk).content.decode().count("<strong>100</strong>") == 1
        for wrong in ("-1", "x", "", "1e3", "99999999"):
            assert client.post(reverse("desk:payment", args=[entry.pk]), {"amount": wrong}).status_code == 400
        entry.refresh_from_db()
        assert entry.payment.amount == 100


class TestAbsence:
    def ask(self, section: Section, **fields: str) -> Any:
        address = reverse("public:my_absence", args=[builders.entry_list(section)[0].link])
        return Client(headers={"accept-language": "en"}).post(
            address, {"round_number": "2", "kind": "HALF_BYE", **fields}
        )

    def test_asked_for_granted_and_noted(self, organizer: Actor, section: Section) -> None:
        self.ask(section, reason="train")
        entry = builders.entry_list(section)[0]
        asked = entry.absence_requests.get()
        assert not entry.absences.exists()
        assert (
            "train"
            in client_of(organizer.user).get(reverse("desk:registration", args=[section.pk])).content.decode()
        )

        client_of(organizer.user).post(reverse("desk:absence_answer", args=[asked.pk]), {"grant": "1"})

        assert [(a.round_number, a.kind) for a in entry.absences.all()] == [(2, "HALF_BYE")]
        page = (
            Client(headers={"accept-language": "en"})
            .get(reverse("public:my_absence", args=[entry.link]))
            .content
        )
        assert "granted" in page.decode()
        with pytest.raises(WrongState):
            absence_requests.answer(organizer, asked.pk, grant=False, text="no")

    def test_refused_with_a_reason(self, organizer: Actor, section: Section) -> None:
        self.ask(section)
        entry = builders.entry_list(section)[0]
        asked = entry.absence_requests.get()
        with pytest.raises(BadInput):
            absence_requests.answer(organizer, asked.pk, grant=False)

        absence_requests.answer(organizer, asked.pk, grant=False, text="One bye is enough")

        page = Client().get(reverse("public:my_absence", args=[entry.link])).content.decode()
        assert "One bye is enough" in page
        assert not entry.absences.exists()

    def test_asked_again_it_is_the_same_request(self, section: Section) -> None:
        self.ask(section)
        self.ask(section, kind="ZERO_BYE")

        assert [r.kind for r in builders.entry_list(section)[0].absence_requests.all()] == ["ZERO_BYE"]

    def test_taken_back_by_the_player_and_by_nobody_else(self, section: Section) -> None:
        self.ask(section)
        entry, other = builders.entry_list(section)
        asked = entry.absence_requests.get()
        with pytest.raises(NotFound):
            absence_requests.take_back(Actor(), other.link, asked.pk)

        Client().post(reverse("public:my_absence", args=[entry.link]), {"take-back": str(asked.pk)})

        assert not entry.absence_requests.exists()

    @pytest.mark.parametrize(
        "wrong", [{"round_number": "0"}, {"round_number": "9"}, {"kind": "BYE"}, {"kind": "WHITE"}]
    )
    def test_what_cannot_be_asked_for(self, section: Section, wrong: dict[str, str]) -> None:
        assert self.ask(section, **wrong).status_code == 400
        assert not builders.entry_list(section)[0].absence_requests.exists()

    def test_a_round_that_was_paired_meanwhile_is_not_granted(
        self, organizer: Actor, section: Section
    ) -> None:
        self.ask(section, round_number="1")
        asked = builders.entry_list(section)[0].absence_requests.get()
        builders.draft(organizer, section)

        with pytest.raises(DomainError):
            absence_requests.answer(organizer, asked.pk, grant=True)
        asked.refresh_from_db()
        assert asked.state == "WAITING"
        assert self.ask(section, round_number="1").status_code == 400
