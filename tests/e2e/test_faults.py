"""Real processes killed one after the other: the site stays, and what was asked for is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_site import PATIENCE, ROOT, Site, assert_nothing_runs, processes_with, until

pytestmark = pytest.mark.xdist_group("serve")

CLAIM_AND_DIE = """
import django; django.setup()
import os, signal
from tournaments import jobs
from tournaments.models import Event, Job, Section
section = Section.objects.create(event=Event.objects.create(name="x"), name="x", code="x")
job = Job.objects.create(section=section, kind=Job.Kind.STANDINGS, round_number=1)
jobs.leases.are_renewed = True
assert jobs.claim(job.pk)
print(job.pk, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
STATE = """
import django; django.setup()
from tournaments.models import Job
print(Job.objects.get(pk={pk}).state)
"""
READ_ONLY = """
import django; django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SET default_transaction_read_only = off")
    cursor.execute("ALTER DATABASE tournaments SET default_transaction_read_only = {value}")
    cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "var")
    yield site
    if site.process.poll() is None:
        site.process.kill()
    assert_nothing_runs(tmp_path / "var")


def run(site: Site, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**site.environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.stdout.strip()


def workers(site: Site) -> list[int]:
    return [
        pid
        for pid, command in processes_with(str(site.var)).items()
        if "celery" in command and " worker " in command
    ]


def test_one_part_after_the_other_fails_and_the_site_stays(site: Site) -> None:
    site.wait_until_up()
    assert until(site.is_whole)

    # A message nobody can read, and the worker killed three times.
    messages = site.var / "broker" / "messages"
    messages.mkdir(parents=True, exist_ok=True)
    (messages / "0_broken.celery.msg").write_text("{half")
    assert until(lambda: (site.var / "broker" / "unreadable").exists())
    for _time in range(3):
        assert until(lambda: bool(workers(site)))
        for pid in workers(site):
            os.kill(pid, signal.SIGKILL)
        assert site.get("/")[0] == 200
    assert until(site.is_whole), site.said()

    # The job of a killed worker is another's: 7 s of lease, 1.5 s until the next look.
    pk = run(site, CLAIM_AND_DIE)
    began = time.monotonic()
    assert until(lambda: run(site, STATE.format(pk=pk)) == "DONE")
    # Far above both, for each question starts a process; far below the lease that nobody renews.
    took = time.monotonic() - began
    assert took < 30, f"{took:.1f} s"

    # A second site on the port.
    second = subprocess.run(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env={**site.environment, "VAR": str(site.var.parent / "second")},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (second.returncode, second.stderr.count("\n")) == (1, 1), second.stderr

    # A database that takes no changes, and its return.
    run(site, READ_ONLY.format(value="on"))
    assert until(lambda: b'"database": "read-only"' in site.get("/healthz")[1])
    assert site.get("/")[0] == 200
    run(site, READ_ONLY.format(value="off"))
    assert until(site.is_whole), site.get("/healthz")
    assert site.process.poll() is None
    assert site.stop(signal.SIGTERM) == 0
