"""Drawing: the job that computes the draft of a round, for every format, and what of it is written."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q

from tournaments import jobs, snapshot
from tournaments.engine import check, roundrobin, standings, swiss
from tournaments.engine.types import Board, EngineError, InvalidState, Outcome
from tournaments.errors import Conflict
from tournaments.gate import lock_section, one_snapshot
from tournaments.models import Absence, Entry, Job, Pairing, Round, Section
from tournaments.services import interrupted, knockout
from tournaments.services.refusals import TIME_LIMIT, refusal
from tournaments.services.standings import policy_of

MANY = 10**9  # after every lot


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a pairing job writes: the boards, and what proves where they come from."""

    number: int
    boards: tuple[Board, ...]
    engine: str
    canonical_input: str = ""
    digest: str = ""
    explanations: dict[str, Any] = field(default_factory=dict)
    bracket: list[int] = field(default_factory=list)  # entries by seed, of a knock-out
    groups: dict[int, int] = field(default_factory=dict)  # group of each entry, of a group stage


def run_pairing_job(job: Job) -> None:
    """Compute the draft with no transaction open; write it in one commit, unless the ledger moved meanwhile."""
    with one_snapshot():
        section = Section.objects.select_related("event").get(pk=job.section_id)
        snap = snapshot.load(section)
        try:
            draw = _prepare(snap, section, job)
        except EngineError as error:
            raise refusal(error, snap) from None
    try:
        drafts = draw()
    except EngineError as error:
        raise refusal(error, snap) from None
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


def ranking_order(section: Section, snap: snapshot.Snapshot) -> list[int] | None:
    """The order inside score groups: None for the starting numbers. Swiss on Solkoff goes by the lot in round 1, later by
    the running tie-breaks.
    """
    if section.ranking != Section.Ranking.SOLKOFF:
        return None
    if not snap.tournament.rounds:
        lots = dict(section.entries.values_list("pk", "lot_number"))
        return sorted(snap.entry_of, key=lambda number: (lots.get(snap.entry_of[number]) or MANY, number))
    table = standings.compute(
        snap.tournament,
        tiebreaks=tuple(section.tiebreaks),
        policy=policy_of(section),
        after_round=len(snap.tournament.rounds),
    )
    return [row.number for row in sorted(table.rows, key=lambda row: (row.rank, row.number))]


def missing_from_play(section: Section, *, number: int) -> tuple[set[int], set[int]]:
    """Entries that did not appear in the round before (not paired next) and those absent twice running (out).

    Applies under the section's rule only (Chinese practice for the score-pairing system).
    """
    if not section.drop_absent or number == 1:
        return set(), set()
    no_shows: dict[int, set[int]] = {}
    forfeits = (
        Q(outcome=Outcome.WHITE_FORFEITS)
        | Q(outcome=Outcome.BLACK_FORFEITS)
        | Q(outcome=Outcome.BOTH_FORFEIT)
    )
    rows = Pairing.objects.filter(forfeits, round__section=section, round__number__lt=number)
    for n, white, black, outcome in rows.values_list("round__number", "white_id", "black_id", "outcome"):
        missing = no_shows.setdefault(n, set())
        if outcome != Outcome.BLACK_FORFEITS:
            missing.add(white)
        if outcome != Outcome.WHITE_FORFEITS and black is not None:
            missing.add(black)
    last = no_shows.get(number - 1, set())
    # The round after a no-show is not played at all, so "two in a row" are two no-shows with one round between, or
    # without one where the arbiter paired the player all the same.
    return last, last & (no_shows.get(number - 2, set()) | no_shows.get(number - 3, set()))


def _prepare(snap: snapshot.Snapshot, section: Section, job: Job) -> Callable[[], list[Draft]]:
    """Read what the draw needs; the call gives the rounds: all of a table, one of a Swiss or of a bracket."""
    if section.is_swiss:
        return _prepare_next(snap, section, job)
    drafts = _draw(snap, section, job.round_number or 1)
    return lambda: drafts


def _draw(snap: snapshot.Snapshot, section: Section, number: int) -> list[Draft]:
    if section.is_round_robin:
        return _draw_all(snap, section)
    if section.format == Section.Format.GROUPS_KNOCKOUT and number == 1:
        return _draw_groups(snap, section)
    return [_draw_ties(snap, section, number)]


def _draw_groups(snap: snapshot.Snapshot, section: Section) -> list[Draft]:
    group_of, drawn = knockout.group_draw(snap, section)
    groups = {snap.entry_of[number]: group for number, group in group_of.items()}
    return [
        Draft(number=number, boards=boards, engine=knockout.GROUPS_NAME, groups=groups)
        for number, boards in enumerate(drawn, start=1)
    ]


def _draw_ties(snap: snapshot.Snapshot, section: Section, number: int) -> Draft:
    first = number == knockout.group_rounds(section) + 1
    seeds = knockout.seeds_of(section, snap) if first else list(section.bracket)
    section.bracket = seeds
    found = knockout.bracket_of(section, [] if first else knockout.meetings_of(section))
    if found is None:
        raise InvalidState(why="no-bracket", round=number)
    boards = knockout.boards_of_round(section, snap, found, number)
    if not boards:
        raise InvalidState(why="ties-undecided", round=number)
    return Draft(number=number, boards=boards, engine=knockout.NAME, bracket=seeds)


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


def _prepare_next(snap: snapshot.Snapshot, section: Section, job: Job) -> Callable[[], list[Draft]]:
    snap = interrupted.counted_as_drawn(section, snap)
    absent_entries, out = missing_from_play(section, number=job.round_number or 1)
    absent = sorted(snap.number_of[pk] for pk in absent_entries | out if pk in snap.number_of)
    order = ranking_order(section, snap)
    return lambda: [_pair_next(snap, absent, order, job)]


def _pair_next(snap: snapshot.Snapshot, absent: list[int], order: list[int] | None, job: Job) -> Draft:
    paired = swiss.pair_round(
        snap.tournament,
        absent=absent,
        order=order,
        progress=lambda done, total: jobs.report_progress(job, done=done, total=total),
        should_stop=_deadline(TIME_LIMIT),
    )
    _check_paired(snap, paired, absent)
    return Draft(
        number=paired.round,
        boards=paired.boards,
        engine=paired.engine,
        canonical_input=swiss.canonical_input(snap.tournament, absent=absent, order=order),
        digest=paired.digest,
        explanations={str(number): asdict(why) for number, why in paired.explanations.items()},
    )


def _deadline(seconds: int) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _check_paired(snap: snapshot.Snapshot, paired: swiss.RoundPairing, absent: list[int]) -> None:
    """The checker, which shares no search with the engine, has the last word before anything is written."""
    breaches = check.find_breaches(snap.tournament, paired.boards, absent=absent)
    if breaches:
        first = breaches[0]
        raise InvalidState(why="breach", round=paired.round, rule=str(first.rule), players=first.players)


def _draw_all(snap: snapshot.Snapshot, section: Section) -> list[Draft]:
    drawn = roundrobin.schedule(
        len(snap.tournament.players), double=section.format == Section.Format.DOUBLE_ROUND_ROBIN
    )
    return [Draft(number=r.number, boards=r.boards, engine=roundrobin.NAME) for r in drawn]


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
    if section.is_swiss:
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
