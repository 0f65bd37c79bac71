"""The tie-break by fouls counts the court's public warnings, and forgets one that is taken back."""

from __future__ import annotations

import pytest

from games.services.court import rulings
from tests.games.court_cast import Court, court, ruled
from tournaments.models import Section, Standings
from tournaments.services.runners import work_off_waiting

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    made = court()
    Section.objects.filter(pk=made.section.pk).update(tiebreaks=["FOULS"])
    return made


def fouls_of(stage: Court, entry: int | None) -> object:
    work_off_waiting(stage.section.pk)
    table = Standings.objects.filter(section=stage.section).order_by("-after_round", "-version").first()
    assert table is not None
    return next(row["values"]["FOULS"] for row in table.rows if row["entry"] == entry)


def test_a_public_warning_is_a_foul_until_it_is_taken_back(stage: Court) -> None:
    warning = ruled(stage, "WARNING")

    assert fouls_of(stage, stage.board().white_id) == 1
    assert fouls_of(stage, stage.board().black_id) == 0

    rulings.withdraw_ruling(stage.chief, warning.pk, reason="seen wrongly")

    assert fouls_of(stage, stage.board().white_id) == 0


def test_a_reminder_is_no_foul(stage: Court) -> None:
    ruled(stage, "REMINDER")

    assert not Standings.objects.filter(section=stage.section, rows__contains=[{"values": {"FOULS": 1}}])
