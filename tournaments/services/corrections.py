"""What a ruling or a decision does to the ledger beyond a result and points, and the ways back.

Each verb begins with the gate, tells exactly what it changed, and can be put back from what it told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Q
from django.utils.translation import gettext as _

from tournaments import audit, formats, holds, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import MIRROR, PLAYED, Colour, Outcome
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import PUBLIC_STATES, Entry, Job, Pairing, Round, Section, TeamMember, last_public
from tournaments.permissions import Action, require
from tournaments.services import filed, rounds
from tournaments.services.entries import describe


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChange:
    """One board before and after."""

    pairing: int
    before: str
    after: str
    grade: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """What a disqualification changed: the entry's earlier status, and the boards that fell with it."""

    entry: int
    status: str
    withdrawn_after_round: int | None
    boards: tuple[BoardChange, ...]


def _last_played(entry: Entry) -> int:
    boards = Pairing.objects.filter(Q(white=entry) | Q(black=entry), black__isnull=False, outcome__in=PLAYED)
    return boards.aggregate(last=Max("round__number"))["last"] or 0


def disqualify_entry(actor: Actor, entry_id: int, *, round_number: int, reason: str) -> Departure:
    """Take a player out of the competition (articles 14.2.2, 14.2.5, 14.5), by the section's policy.

    A waiting draft of a Swiss is thrown away: it was made with the player. Raises WrongState when that is done already.
    """
    section, entry = _locked(actor, entry_id)
    if entry.status == Entry.Status.DISQUALIFIED:
        raise WrongState(_("%(name)s is disqualified already."), name=str(entry))
    before = describe(entry)
    strategy = formats.of(section)
    if not strategy.drawn_ahead and section.rounds.filter(state=Round.State.PAIRED).exists():
        rounds.drop_drafts(section)
    told = Departure(
        entry=entry.pk,
        status=entry.status,
        withdrawn_after_round=entry.withdrawn_after_round,
        boards=_fell(actor, section, entry, reason),
    )
    left = strategy.gone_after(
        round_number=round_number, played=_last_played(entry), public=last_public(section)
    )
    known = entry.withdrawn_after_round
    entry.status = Entry.Status.DISQUALIFIED
    entry.withdrawn_after_round = left if known is None else min(known, left)
    entry.save(update_fields=["status", "withdrawn_after_round"])
    audit.record(
        actor=actor, action=AuditAction.DISQUALIFY_ENTRY, section=section, subject=entry, before=before,
        after=describe(entry), reason=reason,
    )  # fmt: skip
    _follow(section)
    return told


def restore_entry(actor: Actor, told: Departure, *, reason: str) -> None:
    """Take a disqualification back. Boards that somebody changed since stay as they are."""
    section, entry = _locked(actor, told.entry)
    before = describe(entry)
    entry.status = told.status
    entry.withdrawn_after_round = told.withdrawn_after_round
    entry.save(update_fields=["status", "withdrawn_after_round"])
    for change in told.boards:
        pairing = Pairing.objects.select_related("round").filter(pk=change.pairing).first()
        if pairing is not None and pairing.outcome == change.after:
            _write(actor, section, pairing, outcome=change.before, grade=change.grade, reason=reason)
    audit.record(
        actor=actor, action=AuditAction.RESTORE_ENTRY, section=section, subject=entry, before=before,
        after=describe(entry), reason=reason,
    )  # fmt: skip
    _follow(section)


def disqualify_member(actor: Actor, member_id: int, *, from_round: int, reason: str) -> TeamMember:
    """Take a player out of his team from a round on (articles 14.2.2, 14.2.5): the team plays on, a substitute sits in.

    Raises WrongState when that is done already.
    """
    section, member = _locked_member(actor, member_id)
    if member.out_from_round is not None:
        raise WrongState(_("%(name)s is disqualified already."), name=str(member))
    _set_out(actor, section, member, from_round, action=AuditAction.DISQUALIFY_MEMBER, reason=reason)
    return member


def restore_member(actor: Actor, member_id: int, *, reason: str) -> None:
    """Take the disqualification of a player of a team back."""
    section, member = _locked_member(actor, member_id)
    _set_out(actor, section, member, None, action=AuditAction.RESTORE_MEMBER, reason=reason)


def _locked_member(actor: Actor, member_id: int) -> tuple[Section, TeamMember]:
    found = TeamMember.objects.select_related("entry").filter(pk=member_id).first()
    if found is None:
        raise NotFound
    section, _entry = _locked(actor, found.entry_id)
    return section, TeamMember.objects.select_related("entry__player").get(pk=member_id)


def _set_out(
    actor: Actor,
    section: Section,
    member: TeamMember,
    from_round: int | None,
    *,
    action: AuditAction,
    reason: str,
) -> None:
    before = member.out_from_round
    member.out_from_round = from_round
    member.save(update_fields=["out_from_round"])
    audit.record(
        actor=actor, action=action, section=section, subject=member.entry, before={"out_from_round": before},
        after={"name": member.name, "out_from_round": from_round}, reason=reason,
    )  # fmt: skip
    _follow(section)


