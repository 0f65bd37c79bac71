"""Clubs by the sum of places of their players."""

from __future__ import annotations

import pytest

from tests.tournaments import builders as b
from tournaments.models import Event, Section
from tournaments.selectors import clubs, public, tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    """Six players of three clubs; the first-named wins, so that the places follow the table."""
    organizer = b.organizer()
    section = b.section(
        organizer, players=6, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", team_places=2, tiebreaks=["SB"]
    )
    Event.objects.update(state=Event.State.OPEN)
    for entry, club in zip(b.entry_list(section), "AABBBC", strict=True):
        entry.player.club = club
        entry.player.save()
    b.play_round(organizer, section)
    b.work_all(section)
    return section


def rows_of(section: Section) -> list[clubs.ClubRow]:
    book = public.ledger(section)
    edition = tables.chosen(tables.editions(section), after=None, standing_round=1)
    return clubs.club_rows(section, tables.table(edition, book))


def test_the_best_two_count_and_who_is_missing_takes_the_place_after_the_last(section) -> None:
    table = section.standings.get(after_round=1)
    order = [row["entry"] for row in table.rows]
    by_place = {pk: place for place, pk in enumerate(order, start=1)}
    table.rows = [
        {**row, "rank": by_place[row["entry"]], "rank_to": by_place[row["entry"]]} for row in table.rows
    ]
    table.save()
    club_of = dict(section.entries.values_list("pk", "player__club"))
    own = {club: sorted(by_place[pk] for pk in order if club_of[pk] == club) for club in "ABC"}

    found = {row.club: row for row in rows_of(section)}

    assert found["A"].total == sum(own["A"])
    assert found["B"].total == sum(own["B"][:2])
    assert (found["C"].total, found["C"].missing) == (own["C"][0] + 7, 1)


def test_the_page_shows_them_where_the_section_asks(client, section) -> None:
    at = f"/e/{section.event.code}/{section.code}/standings/"
    body = client.get(at, headers={"accept-language": "en"}).content.decode()
    assert "Sum of places" in body
    assert body.count("<h2>Clubs</h2>") == 1

    Section.objects.update(team_places=0)
    assert "Sum of places" not in client.get(at, headers={"accept-language": "en"}).content.decode()
