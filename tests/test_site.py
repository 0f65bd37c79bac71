"""What holds for the site as a whole: its secret, its headers, its languages, its errors."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.db.utils import OperationalError
from django.test import Client, RequestFactory
from psycopg.errors import DiskFull
from rest_framework import exceptions
from rest_framework.test import APIClient

from config import environment
from config.api import exception_handler
from config.problems import OperatorProblem, one_sentence
from tournaments.errors import Conflict

ROOT = Path(__file__).resolve().parent.parent


def test_the_secret_key_is_drawn_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)

    first = environment.secret_key(tmp_path)

    assert len(first) >= 50
    assert environment.secret_key(tmp_path) == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_processes_that_start_at_once_have_one_secret_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)

    ask = f"from pathlib import Path; from config import environment as e; print(e.secret_key(Path({str(tmp_path)!r})))"
    with ThreadPoolExecutor() as pool:
        keys = list(
            pool.map(
                lambda _: subprocess.check_output([sys.executable, "-c", ask], cwd=ROOT, text=True), range(3)
            )
        )

    assert len(set(keys)) == 1


def test_a_secret_key_given_is_used_and_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")

    assert environment.secret_key(tmp_path) == "given"
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_setting_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "maybe")
    monkeypatch.setenv("PORT", "http")

    with pytest.raises(OperatorProblem, match="DEBUG is 'maybe': write 1 or 0"):
        environment.flag("DEBUG")
    with pytest.raises(OperatorProblem, match="PORT is 'http': write a whole number"):
        environment.number("PORT", 8000)


def test_a_disk_that_fills_up_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(SystemExit, match="Error: the disk is full: free some space for /data/x"),
        one_sentence(),
    ):
        raise OSError(28, "No space left on device", "/data/x")


def test_a_database_whose_disk_fills_up_is_told_in_one_sentence() -> None:
    with pytest.raises(SystemExit, match="Error: the disk of the database is full"), one_sentence():
        raise OperationalError("could not extend file") from DiskFull("could not extend file")


def test_a_real_fault_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError), one_sentence():
        _ = 1 // 0


def test_debug_is_off_unless_asked_for() -> None:
    assert settings.DEBUG is False


@pytest.mark.django_db
def test_every_answer_carries_the_safety_headers(client: Client) -> None:
    headers = client.get("/healthz").headers

    assert "script-src 'self'; style-src 'self';" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_healthz_names_what_is_down(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 503
    assert response.json() == {
        "ok": False,
        "down": ["worker"],
        "parts": {"web": "up", "database": "up", "disk": "up", "worker": "down", "broker": "up"},
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "accept", "cookie", "expected"),
    [
        ("/healthz", "", "", "zh-hans"),
        ("/healthz", "en-GB,en;q=0.8", "", "en"),
        ("/healthz", "zh-CN,zh;q=0.9", "", "zh-hans"),
        ("/healthz", "zh-CN", "en", "en"),
        ("/healthz?lang=en", "zh-CN", "zh-hans", "en"),
        ("/healthz?lang=zh-hans", "en", "en", "zh-hans"),
        ("/healthz?lang=xx", "en", "", "en"),
    ],
)
def test_the_language_is_the_one_asked_for(
    client: Client, address: str, accept: str, cookie: str, expected: str
) -> None:
    if cookie:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie

    response = client.get(address, headers={"accept-language": accept})

    assert response.headers["Content-Language"] == expected


@pytest.mark.django_db
def test_the_language_switch_needs_no_token_and_stays_on_the_site(client: Client) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/language/", {"language": "en", "next": "https://evil.example/"})

    assert response.status_code == 302
    assert response.headers["Location"] == "/"
    assert response.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en"
    assert set(response.cookies) == {settings.LANGUAGE_COOKIE_NAME}


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (exceptions.NotAuthenticated(), 401, "not-logged-in"),
        (exceptions.PermissionDenied(), 403, "not-allowed"),
        (exceptions.NotFound(), 404, "not-found"),
        (exceptions.ValidationError({"name": ["too long"]}), 400, "bad-input"),
        (Conflict(code="stale"), 409, "stale"),
    ],
)
def test_every_error_of_the_api_has_one_shape(error: Exception, status: int, code: str) -> None:
    response = exception_handler(error, {"request": RequestFactory().get("/")})

    assert response is not None
    assert response.status_code == status
    assert response.data.keys() == {"code", "message", "details"}
    assert response.data["code"] == code
    assert isinstance(response.data["message"], str) and response.data["message"]


def test_an_unknown_error_of_the_api_stays_a_fault() -> None:
    assert exception_handler(ZeroDivisionError(), {}) is None


@pytest.mark.django_db
def test_the_description_of_the_api_is_whole_and_has_a_page() -> None:
    client = APIClient()

    schema = client.get("/api/schema/")
    page = client.get("/api/docs/")

    assert schema.status_code == page.status_code == 200
    assert b"openapi: 3" in schema.content
    assert b"<script>" not in page.content
