"""The arbiter's report: figures from what the site holds, the chief arbiter's words, the organizer's answer."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import ArbiterReport
from tests.games import case_cast as cases
from tests.games.court_cast import Court, court, ruled, user_of
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court(members=4)


def at(stage: Court) -> str:
    return reverse("games:report", args=[stage.event.pk])


def page(stage: Court, who: Actor, language: str = "en") -> str:
    return client_of(user_of(who)).get(at(stage), headers={"accept-language": language}).content.decode()


def write(client: Client, stage: Court, *, version: int, **fields: str) -> int:
    sent = {"part": "report", "remarks": "", "proposals": "", "version": version, **fields}
    return client.post(at(stage), sent).status_code


def test_it_counts_games_rulings_and_appeals(stage: Court) -> None:
    cases.filed(stage)
    ruled(stage, "WARNING", board=2)

    text = page(stage, stage.chief)

    assert "public warning: 1." in text.lower()
    assert "2 incidents were logged." in text
    assert 'class="num">4</td>' not in text.split("Rulings and penalties")[1]
    line = text.split("<tbody>")[1].split("</tbody>")[0]
    # rounds, players, left, White, drawn, Black, forfeits, others, open, corrections
    assert [cell.split("<")[0] for cell in line.split('class="num">')[1:]][:3] == ["2", "8", "0"]


@pytest.mark.clause("15.2.22", "15.2.23", at="games/services/court/reports.py")
def test_the_chief_arbiter_proposes_and_the_organizer_answers(stage: Court) -> None:
    chief, organizer = client_of(user_of(stage.chief)), client_of(user_of(stage.organizer))
    answer = {"part": "feedback", "feedback": "Ordered.", "version": 1}

    assert organizer.post(at(stage), answer | {"version": 0}).status_code == 409
    assert write(chief, stage, version=0, remarks="Quiet.", proposals="More clocks.") == 302
    assert organizer.post(at(stage), answer).status_code == 302

    text = page(stage, stage.arbiter)
    assert "Quiet." in text and "More clocks." in text and "Ordered." in text


def test_only_the_chief_writes_and_only_the_organizer_answers(stage: Court) -> None:
    for who in (stage.arbiter, stage.organizer):
        assert write(client_of(user_of(who)), stage, version=0, remarks="x") == 403
    assert write(client_of(user_of(stage.committee[0])), stage, version=0, remarks="x") == 403
    assert not ArbiterReport.objects.exists()


def test_what_was_written_meanwhile_is_not_lost(stage: Court) -> None:
    chief = client_of(user_of(stage.chief))
    write(chief, stage, version=0, remarks="first")

    late = chief.post(at(stage), {"part": "report", "remarks": "second", "proposals": "", "version": 0})

    assert late.status_code == 409
    assert ">\nsecond</textarea>" in late.content.decode() and 'value="1"' in late.content.decode()
    assert ArbiterReport.objects.get().remarks == "first"
    assert write(chief, stage, version=1, remarks="second") == 302


def test_more_rulings_make_no_more_queries(stage: Court) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            page(stage, stage.chief, "zh-hans")
        return len(caught)

    ruled(stage, "WARNING")
    before = queries()
    for board in (2, 3, 4):
        ruled(stage, "WARNING", board=board)

    assert queries() == before
