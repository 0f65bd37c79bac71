"""Lists of the court and of links cost as many queries for many rows as for few."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.services.court import appeals, incidents, rulings
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.court_cast import court
from tests.games.match_cast import micro_match, team_match
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.models import Pairing, Section, TeamMember

pytestmark = pytest.mark.django_db

LISTS = ["rulings/", "appeals/", "incidents/"]


def of_games(boards: int) -> tuple[Section, Actor]:
    stage = court(players=2 * boards)
    return _ruled(stage.section, stage.arbiter, round_number=2)


def of_matches(boards: int) -> tuple[Section, Actor]:
    stage = micro_match(players=2 * boards)
    return _ruled(stage.section, stage.arbiter, round_number=1)


def _ruled(section: Section, arbiter: Actor, *, round_number: int) -> tuple[Section, Actor]:
    """A game lost at every board, and an appeal against it."""
    for board in Pairing.objects.filter(round__section=section, round__number=round_number):
        incident = incidents.log_incident(
            arbiter, board.pk, Report(category="CONDUCT", raised_by="A", against="W")
        )
        ruling = rulings.rule(arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))
        appeals.file_appeal(cases.NOBODY, ruling.pk, cases.filing(), link=cases.loser(ruling).link)
    return section, arbiter


def queries(client: Client, path: str, rows: int) -> int:
    client.get(path)  # what is asked for once in the life of a process
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code == 200
    if answer["Content-Type"] == "application/json":
        assert answer.json()["count"] == rows
    return len(asked)


@pytest.mark.parametrize("made", [of_games, of_matches])
def test_lists_of_the_court(made: Callable[[int], tuple[Section, Actor]]) -> None:
    costs = []
    for boards in (2, 4):
        section, arbiter = made(boards)
        code, client = section.event.code, client_of(arbiter.user)
        paths = [*(f"/api/v1/events/{code}/{name}" for name in LISTS), f"/e/{code}/-/appeals/"]
        costs.append([queries(client, path, boards) for path in paths])

    assert costs[0] == costs[1]


def test_links_of_teams() -> None:
    costs = []
    for more in (0, 4):
        stage = team_match()
        for number in range(more):
            entry = f.make_entry(stage.section, number=5 + number)
            TeamMember.objects.create(entry=entry, position=1, name=f"Player {number}")
        client = client_of(stage.organizer.user)
        costs.append(queries(client, reverse("desk:links", args=[stage.section.pk]), 0))

    assert costs[0] == costs[1]
