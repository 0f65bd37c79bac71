"""Files from the site: right types and names, for who may have them, and nothing in them that is not published."""

from __future__ import annotations

import io
import json
from typing import Any
from urllib.parse import quote

import openpyxl
import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import factories
from tournaments.engine import trf
from tournaments.engine.types import Outcome
from tournaments.models import Event, Role, Round, Section

pytestmark = pytest.mark.django_db

PUBLIC = [
    ("players", "csv"), ("players", "xlsx"), ("round-1", "csv"), ("round-1", "xlsx"), ("results", "csv"), ("results", "xlsx"),
    ("standings", "csv"), ("standings", "xlsx"), ("cross", "csv"), ("cross", "xlsx"), ("results-book", "pdf"),
    ("results-book", "xlsx"), ("report", "trf"),
]  # fmt: skip
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "trf": "text/plain; charset=utf-8",
}


def address(section: Section, name: str, form: str) -> str:
    return reverse("download:section_file", args=[section.event.code, section.code, name, form])


def played(*, rounds: int = 2, players: int = 6, **event: Any) -> Section:
    section = factories.make_section(factories.make_event(**event))
    factories.play_rounds(section, factories.make_entries(section, players), rounds)
    factories.make_standings(section)
    return section


def words(response: Any, form: str) -> str:
    """All text of a CSV, workbook or report file."""
    if form != "xlsx":
        return str(response.content.decode("utf-8-sig"))
    book = openpyxl.load_workbook(io.BytesIO(response.content))
    cells = [
        str(cell)
        for page in book
        for row in page.iter_rows(values_only=True)
        for cell in row
        if cell is not None
    ]
    return "\n".join([*book.sheetnames, *cells])


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize(("name", "form"), PUBLIC)
def test_everybody_gets_every_public_file(client: Client, name: str, form: str, language: str) -> None:
    section = played(name="丽水/“杯”: a*b?")

    response = client.get(address(section, name, form), {"lang": language})

    assert response.status_code == 200
    assert response["Content-Type"] == TYPES[form]
    assert not response.cookies
    stem = quote("丽水 “杯” a b 公开组".encode())
    assert response["Content-Disposition"].startswith(f"attachment; filename*=utf-8''{stem}")
    assert response["Content-Disposition"].endswith(f".{form}")
    if form != "pdf":
        assert "张伟" in words(response, form)


def test_the_types_are_what_they_say(client: Client) -> None:
    section = played()

    assert client.get(address(section, "standings", "csv")).content.startswith(b"\xef\xbb\xbf")
    assert client.get(address(section, "standings", "xlsx")).content.startswith(b"PK")
    assert client.get(address(section, "results-book", "pdf")).content.startswith(b"%PDF-")
    assert (
        len(trf.read(client.get(address(section, "report", "trf")).content.decode()).tournament.rounds) == 2
    )


@pytest.mark.parametrize(("name", "form"), [pair for pair in PUBLIC if pair[1] != "pdf"])
def test_a_draft_is_in_no_public_file(client: Client, name: str, form: str) -> None:
    section = played()
    before = words(client.get(address(section, name, form)), form)
    entries = list(section.entries.order_by("number"))
    factories.make_round(
        section,
        [(entries[5], entries[0], Outcome.UNPLAYED), (entries[1], None, Outcome.BYE)],
        state=Round.State.PAIRED,
    )
    factories.make_adjustment(entries[0], points=-2, after_round=3, reason="GEHEIM")

    response = client.get(address(section, name, form))

    assert words(response, form) == before
    assert "GEHEIM" not in before
    assert client.get(address(section, "round-3", "csv")).status_code == 404
    assert client.get(address(section, "standings", "csv"), {"after": "3"}).status_code == 404


@pytest.mark.parametrize(("name", "form"), [pair for pair in PUBLIC if pair[0] != "players"])
def test_before_the_first_publication_there_are_players_only(client: Client, name: str, form: str) -> None:
    section = factories.make_section()
    entries = factories.make_entries(section, 4)
    factories.make_round(section, factories.draw(entries, 1), state=Round.State.PAIRED)

    assert client.get(address(section, name, form)).status_code == 404
    lines = words(client.get(address(section, "players", "csv")), "csv").splitlines()
    assert len(lines) == 5
    assert all(line.startswith(",") for line in lines[1:])


@pytest.mark.parametrize(
    ("name", "form"),
    [("players", "pdf"), ("players", "exe"), ("nothing", "csv"), ("round-0", "csv"), ("round-99", "csv"), ("round-1", "pdf"),
     ("results-book", "csv"), ("report", "csv"), ("standings", "trf")],
)  # fmt: skip
def test_a_file_that_there_is_not(client: Client, name: str, form: str) -> None:
    assert client.get(address(played(), name, form)).status_code == 404


