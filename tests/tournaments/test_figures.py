"""Pictures of a section: drawn from the public rounds, each number of them in the table beside."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tournaments.exports import figures
from tournaments.models import Section
from tournaments.selectors import public, tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    made = f.make_section()
    f.play_rounds(made, f.make_entries(made, 9), 3)
    for number in (1, 2, 3):
        f.make_standings(made, after_round=number)
    return made


def drawn(section: Section, *, me: int | None = None) -> list[figures.Figure]:
    return figures.of_section(public.ledger(section), tables.editions(section), entry=me)


def test_every_picture_is_well_formed_has_a_name_and_uses_only_the_colours_of_the_page(
    section: Section,
) -> None:
    found = drawn(section)

    assert len(found) == 4
    for figure in found:
        picture = ElementTree.fromstring(figure.picture)
        assert picture.get("role") == "img" and picture.get("aria-label")
        assert not re.search(r"style=|fill=|#[0-9a-f]{3}", figure.picture)
        assert figure.rows and all(len(row) == len(figure.header) for row in figure.rows)


def test_the_tables_hold_what_the_ledger_holds(section: Section) -> None:
    book = public.ledger(section)
    places, points, colours, results = drawn(section)

    assert len(places.rows) == 9 and len(places.header) == 4
    assert sum(int(count) for _points, count in points.rows) == 9
    assert sum(int(count) for _balance, count in colours.rows) == 9
    assert [sum(map(int, row[1:])) for row in results.rows] == [
        sum(1 for line in book.of_round(number) if not line.is_bye) for number in (1, 2, 3)
    ]


def test_the_one_who_is_looked_for_stands_out_even_below_the_fortieth() -> None:
    section = f.make_section()
    entries = f.make_entries(section, 50)
    f.play_rounds(section, entries, 2)
    for number in (1, 2):
        f.make_standings(section, after_round=number)
    table = section.standings.get(after_round=2)
    last = table.rows[-1]["entry"]

    with_me = drawn(section, me=last)[0]

    assert 'class="l1"' in with_me.picture and len(with_me.rows) == 41
    assert 'class="l1"' not in drawn(section)[0].picture


@pytest.mark.parametrize("me", ["999999", "0", "x", "9" * 40])
def test_a_name_that_is_nobodys_changes_nothing(client: Client, section: Section, me: str) -> None:
    address = reverse("public:charts", args=[section.event.code, section.code])

    assert client.get(f"{address}?me={me}").status_code == 200


def test_before_round_1_the_page_says_when_there_will_be_pictures(client: Client) -> None:
    section = f.make_section()
    f.make_entries(section, 4)

    text = client.get(
        reverse("public:charts", args=[section.event.code, section.code]) + "?lang=en"
    ).content.decode()

    assert "once round 1 is published" in text and '<svg class="ch' not in text


def test_one_round_and_five_hundred_players_keep_the_page_small(client: Client) -> None:
    section = f.make_section()
    f.play_rounds(section, f.make_entries(section, 300), 2)
    for number in (1, 2):
        f.make_standings(section, after_round=number)

    answer = client.get(
        reverse("public:charts", args=[section.event.code, section.code]), headers={"accept-encoding": "gzip"}
    )

    assert len(answer.content) < 60_000


def test_a_player_has_his_places_as_a_picture(client: Client, section: Section) -> None:
    entry = section.entries.get(number=1)

    text = client.get(
        reverse("public:player", args=[section.event.code, section.code, entry.pk]) + "?lang=en"
    ).content.decode()

    assert "Place after each round: 1: " in text
