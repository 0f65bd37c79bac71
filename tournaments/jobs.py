"""The queue of jobs. The row is the queue; Celery only rings. Every worker's sweep does what nobody was rung for.

A worker claims a row with a token and a lease, computes with no transaction open, and writes only while the token is
still its own. Leases run by the clock of the database. A process with a pulse renews the leases of what it works on every
few seconds, so they are short and the job of a killed worker is soon another's; elsewhere they are long.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from datetime import timedelta
from math import inf
from time import monotonic

from celery import current_app
from django.db import Error, transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from tournaments import holds
from tournaments.errors import SiteError
from tournaments.models import Job, Section, User

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
RENEWED_LEASE = timedelta(seconds=7)
SILENT_SECONDS = 5  # how long no ring is tried after one that failed
MAX_ATTEMPTS = 5
TASK = "tournaments.run_job"  # rung by its name: the task knows the services, and they know this module

Runner = Callable[[Job], None]


class Leases:
    """The jobs that this process works on, and whether its pulse renews their leases."""

    def __init__(self) -> None:
        self.are_renewed = False
        self.tokens: set[uuid.UUID] = set()

    @property
    def length(self) -> timedelta:
        return RENEWED_LEASE if self.are_renewed else LEASE


leases = Leases()
_broker_failed_at = -inf


class LostJob(Exception):
    """The lease ran out and somebody else has the job: stop and write nothing."""


def enqueue(
    section: Section, kind: Job.Kind, *, round_number: int | None = None, requested_by: User | None = None
) -> Job:
    """The active job of this kind, or a new one. The caller holds the section's gate; Celery rings after commit.

    For a standings job `round_number` is the earliest round touched: an active job takes the smaller of the two.
    """
    # Locked: a worker that is just finishing either sees this change and starts again, or is done before we look.
    active = (
        Job.objects.select_for_update()
        .filter(section=section, kind=kind, state__in=[Job.State.QUEUED, Job.State.RUNNING])
        .first()
    )
    if active is None:
        active = Job.objects.create(
            section=section, kind=kind, round_number=round_number, requested_by=requested_by
        )
    elif kind == Job.Kind.STANDINGS and round_number and round_number < (active.round_number or 0):
        active.round_number = round_number
        active.save(update_fields=["round_number"])
    job_id = active.pk
    transaction.on_commit(lambda: ring(job_id))
    return active


def ring(job_id: int) -> None:
    """Tell a worker. A broker that cannot be reached is no failure, and does not hold up the next request too."""
    global _broker_failed_at

    if monotonic() - _broker_failed_at < SILENT_SECONDS:
        return
    try:
        current_app.send_task(TASK, args=[job_id], ignore_result=True)
    except Exception:
        _broker_failed_at = monotonic()
        logger.warning(
            "job %s: the broker did not take the ring; a sweep does the job", job_id, exc_info=True
        )


def claim(job_id: int) -> Job | None:
    """Take a waiting job, or one whose lease ran out. None when there is nothing to take."""
    with transaction.atomic():
        job = (
            Job.objects.select_for_update(skip_locked=True)
            .filter(pk=job_id)
            .filter(Q(state=Job.State.QUEUED) | _lapsed())
            .first()
        )
        if job is None:
            return None
        job.state = Job.State.RUNNING
        job.token = uuid.uuid4()
        job.attempts += 1
        job.done = job.total = 0
        job.save()
        Job.objects.filter(pk=job.pk).update(lease_until=Now() + leases.length)
        job.refresh_from_db(fields=["lease_until"])
    return job


def _lapsed() -> Q:
    return Q(state=Job.State.RUNNING, lease_until__lt=Now())


def renew_leases() -> None:
    """For the pulse: what this process works on stays its own."""
    if leases.tokens:
        Job.objects.filter(token__in=list(leases.tokens), state=Job.State.RUNNING).update(
            lease_until=Now() + leases.length
        )


def report_progress(job: Job, *, done: int, total: int) -> None:
    """Show how far the work is and renew the lease. Raises LostJob when the job is no longer ours."""
    mine = Job.objects.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)
    if not mine.update(done=done, total=total, lease_until=Now() + leases.length):
        raise LostJob


def hold(job: Job) -> Job:
    """The job's row, locked, inside the transaction that writes its fruit. Raises LostJob when it is not ours."""
    held = Job.objects.select_for_update().filter(pk=job.pk, token=job.token, state=Job.State.RUNNING).first()
    if held is None:
        raise LostJob
    return held


def finish(held: Job) -> None:
    held.state = Job.State.DONE
    held.finished_at = timezone.now()
    held.token = held.lease_until = None
    held.done = held.total = max(held.total, 1)
    held.save()


def requeue(held: Job) -> None:
    """The ledger moved on while the job computed: once more, from the new state. That is no failed attempt."""
    held.state = Job.State.QUEUED
    held.attempts = 0
    held.token = held.lease_until = None
    held.save()
    job_id = held.pk
    transaction.on_commit(lambda: ring(job_id))


def fail(job: Job, error: SiteError) -> None:
    """An answer for the arbiter (such as "no legal pairing"), never retried."""
    Job.objects.filter(pk=job.pk, token=job.token).update(
        state=Job.State.FAILED,
        error_code=error.code,
        error_values={"message": error.message, **error.values},
        finished_at=timezone.now(),
        token=None,
        lease_until=None,
    )


def run(job_id: int, runners: dict[str, Runner]) -> None:
    """Claim and work one job. What a runner did not foresee is raised again, with the job back in the queue and rung for;
    a process that dies leaves the row running until its lease ends.
    """
    job = claim(job_id)
    if job is None:
        return
    if job.attempts > MAX_ATTEMPTS:
        fail(job, SiteError(code="too-many-attempts"))
        return
    token = job.token
    if token is not None:
        leases.tokens.add(token)
    try:
        runners[job.kind](job)
    except LostJob:
        logger.info("job %s went to another worker", job.pk)
    except SiteError as error:
        fail(job, error)
    except Exception:
        _retry(job)
        raise
    finally:
        if token is not None:
            leases.tokens.discard(token)


def _retry(job: Job) -> None:
    """Back into the queue with its count of attempts; the lease decides where not even that can be written."""
    mine = Job.objects.filter(pk=job.pk, token=job.token, state=Job.State.RUNNING)
    try:
        kept = mine.update(state=Job.State.QUEUED, token=None, lease_until=None)
    except Error:
        logger.warning("job %s: the database cannot be reached; its lease will end", job.pk, exc_info=True)
        return
    if kept:
        ring(job.pk)


def waiting() -> set[int]:
    """The jobs that nobody has taken yet."""
    return set(Job.objects.filter(state=Job.State.QUEUED).values_list("pk", flat=True))


def abandoned() -> set[int]:
    """The jobs of workers that were not heard of until their lease ended."""
    return set(Job.objects.filter(_lapsed()).values_list("pk", flat=True))


def bump(section: Section, *, public: bool) -> None:
    """Every ledger write ends here, inside the gate: the version goes up, and the public one with what is public.

    Raises Held where the write changed what a case holds.
    """
    holds.refuse_broken(section)
    section.version = F("version") + 1
    fields = ["version"]
    if public:
        section.public_version = F("public_version") + 1
        fields.append("public_version")
    section.save(update_fields=fields)
    section.refresh_from_db(fields=["version", "public_version"])
