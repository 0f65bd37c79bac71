"""The demo's knock-out and its teams stand as they are described."""

from __future__ import annotations

import pytest

from games.demo import formats
from tests.tournaments import builders as b
from tournaments.models import Event, MatchGame

pytestmark = pytest.mark.django_db


def test_a_knock_out_half_way_and_teams_with_one_round_to_go(client) -> None:
    organizer = b.organizer()
    event = b.section(organizer).event
    Event.objects.update(state=Event.State.OPEN)

    formats.load(organizer, event)

    knockout, teams = event.sections.get(format="KNOCKOUT"), event.sections.get(format="TEAM_ROUND_ROBIN")
    assert [r.number for r in knockout.rounds.all()] == [1, 2]
    assert knockout.rounds.get(number=2).pairings.filter(outcome="UNPLAYED").count() == 1
    assert MatchGame.objects.filter(pairing__round__section=teams).count() == 12
    rows = teams.standings.get(after_round=2).rows
    assert sum(row["points"] for row in rows) == 8
    assert client.get(f"/e/{event.code}/{knockout.code}/bracket/").status_code == 200
