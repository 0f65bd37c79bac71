"""The one command that runs the site: it comes up, says where, and takes everything with it when it stops."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.running_site import (
    PATIENCE,
    ROOT,
    Site,
    assert_nothing_runs,
    until,
)

# One worker for all of them: they make clusters and count processes.
pytestmark = pytest.mark.xdist_group("serve")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Site]]:
    sites: list[Site] = []

    def run() -> Site:
        sites.append(Site(tmp_path / "var"))
        sites[-1].wait_until_up()
        return sites[-1]

    yield run
    for site in sites:
        if site.process.poll() is None:
            site.process.kill()
    assert_nothing_runs(tmp_path / "var")


def test_the_site_comes_up_whole_and_stops_without_a_trace(start: Callable[[], Site], tmp_path: Path) -> None:
    site = start()

    # Until, because a worker that got no turn for a while counts as down before its next.
    assert until(site.is_whole), site.get("/healthz")
    assert "starting PostgreSQL" in site.said()
    assert f"http://localhost:{site.port}/setup/" in site.said()
    assert site.stop(signal.SIGINT) == 0
    assert_nothing_runs(tmp_path / "var")
    assert "stopped." in site.said()
    assert "Traceback" not in site.said()

    again = start()

    assert "making the embedded PostgreSQL database" not in again.said()
    assert again.stop(signal.SIGTERM) == 0
    assert_nothing_runs(tmp_path / "var")


def test_killed_by_force_it_leaves_nothing_running(start: Callable[[], Site], tmp_path: Path) -> None:
    site = start()

    site.stop(signal.SIGKILL)

    assert_nothing_runs(tmp_path / "var")


def test_a_taken_port_ends_it_at_once_with_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "config.serve"],
            cwd=ROOT,
            env={**os.environ, "VAR": str(tmp_path / "var"), "PORT": str(port)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"Error: port {port} of 127.0.0.1 cannot be used")
    assert not (tmp_path / "var" / "postgres").exists()
