"""Readers while somebody writes: whatever is committed between two statements of a page, the page is whole.

Each address is read as often as it makes queries, and before each of them another connection commits a change.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import InternalError, connection
from django.test import Client
from django.urls import reverse

from tests.tournaments import builders, public_addresses
from tournaments import jobs, snapshot
from tournaments.audit import Actor
from tournaments.gate import one_snapshot
from tournaments.models import Entry, Event, Job, Pairing, Role, Round, Section, Standings
from tournaments.services import entries, results, rounds
from tournaments.services.runners import RUNNERS

pytestmark = pytest.mark.django_db(transaction=True)

FILES = [
    ("players", "csv"), ("players", "xlsx"), ("standings", "csv"), ("standings", "xlsx"), ("results", "csv"),
    ("results", "xlsx"), ("cross", "csv"), ("cross", "xlsx"), ("round-1", "csv"), ("report", "trf"),
    ("results-book", "xlsx"), ("results-book", "pdf"),
]  # fmt: skip
API = [
    "api-section",
    "api-files",
    "api-entries",
    "api-rounds",
    "api-standings",
    "api-cross-table",
    "api-games",
]


@pytest.fixture
def stage() -> tuple[Actor, Section]:
    """Two rounds played, the third published."""
    organizer = builders.organizer()
    section = builders.section(organizer, players=5, rounds_total=5)
    Event.objects.update(state=Event.State.OPEN)
    for _round in range(2):
        builders.play_round(organizer, section)
    builders.publish_next(organizer, section)
    builders.work_all(section)
    return organizer, section


def addresses(section: Section) -> dict[str, str]:
    at = [section.event.code, section.code]
    entry = builders.entry_list(section)[0]
    found = public_addresses.everything(section, entry, number=2)
    found |= {
        f"{name}.{form}": reverse("download:section_file", args=[*at, name, form]) for name, form in FILES
    }
    found |= {name: reverse(name, args=at) for name in API}
    found |= {
        name: reverse(name, args=[*at, 2])
        for name in ("api-round", "api-pairings", "api-why", "public:why_report")
    }
    found |= {
        name: reverse(name, args=at[:1])
        for name in ("api-event", "api-sections", "api-notices", "api-result-changes")
    }
    found["api-workings"] = reverse("api-workings", args=[*at, entry.pk])
    found["api-entry"] = reverse("api-entry", args=[*at, entry.pk])
    found["game"] = reverse("games:board", args=[*at, 2, 1])
    found["games"] = reverse("games:games", args=at)
    found["api-events"] = reverse("api-events")
    return found


def apart(write: Callable[[], object]) -> None:
    """Run the write on a connection of its own, to its end."""
    faults: list[BaseException] = []

    def work() -> None:
        try:
            write()
        except BaseException as error:
            faults.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]


@contextmanager
def written_between(number: int, write: Callable[[], object]) -> Iterator[list[int]]:
    """Commit the write on another connection before this connection's query of that number, from 0."""
    count = [0]

    def watch(execute: Any, *given: Any) -> Any:
        if count[0] == number:
            apart(write)
        count[0] += 1
        return execute(*given)

    with connection.execute_wrapper(watch):
        yield count


def work_off(section: Section) -> None:
    for job in Job.objects.filter(section=section, state=Job.State.QUEUED):
        jobs.run(job.pk, RUNNERS)


class Writers:
    """Turns that follow each other for ever: results in and out, a round taken back and published again."""

    def __init__(self, actor: Actor, section: Section) -> None:
        self.actor, self.section, self.turn = actor, section, 0

    def result(self) -> None:
        self.turn += 1
        board = Pairing.objects.get(round__section=self.section, round__number=2, board=1)
        outcome = "BLACK" if board.outcome != "BLACK" else "DRAW"
        results.record_outcome(
            self.actor, board.pk, outcome=outcome, version=board.version, reason="read again"
        )
        work_off(self.section)

    def publication(self) -> None:
        last = self.section.rounds.get(number=3)
        if last.state == Round.State.PUBLISHED:
            rounds.unpublish_round(self.actor, last.pk, reason="once more")
        else:
            rounds.publish_round(self.actor, last.pk)
        work_off(self.section)


