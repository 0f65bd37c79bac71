"""Numbers about the site for Prometheus. They come from the database, so any of the web processes answers for all."""

import hmac
from collections.abc import Iterator
from ipaddress import ip_address

from django.conf import settings
from django.db import Error, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from config import health


class Site(Collector):
    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("draughts_part_up", "1 while the part works", labels=["part"])
        for part, state in health.check().items():
            up.add_metric([part], int(state == health.UP))
        yield up
        try:
            yield from _from_database()
        except Error:
            return


def _from_database() -> Iterator[Metric]:
    jobs = GaugeMetricFamily("draughts_jobs", "jobs by kind and state", labels=["kind", "state"])
    waits = GaugeMetricFamily("draughts_oldest_job_seconds", "age of the oldest job that is not done")
    workers = GaugeMetricFamily("draughts_workers", "workers heard of in the last 20 seconds")
    connections = GaugeMetricFamily("draughts_database_connections", "open connections to the database")
    events = GaugeMetricFamily("draughts_events", "events by state", labels=["state"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT kind, state, count(*) FROM tournaments_job GROUP BY 1, 2")
        for kind, state, count in cursor.fetchall():
            jobs.add_metric([kind, state], count)
        cursor.execute(
            "SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0) FROM tournaments_job"
            " WHERE state IN ('QUEUED', 'RUNNING')"
        )
        waits.add_metric([], int(cursor.fetchone()[0]))
        cursor.execute("SELECT count(*) FROM tournaments_heartbeat WHERE at > now() - interval '20 seconds'")
        workers.add_metric([], cursor.fetchone()[0])
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        connections.add_metric([], cursor.fetchone()[0])
        cursor.execute("SELECT state, count(*) FROM tournaments_event GROUP BY 1")
        for state, count in cursor.fetchall():
            events.add_metric([state], count)
    yield from (jobs, waits, workers, connections, events)


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """For this machine, or with the token; for all others there is no such page."""
    if not _may_read(request):
        raise Http404
    registry = CollectorRegistry()
    registry.register(Site())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return hmac.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    if settings.PROXIES or request.headers.get("X-Forwarded-For"):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False
