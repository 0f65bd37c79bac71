"""What the browser tests share: a live server that has fallen silent before the tables are emptied."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from tests.e2e.browser import PATIENCE
from tournaments import gate

SERVING = "process_request_thread"  # the live server's threads are named after this function


@pytest.fixture(autouse=True)
def the_server_is_silent_at_the_end(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """The browser is gone, but what it asked for last may still be answered when the tables are emptied: wait for that.

    And on a busy machine whoever stands at the gate may have to wait longer than a person is kept waiting.
    """
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    monkeypatch.setattr(gate, "LOCK_TIMEOUT_MS", PATIENCE * 1000)
    yield
    deadline = time.monotonic() + PATIENCE
    while any(SERVING in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < deadline, "the live server still answers somebody"
        time.sleep(0.02)
