"""The processes of a running site: one that ends after a while comes back, one that cannot start ends the site."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import pytest

from config import processes
from config.problems import OperatorProblem

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


@pytest.fixture
def site() -> Iterator[processes.Processes]:
    site = processes.Processes()
    yield site
    site.stop()


def test_a_worker_killed_after_a_while_is_started_again(
    site: processes.Processes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "SETTLED_SECONDS", 0)
    site.start("worker", SLEEPER)
    killed = site._running["worker"]
    killed.kill()
    killed.wait()

    site.check()

    assert site._running["worker"].pid != killed.pid
    assert site._running["worker"].poll() is None
    assert "the worker ended by itself (exit code -9): started again." in capfd.readouterr().err


def test_a_process_that_ends_at_once_is_not_tried_for_ever(
    site: processes.Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SETTLED_SECONDS", 600)
    site.start("worker", [sys.executable, "-c", "raise SystemExit(3)"])
    while site._running["worker"].poll() is None:
        time.sleep(0.01)

    with pytest.raises(OperatorProblem, match="exit code 3"):
        site.check()
