"""Rounds: asking for a pairing, the job that makes the draft, publishing, and the ways back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import audit, jobs, snapshot
from tournaments.audit import Actor
from tournaments.engine import check, roundrobin, standings, swiss
from tournaments.engine.types import Board, EngineError, InvalidState, NoLegalPairing, Outcome
from tournaments.errors import Conflict, DomainError, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import PUBLIC_STATES, Absence, Entry, Job, Pairing, Round, Section
from tournaments.permissions import Action, require
from tournaments.services import bracket_repair, filed, interrupted, knockout
from tournaments.services import entries as entry_list
from tournaments.services.standings import policy_of

MANY = 10**9  # after every lot
TIME_LIMIT = 120  # seconds; far more than the largest field takes


class PairingRefused(DomainError):
    """The engine's answer that no pairing is possible, in words for the arbiter."""

    code = "no-legal-pairing"
    status = 409


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


def request_pairing(actor: Actor, section_id: int, *, again: bool = False) -> Job:
    """Ask for the next round's draft. While a pairing job is active, it is the answer.

    `again` throws the present draft away first. Raises WrongState with what stands in the way.
    """
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        active = Job.objects.filter(
            section=section, kind=Job.Kind.PAIR, state__in=[Job.State.QUEUED, Job.State.RUNNING]
        ).first()
        if active is not None:
            return active
        if again:
            drop_drafts(section)
        number = entry_list.last_drafted(section) + 1
        check_ready(section, number)
        if number == 1:
            entry_list.fix_numbers(section)
        jobs.bump(section, public=False)  # numbers are shown when round 1 is published, not before
        audit.record(
            actor=actor, action="request-pairing", section=section, subject=section, after={"round": number}
        )
        return jobs.enqueue(section, Job.Kind.PAIR, round_number=number, requested_by=actor.user)


def run_pairing_job(job: Job) -> None:
    """Compute the draft with no transaction open; write it in one commit, unless the ledger moved meanwhile."""
    section = Section.objects.select_related("event").get(pk=job.section_id)
    snap = snapshot.load(section)
    try:
        drafts = _drafts(snap, section, job)
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


def publish_round(actor: Actor, round_id: int) -> Round:
    """Put a draft before the public. Earlier rounds must be public already."""
    with transaction.atomic():
        round_ = _locked_round(actor, round_id, Action.PUBLISH)
        _check_publishable(round_)
        _publish(actor, round_)
        _follow(round_.section, round_.number)
    return round_


def publish_all_rounds(actor: Actor, section_id: int) -> list[Round]:
    """Publish every draft of a round robin at once: its table is known from the start."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PUBLISH, section.event)
        drafts = list(section.rounds.filter(state=Round.State.PAIRED).order_by("number"))
        if not drafts:
            raise WrongState(_("There is no draft to publish."))
        for round_ in drafts:
            round_.section = section
            _check_publishable(round_)
            _publish(actor, round_)
        _follow(section, drafts[0].number)
    return drafts


def unpublish_round(actor: Actor, round_id: int, *, reason: str) -> Round:
    """Take a round back to draft while nothing is played or filed in it and no later round is public."""
    with transaction.atomic():
        round_ = _locked_round(actor, round_id, Action.PUBLISH)
        section = round_.section
        if round_.state != Round.State.PUBLISHED:
            raise WrongState(_("Round %(round)s is not open for this."), round=round_.number)
        if not reason.strip():
            raise WrongState(_("Give a reason for taking the round back."), code="reason-needed")
        if round_.pairings.filter(black__isnull=False).exclude(outcome=Outcome.UNPLAYED).exists():
            raise WrongState(
                _("Results are in already: the round can no longer be taken back."), code="played"
            )
        if section.rounds.filter(number__gt=round_.number, state__in=PUBLIC_STATES).exists():
            raise WrongState(_("A later round is public."))
        filed.refuse_loss(section, Pairing.objects.filter(round=round_))
        _drop_later_drafts(section, round_.number)
        round_.state = Round.State.PAIRED
        round_.published_at = None
        round_.save(update_fields=["state", "published_at"])
        section.standings.filter(after_round__gte=round_.number).delete()
        audit.record(actor=actor, action="unpublish-round", section=section, subject=round_, reason=reason)
        _follow(section, round_.number)
    return round_


def discard_draft(actor: Actor, section_id: int) -> None:
    """Throw the drafts away; the round before is open for results again."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        drop_drafts(section)
        audit.record(actor=actor, action="discard-draft", section=section, subject=section)
        jobs.bump(section, public=False)


