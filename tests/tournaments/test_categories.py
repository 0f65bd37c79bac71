"""Lists narrowed to women or an age: offered where the entries say so, and a place of one's own among those shown."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client

from tests.api.conftest import Caller, at
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Event, Section
from tournaments.wording import categories

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer: Actor) -> Section:
    """Six players; by rating two girls of 19 and 16, a man of 20, a woman of 60, and two of whom nothing is known."""
    section = b.section(organizer, players=6, rounds_total=3)
    Event.objects.filter(pk=section.event_id).update(state=Event.State.OPEN, starts_on=dt.date(2026, 11, 28))
    known = [("f", 2007), ("f", 2010), ("m", 2006), ("f", 1966)]
    for entry, (sex, born) in zip(section.entries.order_by("-player__rating"), known, strict=False):
        entry.player.sex, entry.player.birth_year = sex, born
        entry.player.save()
    section.refresh_from_db()
    b.play_round(organizer, section)
    b.work_all(section)
    return section


def page(section: Section, name: str, **query: str) -> str:
    reply = Client(headers={"accept-language": "en"}).get(
        f"/e/{section.event.code}/{section.code}/{name}", query
    )
    assert reply.status_code == 200
    return reply.content.decode()


def shown(body: str) -> list[str]:
    return sorted(set(re.findall(r"Player \d", body)))


def test_those_are_offered_that_hold_some_and_not_all(section: Section) -> None:
    found = dict(categories.offered(section.event, b.entry_list(section)))

    assert list(found) == ["f", "u17", "u18", "u20", "u23", "u26", "o50", "o60"]
    assert found["u20"].endswith("2007或以后出生）") or "2007" in found["u20"]
    for entry in section.entries.all():
        entry.player.sex = "f"
        entry.player.save()
    assert "f" not in dict(categories.offered(section.event, b.entry_list(section)))


def test_an_event_without_a_first_day_has_no_ages(section: Section) -> None:
    Event.objects.update(starts_on=None)
    section.refresh_from_db()
    section.event.refresh_from_db()

    assert [key for key, _label in categories.offered(section.event, b.entry_list(section))] == ["f"]


@pytest.mark.parametrize(
    ("category", "names"),
    [
        ("f", ["Player 1", "Player 2", "Player 4"]),
        ("u20", ["Player 1", "Player 2"]),
        ("u17", ["Player 2"]),
        ("o60", ["Player 4"]),
        ("u19", []),
    ],
)
@pytest.mark.parametrize("name", ["standings/", "players/"])
def test_a_list_shows_its_own_only(section: Section, name: str, category: str, names: list[str]) -> None:
    assert shown(page(section, name, cat=category)) == names


def test_boards_of_a_category_have_one_of_it_on_either_side(section: Section) -> None:
    board = next(
        p
        for p in section.rounds.get().pairings.all()
        if "Player 2" in (p.white.player.name, p.black.player.name)
    )

    both = sorted([board.white.player.name, board.black.player.name])
    assert shown(page(section, "r/1/", cat="u17")) == both


def test_the_place_among_those_shown_stands_beside_the_place_in_the_table(section: Section) -> None:
    body = page(section, "standings/", cat="f")
    rows = {row["entry"]["name"]: row["rank"] for row in Caller().get(at(section, "standings/"))["results"]}

    places = re.findall(r'<td class="rk"><strong>(\d)</strong><span class="sub">place (\d)</span>', body)
    women = sorted(rows[name] for name in ("Player 1", "Player 2", "Player 4"))
    assert [int(place) for _own, place in places] == women
    assert [int(own) for own, _place in places] == [
        1 + sum(other < rank for other in women) for rank in women
    ]
    assert '<option value="f" selected>' in body
    assert "place" not in re.sub(
        r"placeholder", "", page(section, "standings/").split("<tbody>")[1].split("</tbody>")[0]
    )


def test_the_interface_narrows_the_table_too(section: Section) -> None:
    path = at(section, "standings/")

    girls = Caller().get(path, category="u20")["results"]

    assert sorted(row["entry"]["name"] for row in girls) == ["Player 1", "Player 2"]
    assert [row["entry"]["name"] for row in Caller().get(path, q="player 5")["results"]] == ["Player 5"]
    assert Caller().get(path, club="nowhere")["count"] == 0
    assert Caller().refused("get", f"{path}?category=u19") == (400, "bad-input")


def test_no_year_of_birth_is_told(section: Section) -> None:
    for body in (page(section, "standings/"), page(section, "players/", cat="u17")):
        asked = (
            r'<option.*?</option>|<span class="chip info">.*?</span>'  # the category that the reader chose
        )
        assert "2010" not in re.sub(asked, "", body)


def test_choosing_a_category_asks_the_database_no_more(
    section: Section, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    client = Client()
    address = f"/e/{section.event.code}/{section.code}/standings/"
    with django_assert_num_queries(12) as plain:
        client.get(address)
    with django_assert_max_num_queries(len(plain)):
        client.get(address, {"cat": "f"})
