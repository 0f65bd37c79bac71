"""Why a round is paired so: every board of a real draft is told in sentences, in both languages."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from tests.tournaments import builders, public_addresses
from tournaments.engine.swiss.colours import ColourRule
from tournaments.engine.swiss.explain import Role
from tournaments.engine.swiss.vector import Criterion
from tournaments.models import Event
from tournaments.wording import pairings


def naming(number: int) -> str:
    return f"P{number}"


@pytest.mark.parametrize("criterion", list(Criterion))
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_criterion_has_words(criterion, language) -> None:
    with translation.override(language):
        text = pairings.refusal_words({"criterion": criterion.value, "round": 3, "player": 7}, naming)

    assert text not in ("", criterion.value)
    assert "%(" not in text
    assert (max(text) >= "\u4e00") is (language == "zh-hans")


def test_every_role_and_colour_rule_has_words() -> None:
    assert {role.value for role in Role} == set(pairings._ROLES)
    assert {rule.value for rule in ColourRule} == set(pairings._COLOUR_RULES)


def test_a_refused_opponent_is_told_once() -> None:
    refused = {"criterion": "C1", "round": 2, "player": 5}
    white = {
        "player": 1,
        "role": "S1",
        "number": 1,
        "score": 4,
        "opponent": 6,
        "natural": 5,
        "refused": refused,
    }
    black = {"player": 6, "role": "S2", "number": 6, "score": 4, "opponent": 1, "natural": 1}

    with translation.override("en"):
        told = pairings.board_words(white, black, naming)

    assert told == [
        "P1 is number 1 of the score group of 4, in the upper half.",
        "P6 is number 6 of the score group of 4, in the lower half.",
        "The turn of P1 was P5, but they have met in round 2 (C1).",
    ]


def test_the_bye_says_who_did_not_get_it() -> None:
    passed = [{"player": 9, "refusal": {"criterion": "C2", "player": 9, "round": 1}}]

    with translation.override("en"):
        told = pairings.board_words(
            {"player": 7, "role": "bye", "score": 0, "passed_over": passed}, None, naming
        )

    assert told == [
        "P7, of the score group of 0, gets the bye.",
        "Not P9: P9 has had a bye or a win without play already (C2).",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_board_of_a_round_is_explained(client, language) -> None:
    organizer = builders.organizer()
    section = builders.section(organizer, players=11, rounds_total=5)
    Event.objects.update(state=Event.State.OPEN)
    for _round in range(4):
        builders.play_round(organizer, section)

    for number in (1, 4):
        address = public_addresses.of_round(section, number)["why"]
        body = client.get(address, headers={"accept-language": language}).content.decode()
        boards = re.findall(r"<details>.*?</details>", body, flags=re.DOTALL)

        assert len(boards) == 6
        assert all(board.count("<li>") >= 1 for board in boards)
        assert "%(" not in body
