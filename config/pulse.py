"""The worker's pulse: it shows that the worker lives, and sweeps up jobs that nobody rang for.

Every worker has one. The sweep is what guarantees that a job runs: a broker that forgets loses nothing.
"""

import logging
import os
import socket
import threading
from time import monotonic

from django.db import Error, close_old_connections, connection
from django.utils import timezone

from config.health import BEAT_SECONDS

logger = logging.getLogger(__name__)
SWEEP_SECONDS = 30


class Pulse:
    def __init__(self) -> None:
        self._name = ""
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._name = f"{machine()}:{os.getpid()}"
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(timeout=BEAT_SECONDS)

    def _run(self) -> None:
        swept_at = monotonic() - SWEEP_SECONDS
        while not self._stopping.is_set():
            try:
                beat(self._name)
                if monotonic() - swept_at >= SWEEP_SECONDS:
                    swept_at = monotonic()
                    sweep()
            except Error:
                logger.exception("The worker's pulse could not reach the database; it tries again.")
            except Exception:
                logger.exception("The sweep failed; it tries again.")
            finally:
                close_old_connections()
            self._stopping.wait(BEAT_SECONDS)
        silence(self._name)


def machine() -> str:
    return socket.gethostname()[:48]


def beat(name: str) -> None:
    from tournaments.models import Heartbeat

    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def sweep() -> None:
    from tournaments import jobs
    from tournaments.web import throttling

    jobs.sweep()
    throttling.forget_old()


def silence(name: str) -> None:
    """A worker that stops in good order takes its row with it."""
    from tournaments.models import Heartbeat

    try:
        Heartbeat.objects.filter(name=name).delete()
    except Error:
        logger.warning("The worker's row could not be removed; it counts as silent soon.")
    finally:
        connection.close()


def forget_dead_workers() -> None:
    """Drop the rows that workers of this machine left when they were killed by force; a living one is back soon."""
    from tournaments.models import Heartbeat

    Heartbeat.objects.filter(name__startswith=f"{machine()}:").delete()


pulse = Pulse()
