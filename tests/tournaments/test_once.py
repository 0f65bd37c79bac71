"""What is sent twice is made once; of two at the same moment one is told; one person enters a section once."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any
from unittest import mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from django.test import Client
from rest_framework.test import APIClient

from games.services import pdn_files
from tests.entry_lists import enter_list
from tests.tournaments import builders as b
from tests.tournaments.test_parallel import together
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, DomainError, WrongState
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import (
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    Notice,
    Player,
    Role,
    Section,
    Submission,
    User,
)  # fmt: skip
from tournaments.services import entries, entry_import, events, trf_import
from tournaments.services.event_import import import_event
from tournaments.services.history import PastPlayer, enter_history
from tournaments.services.submissions import Sent, once

SENT = Sent(number="n1", place="/desk/")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def organizer():
    return b.organizer()


@pytest.fixture
def section(organizer) -> Section:
    return b.section(organizer, players=2)


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("maker", is_staff=True, is_superuser=True))
    return client


def test_two_clicks_at_once_make_one_entry(organizer, section) -> None:
    def click() -> Entry:
        return once(organizer, SENT, lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"}))

    made = together(click, click, click)

    assert len({entry.pk for entry in made}) == 1
    assert section.entries.filter(player__name="王芳").count() == 1


def test_a_number_that_somebody_else_used_is_a_conflict(organizer, section) -> None:
    once(organizer, SENT, lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"}))

    with pytest.raises(Conflict):
        once(b.organizer(), SENT, lambda: pytest.fail("made twice"))


def test_what_was_refused_may_be_sent_again_with_its_number(organizer, section) -> None:
    with pytest.raises(BadInput):
        once(organizer, SENT, lambda: entries.add_entry(organizer, section.pk, {"name": ""}))

    assert once(organizer, SENT, lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"})).pk


REPORT = (
    b"012 Small\n"
    b"001    1 m    Ouyang, Nana                      1500 CHN                         1.0    1     2 w 1\n"
    b"001    2 m    Li, Wei                           1400 CHN                         0.0    2     1 b 0\n"
)
PDN = b'[Event "A"]\n[White "A B"]\n[Black "C D"]\n[Round "1"]\n[Result "2-0"]\n[GameType "20"]\n\n1. 32-28 18-23 2-0\n'
LONG = "correct horse battery"


class TestForms:
    """Each form that makes something, sent twice: by a double click, or by a network that tries again."""

    @pytest.fixture
    def forms(self, organizer, section) -> dict[str, tuple[str, dict[str, object]]]:
        """By name: the page of the form with the address it goes to, and what is typed."""
        maker = User.objects.get(username="maker")
        first, second = section.entries.order_by("pk")
        b.play_round(organizer, section)
        for kind in (Role.Kind.ORGANIZER, Role.Kind.CHIEF_ARBITER):
            Role.objects.create(event=section.event, user=maker, kind=kind)
        event, desk = f"/desk/events/{section.event_id}", f"/desk/sections/{section.pk}"
        held = pdn_files.hold_file(Actor(user=maker), filename="a.pdn", content=PDN, name="")
        listed = entry_import.hold_entries(
            Actor(user=maker), section.pk, filename="a.csv", content="姓名\n张伟\n".encode()
        )
        document = as_text(export_event(section.event)).encode()
        return {
            "event": ("/desk/events/new/", {"name": "公开赛", "code": "open"}),
            "section": (f"{event}/sections/new/", {"name": "B"}),
            "entry": (f"{desk}/entries/new/", {"name": "王芳", "rating": "0"}),
            "notice": (f"{event}/notices/", {"kind": "NOTICE", "text": "午餐", "section": ""}),
            "official": (f"{event}/officials/", {"username": "new", "kind": "ARBITER", "password": LONG}),
            "account": ("/desk/accounts/", {"username": "maker2", "password": LONG, "repeated": LONG}),
            "pair": (f"{desk}/forbidden/", {"first": first.pk, "second": second.pk, "first_round": 1, "last_round": 9, "reason": "family"}),
            "points": (
                f"{desk}/standings/adjust/", {"entry": first.pk, "points": 1, "after_round": 1, "reason": "14.1"},
            ),
            "report": (f"{event}/files/report/", {"file": REPORT}),
            "document": ("/desk/events/file/", {"file": document}),
            "pdn": (f"/desk/pdn/{held.pk}/", {"enter": "1"}),
            "list": (f"{desk}/import/{listed.pk}/", {"enter": "1"}),
        }  # fmt: skip

    @pytest.mark.parametrize(
        "name",
        [
            "event",
            "section",
            "entry",
            "notice",
            "official",
            "account",
            "pair",
            "points",
            "report",
            "document",
            "pdn",
            "list",
        ],
    )
    def test_sent_twice_it_makes_one_thing(self, staff: Client, forms: Any, name: str) -> None:
        address, typed = forms[name]
        page = staff.get(address.replace("adjust/", ""))
        fields = {**_initial(page), **typed, "submission": "n1"}
        assert b'name="submission"' in page.content

        first = staff.post(address, _sent(fields))
        after_first = _count()
        second = staff.post(address, _sent(fields))

        assert (first.status_code, second.status_code) == (302, 302), first.content.decode()
        assert second.url == first.url
        assert _count() == after_first

    def test_a_number_that_went_to_another_section_is_a_conflict(
        self, staff: Client, organizer, section
    ) -> None:
        other = events.create_section(organizer, section.event_id, {"name": "B"})
        Role.objects.create(
            event=section.event, user=User.objects.get(username="maker"), kind=Role.Kind.ORGANIZER
        )
        fields = {"name": "王芳", "rating": "0", "submission": "n1"}
        staff.post(f"/desk/sections/{section.pk}/entries/new/", fields)

        reply = staff.post(f"/desk/sections/{other.pk}/entries/new/", fields)

        assert (reply.status_code, other.entries.count()) == (409, 0)

    def test_a_form_that_came_back_with_another_name_is_not_taken_for_the_first(
        self, staff: Client, section
    ) -> None:
        Role.objects.create(
            event=section.event, user=User.objects.get(username="maker"), kind=Role.Kind.ORGANIZER
        )
        address = f"/desk/sections/{section.pk}/entries/new/"
        staff.post(address, {"name": "王芳", "rating": "0", "submission": "n1"})

        reply = staff.post(address, {"name": "李丽", "rating": "0", "submission": "n1"})

        assert reply.status_code == 409
        assert "李丽" in reply.content.decode()

    def test_nothing_of_a_password_is_kept_with_the_number(self, staff: Client) -> None:
        fields = {"username": "maker2", "submission": "n1", "repeated": LONG, "password": LONG}
        staff.post("/desk/accounts/", fields)
        kept = Submission.objects.get(number="n1").content

        assert kept == sha256(json.dumps({"username": ["maker2"]}).encode()).hexdigest()


def _initial(page: Any) -> dict[str, Any]:
    form = page.context.get("form")
    values = {field.html_name: field.value() for field in form} if form is not None else {}
    return {name: value for name, value in values.items() if value is not None}


def _sent(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: SimpleUploadedFile("file.txt", value) if isinstance(value, bytes) else value
        for name, value in fields.items()
    }


def _count() -> list[int]:
    """How many there are of everything that a form makes."""
    models = (Event, Section, Entry, Notice, Role, User, ForbiddenPair, Adjustment)
    return [model.objects.count() for model in models]


class TestPrograms:
    @pytest.fixture
    def me(self, organizer) -> APIClient:
        client = APIClient(headers={"idempotency-key": "n1"})
        client.force_authenticate(organizer.user)
        return client

    def test_sent_twice_it_is_made_once(self, me: APIClient, organizer, section) -> None:
        path = f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/"

        first, second = (me.post(path, {"name": "王芳"}, format="json") for _time in range(2))

        assert (first.status_code, second.status_code, second.json()) == (201, 201, first.json())
        assert section.entries.count() == 3

    def test_its_number_for_something_else_is_a_conflict(self, me: APIClient, section) -> None:
        path = f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/"
        me.post(path, {"name": "王芳"}, format="json")

        reply = me.post(path, {"name": "李丽"}, format="json")

        assert (reply.status_code, reply.json()["code"]) == (409, "submission-used")

    def test_a_report_sent_twice_is_one_section(self, me: APIClient, section) -> None:
        path = f"/api/v1/events/{section.event.code}/reports/"

        first, second = (
            me.post(path, {"file": SimpleUploadedFile("a.trf", REPORT)}, format="multipart")
            for _time in range(2)
        )

        assert (first.status_code, second.json()) == (201, first.json())
        assert (first.json()["players"], first.json()["rounds"], first.json()["pairings"]) == (2, 1, 1)


FANG = {"name": "王芳", "birth_year": 1990, "fmjd_id": "10001", "seed_number": 3}
TWINS = [
    {"name": "Other", "fmjd_id": "010001"},
    {"name": "王　芳", "birth_year": 1990},
    {"name": "X", "seed_number": 3},
]


class TestOnePersonOnce:
    @pytest.mark.parametrize("twin", TWINS)
    def test_the_form_and_the_correction(self, organizer, section, twin) -> None:
        entries.add_entry(organizer, section.pk, FANG)

        with pytest.raises(BadInput):
            entries.add_entry(organizer, section.pk, twin)
        other = entries.add_entry(organizer, section.pk, {"name": "Somebody"})
        with pytest.raises(BadInput):
            entries.update_entry(organizer, other.pk, twin)

        assert section.entries.count() == 4

    def test_a_namesake_is_told_apart_by_year_or_number(self, organizer, section) -> None:
        entries.add_entry(organizer, section.pk, FANG)

        assert entries.add_entry(organizer, section.pk, {"name": "王芳", "birth_year": 1991}).pk
        assert entries.add_entry(
            organizer, section.pk, {"name": "王芳", "birth_year": 1990, "fmjd_id": "2"}
        ).pk

    def test_the_api(self, organizer, section) -> None:
        entries.add_entry(organizer, section.pk, FANG)
        client = APIClient()
        client.force_authenticate(organizer.user)
        path = f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/"

        replies = [client.post(path, twin, format="json") for twin in TWINS]

        assert [reply.status_code for reply in replies] == [400, 400, 400]
        assert section.entries.count() == 3

    @pytest.mark.parametrize("line", ["Other,,10001,", "王芳,1990,,", "王芳,1990,,3", "Other,,,3"])
    def test_a_list(self, organizer, section, line: str) -> None:
        entries.add_entry(organizer, section.pk, FANG)
        content = f"姓名,出生年份,FMJD,序号\nNew,,,\n{line}\n".encode()

        with pytest.raises(BadInput):
            enter_list(organizer, section.pk, filename="a.csv", content=content)

        assert section.entries.count() == 3

    def test_a_list_that_completes_a_player_of_another_section(self, organizer, section) -> None:
        """What the list adds makes him the same person as somebody over there."""
        other = events.create_section(organizer, section.event_id, {"name": "B"})
        entries.add_entry(organizer, other.pk, {"name": "王芳"})
        entries.add_entry(organizer, other.pk, {"name": "王芳", "birth_year": 1990})

        with pytest.raises(BadInput) as refused:
            enter_list(organizer, section.pk, filename="a.csv", content="姓名,出生年份\n王芳,1990\n".encode())

        assert refused.value.code == "person-twice"
        assert section.entries.count() == 2

    def test_a_correction_is_held_against_every_section_of_the_player(self, organizer, section) -> None:
        other = events.create_section(organizer, section.event_id, {"name": "B"})
        here = section.entries.order_by("pk")[0]
        Entry.objects.create(section=other, player=here.player)
        entries.add_entry(organizer, other.pk, FANG)

        with pytest.raises(BadInput):
            entries.update_entry(organizer, here.pk, {"fmjd_id": "10001"})

    def test_a_report_and_a_history(self, organizer, section) -> None:
        twice = REPORT.replace(
            b"Ouyang, Nana                      1500 CHN            ",
            b"Ouyang, Nana                      1500 CHN       10001",
        )
        twice = twice.replace(
            b"Li, Wei                           1400 CHN            ",
            b"Li, Wei                           1400 CHN       10001",
        )
        people = [PastPlayer(key=key, name="王芳", birth_year=1990) for key in "ab"]
        empty = events.create_section(organizer, section.event_id, {"name": "B"})

        with pytest.raises(BadInput, match="Ouyang"):
            trf_import.import_trf(organizer, section.event_id, twice)
        with pytest.raises(BadInput, match="王芳"):
            enter_history(organizer, empty, people, [], source="x")

        assert (section.event.sections.count(), empty.entries.count()) == (2, 0)

    @pytest.mark.parametrize(
        ("fields", "seeds"),
        [({"fmjd_id": "10001"}, (1, 2)), ({"name": "A", "birth_year": 1990}, (1, 2)), ({}, (1, 1))],
    )
    def test_a_document(self, organizer, section, fields, seeds) -> None:
        for entry, seed in zip(section.entries.all(), seeds, strict=True):
            Player.objects.filter(pk=entry.player_id).update(**fields)
            Entry.objects.filter(pk=entry.pk).update(seed_number=seed)

        with pytest.raises(BadInput):
            import_event(organizer, as_text(export_event(section.event)).encode())

        assert Event.objects.count() == 1

    def test_two_at_one_moment(self, organizer, section) -> None:
        first, second = section.entries.order_by("pk")

        told = together(
            lambda: entries.add_entry(organizer, section.pk, FANG),
            lambda: entries.update_entry(organizer, first.pk, {"fmjd_id": "10001"}),
            lambda: entries.update_entry(organizer, second.pk, {"fmjd_id": "10001", "seed_number": 3}),
            lambda: enter_list(
                organizer, section.pk, filename="a.csv", content="姓名,FMJD\nOther,10001\n".encode()
            ),
        )

        assert sum(not isinstance(answer, DomainError) for answer in told) == 1
        assert Player.objects.filter(fmjd_id="10001", entries__section=section).count() == 1


def test_two_do_not_remove_the_last_two_organizers(organizer, section) -> None:
    second = events.assign_role(
        organizer, section.event_id, username="second", kind="ORGANIZER", password="correct horse battery"
    )
    first = Role.objects.get(event=section.event, user=organizer.user, kind=Role.Kind.ORGANIZER)

    told = together(
        lambda: events.remove_role(organizer, first.pk), lambda: events.remove_role(organizer, second.pk)
    )

    assert section.event.roles.filter(kind=Role.Kind.ORGANIZER).count() == 1
    assert sum(isinstance(answer, DomainError) for answer in told) == 1


def test_an_event_is_not_closed_while_a_section_is_made(organizer, section) -> None:
    Section.objects.filter(pk=section.pk).update(state=Section.State.CLOSED)

    together(
        lambda: events.close_event(organizer, section.event_id),
        lambda: events.create_section(organizer, section.event_id, {"name": "B"}),
    )

    event = Event.objects.get(pk=section.event_id)
    open_sections = event.sections.exclude(state=Section.State.CLOSED)
    assert (event.state == Event.State.CLOSED) != open_sections.exists()
    if event.state == Event.State.CLOSED:
        with pytest.raises(WrongState):
            events.create_section(organizer, event.pk, {"name": "C"})


def test_what_the_database_refuses_as_twice_is_a_conflict_and_no_fault(staff: Client) -> None:
    cause = mock.Mock(sqlstate="23505")
    error = IntegrityError("twice")
    error.__cause__ = type("UniqueViolation", (Exception,), {"sqlstate": cause.sqlstate})()
    staff.raise_request_exception = False

    with mock.patch("tournaments.services.events.create_event", side_effect=error):
        page = staff.post("/desk/events/new/", {"name": "A", "code": "a-b"})

    assert page.status_code == 409


def test_changes_of_a_round_that_is_not_paired_are_not_found(staff: Client, section) -> None:
    assert staff.get(f"/desk/sections/{section.pk}/rounds/1/results/changes/").status_code == 404
