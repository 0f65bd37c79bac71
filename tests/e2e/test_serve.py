"""The one command that runs the site: it comes up, says where, and takes everything with it when it stops."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# One worker for all of them: they make clusters and count processes.
pytestmark = pytest.mark.xdist_group("serve")
PATIENCE = 1200  # seconds: how long a busy machine may take; nothing waits that long when all is well


def until(met: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not met() and time.monotonic() < deadline:
        time.sleep(0.1)
    return met()


def free_port() -> int:
    """A port outside the range the kernel hands out by itself, so that nobody is given it before the site takes it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def processes_with(mark: str) -> dict[int, str]:
    """The running processes whose environment or command line holds the mark."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            if (
                mark.encode() in (folder / "environ").read_bytes() + command
                and int(folder.name) != os.getpid()
            ):
                found[int(folder.name)] = command.replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


def assert_nothing_runs(var: Path) -> None:
    """What was ended by force is gone when it next had its turn."""
    assert until(lambda: not processes_with(str(var))), processes_with(str(var))


class Site:
    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        drop = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "CELERY_BROKER_URL", "PYTHONDONTWRITEBYTECODE")
        environ = {key: value for key, value in os.environ.items() if key not in drop}
        self.output = var.parent / "output"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.serve"],
                cwd=ROOT,
                env={
                    **environ,
                    "VAR": str(var),
                    "PORT": str(self.port),
                    "READY_SECONDS": str(PATIENCE),
                    # What one process of the site has compiled the others need not compile again.
                    "PYTHONPYCACHEPREFIX": str(var.parent / "bytecode"),
                },
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_until_up(self) -> None:
        address = f"The site is at http://localhost:{self.port}/"
        assert until(lambda: address in self.said() or self.process.poll() is not None)
        assert address in self.said(), self.said()

    def get(self, path: str) -> tuple[int, bytes]:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        link.request("GET", path, headers={"Host": "localhost"})
        answer = link.getresponse()
        return answer.status, answer.read()

    def is_whole(self) -> bool:
        status, body = self.get("/healthz")
        return (status, json.loads(body)["down"]) == (200, [])

    def stop(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE)


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
