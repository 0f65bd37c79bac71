"""Drawing: the job that computes the draft of a round, for every format, and what of it is written."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.db import transaction
from django.db.models import Q

from tournaments import formats, jobs, snapshot
from tournaments.engine.types import Board, EngineError, Outcome
from tournaments.errors import Conflict
from tournaments.formats import Draft, Request
from tournaments.gate import lock_section, one_snapshot
from tournaments.models import Absence, Entry, Job, Pairing, Round, Section
from tournaments.selectors import interrupted
from tournaments.wording.refusals import TIME_LIMIT, refusal


def run_pairing_job(job: Job) -> None:
    """Compute the draft with no transaction open; write it in one commit, unless the ledger moved meanwhile."""
    with one_snapshot():
        section = Section.objects.select_related("event").get(pk=job.section_id)
        snap = snapshot.load(section)
        try:
            draw = _prepare(snap, section, job)
        except EngineError as error:
            raise refusal(error, snap.tournament) from None
    try:
        drafts = draw()
    except EngineError as error:
        raise refusal(error, snap.tournament) from None
    with transaction.atomic():
        section = lock_section(section.pk)
        held = jobs.hold(job)
        if section.version != snap.version:
            jobs.requeue(held)
            return
        _keep_draw(section, drafts)
        for draft in drafts:
            write_draft(section, snap, draft)
        close_round(section, (job.round_number or 1) - 1)
        jobs.bump(section, public=False)
        jobs.finish(held)


def _prepare(snap: snapshot.Snapshot, section: Section, job: Job) -> Callable[[], list[Draft]]:
    """Read what the draw needs; the call gives the rounds: all of a table, one of a Swiss or of a bracket."""
    number = job.round_number or 1
    strategy = formats.of(section)
    if strategy.pairs_each_round:
        snap = interrupted.counted_as_drawn(section, snap)
    absent, out = strategy.missing(section, number=number)
    return strategy.draw(
        section,
        snap,
        Request(
            number=number,
            absent={snap.number_of[pk] for pk in absent | out if pk in snap.number_of},
            progress=lambda done, total: jobs.report_progress(job, done=done, total=total),
            should_stop=_deadline(TIME_LIMIT),
        ),
    )


def _keep_draw(section: Section, drafts: list[Draft]) -> None:
    """Who is in which group, and the seeds of a bracket: written with the round that they were drawn for."""
    if drafts[0].bracket:
        section.bracket = drafts[0].bracket
        section.save(update_fields=["bracket"])
    groups = drafts[0].groups
    if groups:
        entries = list(section.entries.all())
        for entry in entries:
            entry.group = groups.get(entry.pk)
        Entry.objects.bulk_update(entries, ["group"])


def _deadline(seconds: int) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def write_draft(section: Section, snap: snapshot.Snapshot, draft: Draft) -> Round:
    """The round with its boards, and those who are away; inside the gate of the caller."""
    round_, _created = Round.objects.get_or_create(section=section, number=draft.number)
    if round_.state != Round.State.OPEN:
        raise Conflict
    round_.state = Round.State.PAIRED
    round_.engine = draft.engine
    round_.digest = draft.digest
    round_.canonical_input = draft.canonical_input
    round_.proposal = [[b.number, b.white, b.black] for b in draft.boards]
    round_.explanations = draft.explanations
    round_.numbers = {str(number): entry for number, entry in snap.entry_of.items()}
    round_.edits = []
    round_.save()
    Pairing.objects.bulk_create([_as_pairing(round_, board, snap) for board in draft.boards])
    if formats.of(section).pairs_each_round:
        _write_absences(section, round_)
    return round_


def _as_pairing(round_: Round, board: Board, snap: snapshot.Snapshot) -> Pairing:
    return Pairing(
        round=round_,
        board=board.number,
        white_id=snap.entry_of[board.white],
        black_id=snap.entry_of[board.black] if board.black is not None else None,
        outcome=board.outcome,
    )


def _write_absences(section: Section, round_: Round) -> None:
    """Requested byes stand in the round as lines of their own; the rest of the unpaired get zero points."""
    seated = set(round_.pairings.values_list("white_id", flat=True))
    seated |= set(round_.pairings.filter(black__isnull=False).values_list("black_id", flat=True))
    asked = dict(
        Absence.objects.filter(entry__section=section, round_number=round_.number).values_list(
            "entry_id", "kind"
        )
    )
    playing = section.entries.filter(
        Q(withdrawn_after_round__isnull=True) | Q(withdrawn_after_round__gte=round_.number)
    ).exclude(pk__in=seated)
    Pairing.objects.bulk_create(
        Pairing(round=round_, board=0, white=entry, outcome=asked.get(entry.pk, Outcome.ZERO_BYE))
        for entry in playing
    )


def close_round(section: Section, number: int) -> None:
    section.rounds.filter(number=number, state=Round.State.PUBLISHED).update(state=Round.State.CLOSED)
