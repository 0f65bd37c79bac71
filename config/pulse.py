"""The worker's pulse: it shows that the worker lives, keeps the leases of its jobs, and sweeps up what nobody rang for.

Every worker has one. The sweep, not the broker, guarantees that a job runs: with the broker down it does the jobs itself.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable
from time import monotonic

from django.conf import settings
from django.db import Error, close_old_connections, connection
from django.db.models.functions import Now
from django.utils import timezone

from config.health import BEAT_SECONDS

logger = logging.getLogger(__name__)
SWEEP_SECONDS = 1.5
TIDY_SECONDS = 60
BACKUP_SECONDS = 20


class Pulse:
    """Threads: a beat that no long job holds up, a sweep that may work on one, and the backups."""

    def __init__(self) -> None:
        self._name = ""
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        from tournaments import jobs

        self._name = f"{machine()}:{os.getpid()}"
        self._stopping.clear()
        jobs.leases.are_renewed = True
        self._threads = [
            threading.Thread(target=self._repeat, args=(self._beat, BEAT_SECONDS), name="beat", daemon=True),
            threading.Thread(target=self._repeat, args=(Sweep(), SWEEP_SECONDS), name="sweep", daemon=True),
            threading.Thread(
                target=self._repeat, args=(keep_backups, BACKUP_SECONDS), name="backup", daemon=True
            ),
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        from tournaments import jobs

        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=5)
        jobs.leases.are_renewed = False
        silence(self._name)

    def _repeat(self, act: Callable[[], None], seconds: float) -> None:
        while not self._stopping.is_set():
            try:
                act()
            except Error:
                logger.exception("The worker could not reach the database; it tries again.")
            except Exception:
                logger.exception("The worker's %s failed; it tries again.", threading.current_thread().name)
            finally:
                close_old_connections()
            self._stopping.wait(seconds)
        connection.close()

    def _beat(self) -> None:
        from tournaments import jobs

        beat(self._name)
        jobs.renew_leases()


class Sweep:
    """What was waiting at the last look already is done here; the look before gives the broker its chance."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._tidied_at = float("-inf")

    def __call__(self) -> None:
        from tournaments import jobs
        from tournaments.services.runners import RUNNERS
        from tournaments.web import throttling

        waiting = jobs.waiting()
        due = (waiting & self._seen) | jobs.abandoned()
        self._seen = waiting
        for job_id in sorted(due):
            try:
                jobs.run(job_id, RUNNERS)
            except Exception:
                logger.exception("Job %s failed; it is tried again.", job_id)
        if monotonic() - self._tidied_at > TIDY_SECONDS:
            self._tidied_at = monotonic()
            throttling.forget_old()


def keep_backups() -> None:
    """After each publication the whole site goes into a file, where the settings name a folder for it."""
    from tournaments.services import backups

    if settings.BACKUP_FOLDER:
        backups.back_up_if_due(timezone.now())


def machine() -> str:
    return socket.gethostname()[:48]


def beat(name: str) -> None:
    from tournaments.models import Heartbeat

    Heartbeat.objects.update_or_create(name=name, defaults={"at": Now()})


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
