"""Which function works which kind of job."""

from __future__ import annotations

from tournaments.jobs import Runner
from tournaments.models import Job
from tournaments.services.rounds import run_pairing_job
from tournaments.services.standings import run_standings_job

RUNNERS: dict[str, Runner] = {
    Job.Kind.PAIR: run_pairing_job,
    Job.Kind.STANDINGS: run_standings_job,
}
