"""Which parts of the site are up.

A worker shows that it lives by a row of its own in the database, by the database's clock, so the answer is the same
whether the broker is a folder or Redis, and however many machines there are.
"""

import os
import shutil
import threading
from datetime import timedelta
from pathlib import Path
from time import monotonic

from django.conf import settings
from django.db import Error, connection
from django.db.models.functions import Now

UP = "up"
DOWN = "down"
READ_ONLY = "read-only"
FULL = "full"
BEAT_SECONDS = 2
WORKER_SILENCE = timedelta(seconds=20)
FREE_BYTES = 20_000_000
BROKER_SECONDS = 2  # how long an answer about the broker is good for
CONNECT_SECONDS = 1


def check() -> dict[str, str]:
    """The state of every part. Jobs run without a broker too, only later: it counts all the same."""
    return {**check_ready(), "worker": _worker(), "broker": _broker.state()}


def check_ready() -> dict[str, str]:
    """The parts that this process needs to answer visitors."""
    return {"web": UP, "database": _database(), "disk": _disk()}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('transaction_read_only') = 'on' OR pg_is_in_recovery()")
            return READ_ONLY if cursor.fetchone()[0] else UP
    except Error:
        return DOWN


def _worker() -> str:
    from tournaments.models import Heartbeat

    try:
        heard = Heartbeat.objects.filter(at__gte=Now() - WORKER_SILENCE).exists()
    except Error:
        return DOWN
    return UP if heard else DOWN


def _disk() -> str:
    try:
        return UP if shutil.disk_usage(settings.VAR).free > FREE_BYTES else FULL
    except OSError:
        return DOWN


class _Broker:
    """Asks the broker, at most every few seconds for all who want to know."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._asked_at = float("-inf")
        self._state = DOWN

    def state(self) -> str:
        with self._guard:
            if monotonic() - self._asked_at > BROKER_SECONDS:
                self._state = ask_broker(settings.CELERY_BROKER_URL)
                self._asked_at = monotonic()
            return self._state


def ask_broker(url: str) -> str:
    """Whether messages can be left there now."""
    if url.startswith("folder:"):
        folder = Path(settings.BROKER_FOLDER)
        return UP if os.access(folder if folder.exists() else folder.parent, os.W_OK) else DOWN
    if not url.startswith(("redis", "unix")):
        return UP
    import redis

    client = redis.Redis.from_url(
        url.replace("redis+socket://", "unix://", 1),
        socket_connect_timeout=CONNECT_SECONDS,
        socket_timeout=CONNECT_SECONDS,
    )
    try:
        return UP if client.ping() else DOWN
    except (redis.RedisError, OSError):
        return DOWN
    finally:
        client.close()


_broker = _Broker()
