"""What a body says that the address does not know is refused, never swallowed."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework import serializers

from tests.api.conftest import Caller, at
from tournaments.audit import Actor
from tournaments.models import Section
from tournaments.web.request_fields import refuse_unknown

pytestmark = pytest.mark.django_db


def refusal(caller: Caller, method: str, path: str, body: Any) -> dict[str, Any]:
    reply = caller.call(method, path, body)
    assert reply.status_code == 400, reply.content
    fields: dict[str, Any] = reply.json()["details"]["fields"]
    return fields


def test_a_new_section_with_a_field_nobody_knows_is_not_made(organizer: Actor, section: Section) -> None:
    path = f"events/{section.event.code}/sections/"
    wrong = refusal(Caller(organizer), "post", path, {"name": "公开组", "bye_value": 1, "colour": "red"})
    assert wrong == {"bye_value": ["There is no such field."], "colour": ["There is no such field."]}
    assert section.event.sections.count() == 1


def test_no_address_of_the_desk_swallows_a_field(organizer: Actor, section: Section) -> None:
    caller = Caller(organizer)
    for method, path, body in (
        ("patch", at(section), {"is_closed": True}),
        ("post", at(section, "entries/"), {"name": "Anna", "elo": 2000}),
        ("post", at(section, "reopening/"), {"reason": "a slip", "force": True}),
        ("post", at(section, "rounds/1/results/"), {"results": [], "quiet": True}),
        ("patch", f"events/{section.event.code}/", {"titel": "A"}),
    ):
        reply = caller.call(method, path, body)
        if reply.status_code in (404, 405):
            continue
        unknown = set(body) - {"name", "reason", "results"}
        assert reply.status_code == 400 and unknown <= set(reply.json()["details"]["fields"]), (
            path,
            reply.content,
        )


def test_the_depth_of_a_body_is_searched() -> None:
    class Line(serializers.Serializer[Any]):
        board = serializers.IntegerField()

    class Body(serializers.Serializer[Any]):
        lines = Line(many=True)
        policy = serializers.DictField()

    body = {"lines": [{"board": 1}, {"board": 2, "colour": "w"}], "policy": {"direct": "any"}, "x": 1}
    with pytest.raises(serializers.ValidationError) as told:
        refuse_unknown(Body(), body)
    assert list(told.value.detail) == ["lines.1.colour", "x"]
    refuse_unknown(Body(), {"lines": [{"board": 1}], "policy": {"direct": "any"}})