def test_a_hidden_event_has_no_files_for_strangers(client: Client) -> None:
    section = played(state=Event.State.DRAFT)

    for name, form in PUBLIC:
        assert client.get(address(section, name, form)).status_code == 404


def test_whoever_runs_a_hidden_event_gets_its_files(client: Client) -> None:
    section = played(state=Event.State.DRAFT)
    user = factories.make_user()
    factories.make_role(user, section.event, Role.Kind.ARBITER)
    client.force_login(user)

    response = client.get(address(section, "players", "csv"))

    assert response.status_code == 200
    assert "private" in response["Cache-Control"]


def test_a_file_is_not_sent_twice_while_nothing_changed(client: Client) -> None:
    section = played()
    at = address(section, "standings", "csv")
    etag = client.get(at)["ETag"]

    assert client.get(at, headers={"if-none-match": etag}).status_code == 304
    entries = list(section.entries.order_by("number"))
    factories.make_round(section, factories.draw(entries, 3), state=Round.State.PAIRED)
    assert client.get(at, headers={"if-none-match": etag}).status_code == 304
    section.rounds.filter(number=3).update(state=Round.State.PUBLISHED)
    factories.bump(section, public=True)
    assert (
        client.get(at, headers={"if-none-match": etag}).status_code == 304
    )  # the table is still the one after round 2
    factories.make_adjustment(entries[0], points=-2, after_round=1)
    factories.make_standings(section, after_round=2)
    assert client.get(at, headers={"if-none-match": etag}).status_code == 200


def test_the_number_of_queries_does_not_grow(client: Client) -> None:
    from django.db import connection

    small, large = played(rounds=2, players=4), played(rounds=5, players=12)

    for name, form in PUBLIC:
        counts = []
        for section in (small, large):
            with CaptureQueriesContext(connection) as captured:
                client.get(address(section, name, form))
            counts.append(len(captured))
        assert counts[0] == counts[1], name


def test_names_are_no_formulas_in_a_download(client: Client) -> None:
    section = factories.make_section()
    factories.make_entry(section, number=1, name="=HYPERLINK(1)")

    assert "'=HYPERLINK(1)" in words(client.get(address(section, "players", "csv")), "csv")


@pytest.mark.parametrize(
    ("kind", "status", "log_status"),
    [
        (Role.Kind.ORGANIZER, 200, 200), (Role.Kind.CHIEF_ARBITER, 200, 200), (Role.Kind.ARBITER, 200, 403),
        (Role.Kind.COMMITTEE, 404, 404), (Role.Kind.PLAYER, 404, 404), (None, 404, 404),
    ],
)  # fmt: skip
def test_the_whole_event_is_for_the_desk(
    client: Client, kind: str | None, status: int, log_status: int
) -> None:
    section = played()
    user = factories.make_user()
    if kind is not None:
        factories.make_role(user, section.event, kind)
    client.force_login(user)
    at = reverse("download:event_json", args=[section.event.pk])

    response = client.get(at)

    assert response.status_code == status
    assert client.get(at, {"log": "1"}).status_code == log_status
    assert client.get(reverse("download:section_report", args=[section.pk])).status_code == status
    if status == 200:
        assert json.loads(response.content)["event"]["code"] == section.event.code
        assert "no-store" in response["Cache-Control"]


def test_the_desk_of_another_event_is_not_there(client: Client) -> None:
    section, other = played(), factories.make_event()
    user = factories.make_user()
    factories.make_role(user, other)
    client.force_login(user)

    assert client.get(reverse("download:event_json", args=[section.event.pk])).status_code == 404
    assert client.get(reverse("download:event_json", args=[999_999])).status_code == 404
    assert client.get(reverse("download:section_report", args=[section.pk])).status_code == 404
    assert client.get(reverse("download:section_report", args=[999_999])).status_code == 404


def test_the_desk_asks_strangers_to_log_in(client: Client) -> None:
    section = played()
    factories.make_user()  # a site without any account leads to its first set-up instead

    for at in (
        reverse("download:event_json", args=[section.event.pk]),
        reverse("download:section_report", args=[section.pk]),
    ):
        response = client.get(at)
        assert response.status_code == 302
        assert "login" in response["Location"]


def test_files_are_for_reading(client: Client) -> None:
    section = played()

    assert client.post(address(section, "players", "csv")).status_code == 405


def test_every_session_role_sees_drafts_in_the_report_of_the_desk(client: Client) -> None:
    section = played()
    entries = list(section.entries.order_by("number"))
    factories.make_round(section, factories.draw(entries, 3), state=Round.State.PAIRED)
    user = factories.make_user()
    factories.make_role(user, section.event, Role.Kind.ARBITER)
    client.force_login(user)

    text = client.get(reverse("download:section_report", args=[section.pk])).content.decode()

    assert len(trf.read(text).tournament.rounds) == 3
