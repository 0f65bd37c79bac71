"""Decisions of the time before holds were kept: brought up, they are held as those made since."""

from __future__ import annotations

import datetime as dt
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from games.services.court import incidents, lateness, rulings
from games.services.court.effects import Measure
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests.games import case_cast as cases
from tests.games import match_cast
from tests.games.boards import actor
from tests.games.court_cast import Court, court
from tournaments.models import Hold, Role, Round, Section

pytestmark = pytest.mark.django_db

bring_up = import_module("games.migrations.0008_decisions_hold").hold_decided


def held(section: Section) -> list[Any]:
    names = ("case", "kind", "is_final", "pairing", "number", "round_number", "board", "values")
    return list(
        Hold.objects.filter(section=section, ended_at__isnull=True).order_by("pk").values_list(*names)
    )


def forget(section: Section) -> list[Any]:
    """What was held; nothing is held any more."""
    found = held(section)
    Hold.objects.filter(section=section).delete()
    return found


def test_a_result_and_a_board_that_is_open_again_are_held() -> None:
    stage = court(members=3)
    Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(minutes=61))
    (late,) = lateness.rule_lateness(stage.arbiter, stage.round.pk, {stage.board(1).pk: "W"})
    cases.decided(stage, verdict="PARTLY", measures=[Measure(effect="RESULT", outcome="DRAW")], ruling=late)
    (late,) = lateness.rule_lateness(stage.arbiter, stage.round.pk, {stage.board(2).pk: "W"})
    cases.decided(stage, verdict="UPHOLD", ruling=late)
    before = forget(stage.section)
    assert [row[1] for row in before] == ["RESULT", "TO_PLAY"]

    bring_up(apps, None)

    assert held(stage.section) == before


def test_a_game_of_a_match_is_held_and_the_others_go_on() -> None:
    stage = match_cast.team_match()
    whole = Court(
        section=stage.section, entries=[stage.white, stage.black], round=stage.round, organizer=stage.organizer,
        chief=stage.chief, arbiter=stage.arbiter,
        committee=[actor(stage.event, Role.Kind.COMMITTEE) for _i in range(3)],
    )  # fmt: skip
    incident = incidents.log_incident(
        stage.arbiter, stage.pairing.pk, Report(category="CONDUCT", raised_by="A", against="W", game=2)
    )
    ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))
    drawn = Measure(effect="RESULT", outcome="DRAW")
    cases.decided(whole, ruling=ruling, verdict="PARTLY", measures=[drawn])
    before = forget(stage.section)
    assert [(row[1], row[4]) for row in before] == [("RESULT", 2)]

    bring_up(apps, None)

    assert held(stage.section) == before
