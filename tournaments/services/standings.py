"""Standings: computed by a job after each change, kept as rows that never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import Q

from tournaments import jobs, snapshot
from tournaments.engine import standings as engine
from tournaments.engine.policies import TieBreakPolicy, Treatment
from tournaments.gate import one_snapshot
from tournaments.models import Entry, Job, Section, Standings
from tournaments.selectors.fouls import fouls
from tournaments.services import match_points
from tournaments.services.entries import last_public


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


def compute_table(
    section: Section,
    snap: snapshot.Snapshot,
    *,
    after_round: int,
    final: bool = False,
    status_of: Mapping[int, str] | None = None,
    more_fouls: Mapping[int, int] | None = None,
    games: match_points.Games | None = None,
) -> Standings:
    """One table as an unsaved row. Nothing is written: what-if questions use it too, with statuses and fouls of their own.

    `more_fouls` go by pairing number and come on top of those that are counted; `games` are games of team matches as
    they would be.
    """
    return prepare_table(
        section,
        snap,
        after_round=after_round,
        final=final,
        status_of=status_of,
        more_fouls=more_fouls,
        games=games,
    )()


def prepare_table(
    section: Section,
    snap: snapshot.Snapshot,
    *,
    after_round: int,
    final: bool = False,
    status_of: Mapping[int, str] | None = None,
    more_fouls: Mapping[int, int] | None = None,
    games: match_points.Games | None = None,
) -> Callable[[], Standings]:
    """Read now what a table needs; the call computes it, as `compute_table` does, and reads nothing."""
    if section.has_knockout:
        from tournaments.services import knockout_table  # it builds on this module

        table = knockout_table.compute_table(section, snap, after_round=after_round, final=final)
        return lambda: table
    lot_seed = (
        section.seed if section.lots_decide and (final or after_round >= section.rounds_total) else None
    )
    if status_of is None:
        status_of = dict(Entry.objects.filter(section=section).values_list("pk", "status"))
    statuses = status_of
    counted = _fouls(section, snap, after_round, more_fouls or {})
    board_points = (
        match_points.board_points(section, snap, after_round=after_round, changed=games)
        if section.is_team
        else None
    )

    def compute() -> Standings:
        computed = engine.compute(
            snap.tournament,
            tiebreaks=tuple(section.tiebreaks),
            policy=policy_of(section),
            after_round=after_round,
            disqualified=[n for n, pk in snap.entry_of.items() if statuses[pk] == Entry.Status.DISQUALIFIED],
            lot_seed=lot_seed,
            fouls=counted,
            board_points=board_points,
        )
        return Standings(
            section=section,
            after_round=after_round,
            version=snap.version,
            final=final,
            rows=[_row(row, snap, statuses) for row in computed.rows],
            tiebreaks=list(section.tiebreaks),
            policy=section.policy,
            lot_seed=lot_seed,
        )

    return compute


def _fouls(
    section: Section, snap: snapshot.Snapshot, after_round: int, more: Mapping[int, int]
) -> dict[int, int]:
    counted = fouls(section, after_round=after_round, number_of=snap.number_of)
    return {number: counted.get(number, 0) + more.get(number, 0) for number in {*counted, *more}}


def policy_of(section: Section) -> TieBreakPolicy:
    """The preset's treatment of byes and forfeits, with the section's own choices over it.

    What a withdrawal does to boards is written in the ledger when it happens, so that every page counts the same
    points; the engine is told of it only to leave out of the places whoever has every game annulled.
    """
    preset = engine.PRESETS.get(section.preset)
    policy = TieBreakPolicy.from_json(section.policy, base=preset.policy if preset else TieBreakPolicy())
    annuls = section.is_round_robin and section.withdrawal == Section.Withdrawal.ANNUL
    return replace(
        policy,
        withdrawal=Treatment.ANNUL_BELOW_HALF if annuls else Treatment.STAND,
        disqualification=Treatment.STAND,
    )


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


def _row(row: engine.StandingsRow, snap: snapshot.Snapshot, status_of: Mapping[int, str]) -> dict[str, Any]:
    pk = snap.entry_of[row.number]
    return {
        "entry": pk,
        "number": row.number,
        "rank": row.rank,
        "rank_to": row.rank_to,
        "placed": row.placed,
        "shared": row.shared,
        "points": row.points,
        "adjustment": row.adjustment,
        "values": {code: as_json(value) for code, value in row.values.items()},
        "separated_by": row.separated_by,
        "status": status_of[pk],
    }


def as_json(value: int | Fraction | tuple[int, ...] | None) -> int | str | list[int] | None:
    """Integers stay, vectors become lists, averages become "p/q" so that nothing is rounded; None: not applied."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return list(value)
    return value
