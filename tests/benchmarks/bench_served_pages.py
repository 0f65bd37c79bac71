"""Public pages on the site's own server, side by side with an empty Django view on the same server in the same run.

Two processes of four threads each, 16 connections of `wrk`; a result changes every two seconds meanwhile. Wanted: at least
half of the empty view for a page sent packed, seven tenths for "nothing has changed".
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = int(os.environ.get("BENCH_SECONDS", "4"))
WANTED = {"200": 0.5, "304": 0.7}
needs_wrk = pytest.mark.skipif(not shutil.which("wrk"), reason="needs wrk on this machine")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], env: dict[str, str]) -> Iterator[int]:
    process = subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGCONT)
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


@contextmanager
def served(application: str, env: dict[str, str]) -> Iterator[str]:
    port = free_port()
    command = [
        sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port),
        "--workers", "2", "--blocking-threads", "4", "--log-level", "warning", application,
    ]  # fmt: skip
    with running(command, env):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.2)
        time.sleep(1)
        yield f"http://127.0.0.1:{port}"


def rate(address: str, *headers: str) -> tuple[float, int]:
    """(requests a second, answers that were no 2xx or 3xx)"""
    options = [part for header in headers for part in ("-H", header)]
    command = ["wrk", "-t1", "-c16", f"-d{SECONDS}s", *options, address]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    faults = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    found = re.search(r"Requests/sec:\s+([\d.]+)", said)
    assert found, said
    return float(found[1]), int(faults[1]) if faults else 0


@needs_wrk
def test_pages_beside_an_empty_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = {**os.environ, "VAR": str(tmp_path / "var"), "DJANGO_SETTINGS_MODULE": "config.settings"}
    run = [sys.executable, "-m", "tests.benchmarks.served_site"]
    # Held for the whole run, so that the embedded database does not stop between two commands.
    with running(
        [
            sys.executable,
            "-c",
            "import django;django.setup();from django.db import connection as c;c.ensure_connection();import time;time.sleep(9999)",
        ],
        env,
    ):
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"], cwd=ROOT, env=env, check=True
        )
        paths = subprocess.run(
            [*run, "fill", "23", "200"], cwd=ROOT, env=env, check=True, capture_output=True, text=True
        ).stdout.split()
        lines, low = [], []
        with (
            served("tests.benchmarks.empty_view:application", {**env, "DJANGO_SETTINGS_MODULE": ""}) as empty,
            served("config.wsgi:application", env) as site,
            running([*run, "write", "9999"], env) as writer,
        ):
            for path in paths:
                base, _faults = rate(f"{empty}/")
                request = urllib.request.Request(site + path, headers={"Accept-Encoding": "gzip"})
                with urllib.request.urlopen(request) as answer:
                    size = len(answer.read())
                full, faults = rate(site + path, "Accept-Encoding: gzip")
                # A reader who holds the page holds it only while it does not change.
                os.killpg(writer, signal.SIGSTOP)
                time.sleep(1)
                etag = urllib.request.urlopen(request).headers["ETag"]
                held, more = rate(site + path, "Accept-Encoding: gzip", f"If-None-Match: {etag}")
                os.killpg(writer, signal.SIGCONT)
                lines.append(
                    f"{path:26}{size / 1024:8.1f}{base:10.0f}{full:10.0f}{full / base:8.0%}{held:10.0f}{held / base:8.0%}{faults + more:8}"
                )
                low += [
                    f"{path} {kind}"
                    for kind, found in (("200", full), ("304", held))
                    if found < WANTED[kind] * base
                ]
                assert faults + more == 0, path
    with capsys.disabled():
        print(f"\n{'page':26}{'KB':>8}{'empty/s':>10}{'200/s':>10}{'':8}{'304/s':>10}{'':8}{'faults':>8}")
        print("\n".join(lines))
        print("below what is wanted: " + (", ".join(low) or "none"))
