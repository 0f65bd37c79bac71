"""Long tables come in parts: every row on exactly one of them, found by search from any, whole in the files."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tournaments.models import Section
from tournaments.web import parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(monkeypatch: pytest.MonkeyPatch) -> Section:
    """Ten players, where four rows are long and a part has three."""
    monkeypatch.setattr(parts, "UNCUT", 4)
    monkeypatch.setattr(parts, "ROWS", 3)
    made = f.make_section(rounds_total=5)
    f.play_rounds(made, f.make_entries(made, 10), 2)
    f.make_standings(made)
    return made


def page_of(client: Client, section: Section, rest: str) -> str:
    return client.get(f"/e/{section.event.code}/{section.code}/{rest}").content.decode()


def keys_in(page: str) -> list[str]:
    return re.findall(r'<tr[^>]* data-keys="([^"]+)"', page)


@pytest.mark.parametrize(("rest", "count"), [("standings/", 10), ("cross/", 10), ("r/1/names/", 10)])
def test_every_row_is_on_one_part(client: Client, section: Section, rest: str, count: int) -> None:
    first = page_of(client, section, rest)
    addresses = re.findall(r'href="\?part=(\d)"', first.split("<table")[0])

    rows = [key for part in addresses for key in keys_in(page_of(client, section, f"{rest}?part={part}"))]

    assert addresses == ["1", "2", "3", "4"]
    assert (len(rows), len(set(rows))) == (count, count)
    assert keys_in(first) == keys_in(page_of(client, section, f"{rest}?part=1"))


@pytest.mark.parametrize("part", ["0", "9", "x", "-1", "99999999999999999999"])
def test_a_part_that_is_not_there_shows_one_that_is(client: Client, section: Section, part: str) -> None:
    assert keys_in(page_of(client, section, f"standings/?part={part}"))


@pytest.mark.parametrize("rest", ["standings/", "cross/", "r/1/names/"])
def test_the_search_looks_in_all_parts(client: Client, section: Section, rest: str) -> None:
    last = section.entries.select_related("player").order_by("-number")[0]

    page = page_of(client, section, f"{rest}?q={last.player.name}")

    assert last.player.name in page
    assert "part=" not in page


def test_the_files_are_whole(client: Client, section: Section) -> None:
    address = reverse("download:section_file", args=[section.event.code, section.code, "standings", "csv"])

    lines = client.get(address).content.decode().strip().splitlines()

    assert len(lines) == 11


def test_a_part_keeps_what_else_was_asked_for(client: Client, section: Section) -> None:
    assert "?after=2&amp;part=3" in page_of(client, section, "standings/?after=2")


@pytest.mark.parametrize(("rows", "spans"), [(4, 0), (5, 2), (6, 2), (7, 3)])
def test_short_tables_are_shown_whole(section: Any, rows: int, spans: int) -> None:
    assert len(parts.cut(range(rows), QueryDict()).spans) == spans
