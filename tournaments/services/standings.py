"""Standings: computed by a job after each change, kept as rows that never change."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from tournaments import jobs, snapshot
from tournaments.gate import one_snapshot
from tournaments.models import Job, Section, Standings, last_public
from tournaments.selectors.standing_tables import prepare_table


def run_standings_job(job: Job) -> None:
    """Compute every table from the earliest round touched on; write them in one commit, or start again."""
    first = max(job.round_number or 1, 1)
    version, tables = compute_tables(job.section_id, first=first, job=job)
    with transaction.atomic():
        held = jobs.hold(job)
        section = Section.objects.select_related("event").get(pk=job.section_id)
        last = last_public(section)  # a round may have been taken back meanwhile
        for table in tables:
            if table.after_round <= last:
                store(table)
        section.standings.filter(after_round__gt=last).delete()
        if section.version != version:
            jobs.requeue(held)
        else:
            jobs.finish(held)


def compute_tables(section_id: int, *, first: int, job: Job | None = None) -> tuple[int, list[Standings]]:
    """The tables after rounds first..last public one, and the ledger version they belong to.

    All is read in one snapshot; the computing holds no transaction.
    """
    with one_snapshot():
        section = Section.objects.select_related("event").get(pk=section_id)
        snap = snapshot.load(section, public_only=True)
        last = last_public(section)
        is_closed = section.state == Section.State.CLOSED
        prepared = [
            prepare_table(section, snap, after_round=number, final=is_closed and number == last)
            for number in range(first, last + 1)
        ]
    tables = []
    for done, compute in enumerate(prepared):
        if job is not None:
            jobs.report_progress(job, done=done, total=len(prepared))
        tables.append(compute())
    return snap.version, tables


def fouls_changed(section: Section, *, round_number: int) -> None:
    """Warnings were given or taken back, inside the caller's gate: the tables follow where they count fouls."""
    if "FOULS" not in section.tiebreaks:
        return
    jobs.bump(section, public=True)
    jobs.enqueue(section, Job.Kind.STANDINGS, round_number=round_number)


def win_points(section: Section) -> int:
    """What a win counts in the section's result scheme."""
    return section.result_scheme.win


def store(table: Standings) -> None:
    """Keep the table and drop those it supersedes; one already there from a newer version, or final, wins."""
    same = Standings.objects.filter(section_id=table.section_id, after_round=table.after_round)
    newer = Q(version__gt=table.version)
    if same.filter(newer if table.final else newer | Q(version=table.version, final=True)).exists():
        return
    same.filter(version__lte=table.version).delete()
    table.save()
