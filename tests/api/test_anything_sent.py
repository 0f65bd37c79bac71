"""Every address of the API with what its description allows and what it does not: never a fault, always the one shape."""

from __future__ import annotations

import json
import os
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
import yaml
from django.core.management import call_command
from hypothesis import HealthCheck, Phase, given, settings
from rest_framework.test import APIClient
from schemathesis import GenerationMode

from tests.tournaments import builders as b
from tournaments.models import Section

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))  # for each address; more by hand
SHAPE = {"code", "message", "details"}


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    path: Path = tmp_path_factory.mktemp("schema") / "schema.yml"
    call_command("spectacular", file=str(path), stderr=StringIO())
    schema = schemathesis.openapi.from_dict(yaml.safe_load(path.read_text("utf-8")))
    return [found.ok() for found in schema.get_all_operations()]


@pytest.fixture
def section() -> Section:
    return b.section(b.organizer(), players=4)


@pytest.mark.parametrize(
    "mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["allowed", "not allowed"]
)
def test_no_address_of_the_api_fails(operations: list[Any], section: Section, mode: GenerationMode) -> None:
    staff = b.organizer().user
    faults: list[str] = []
    statuses: list[int] = []
    client = APIClient(raise_request_exception=False)
    client.force_authenticate(staff)

    for operation in operations:

        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            path = case.formatted_path
            body = case.body if isinstance(case.body, dict | list) else {}
            reply = client.generic(
                case.method,
                path,
                _json(body),
                content_type="application/json",
                QUERY_STRING=_query(case.query),
            )
            told = f"{case.method} {path}: {reply.status_code}"
            statuses.append(reply.status_code)
            if reply.status_code >= 500:
                faults.append(told)
            elif reply.status_code >= 400 and set(reply.json()) != SHAPE:
                faults.append(f"{told} in another shape")

        try:
            send()
        except Exception as error:  # nothing of this kind can be made for the address
            if "Unsatisfiable" not in type(error).__name__:
                raise

    assert faults == []
    # Not in vain: most addresses were asked, and what is allowed was also answered.
    assert len(statuses) > len(operations) / 2, len(statuses)
    assert mode is GenerationMode.NEGATIVE or 200 in statuses


def _json(body: Any) -> str:
    return json.dumps(body, default=str)


def _query(query: Any) -> str:
    return urlencode({name: str(value) for name, value in (query or {}).items()})
