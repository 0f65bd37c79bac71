"""The description of the interface: whole, without warnings, and with a page that the security policy lets run."""

from __future__ import annotations

import re
from io import StringIO

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern

from games.web.api import urls as games_urls
from tournaments.web.api import urls


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> dict:
    path = tmp_path_factory.mktemp("schema") / "schema.yml"
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(path), stderr=StringIO())
    return yaml.safe_load(path.read_text("utf-8"))


def test_every_method_is_described_with_its_errors(schema: dict) -> None:
    for pattern in [*urls.urlpatterns, *games_urls.urlpatterns]:
        assert isinstance(pattern, URLPattern)
        path = "/api/v1/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        view = pattern.callback.view_class
        methods = {m for m in ("get", "post", "put", "patch", "delete") if hasattr(view, m)}
        assert schema["paths"][path].keys() == methods
        for method in methods:
            operation = schema["paths"][path][method]
            refusals = [status for status in operation["responses"] if status >= "400"]
            assert operation["operationId"] and operation["tags"]
            assert refusals, (path, method)


def test_operations_have_names_of_their_own(schema: dict) -> None:
    names = [operation["operationId"] for path in schema["paths"].values() for operation in path.values()]

    assert len(names) == len(set(names))


def test_lists_are_paged(schema: dict) -> None:
    for path, methods in schema["paths"].items():
        operation = methods.get("get", {})
        if not operation.get("operationId", "").startswith("list_"):
            continue
        names = {parameter["name"] for parameter in operation["parameters"]}
        assert {"page", "page_size"} <= names, path


@pytest.mark.django_db
def test_the_page_runs_no_script_of_its_own_text_and_loads_none_from_elsewhere() -> None:
    page = Client().get("/api/docs/")
    text = page.content.decode()

    assert page.status_code == 200
    assert "script-src 'self';" in page["Content-Security-Policy"]
    sources = re.findall(r"<script[^>]*\bsrc=\"([^\"]+)\"", text)
    assert sources and all(source.startswith("/") for source in sources)
    assert len(sources) == len(re.findall(r"<script", text))
    assert not re.search(r"\son\w+=", text)
    for address in re.findall(r"(?:href|src)=\"([^\"]+)\"", text):
        assert address.startswith(("/", "data:")), address


@pytest.mark.django_db
def test_the_pages_own_script_is_served_as_a_script() -> None:
    page = Client().get("/api/docs/").content.decode()
    (own,) = [source for source in re.findall(r"src=\"([^\"]+)\"", page) if source.startswith("/api/docs/")]

    reply = Client().get(own.replace("&amp;", "&"))

    assert reply.status_code == 200
    assert reply["Content-Type"].startswith("application/javascript")
