"""Celery's doorbell. All work is in the services; a task that runs twice does no harm."""

from __future__ import annotations

from celery import shared_task

from tournaments import jobs
from tournaments.services.runners import RUNNERS


@shared_task(name=jobs.TASK, ignore_result=True)
def run_job(job_id: int) -> None:
    jobs.run(job_id, RUNNERS)
