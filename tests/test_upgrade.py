"""Data of every earlier version come up to this one; an older program refuses the data of a newer one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config import serve
from config.problems import OperatorProblem

ROOT = Path(__file__).resolve().parent.parent
# What an event cannot do without; the others are filled where their own rules let a row of nothing in particular in.
NEEDED = {
    "tournaments_user", "tournaments_event", "tournaments_section", "tournaments_player", "tournaments_entry", "tournaments_round",
    "tournaments_job", "tournaments_standings", "tournaments_role",
}  # fmt: skip


@pytest.fixture
def scratch(transactional_db: None) -> str:
    name = f"scratch_{os.getpid()}"
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {name}")
        cursor.execute(f"CREATE DATABASE {name}")
    yield name  # type: ignore[misc]
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_rows_of_every_earlier_version_come_up_to_this_one(scratch: str) -> None:
    address = connection.settings_dict
    host, user = quote(str(address["HOST"] or "localhost"), safe=""), address["USER"] or "postgres"
    port = f":{address['PORT']}" if address["PORT"] else ""
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade_walk"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"postgresql://{user}:{address['PASSWORD']}@{host}{port}/{scratch}",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])

    assert told["steps"] > 20
    assert set(told["placed"]) >= NEEDED
    lost = {
        table
        for table, count in told["placed"].items()
        if table in told["left"] and told["left"][table] < count
    }
    assert lost == set()


@pytest.fixture
def newer(transactional_db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_of_tomorrow', now())"
        )
    yield  # type: ignore[misc]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_of_tomorrow'")


@pytest.mark.usefixtures("newer")
def test_a_database_of_a_newer_version_is_refused_at_start() -> None:
    with pytest.raises(OperatorProblem, match="9999_of_tomorrow"):
        serve.refuse_newer_database()
    with pytest.raises(CommandError, match="9999_of_tomorrow"):
        call_command("check_database")


@pytest.mark.django_db
def test_a_database_of_this_version_is_not() -> None:
    serve.refuse_newer_database()
    call_command("check_database")
