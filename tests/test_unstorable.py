"""Characters and numbers that the database cannot hold are refused in words, never a fault of ours."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from django.test import Client

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import Player, Section
from tournaments.services import events, notices

pytestmark = pytest.mark.django_db

HALF_A_CHARACTER = "\ud800"
WORDS = {"en": "The request cannot be understood", "zh-hans": "无法理解该请求"}
NUMBERS = ["²", "１２", "-1", "9" * 19, "9" * 5000, "1e3", "\x00"]


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    made = b.section(organizer, players=4)
    b.publish_next(organizer, made)
    return made


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("address", ["/e/a%00/", "/e/a%00/b/standings/", "/my/a%00/", "/desk%00/"])
def test_nul_in_an_address(address: str, language: str) -> None:
    answer = Client(raise_request_exception=False).get(address, headers={"accept-language": language})

    assert answer.status_code == 400
    assert WORDS[language] in answer.content.decode()


def test_nul_in_an_address_of_the_api() -> None:
    answer = Client().get("/api/v1/events/a%00/")

    assert (answer.status_code, answer.json()["code"]) == (400, "bad-input")


@pytest.mark.parametrize("text", ["a\x00b", HALF_A_CHARACTER])
def test_texts_of_the_api_that_cannot_be_stored(organizer, section, text) -> None:
    client = client_of(organizer.user)
    event = f"/api/v1/events/{section.event.code}/"
    at = f"{event}sections/{section.code}/"

    refused = {
        "entry": client.post(f"{at}entries/", json.dumps({"name": text}), "application/json"),
        "section": client.patch(at, json.dumps({"name": text}), "application/json"),
        "tie-breaks": client.patch(at, json.dumps({"tiebreaks": [text]}), "application/json"),
        "policy": client.patch(at, json.dumps({"policy": {text: text}}), "application/json"),
        "event": client.patch(event, json.dumps({"description": text}), "application/json"),
        "role": client.post(
            f"{event}roles/", json.dumps({"username": text, "kind": "ARBITER"}), "application/json"
        ),
        "reason": client.post(f"{at}rounds/1/taking-back/", json.dumps({"reason": text}), "application/json"),
    }

    assert {name: answer.status_code for name, answer in refused.items() if answer.status_code != 400} == {}
    section.refresh_from_db()
    assert (section.name, section.rounds.get(number=1).state) == ("公开组", "PUBLISHED")


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_the_api_that_are_none(client, organizer, section, number) -> None:
    at = f"/api/v1/events/{section.event.code}/sections/{section.code}/"
    signed_in = client_of(organizer.user)
    for name in (
        "standings/?after_round=",
        "games/?round=",
        "entries/?page=",
        "entries/?rating_min=",
        "jobs/?page=",
    ):
        answer = signed_in.get(at + name.rstrip("="), {name.rstrip("=").split("?")[1]: number})

        assert answer.status_code < 500, name
    answer = signed_in.patch(
        at, json.dumps({"tiebreaks": [f"SOLKOFF_TRUNC_{number}"], "preset": ""}), "application/json"
    )
    assert answer.status_code == 400


@pytest.mark.parametrize("number", [-1, 2**31, 10**30])
@pytest.mark.parametrize("field", ["seed_number", "lot_number"])
def test_numbers_of_an_entry_that_no_column_holds(organizer, section, field, number) -> None:
    client, entry = client_of(organizer.user), section.entries.first()
    at = f"/api/v1/events/{section.event.code}/sections/{section.code}/entries/"

    new = client.post(at, json.dumps({"name": "Li Na", field: number}), "application/json")
    changed = client.patch(f"{at}{entry.pk}/", json.dumps({field: number}), "application/json")
    form = client.post(f"/desk/entries/{entry.pk}/", {"name": entry.player.name, field: number})

    for answer in (new, changed):
        assert (answer.status_code, list(answer.json()["details"]["fields"])) == (400, [field])
    assert form.status_code == 400
    assert not section.entries.exclude(**{f"{field}__isnull": True}).filter(player__name="Li Na").exists()
    assert getattr(section.entries.get(pk=entry.pk), field) in (None, entry.lot_number)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_of_pages_that_are_none(client, organizer, section, number) -> None:
    desk = client_of(organizer.user)
    at = f"/e/{section.event.code}/{section.code}/"
    for address, name in (
        (f"{at}standings/", "after"),
        (f"{at}players/", "q"),
        (f"{at}download/standings.csv", "after"),
        (f"/desk/events/{section.event_id}/log/", "id"),
        (f"/desk/events/{section.event_id}/log/", "page"),
        (f"/desk/sections/{section.pk}/standings/", "round"),
    ):
        assert desk.get(address, {name: number}).status_code < 500, (address, name)
    round_ = f"/desk/sections/{section.pk}/rounds/1/"
    for address, form in (
        (f"{round_}draft/change/swap/", {"version": number}),
        (f"{round_}lateness/", {"only": f"{number}:W"}),
        (f"{round_}lateness/", {f"late-{number}": "W"}),
        (f"{round_}results/", {f"version-{number}": number}),
    ):
        assert desk.post(address, form).status_code < 500, address


def test_control_characters_in_names_break_no_page_and_no_file(organizer) -> None:
    section = b.section(organizer, players=4)
    event = section.event
    # As older versions stored them: no door takes such names any more.
    Section.objects.filter(pk=section.pk).update(name="A\x01组")
    for player in Player.objects.filter(event=event):
        player.name, player.club = f"A\x08\x1b{player.pk}\u202e<b>", "B\x01\ufffe\uffff"
        player.save()
    events.show_event(organizer, event.pk, public=True)
    notices.post_notice(organizer, event.pk, text="Quiet\x01 please")
    b.play_round(organizer, section)
    b.work_all(section)
    client, at = client_of(organizer.user), f"/e/{event.code}/{section.code}/"
    files = [
        f"download/{name}"
        for name in ("standings.csv", "standings.xlsx", "results-book.xlsx", "results-book.pdf", "report.trf")
    ]

    addresses = [at, f"{at}standings/", f"{at}cross/", f"{at}players/", f"/e/{event.code}/-/notices/feed.xml"]
    for address in [
        *addresses,
        *(at + name for name in files),
        f"/desk/events/{event.pk}/download/event.json",
    ]:
        assert client.get(address).status_code == 200, address
    ElementTree.fromstring(client.get(f"/e/{event.code}/-/notices/feed.xml").content)
