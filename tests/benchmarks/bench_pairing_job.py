"""The pairing job from end to end: load, pair, explain, check, write. Rounds that the site itself paired, 2,000 players."""

from __future__ import annotations

from random import Random
from time import perf_counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments import builders as b
from tournaments.models import Entry, Job, Pairing, Player, Section
from tournaments.services import rounds
from tournaments.wording import names

pytestmark = pytest.mark.django_db

PLAYERS = 2000
CLUBS = 80


def full_section() -> Section:
    section = b.section(b.organizer(), rounds_total=9, protect_clubs_rounds=3)
    chance = Random(2000)
    people = [
        Player(
            event=section.event, name=f"Player {n}", latin_name=f"Player {n}", rating=chance.randint(1400, 2500),
            club=f"Club {n % CLUBS}", search_keys=names.search_keys(f"Player {n}", "", ""),
        )
        for n in range(PLAYERS)
    ]  # fmt: skip
    Entry.objects.bulk_create(
        Entry(section=section, player=player) for player in Player.objects.bulk_create(people)
    )
    return section


def settle(number: int, section: Section, chance: Random) -> None:
    """Publish the draft and give every board a result, without the services: that is not what is measured."""
    section.rounds.filter(number=number).update(state="PUBLISHED")
    boards = list(Pairing.objects.filter(round__section=section, round__number=number, black__isnull=False))
    for board in boards:
        board.outcome = chance.choices(["WHITE", "DRAW", "BLACK"], [35, 45, 20])[0]
    Pairing.objects.bulk_update(boards, ["outcome"])


def test_the_job_of_each_round() -> None:
    organizer = b.organizer()
    section = full_section()
    section.event.roles.create(user=organizer.user, kind="ORGANIZER")
    chance = Random(7)
    for number in range(1, 8):
        asked = perf_counter()
        job = rounds.request_pairing(organizer, section.pk)
        begun = perf_counter()
        with CaptureQueriesContext(connection) as captured:
            b.run(job)
        ended = perf_counter()
        assert job.state == Job.State.DONE, job.error_values
        print(
            f"round {number}: asked in {begun - asked:.2f} s, job {ended - begun:.2f} s, {len(captured)} queries"
        )
        settle(number, section, chance)
