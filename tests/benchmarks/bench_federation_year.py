"""A federation's year in one database: what each page costs there, and which statements are the slowest.

`YEAR_EVENTS=1000` is the whole year: 1,000 events of 40 players and 10 rounds, 200,000 games. The default is a twentieth.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from tests import factories
from tests.tournaments import crowd, public_addresses
from tournaments.models import Event, Pairing, Section
from tournaments.web import rendered

EVENTS = int(os.environ.get("YEAR_EVENTS", "50"))
PLAYERS, ROUNDS = 40, 10
OUTCOMES = ("WHITE", "DRAW", "BLACK", "WHITE", "DRAW")
MOVES = ["32-28", "18-23", "38-32", "12-18", "31-27", "7-12"] * 12
SLOW_MS = 20.0
MOST_MS = 50.0

pytestmark = pytest.mark.django_db


def make_event(number: int) -> Section:
    event = Event.objects.create(
        code=f"year-{number}", name=f"第{number}届公开赛", name_en=f"Open {number}", place=f"City {number % 97}",
        state=Event.State.OPEN, starts_on=f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
    )  # fmt: skip
    section = factories.make_section(event, code="open", rounds_total=ROUNDS, state=Section.State.RUNNING)
    entries = crowd.enter(section, PLAYERS)
    for _round in range(ROUNDS):
        crowd.publish(section, entries, outcomes=OUTCOMES)
    pairings = Pairing.objects.filter(round__section=section)
    Game.objects.bulk_create(Game(pairing=pairing, moves=MOVES) for pairing in pairings)
    factories.make_standings(section)
    return section


def test_every_page_in_a_federation_s_year(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.PAGES_KEPT = False  # what rendering costs, not what keeping saves
    rendered.forget()
    sections = [make_event(number) for number in range(1, EVENTS + 1)]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    section = sections[len(sections) // 2]
    entry = section.entries.get(number=1)
    at = f"/e/{section.event.code}/{section.code}/"
    api = f"/api/v1/events/{section.event.code}/sections/{section.code}/"
    addresses = {
        **public_addresses.of_section(section),
        **public_addresses.of_round(section, 3),
        **public_addresses.of_entry(entry),
        "search": "/?q=wangfang", "all events": "/?all=1", "games": f"{at}games/", "games of a round": f"{at}r/3/games.pdn",
        "board": f"{at}r/3/b/1/", "version": f"/e/{section.event.code}/-/version.json",
        "API events": "/api/v1/events/", "API event search": "/api/v1/events/?q=open", "API entries": f"{api}entries/",
        "API table": f"{api}standings/", "API notices": f"/api/v1/events/{section.event.code}/notices/",
    }  # fmt: skip
    client, told, slow = Client(), [], []
    for name, address in addresses.items():
        client.get(address)  # what is prepared once is prepared
        with CaptureQueriesContext(connection) as captured:
            status = client.get(address).status_code
        times = [(1000 * float(query["time"]), query["sql"]) for query in captured.captured_queries]
        told.append((sum(time for time, _sql in times), len(times), name, status))
        slow += [(time, name, sql) for time, sql in times if time >= SLOW_MS]
    with capsys.disabled():
        print(
            f"\n{EVENTS} events, {Game.objects.count()} games; milliseconds in the database, statements, page"
        )
        for milliseconds, count, name, status in sorted(told, reverse=True):
            print(f"{milliseconds:8.0f} {count:4} {name} ({status})")
        for time, name, sql in sorted(slow, reverse=True)[:5]:
            print(f"\n{time:.0f} ms in {name}: {sql[:700]}")
            _explain(sql)


def _explain(sql: str) -> None:
    if not sql.lstrip().upper().startswith("SELECT"):
        return
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN ANALYZE {sql.replace('%', '%%')}")
        print("\n".join(row[0] for row in cursor.fetchall()[:25]))
