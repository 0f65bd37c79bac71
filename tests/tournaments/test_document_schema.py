"""The published JSON Schema is the one that documents are held against, and documents of this site keep to it."""

from __future__ import annotations

import copy
import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command
from django.test import Client

from tests.tournaments.whole_event import build
from tournaments.documents.ledger import json_schema
from tournaments.exports.event_json import export_event

PUBLISHED = Path(__file__).parents[2] / "docs" / "event-document.schema.json"


def test_the_published_schema_is_up_to_date() -> None:
    out = StringIO()

    call_command("document_schema", stdout=out)

    assert PUBLISHED.read_text("utf-8") == out.getvalue()  # else: manage.py document_schema > docs/...
    jsonschema.Draft202012Validator.check_schema(json.loads(out.getvalue()))


@pytest.mark.django_db
def test_the_schema_stands_at_its_address() -> None:
    answer = Client().get("/api/schema/event-document.json")

    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/schema+json")
    assert answer.json() == json_schema()


@pytest.mark.django_db
def test_an_exported_event_keeps_to_the_schema() -> None:
    jsonschema.validate(export_event(build(), with_log=True), json_schema())


@pytest.mark.django_db
def test_a_member_that_nobody_reads_and_a_value_out_of_bounds_break_the_schema() -> None:
    sound = export_event(build())
    for path, value in ((("players", 0, "surprise"), 1), (("sections", 0, "rounds", 0, "number"), 0)):
        document = copy.deepcopy(sound)
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, json_schema())
