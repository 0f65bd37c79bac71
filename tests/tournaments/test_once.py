"""What is sent twice is made once; of two at the same moment one is told."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import IntegrityError
from django.test import Client

from tests.tournaments import builders as b
from tests.tournaments.test_parallel import together
from tournaments.errors import BadInput, Conflict, DomainError, WrongState
from tournaments.models import Entry, Event, Notice, Role, Section, User
from tournaments.services import entries, events
from tournaments.services.submissions import once

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
        return once(organizer, "n1", lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"}))

    made = together(click, click, click)

    assert len({entry.pk for entry in made}) == 1
    assert section.entries.filter(player__name="王芳").count() == 1


def test_a_number_that_somebody_else_used_is_a_conflict(organizer, section) -> None:
    once(organizer, "n1", lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"}))

    with pytest.raises(Conflict):
        once(b.organizer(), "n1", lambda: pytest.fail("made twice"))


def test_what_was_refused_may_be_sent_again_with_its_number(organizer, section) -> None:
    with pytest.raises(BadInput):
        once(organizer, "n1", lambda: entries.add_entry(organizer, section.pk, {"name": ""}))

    assert once(organizer, "n1", lambda: entries.add_entry(organizer, section.pk, {"name": "王芳"})).pk


def test_every_form_that_makes_something_carries_a_number(staff: Client) -> None:
    def twice(path: str, **fields: object) -> None:
        assert b'name="submission"' in staff.get(path).content
        for _time in range(2):
            answer = staff.post(path, {**fields, "submission": path})
            assert answer.status_code == 302, answer.content.decode()

    twice("/desk/events/new/", name="公开赛", code="open")
    event = Event.objects.get()
    section = (
        b.section_in(event)
        if hasattr(b, "section_in")
        else Section.objects.create(event=event, name="A", code="a")
    )
    twice(f"/desk/sections/{section.pk}/entries/new/", name="王芳", rating="0")
    twice(f"/desk/events/{event.pk}/notices/", kind="NOTICE", text="午餐", section="")

    assert Entry.objects.count() == 1
    assert Notice.objects.filter(kind="NOTICE").count() == 1


@pytest.mark.parametrize(
    "twin",
    [
        {"name": "Other", "fmjd_id": "10001"},
        {"name": "王芳", "birth_year": 1990},
        {"name": "X", "seed_number": 3},
    ],
)
def test_one_person_enters_once_and_a_seed_number_is_given_once(organizer, section, twin) -> None:
    first = {"name": "王芳", "birth_year": 1990, "fmjd_id": "10001", "seed_number": 3}
    entries.add_entry(organizer, section.pk, first)

    with pytest.raises(BadInput):
        entries.add_entry(organizer, section.pk, twin)
    other = entries.add_entry(organizer, section.pk, {"name": "Somebody"})
    with pytest.raises(BadInput):
        entries.update_entry(organizer, other.pk, twin)

    assert entries.add_entry(organizer, section.pk, {"name": "王芳", "birth_year": 1991}).pk  # a namesake


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
