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
# Of a page that is kept for everybody three more: the event's version, and the turn at rendering, taken and given back.
EXPECTED = {
    "home": 9,  # kept like the pages of an event: what it depends on, and whose turn it is to render  # events, sections, their rounds and entries, the positions that picture them
    "home_search": 3,  # here it finds people only
    "event": 16,  # with starts, leaders, the first boards of a section (a ledger of four), notices and a position
    "event_search": 16,
    "event_calendar": 8,
    "notices": 9,
    "notices_feed": 9,
    "changes": 6,
    "section": 10,
    "standings": 12,
    "standings_after": 12,
    "cross": 11,
    "charts": 11,
    "results": 9,
    "info": 9,
    "screen": 11,
    "players": 9,
    "player": 12,
    "player_calendar": 8,
    "my": 8,
    "my_calendar": 5,
    "round": 10,
    "round_names": 9,
    "why": 9,
    "why_input": 5,
    "working": 11,
    "search": 8,
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
