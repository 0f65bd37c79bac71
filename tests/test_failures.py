"""What visitors and programs are told when the server itself is in trouble."""

from __future__ import annotations

import errno
from collections.abc import Iterator

import psycopg.errors
import pytest
from django.db import OperationalError, connection
from django.test import Client

from config import environment, failures, health, serve
from config.problems import OperatorProblem


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def read_only(transactional_db: None) -> Iterator[None]:
    """As a standby server, or one that its operator has locked: every write is refused."""
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE")


FIRST = {"username": "first", "password": "Moonlight-7-draughts", "password_again": "Moonlight-7-draughts"}


@pytest.mark.usefixtures("read_only")
def test_a_database_that_takes_no_changes_is_told_in_words(visitor: Client) -> None:
    assert visitor.get("/?lang=en").status_code == 200

    page = visitor.post("/accounts/login/?lang=en", {"username": "a", "password": "b"})

    assert page.status_code == 503
    assert page.headers["Retry-After"] == "30"
    assert "takes no changes at present" in page.content.decode()
    answer = visitor.post(
        "/api/v1/token/", {"username": "a", "password": "b"}, headers={"Accept-Language": "en"}
    )
    assert (answer.status_code, answer.json()["code"]) == (503, "read-only")
    ready = visitor.get("/readyz")
    assert (ready.status_code, ready.json()["parts"]["database"]) == (503, health.READ_ONLY)


def full_disk() -> OperationalError:
    error = OperationalError("could not extend file")
    error.__cause__ = psycopg.errors.DiskFull()
    return error


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (full_disk(), "disk-full", 503),
        (OSError(errno.ENOSPC, "No space left on device"), "disk-full", 503),
        (OSError(errno.EROFS, "Read-only file system"), "read-only", 503),
        (OperationalError("connection refused"), "database-down", 503),
        (ZeroDivisionError(), "server-error", 500),
    ],
)
def test_every_failure_has_its_code_and_its_page(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, status: int
) -> None:
    def fail(*_given: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", fail)

    answer = visitor.get("/api/v1/events/")
    page = visitor.get("/?lang=en")

    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert set(answer.json()) == {"code", "message", "details"}
    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")
    assert str(error) not in page.content.decode() or not str(error)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing/", "/api/v1/events/%00/", "/api/v2/x"])
def test_an_address_of_the_api_that_is_none_gets_the_one_shape(visitor: Client, path: str) -> None:
    answer = visitor.get(path)

    assert answer.status_code in {400, 404}
    assert set(answer.json()) == {"code", "message", "details"}


@pytest.mark.django_db
def test_a_host_that_is_not_ours_gets_the_one_shape(visitor: Client) -> None:
    answer = visitor.get("/api/v1/events/", headers={"Host": "elsewhere.example"})

    assert (answer.status_code, answer.json()["code"]) == (400, "bad-input")


def test_a_full_disk_is_not_blamed_on_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    def full(*_given: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.delenv("SECRET_KEY", raising=False)
    monkeypatch.setattr(environment, "_kept_key", full)

    with pytest.raises(OperatorProblem, match="the disk is full"):
        environment.secret_key(tmp_path)  # type: ignore[arg-type]


def test_a_full_disk_shows_in_the_health(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FREE_BYTES", 1 << 62)

    assert health._disk() == health.FULL


def test_a_site_without_its_worker_or_broker_serves_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from config.processes import Processes

    monkeypatch.setenv("READY_SECONDS", "1")
    monkeypatch.setattr(serve, "_parts_down", lambda _url: ["broker", "worker"])
    serve.wait_until_up("127.0.0.1", 1, Processes())
    assert "broker, worker" in capsys.readouterr().out

    monkeypatch.setattr(serve, "_parts_down", lambda _url: ["database", "worker"])
    with pytest.raises(OperatorProblem, match="database, worker"):
        serve.wait_until_up("127.0.0.1", 1, Processes())


def test_causes_are_found_behind_other_errors() -> None:
    try:
        try:
            raise full_disk()
        except OperationalError as error:
            raise ValueError("the page could not be made") from error
    except ValueError as error:
        assert failures.cause_of(error) == "disk-full"
