"""Every choice that the form or the API of a section offers is saved, and comes back from the event's document as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework import serializers
from rest_framework.test import APIClient

from tests.tournaments import builders
from tests.tournaments.desk_cast import client_of, url
from tournaments.audit import Actor
from tournaments.engine.policies import CHOICE_TEXTS, TieBreakPolicy
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import Event, Section
from tournaments.services import events
from tournaments.services.event_import import import_event
from tournaments.web.api.sections import SectionFieldsSerializer
from tournaments.web.desk.forms.sections import SectionForm

pytestmark = pytest.mark.django_db

PLAIN = {
    "name": "公开组", "format": "SWISS", "rounds_total": "5", "numbering": "RATING", "ranking": "RATING",
    "initial_colour": "w", "scheme": "STD", "preset": "CN_SWISS", "withdrawal": "STAND", "lateness_limit": "60",
    "appeal_fee": "500", "appeal_deadline": "30", "protect_clubs_rounds": "0",
}  # fmt: skip

# What some values need beside them; alone they are refused with a sentence, as the walk over all pairs tells.
COMPANIONS: dict[tuple[str, Any], dict[str, Any]] = {
    ("match_rule", "WTM_2020"): {"scheme": "MICRO12"},
    ("match_rule", "WORLD_CUP_FINAL_2017"): {"scheme": "MICRO5"},
    ("third_place", True): {"format": "KNOCKOUT"},
}


def companions(name: str, value: Any) -> dict[str, Any]:
    if name.startswith("stage_") and name.endswith("_pace") and value:
        return {name.replace("pace", "games"): "2", name.replace("pace", "score"): "2-0", "stage_drawn": "1"}
    return {} if isinstance(value, dict) else COMPANIONS.get((name, value), {})


def form_choices() -> Iterator[tuple[str, str]]:
    for name, field in SectionForm(section=None).fields.items():
        for value, _text in getattr(field, "choices", ()):
            yield name, str(value)


def api_choices() -> Iterator[tuple[str, Any]]:
    for name, field in SectionFieldsSerializer().fields.items():
        if isinstance(field, serializers.ChoiceField):
            yield from ((name, value) for value in field.choices)
        elif isinstance(field, serializers.BooleanField):
            yield from ((name, value) for value in (True, False))


def policy_choices() -> Iterator[tuple[str, Any]]:
    for name in CHOICE_TEXTS:
        default = getattr(TieBreakPolicy(), name)
        words = [True, False] if isinstance(default, bool) else [word.value for word in type(default)]
        yield from ((name, word) for word in words)


@pytest.fixture
def organizer() -> Actor:
    return builders.organizer()


@pytest.fixture
def event(organizer: Actor) -> Event:
    return events.create_event(organizer, {"name": "岳阳公开赛"})


def copies(event: Event, actor: Actor) -> list[Section]:
    """The sections of the event after it was exported and imported again."""
    return list(import_event(actor, as_text(export_event(event)).encode()).event.sections.all())


def options(section: Section) -> dict[str, Any]:
    return {name: getattr(section, name) for name in events.SECTION_FIELDS}


def test_every_choice_of_the_form_is_saved_and_comes_back(organizer: Actor, event: Event) -> None:
    client: Client = client_of(organizer.user)
    choices = list(form_choices())
    assert {"format", "scheme", "preset", "match_rule", "tiebreak_0", "policy_direct"} <= dict(choices).keys()

    for name, value in choices:
        reply = client.post(
            url("section_new", event_id=event.pk), {**PLAIN, **companions(name, value), name: value}
        )
        assert reply.status_code == 302, (name, value, reply.context["form"].errors)
        made = event.sections.latest("pk")
        if name in Section._meta._forward_fields_map:
            assert getattr(made, name) == value
    for name, value in choices:
        assert SectionForm(section=None).fields[name].valid_value(value)

    assert [options(copy) for copy in copies(event, organizer)] == [
        options(made) for made in event.sections.all()
    ]


def test_every_choice_of_the_api_is_saved_and_comes_back(organizer: Actor, event: Event) -> None:
    client = APIClient(headers={"accept-language": "en"})
    client.force_authenticate(organizer.user)
    path = f"/api/v1/events/{event.code}/sections/"

    def saved(name: str, value: Any) -> None:
        reply = client.post(path, {"name": "公开组", **companions(name, value), name: value}, format="json")
        assert reply.status_code == 201, (name, value, reply.content)
        assert reply.json().get(name, value) == value
        assert getattr(event.sections.get(code=reply.json()["code"]), name) == value

    for name, value in api_choices():
        saved(name, value)
    for name, value in policy_choices():
        saved("policy", {name: value})

    assert [options(copy) for copy in copies(event, organizer)] == [
        options(made) for made in event.sections.all()
    ]