def set_round_start(actor: Actor, section_id: int, *, number: int, starts_at: Any) -> Round:
    """The announced start of a round; the round need not be paired yet."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PUBLISH, section.event)
        if not 1 <= number <= max(section.rounds_total, entry_list.last_drafted(section)):
            raise NotFound
        round_, _created = Round.objects.get_or_create(section=section, number=number)
        round_.starts_at = starts_at
        round_.save(update_fields=["starts_at"])
        audit.record(
            actor=actor, action="set-round-start", section=section, subject=round_,
            after=starts_at.isoformat() if starts_at else None,
        )  # fmt: skip
        jobs.bump(section, public=True)
    return round_


def refusal(error: EngineError, snap: snapshot.Snapshot) -> PairingRefused:
    """The engine's numbers turned into names."""
    numbers = error.values.get("players", ())
    players = list(numbers) if isinstance(numbers, Iterable) else []
    names = {player.number: player.name for player in snap.tournament.players}
    listed = ", ".join(f"{n} {names.get(n, '')}".strip() for n in players)
    found = error.values.get("relax", ())
    relax = [str(code) for code in found] if isinstance(found, Iterable) else []
    text = _("The ledger contradicts itself: %(detail)s.")
    if isinstance(error, NoLegalPairing):
        text = no_pairing_text(relax)
    if isinstance(error, swiss.TimeLimit):
        text = time_limit_text()
    return PairingRefused(
        text,
        code=error.code,
        names=listed,
        detail=str(error),
        players=players,
        relax=relax,
        seconds=TIME_LIMIT,
    )


def time_limit_text() -> str:
    return _(
        "The engine found no answer within %(seconds)s seconds and was stopped; nothing was saved. Pair again, or pair "
        "the round by hand."
    )


def no_pairing_text(relax: Iterable[str]) -> str:
    """Why there is no round, and what an arbiter may give up so that there is one; `names` is to be put in."""
    helps = {
        "second-bye": _("a second bye for one player"),
        "forbidden-pairs": _("lifting forbidden pairs"),
        "colours": _("setting the colour rules aside"),
        "rematch": _("letting two players meet again"),
    }
    found = ", ".join(helps[code] for code in relax if code in helps)
    why = _("No legal pairing exists: these players cannot all be matched: %(names)s.")
    if not found:
        return f"{why} {_('Pair the round by hand.')}"
    what = _("One of these would help: {what}. Lift a forbidden pair, or pair the round by hand.")
    return f"{why} {what.format(what=found)}"


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


def check_ready(section: Section, number: int) -> None:
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    if section.rounds.filter(state=Round.State.PAIRED).exists():
        raise WrongState(
            _("A draft is waiting: publish it, or discard it and pair again."), code="draft-exists"
        )
    if number > _last_round(section) and not section.is_round_robin:
        raise WrongState(
            _("All %(rounds)s rounds are paired."), code="all-paired", rounds=section.rounds_total
        )
    if section.is_round_robin and number > 1:
        raise WrongState(_("The round robin is drawn whole already."), code="all-paired")
    playing = section.entries.filter(
        Q(withdrawn_after_round__isnull=True) | Q(withdrawn_after_round__gte=number)
    )
    if (
        section.format == Section.Format.GROUPS_KNOCKOUT
        and number == 1
        and playing.count() < 2 * section.groups
    ):
        raise WrongState(_("Each group needs at least two players."), code="too-few-players")
    if playing.count() < 2 and (number == 1 or not section.has_knockout):
        raise WrongState(_("A round needs at least two players."), code="too-few-players")
    open_boards = (
        Pairing.objects.filter(round__section=section, round__number__lt=number, outcome=Outcome.UNPLAYED)
        .exclude(pk__in=interrupted.adjourned(section))
        .count()
    )
    if open_boards:
        raise WrongState(
            _("Results are missing on %(count)s boards."), code="results-missing", count=open_boards
        )
    level = knockout.undecided(section) if section.has_knockout else []
    if level:
        raise WrongState(
            _("Say who goes on from board %(boards)s: the match is level."),
            code="ties-undecided",
            boards=", ".join(map(str, level)),
        )
    bracket_repair.refuse_open(section)


def _last_round(section: Section) -> int:
    """The number of rounds there will be. A bracket tells its own; before it is drawn there is always one more."""
    if not section.has_knockout:
        return section.rounds_total
    found = knockout.bracket_of(section, [])
    return found.rounds_total if found is not None else MANY


