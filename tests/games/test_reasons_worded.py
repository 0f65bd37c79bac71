"""A reason that the program gives is worded for its reader, wherever and in whatever language it was written down."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.models import Ruling
from tests.games import case_cast as cases
from tests.games.court_cast import Court, court, ruled, user_of
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor, reasons
from tournaments.models import AuditEntry


@pytest.fixture
def stage() -> Court:
    return court(members=4)


def page(who: Actor | None, address: str, language: str) -> str:
    client = client_of(user_of(who)) if who else Client()
    return client.get(address, headers={"accept-language": language}).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("written_in", ["en", "zh-hans"])
def test_a_decision_is_named_in_the_readers_language(stage: Court, written_in: str) -> None:
    with translation.override(written_in):
        cases.decided(stage)
    court_page = reverse("games:court", args=[stage.event.pk])
    log = reverse("desk:log", args=[stage.event.pk])

    assert AuditEntry.objects.filter(reason__startswith='{"reason": "decision"').exists()
    for address in (court_page, log):
        english, chinese = page(stage.organizer, address, "en"), page(stage.organizer, address, "zh-hans")
        assert "Decision on appeal 1" in english and "申诉的决定" not in english
        assert "第1号申诉的决定" in chinese and "Decision on appeal" not in chinese
        assert '"reason"' not in english and "&quot;reason&quot;" not in english


@pytest.mark.django_db
@pytest.mark.parametrize("written_in", ["en", "zh-hans"])
def test_a_result_by_a_ruling_says_so_in_the_readers_language(stage: Court, written_in: str) -> None:
    with translation.override(written_in):
        ruled(stage, "GAME_LOST", board=2)
    results = reverse("desk:results", args=[stage.section.pk, stage.round.number])
    game = reverse("games:desk_game", args=[stage.board(2).pk])

    for who, address in ((stage.chief, results), (stage.arbiter, game)):
        english, chinese = page(who, address, "en"), page(who, address, "zh-hans")
        assert "game lost" in english
        assert "判负" in chinese and "game lost" not in chinese
        assert "&quot;reason&quot;" not in english + chinese


@pytest.mark.parametrize(
    "text",
    ["", "late", '{"reason": ', '{"reason": "nothing"}', '{"reason": ["x"]}', '{"reason": "decision"}'],
)
def test_what_a_person_typed_is_shown_as_typed(text: str) -> None:
    assert reasons.worded(text) == text
    assert reasons.typed(text) == text


def test_a_ruling_in_a_decision_has_no_typed_text() -> None:
    assert reasons.typed(Ruling(text=reasons.coded(reasons.DECISION, number=3)).text) == ""
