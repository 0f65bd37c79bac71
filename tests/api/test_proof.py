"""A published round's reasons and proof through the interface: for anybody, a few a minute, and of drafts nothing."""

from __future__ import annotations

import hashlib

import pytest
from rest_framework.test import APIClient

from tests.api.conftest import Caller, at
from tests.tournaments import builders as b
from tournaments.audit import Actor
from tournaments.models import Round, Section
from tournaments.services import draft
from tournaments.web.throttling import QUESTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def paired(organizer: Actor, section: Section) -> Section:
    b.play_round(organizer, section)
    b.publish_next(organizer, section)
    section.refresh_from_db()
    return section


def test_the_reasons_of_every_board_are_told(paired: Section) -> None:
    why = Caller().get(at(paired, "rounds/2/why/"))

    assert (why["round"], why["count"], why["changes"]) == (2, 3, [])
    assert all(board["kept"] and board["reasons"] for board in why["results"])
    content = APIClient().get(why["input"]).content
    assert hashlib.sha256(content).hexdigest() == why["digest"]
    assert APIClient().get(why["report"]).status_code == 200


def test_what_the_arbiter_changed_stands_beside_it(organizer: Actor, section: Section) -> None:
    round_ = b.draft(organizer, section)
    board = round_.pairings.get(board=1)
    version = Section.objects.get(pk=section.pk).version
    draft.swap(
        organizer, round_.pk, first=board.white_id, second=board.black_id, version=version, reason="colours"
    )
    Caller(organizer).done("post", at(section, "rounds/1/publication/"))

    why = Caller().get(at(section, "rounds/1/why/"))

    assert [(change["verb"], change["reason"]) for change in why["changes"]] == [("swap", "colours")]
    assert [line["kept"] for line in why["results"]] == [False, True, True]


def test_the_proof_is_computed_again_for_anybody(paired: Section) -> None:
    found = Caller().done("post", at(paired, "rounds/2/recomputation/"))

    assert (found["is_proven"], found["boards_agree"]) == (True, True)
    assert found["digest"] == found["stored_digest"] == paired.rounds.get(number=2).digest


def test_a_round_that_was_tampered_with_is_not_proven(paired: Section) -> None:
    Round.objects.filter(section=paired, number=2).update(digest="0" * 64)

    found = Caller().done("post", at(paired, "rounds/2/recomputation/"))

    assert (found["is_proven"], found["boards_agree"]) == (False, True)


def test_why_not_is_answered_in_sentences(paired: Section) -> None:
    met = paired.rounds.get(number=1).pairings.get(board=1)
    numbers = {"first": met.white.number, "second": met.black.number}

    answer = Caller().done("post", at(paired, "rounds/2/why-not/"), numbers)

    assert answer["first"] == f"{met.white.number} {met.white.player.name}"
    assert answer["sentences"]


@pytest.mark.parametrize("sent", [{}, {"first": 1}, {"first": 1, "second": 1}, {"first": 1, "second": 99}, {"first": "x", "second": 2}])  # fmt: skip
def test_a_question_that_names_no_two_players_is_refused(paired: Section, sent: dict[str, object]) -> None:
    assert Caller().refused("post", at(paired, "rounds/2/why-not/"), sent) == (400, "bad-input")


def test_a_round_without_an_engine_has_nothing_to_compute(organizer: Actor, paired: Section) -> None:
    Round.objects.filter(section=paired).update(canonical_input="")

    assert Caller().refused("post", at(paired, "rounds/2/recomputation/")) == (409, "wrong-state")
    assert Caller().get(at(paired, "rounds/2/why/"))["input"] == ""


def test_questions_of_one_address_are_counted(paired: Section) -> None:
    numbers = {"first": 1, "second": 2}
    for _question in range(QUESTIONS):
        Caller().done("post", at(paired, "rounds/2/why-not/"), numbers)

    assert Caller().refused("post", at(paired, "rounds/2/why-not/"), numbers) == (429, "throttled")
    assert Caller().refused("post", at(paired, "rounds/2/recomputation/")) == (429, "throttled")


def test_of_a_draft_nothing_is_told(organizer: Actor, paired: Section) -> None:
    b.enter_all(organizer, paired.rounds.get(number=2))
    b.draft(organizer, paired)

    for method, path in (("get", "why/"), ("post", "recomputation/"), ("post", "why-not/")):
        body = {"first": 1, "second": 2} if method == "post" else None
        assert Caller(organizer).refused(method, at(paired, f"rounds/3/{path}"), body) == (404, "not-found")