@pytest.mark.parametrize("verb", ["result", "publication"])
def test_no_page_file_or_answer_breaks_over_a_write_in_its_middle(
    stage: tuple[Actor, Section], verb: str
) -> None:
    organizer, section = stage
    write = getattr(Writers(organizer, section), verb)
    client = Client(raise_request_exception=False)
    broken = []
    for name, address in addresses(section).items():
        number, seen = 0, 1
        while number < seen:
            with written_between(number, write) as count:
                answer = client.get(address)
            seen = count[0]
            number += 1
            if answer.status_code != 200:
                broken.append(f"{name} before query {number}: {answer.status_code}")
    assert broken == []


def test_a_refused_form_that_shows_the_table_does_not_break_either(stage: tuple[Actor, Section]) -> None:
    organizer, section = stage
    assert organizer.user is not None
    Role.objects.create(event=section.event, user=organizer.user, kind=Role.Kind.CHIEF_ARBITER)
    client = Client(raise_request_exception=False)
    client.force_login(organizer.user)
    writers = Writers(organizer, section)
    number, seen, broken = 0, 1, []
    while number < seen:
        with written_between(number, writers.result) as count:
            answer = client.post(reverse("desk:adjust", args=[section.pk]), {"points": "many"})
        seen = count[0]
        number += 1
        if answer.status_code != 400:
            broken.append(f"before query {number}: {answer.status_code}")
    assert broken == []


def test_a_page_shows_the_points_and_the_table_of_one_moment(stage: tuple[Actor, Section]) -> None:
    """What the table gives a player and what his own rounds add up to are numbers of one edition."""
    organizer, section = stage
    writers = Writers(organizer, section)
    address = reverse(
        "api-workings", args=[section.event.code, section.code, builders.entry_list(section)[0].pk]
    )
    for number in range(12):
        before = Client().get(address).json()
        with written_between(number, writers.result):
            during = Client().get(address).json()
        after = Client().get(address).json()
        assert during in (before, after), number


def test_a_job_reads_one_snapshot(stage: tuple[Actor, Section]) -> None:
    """A player entered, taken out, a round published: between any two statements of the job that computes the table."""
    organizer, section = stage

    def come_and_go() -> None:
        made = entries.add_entry(organizer, section.pk, {"name": f"Late {threading.get_native_id()}"})
        Entry.objects.filter(pk=made.pk).delete()
        Writers(organizer, section).publication()

    number, seen = 0, 1
    while number < seen:
        board = Pairing.objects.get(round__section=section, round__number=1, board=1)
        outcome = "BLACK" if board.outcome != "BLACK" else "DRAW"
        results.record_outcome(
            organizer, board.pk, outcome=outcome, version=board.version, reason="read again"
        )
        job = Job.objects.get(section=section, kind=Job.Kind.STANDINGS, state=Job.State.QUEUED)
        with written_between(number, come_and_go) as count:
            jobs.run(job.pk, RUNNERS)
        seen = count[0]
        number += 1
        builders.work_all(section)
        job.refresh_from_db()
        assert (job.state, job.error_code) == (Job.State.DONE, ""), number
        section.refresh_from_db()
        newest = (
            Standings.objects.filter(section=section)
            .order_by("after_round", "-version")
            .distinct("after_round")
        )
        assert {table.version for table in newest} == {section.version}


def test_a_snapshot_of_a_section_is_of_one_moment(stage: tuple[Actor, Section]) -> None:
    """The engine's input, read while a player is taken out of the list: whole, before or after."""
    organizer, section = stage
    number, seen = 0, 1
    while number < seen:
        name = f"Late {number}"
        late = entries.add_entry(organizer, section.pk, {"name": name})
        Entry.objects.filter(pk=late.pk).update(number=100 + number)

        def leave(late: Entry = late) -> None:
            Entry.objects.filter(pk=late.pk).delete()

        with written_between(number, leave) as count, one_snapshot():
            snap = snapshot.load(section)
        seen = count[0]
        number += 1
        assert set(snap.entry_of.values()) == set(snap.number_of)


def test_a_page_that_only_reads_cannot_write(stage: tuple[Actor, Section]) -> None:
    with pytest.raises(InternalError, match="read-only"), one_snapshot():
        Section.objects.update(name="written by a reader")
