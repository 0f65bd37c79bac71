"""Where a result is held, everybody sees so before trying: the grid, the round's page, the answers of the interface."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.games import case_cast as cases
from tests.games.court_cast import Court, court, ruled, user_of
from tests.tournaments.desk_cast import client_of
from tournaments.models import Pairing, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court(members=4)


def page(client: Client, address: str) -> str:
    return client.get(address, headers={"accept-language": "en"}).content.decode()


@pytest.mark.clause("14.2.4", at="tournaments/holds.py")
def test_a_game_lost_by_two_warnings_says_so_in_the_grid_and_in_public(stage: Court) -> None:
    for _time in range(2):
        ruled(stage, "WARNING")
    number = stage.round.number

    grid = page(client_of(user_of(stage.arbiter)), reverse("desk:results", args=[stage.section.pk, number]))
    public = page(Client(), reverse("public:round", args=[stage.event.code, stage.section.code, number]))

    assert grid.count("is lost by the second public warning") == 1
    assert public.count("lost by the second public warning") == 1


def test_a_board_without_a_case_has_no_lock(stage: Court) -> None:
    ruled(stage, "WARNING")
    number = stage.round.number

    grid = page(client_of(user_of(stage.arbiter)), reverse("desk:results", args=[stage.section.pk, number]))
    public = page(Client(), reverse("public:round", args=[stage.event.code, stage.section.code, number]))

    assert "lock-line" not in grid
    assert "second public warning" not in public


def test_asking_for_the_next_round_and_publishing_it_name_the_open_appeals(stage: Court) -> None:
    cases.filed(stage)
    Pairing.objects.filter(round=stage.round, outcome="UNPLAYED").update(outcome="DRAW")
    address = f"/api/v1/events/{stage.event.code}/sections/{stage.section.code}/"
    chief = client_of(user_of(stage.chief))

    asked = chief.post(f"{address}pairing/", {}, content_type="application/json")
    f.make_round(stage.section, f.draw(stage.entries, 3), state=Round.State.PAIRED)
    published = chief.post(f"{address}rounds/3/publication/", headers={"accept-language": "en"})

    assert asked.status_code == 202 and len(asked.json()["open_appeals"]) == 1
    assert published.json() == {"published": [3], "open_appeals": published.json()["open_appeals"]}
    assert "appeal 1" in published.json()["open_appeals"][0].lower()
