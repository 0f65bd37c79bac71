"""The processes of a running site: one that ends after a while comes back, one that cannot start ends the site."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from config import processes, serve
from config.problems import OperatorProblem
from tests.e2e.running_site import free_port

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
    killed = site._kept["worker"].process
    assert killed is not None
    killed.kill()
    killed.wait()

    site.check()

    running = site._kept["worker"].process
    assert running is not None
    assert running.pid != killed.pid
    assert running.poll() is None
    assert "the worker ended by itself (exit code -9): starting it again in 0 s." in capfd.readouterr().err


def test_one_that_ends_at_once_is_tried_after_growing_pauses_and_the_others_go_on(
    site: processes.Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SETTLED_SECONDS", 600)
    site.start("web process", SLEEPER)
    site.start("worker", [sys.executable, "-c", "raise SystemExit(3)"])
    pauses = []
    for _time in range(3):
        kept = site._kept["worker"]
        if kept.process is None:
            kept.again_at = 0.0  # the pause is over
            site.check()
        assert kept.process is not None
        kept.process.wait()
        site.check()
        pauses.append(kept.pause)

    assert pauses == [1.0, 2.0, 4.0]
    web = site._kept["web process"].process
    assert web is not None and web.poll() is None


def test_one_that_must_stay_while_the_site_comes_up_ends_it(site: processes.Processes) -> None:
    site.start("web process", [sys.executable, "-c", "raise SystemExit(3)"])
    process = site._kept["web process"].process
    assert process is not None
    process.wait()

    with pytest.raises(OperatorProblem, match="exit code 3"):
        site.check(must_stay=["web process"])


def test_two_sites_do_not_share_a_port() -> None:
    port = free_port()
    first = serve.keep_port("127.0.0.1", port)
    assert first is not None
    try:
        with pytest.raises(OperatorProblem, match="another site is starting or running"):
            serve.keep_port("127.0.0.1", port)
    finally:
        first.close()
    again = serve.keep_port("127.0.0.1", port)
    assert again is not None
    again.close()