def _drafts(snap: snapshot.Snapshot, section: Section, job: Job) -> list[Draft]:
    """The rounds that a job draws up: all of a table, one of a Swiss or of a bracket."""
    if section.is_round_robin:
        return _draw_all(snap, section)
    if not section.has_knockout:
        return [_pair_next(snap, section, job)]
    number = job.round_number or 1
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


def _pair_next(snap: snapshot.Snapshot, section: Section, job: Job) -> Draft:
    snap = interrupted.counted_as_drawn(section, snap)
    absent_entries, out = missing_from_play(section, number=job.round_number or 1)
    absent = sorted(snap.number_of[pk] for pk in absent_entries | out if pk in snap.number_of)
    order = ranking_order(section, snap)
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


def drop_drafts(section: Section) -> None:
    drafts = section.rounds.filter(state=Round.State.PAIRED)
    first = drafts.order_by("number").values_list("number", flat=True).first()
    if first is None:
        raise WrongState(_("There is no draft."), code="no-draft")
    if section.has_knockout and first <= knockout.group_rounds(section) + 1:
        section.bracket = []
        section.save(update_fields=["bracket"])
    _empty(section, drafts)
    _reopen_round(section, first - 1)


def _drop_later_drafts(section: Section, number: int) -> None:
    if not section.is_drawn_whole:
        _empty(section, section.rounds.filter(state=Round.State.PAIRED, number__gt=number))


def _empty(section: Section, drafts: QuerySet[Round]) -> None:
    boards = Pairing.objects.filter(round__in=drafts)
    filed.refuse_loss(section, boards)
    boards.delete()
    drafts.update(
        state=Round.State.OPEN,
        engine="",
        digest="",
        canonical_input="",
        proposal=[],
        explanations={},
        numbers={},
        edits=[],
    )


def close_round(section: Section, number: int) -> None:
    section.rounds.filter(number=number, state=Round.State.PUBLISHED).update(state=Round.State.CLOSED)


def _reopen_round(section: Section, number: int) -> None:
    section.rounds.filter(number=number, state=Round.State.CLOSED).update(state=Round.State.PUBLISHED)


def _locked_round(actor: Actor, round_id: int, action: Action) -> Round:
    section_id = Round.objects.filter(pk=round_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, action, section.event)
    round_ = section.rounds.get(pk=round_id)
    round_.section = section
    return round_


def _check_publishable(round_: Round) -> None:
    if round_.state != Round.State.PAIRED:
        raise WrongState(_("Round %(round)s is not a draft."), round=round_.number)
    earlier = round_.section.rounds.filter(number__lt=round_.number)
    if earlier.exclude(state__in=PUBLIC_STATES).exists():
        raise WrongState(_("Publish the earlier rounds first."))
    bracket_repair.refuse_open(round_.section)


def _publish(actor: Actor, round_: Round) -> None:
    section = round_.section
    round_.state = Round.State.PUBLISHED
    round_.published_at = timezone.now()
    round_.save(update_fields=["state", "published_at"])
    if section.state == Section.State.SETUP:
        section.state = Section.State.RUNNING
        section.save(update_fields=["state"])
    # Told with the first round that is published, not by the draft before it.
    if section.is_round_robin:
        section.rounds_total = entry_list.last_drafted(section)
        section.save(update_fields=["rounds_total"])
    elif section.has_knockout:
        section.rounds_total = _planned_rounds(section)
        section.save(update_fields=["rounds_total"])
    _absent, out = missing_from_play(section, number=round_.number)
    section.entries.filter(pk__in=out, status=Entry.Status.ACTIVE).update(
        status=Entry.Status.WITHDRAWN, withdrawn_after_round=round_.number
    )
    audit.record(
        actor=actor, action="publish-round", section=section, subject=round_,
        after={"round": round_.number, "edits": round_.edits, "digest": round_.digest},
    )  # fmt: skip


def _planned_rounds(section: Section) -> int:
    """Of a knock-out, from the number of players or, after groups, of those who go on."""
    found = knockout.bracket_of(section, [])
    if found is not None:
        return found.rounds_total
    sizes = Counter(section.entries.filter(group__isnull=False).values_list("group", flat=True))
    players = len(sizes) * min(section.group_places, *sizes.values())
    return knockout.group_rounds(section) + max(players - 1, 1).bit_length()


def _follow(section: Section, number: int) -> None:
    jobs.bump(section, public=True)
    jobs.enqueue(section, Job.Kind.STANDINGS, round_number=number)