def turn_colours(actor: Actor, pairing_id: int, *, reason: str) -> Pairing:
    """The board as it was played with colours reversed (article 9.3): who won stays, the colours are those played."""
    section, pairing = _locked_board(actor, pairing_id)
    if pairing.grade or pairing.black_id is None or pairing.match_games.exists():
        raise WrongState(_("The colours of this board cannot be turned: correct the result by hand."))
    before = {"white": pairing.white_id, "black": pairing.black_id, "outcome": pairing.outcome}
    pairing.white_id, pairing.black_id = pairing.black_id, pairing.white_id
    pairing.outcome = MIRROR.get(Outcome(pairing.outcome), Outcome(pairing.outcome)).value
    if pairing.advances:  # the same player goes on
        pairing.advances = Colour(pairing.advances).other.value
    pairing.version += 1
    pairing.save(update_fields=["white", "black", "outcome", "advances", "version"])
    audit.record(
        actor=actor, action=AuditAction.TURN_COLOURS, section=section, subject=pairing, before=before,
        after={"white": pairing.white_id, "black": pairing.black_id, "outcome": pairing.outcome}, reason=reason,
    )  # fmt: skip
    _follow(section)
    return pairing


def exchange_players(actor: Actor, round_id: int, *, first: int, second: int, reason: str) -> None:
    """Exchange the seats of two players of a public round whose boards have no result yet."""
    section_id = Round.objects.filter(pk=round_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.PUBLISH, section.event)
    if formats.of(section).has_bracket:
        raise WrongState(_("A knock-out is drawn by its bracket: only colours can be exchanged."))
    round_ = section.rounds.get(pk=round_id)
    boards = list(round_.pairings.filter(Q(white__in=[first, second]) | Q(black__in=[first, second])))
    _check_exchange(round_, boards, first, second)
    seats = {first: second, second: first}
    for board in boards:
        before = {"white": board.white_id, "black": board.black_id}
        board.white_id = seats.get(board.white_id, board.white_id)
        board.black_id = seats.get(board.black_id or 0, board.black_id)
        board.version += 1
        board.save(update_fields=["white", "black", "version"])
        audit.record(
            actor=actor, action=AuditAction.EXCHANGE_PLAYERS, section=section, subject=board, before=before,
            after={"white": board.white_id, "black": board.black_id, "round": round_.number, "board": board.board},
            reason=reason,
        )  # fmt: skip
    _follow(section)


def _check_exchange(round_: Round, boards: list[Pairing], first: int, second: int) -> None:
    if round_.state not in PUBLIC_STATES:
        raise WrongState(_("Round %(round)s is not published yet."), round=round_.number)
    if first == second or len(boards) != 2:
        raise BadInput(_("Choose two players on different boards of the round."))
    if any(board.outcome != Outcome.UNPLAYED or board.black_id is None for board in boards):
        raise WrongState(_("Only boards that have not begun can be changed."), code="played")
    filed.refuse_loss(round_.section, Pairing.objects.filter(pk__in=[board.pk for board in boards]))


def _fell(actor: Actor, section: Section, entry: Entry, reason: str) -> tuple[BoardChange, ...]:
    found = {
        pairing.pk: pairing
        for pairing in Pairing.objects.filter(
            Q(white=entry) | Q(black=entry), black__isnull=False
        ).select_related("round")
    }
    held = holds.held_boards(section)
    rows = [(p.pk, p.white_id, p.black_id, p.outcome) for p in found.values() if p.pk not in held]
    changes = []
    falling = formats.of(section).departure(section, rows, entry=entry.pk)
    for pk, outcome in falling.items():
        pairing = found[pk]
        changes.append(
            BoardChange(pairing=pk, before=pairing.outcome, after=outcome.value, grade=pairing.grade)
        )
        _write(actor, section, pairing, outcome=outcome.value, grade="", reason=reason)
    return tuple(changes)


def _write(
    actor: Actor, section: Section, pairing: Pairing, *, outcome: str, grade: str, reason: str
) -> None:
    before: Mapping[str, Any] = {"outcome": pairing.outcome, "grade": pairing.grade}
    pairing.outcome, pairing.grade = outcome, grade
    pairing.version += 1
    pairing.save(update_fields=["outcome", "grade", "version"])
    audit.record(
        actor=actor, action=AuditAction.RECORD_OUTCOME, section=section, subject=pairing, before=before,
        after={"outcome": outcome, "grade": grade, "round": pairing.round.number, "board": pairing.board},
        reason=reason,
    )  # fmt: skip


def _locked(actor: Actor, entry_id: int) -> tuple[Section, Entry]:
    section_id = Entry.objects.filter(pk=entry_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.EDIT_ENTRIES, section.event)
    _refuse_closed(section)
    entry = Entry.objects.select_related("player").get(pk=entry_id)
    entry.section = section
    return section, entry


def _locked_board(actor: Actor, pairing_id: int) -> tuple[Section, Pairing]:
    section_id = Pairing.objects.filter(pk=pairing_id).values_list("round__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.ENTER_RESULTS, section.event)
    _refuse_closed(section)
    return section, Pairing.objects.select_related("round").get(pk=pairing_id)


def _refuse_closed(section: Section) -> None:
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed: open it again first."))


def _follow(section: Section) -> None:
    jobs.bump(section, public=True)
    if last_public(section):
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)
