"""Which parts of the site are up.

A worker shows that it lives by a row of its own in the database, so the answer is the same whether the
broker is a folder or Redis, and however many machines there are.
"""

from datetime import timedelta

from django.db import Error, connection
from django.utils import timezone

UP = "up"
DOWN = "down"
BEAT_SECONDS = 5
WORKER_SILENCE = timedelta(seconds=20)


def check() -> dict[str, str]:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        heard = worker_heard()
    except Error:
        return {"web": UP, "database": DOWN, "worker": DOWN}
    return {"web": UP, "database": UP, "worker": UP if heard else DOWN}


def worker_heard() -> bool:
    from tournaments.models import Heartbeat

    return Heartbeat.objects.filter(at__gte=timezone.now() - WORKER_SILENCE).exists()
