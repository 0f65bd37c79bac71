"""The packages of requirements/base.txt alone run the whole site: web, worker, PostgreSQL and Redis."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_site import PATIENCE, ROOT, Site, until

pytestmark = pytest.mark.xdist_group("serve")

ONE_JOB = """
import django; django.setup()
import time
from django.db import transaction
from tournaments import jobs
from tournaments.models import Event, Job, Section
section = Section.objects.create(event=Event.objects.create(name="x"), name="x", code="x")
with transaction.atomic():
    job = jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)
began = time.monotonic()
while job.is_active and time.monotonic() - began < 300:
    time.sleep(0.1)
    job.refresh_from_db()
print(job.state, job.attempts)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The interpreter of a new environment that holds the locked packages of the site and nothing else."""
    uv = shutil.which("uv") or shutil.which("uv", path=f"{ROOT}/.tools/bin:{ROOT}/.venv/bin")
    if uv is None:
        pytest.skip("no uv on this machine, which builds the environment")
    folder = tmp_path_factory.mktemp("base") / "environment"
    subprocess.run([uv, "venv", "--quiet", "--python", "3.11", folder], check=False, capture_output=True)
    if not folder.exists():
        subprocess.run([uv, "venv", "--quiet", folder], check=True)
    program = folder / "bin" / "python"
    done = subprocess.run(
        [
            uv,
            "pip",
            "install",
            "--quiet",
            "--python",
            program,
            "--require-hashes",
            "-r",
            "requirements/base.txt",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode and "hash" not in done.stderr:
        pytest.skip(f"the packages cannot be fetched: {done.stderr[-500:]}")
    assert done.returncode == 0, done.stderr
    return str(program)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    socket = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            assert until(socket.exists)
            yield f"redis+socket://{socket}"
        finally:
            server.terminate()


def test_web_worker_database_and_redis_run_from_the_locked_packages(
    python: str, redis: str, tmp_path: Path
) -> None:
    site = Site(tmp_path / "var", python=python, CELERY_BROKER_URL=redis)
    try:
        site.wait_until_up()
        assert until(site.is_whole), site.get("/healthz")
        done = subprocess.run(
            [python, "-c", ONE_JOB],
            cwd=ROOT,
            env={**site.environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

        assert done.stdout.split() == ["DONE", "1"], done.stdout + done.stderr + site.said()
        assert site.stop(signal.SIGTERM) == 0
    finally:
        if site.process.poll() is None:
            site.process.kill()
