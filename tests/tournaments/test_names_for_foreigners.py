"""Readers of English meet every name in Latin letters; readers of Chinese meet it as it is written."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import builders, public_addresses
from tournaments.models import Event, Section
from tournaments.services import entries, matches

pytestmark = pytest.mark.django_db

NAMES = {
    "张伟": "Zhang Wei",
    "单晓丽": "Shan Xiaoli",
    "阿不都热合曼·吐尔逊": "Abdurahman Tursun",
    "吕布": "Lv Bu",
}


@pytest.fixture
def section() -> Section:
    organizer = builders.organizer()
    made = builders.section(organizer)
    for number, name in enumerate(NAMES):
        entries.add_entry(
            organizer, made.pk, {"name": name, "club": "北京队", "rating": 2000 - number, "latin_name": ""}
        )
    Event.objects.update(state=Event.State.OPEN)
    builders.play_round(organizer, made)
    builders.work_all(made)
    builders.publish_next(organizer, made)
    return made


def test_every_public_page_in_english(section: Section) -> None:
    client = Client(headers={"accept-language": "en"})
    addresses = public_addresses.everything(section, builders.entry_list(section)[0])
    addresses |= public_addresses.of_round(section, 2)
    games = reverse("games:board_game", args=[section.event.code, section.code, 1, 1, 1])
    bare = []
    for name, address in {**addresses, "game": games}.items():
        if name in {"screen", "why_input"} or "calendar" in name:
            continue
        page = client.get(address, follow=True).content.decode()
        bare += [(name, written) for written, latin in NAMES.items() if written in page and latin not in page]

    assert bare == []


def test_in_chinese_the_names_stand_as_written(section: Section) -> None:
    page = Client(headers={"accept-language": "zh-hans"}).get(public_addresses.of_round(section, 1)["round"])

    assert "张伟" in page.content.decode()
    assert "Zhang Wei" not in page.content.decode()


def test_clubs_and_teams_are_read_as_places(section: Section) -> None:
    client = Client(headers={"accept-language": "en"})
    page = client.get(public_addresses.of_section(section)["players"]).content.decode()
    assert "Beijing" in page
    assert "Jingdui" not in page

    organizer = builders.organizer()
    teams = builders.section(organizer, format=Section.Format.TEAM_SWISS, team_boards=2)
    for name in ("重庆", "安庆"):
        entries.add_entry(organizer, teams.pk, {"name": name})
    assert [entry.player.latin_name for entry in builders.entry_list(teams)] == ["Chongqing", "Anqing"]


def test_the_players_of_a_team(section: Section) -> None:
    organizer = builders.organizer()
    teams = builders.section(organizer, players=2, format=Section.Format.TEAM_SWISS, team_boards=2)
    entry = builders.entry_list(teams)[0]
    matches.set_members(organizer, entry.pk, [("张伟", 0), ("李婉儿", 0)])
    Event.objects.update(state=Event.State.OPEN)

    at = reverse("public:player", args=[teams.event.code, teams.code, entry.pk])
    page = Client(headers={"accept-language": "en"}).get(at).content.decode()

    assert "Zhang Wei" in page
    assert "Li Wan&#x27;er" in page
