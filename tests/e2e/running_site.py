"""A running site for tests: started with the one command, asked over HTTP, stopped by signals."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
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
    """The whole site as the one command runs it, on data of its own."""

    def __init__(self, var: Path, *, python: str = sys.executable, **settings: str) -> None:
        self.var = var
        self.port = free_port()
        drop = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "CELERY_BROKER_URL", "PYTHONDONTWRITEBYTECODE")
        environ = {key: value for key, value in os.environ.items() if key not in drop}
        self.output = var.parent / "output"
        self.environment = {
            **environ,
            "VAR": str(var),
            "PORT": str(self.port),
            "READY_SECONDS": str(PATIENCE),
            # What one process of the site has compiled the others need not compile again.
            "PYTHONPYCACHEPREFIX": str(var.parent / "bytecode"),
            **settings,
        }
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [python, "-m", "config.serve"],
                cwd=ROOT,
                env=self.environment,
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
