"""How many queries each public page makes: exactly so many, with five players and with sixty, after one round and five."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.tournaments import public_addresses
from tournaments.models import Section

pytestmark = pytest.mark.django_db

# section and event, its neighbours, entries, rounds, boards, rulings: six; tables are two more (which, and its rows).
EXPECTED = {
    "home": 5,  # events, sections, their rounds and entries, the positions that picture them
    "home_search": 3,  # here it finds people only
    "event": 13,  # with starts, leaders, the first boards of a section (a ledger of four), notices and a position
    "event_search": 15,
    "event_calendar": 5,
    "notices": 6,
    "notices_feed": 6,
    "changes": 3,
    "section": 7,
    "standings": 9,
    "standings_after": 9,
    "cross": 8,
    "results": 6,
    "info": 6,
    "screen": 8,
    "players": 6,
    "player": 8,
    "player_calendar": 5,
    "my": 6,
    "my_calendar": 5,
    "round": 7,
    "round_names": 6,
    "why": 6,
    "why_input": 2,
    "working": 8,
    "search": 7,
}


def played(*, players: int, rounds: int) -> Section:
    section = f.make_section(rounds_total=7)
    f.play_rounds(section, f.make_entries(section, players), rounds)
    section.rounds.update(canonical_input="x")
    f.make_adjustment(section.entries.first(), points=-1, after_round=1)
    for number in range(1, rounds + 1):
        f.make_standings(section, after_round=number)
    return section


def queries(client, section: Section, *, held: bool = False) -> dict[str, int]:
    entry = section.entries.select_related("section__event").get(number=1)
    counts = {}
    for name, address in public_addresses.everything(section, entry).items():
        headers = {"if-none-match": client.get(address).headers["ETag"]} if held else {}
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, headers=headers)
        assert answer.status_code == (304 if held else 200), name
        counts[name] = len(captured)
    return counts


@pytest.mark.parametrize(("players", "rounds"), [(5, 1), (5, 4), (60, 5)])
def test_a_page_makes_so_many_queries_whatever_the_size(client, players, rounds) -> None:
    assert queries(client, played(players=players, rounds=rounds)) == EXPECTED


def test_a_reader_who_has_the_page_costs_one_query_or_two(client) -> None:
    counts = queries(client, played(players=5, rounds=2), held=True)

    assert max(counts.values()) == 2


def test_more_sections_and_events_cost_no_more(client) -> None:
    section = played(players=5, rounds=1)
    for number in range(4):
        f.make_section(section.event, code=f"s{number}")
        f.make_section(f.make_event())

    assert queries(client, section) == EXPECTED
