"""A Swiss with more rounds than opponents is warned of on every page of its desk, and in the interface."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.models import Section
from tournaments.services import events

pytestmark = pytest.mark.django_db

WORDS = "rounds are announced, but there"


def warned(actor: Actor, section: Section, page: str, **where: int) -> bool:
    return WORDS in client_of(actor.user).get(url(page, section_id=section.pk, **where)).content.decode()


def test_from_the_making_to_the_publishing_and_not_after_it_is_mended() -> None:
    actor = b.organizer()
    section = b.section(actor, players=4, rounds_total=7)
    assert warned(actor, section, "section") and warned(actor, section, "section_settings")
    b.draft(actor, section)
    assert warned(actor, section, "draft", number=1)

    client = APIClient(headers={"accept-language": "en"})
    client.force_authenticate(actor.user)
    path = f"/api/v1/events/{section.event.code}/sections/{section.code}/desk/"
    (warning,) = client.get(path).json()["warnings"]
    assert warning.startswith("7 rounds are announced, but there are only 3 opponents")

    events.update_section(actor, section.pk, {"rounds_total": 3}, reason="four players")
    assert not warned(actor, section, "section")
    assert client.get(path).json()["warnings"] == []


@pytest.mark.parametrize(
    ("players", "fields", "expected"),
    [
        (0, {"rounds_total": 9}, False),
        (8, {"rounds_total": 7}, False),
        (8, {"rounds_total": 8}, True),
        (4, {"rounds_total": 9, "format": "ROUND_ROBIN"}, False),
        (4, {"rounds_total": 4, "format": "TEAM_SWISS"}, True),
    ],
)
def test_only_where_it_is_so(players: int, fields: dict[str, object], expected: bool) -> None:
    actor = b.organizer()
    assert warned(actor, b.section(actor, players=players, **fields), "section") is expected
