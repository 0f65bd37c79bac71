"""Which function works which kind of job."""

from __future__ import annotations

from tournaments import jobs
from tournaments.jobs import Runner
from tournaments.models import Job
from tournaments.services.drawing import run_pairing_job
from tournaments.services.papers import run_paper_job
from tournaments.services.standings import run_standings_job

RUNNERS: dict[str, Runner] = {
    Job.Kind.PAIR: run_pairing_job,
    Job.Kind.STANDINGS: run_standings_job,
    Job.Kind.PAPER: run_paper_job,
}


def work_off(job: Job) -> Job:
    """Work a job here and now, as a worker would; the row as it is afterwards."""
    jobs.run(job.pk, RUNNERS)
    job.refresh_from_db()
    return job


def work_off_waiting(section_id: int) -> None:
    """Work whatever waits for a section."""
    for job in Job.objects.filter(section_id=section_id, state=Job.State.QUEUED).order_by("pk"):
        work_off(job)
