"""Files through the interface: where the public ones are, events and sections carried from one site to another."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.api.conftest import BASE, Caller, at, caller_as
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Event, Role, Section

pytestmark = pytest.mark.django_db


def send(caller: Caller, path: str, content: bytes) -> object:
    return caller.client.post(BASE + path, {"file": SimpleUploadedFile("file", content)}, format="multipart")


def test_every_file_named_is_there(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.work_all(section)

    files = Caller().get(at(section, "files/"))["results"]

    assert {file["name"] for file in files} == {
        "players", "standings", "results", "cross", "round-1", "results-book", "report",
    }  # fmt: skip
    for file in files:
        assert Client().get(file["url"]).status_code == 200, file


def test_before_a_round_is_public_there_are_the_players_only(organizer: Actor, section: Section) -> None:
    b.draft(organizer, section)

    files = Caller().get(at(section, "files/"))["results"]

    assert [(file["name"], file["form"]) for file in files] == [("players", "csv"), ("players", "xlsx")]


def test_an_event_is_carried_to_another_site(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.work_all(section)
    me = Caller(organizer)
    document = me.get(f"events/{section.event.code}/document/")
    before = me.get(at(section, "standings/"))

    reply = send(Caller(b.organizer()), "event-documents/", json.dumps(document).encode())

    assert reply.status_code == 201, reply.content
    copy = Event.objects.get(code=reply.json()["code"])
    assert copy.pk != section.event_id
    assert reply["Location"] == f"{BASE}events/{copy.code}/"
    there = Section.objects.select_related("event").get(event=copy)
    b.work_all(there)
    after = me.get(at(there, "standings/"))
    shown = [[(r["rank"], r["entry"]["name"], r["points"]) for r in t["results"]] for t in (before, after)]
    assert shown[0] == shown[1]


def test_the_log_goes_along_for_those_who_may_read_it(section: Section) -> None:
    path = f"events/{section.event.code}/document/?log=1"

    assert "log" in caller_as(section, Role.Kind.CHIEF_ARBITER).get(path)
    assert caller_as(section, Role.Kind.ARBITER).refused("get", path) == (403, "not-allowed")


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"format": "other"}'])
def test_what_is_no_event_is_refused_whole(organizer: Actor, content: bytes) -> None:
    reply = send(Caller(organizer), "event-documents/", content)

    assert reply.status_code == 400
    assert reply.json()["message"]
    assert Event.objects.count() == 0


def test_only_staff_bring_events_in(section: Section, organizer: Actor) -> None:
    document = json.dumps(Caller(organizer).get(f"events/{section.event.code}/document/")).encode()

    assert send(Caller(), "event-documents/", document).status_code == 401
    assert send(caller_as(section, Role.Kind.ORGANIZER), "event-documents/", document).status_code == 403
    assert Event.objects.count() == 1


def test_a_report_file_becomes_a_section(organizer: Actor, section: Section) -> None:
    b.play_round(organizer, section)
    b.work_all(section)
    report = Client().get(f"/e/{section.event.code}/{section.code}/download/report.trf").content
    path = f"events/{section.event.code}/reports/"

    for caller, status in (
        (Caller(), 401), (Caller(b.organizer()), 404), (caller_as(section, Role.Kind.CHIEF_ARBITER), 403),
    ):  # fmt: skip
        assert send(caller, path, report).status_code == status
    assert section.event.sections.count() == 1

    reply = send(Caller(organizer), path, report)

    assert reply.status_code == 201, reply.content
    made = Section.objects.select_related("event").get(event=section.event, code=reply.json()["section"])
    b.work_all(made)
    tables = [Caller().get(at(each, "standings/"))["results"] for each in (section, made)]
    assert [[row["points"] for row in table] for table in tables] == [[2, 2, 2, 0, 0, 0]] * 2


def test_a_broken_report_is_refused_whole(organizer: Actor, section: Section) -> None:
    reply = send(Caller(organizer), f"events/{section.event.code}/reports/", b"012 no players\n")

    assert reply.status_code == 400
    assert section.event.sections.count() == 1
