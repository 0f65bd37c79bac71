"""The busiest minute of a hall: a whole form of results, and a long entry list from a file, each with its limit in seconds."""

from __future__ import annotations

import time
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests import factories
from tests.entry_lists import enter_list
from tests.tournaments import builders, crowd
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.importers.entry_list import Repeats
from tournaments.models import AuditEntry, Entry, Pairing, Section
from tournaments.services import entry_import, events

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stage() -> tuple[Actor, Section]:
    organizer = builders.organizer()
    return organizer, builders.section(organizer, rounds_total=9)


def test_500_results_in_one_form(stage: tuple[Actor, Section], capsys: pytest.CaptureFixture[str]) -> None:
    organizer, section = stage
    entries = crowd.enter(section, 1000)
    round_ = crowd.publish(section, entries)
    client: Client = client_of(organizer.user)
    posted = {}
    for pairing in Pairing.objects.filter(round=round_):
        posted |= {f"version-{pairing.pk}": "0", f"was-{pairing.pk}": "", f"outcome-{pairing.pk}": "WHITE"}
    address = url("results", section_id=section.pk, number=1)
    client.get(address)
    body = urlencode(posted)
    began = time.perf_counter()
    answer = client.post(address, body, content_type="application/x-www-form-urlencoded")
    seconds = time.perf_counter() - began
    with capsys.disabled():
        print(f"\n500 results in one form: {seconds:.2f} s (limit 1 s)")
    assert answer.status_code == 302
    assert Pairing.objects.filter(round=round_, outcome="WHITE").count() == 500
    assert AuditEntry.objects.filter(action="record-outcome").count() == 500
    assert seconds <= 1


@pytest.mark.parametrize("entered", ["in this section", "in another section"])
def test_6000_names_into_a_section_of_6000(
    stage: tuple[Actor, Section], capsys: pytest.CaptureFixture[str], entered: str
) -> None:
    organizer, section = stage
    names = [f"{factories.person_name(index)} N{index}" for index in range(1, 6001)]
    lines = ["name,club,rating,birth year"]
    lines += [
        f"{name},Club {index % 97},{1000 + index % 900},{1950 + index % 60}"
        for index, name in enumerate(names)
    ]
    content = "\n".join(lines).encode()
    other = section
    if entered == "in another section":
        other = events.create_section(organizer, section.event_id, {"name": "B", "code": "b"})
        crowd.enter(section, 6000)
    if entered != "in this section":
        enter_list(organizer, other.pk, filename="list.csv", content=content)
    else:
        crowd.enter(section, 6000)
    options = entry_import.Options(repeats=Repeats.SKIP)
    began = time.perf_counter()
    enter_list(organizer, section.pk, filename="list.csv", content=content, options=options)
    seconds = time.perf_counter() - began
    with capsys.disabled():
        print(f"\n6,000 names into a section of 6,000 ({entered}): {seconds:.2f} s (limit 3 s)")
    assert Entry.objects.filter(section=section).count() == 12000
    assert seconds <= 3
