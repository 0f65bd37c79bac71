"""Setting a bracket right after a corrected result; nothing that has begun is changed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import jobs
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput, Conflict, WrongState
from tournaments.formats import brackets
from tournaments.formats.repairs import Kind, Repair, open_repairs
from tournaments.gate import lock_section
from tournaments.models import Job, Pairing, Round, Section
from tournaments.permissions import Action, require
from tournaments.services import filed
from tournaments.services.edits import keep_edit


def set_bracket_right(actor: Actor, section_id: int, *, version: int, reason: str) -> list[Pairing]:
    """Put whoever belongs there into every drawn tie that has not begun; each is recorded as the arbiter's change.

    Whoever comes takes the seat, and so the colour, of the one he replaces. Raises Conflict for a section that moved on
    since the `version` seen, WrongState when there is nothing to do.
    """
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give a reason for the change.")]})
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        if section.state == Section.State.CLOSED:
            raise WrongState(_("The section is closed."))
        if section.version != version:
            raise Conflict
        found = [repair for repair in open_repairs(section) if repair.kind is Kind.REPLACE]
        if not found:
            raise WrongState(_("No tie of the bracket has to be changed."))
        meetings = [repair.meeting.pairing for repair in found if repair.meeting]
        filed.refuse_loss(section, Pairing.objects.filter(pk__in=meetings))
        boards = [_put_in(actor, section, repair, reason) for repair in found]
        jobs.bump(section, public=any(board.round.is_public for board in boards))
        first = min(board.round.number for board in boards)
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=first)
    return boards


def _put_in(actor: Actor, section: Section, repair: Repair, reason: str) -> Pairing:
    assert repair.meeting is not None  # of this kind
    seats = dict(zip(repair.leaving, repair.coming, strict=True))
    board = Pairing.objects.select_related("round").get(pk=repair.meeting.pairing)
    board.white_id = seats.get(board.white_id, board.white_id)
    board.black_id = seats.get(board.black_id or 0, board.black_id)
    board.version += 1
    board.save(update_fields=["white", "black", "version"])
    round_ = Round.objects.get(pk=board.round_id)
    round_.section = section
    for gone, come in seats.items():
        keep_edit(
            actor,
            round_,
            action=AuditAction.BRACKET_SET_RIGHT,
            verb="replace",
            involved=(come, gone),
            reason=reason,
        )
    return board


def refuse_open(section: Section) -> None:
    """Raises WrongState while the bracket waits for the arbiter's word."""
    boards = _places(repair for repair in open_repairs(section) if repair.blocks)
    if boards:
        raise WrongState(
            _("A corrected result changes who goes on. Say first what holds for %(boards)s."),
            code="bracket-differs",
            boards=boards,
        )


def refuse_boards(section: Section, pairings: Iterable[int]) -> None:
    """Raises WrongState for a result of a tie in which others belong."""
    asked = set(pairings)
    boards = _places(
        repair
        for repair in open_repairs(section)
        if repair.kind in {Kind.REPLACE, Kind.WAITS} and repair.meeting and repair.meeting.pairing in asked
    )
    if boards:
        raise WrongState(
            _(
                "Others belong in %(boards)s since an earlier result was corrected: set the bracket right first, or say "
                "who goes on."
            ),
            code="bracket-differs",
            boards=boards,
        )


def refuse_other_than_played(section: Section, pairing: Pairing, advances: str) -> None:
    """Raises WrongState when the tie after has begun and another than the one who plays there would go on."""
    bracket = brackets.bracket_of(section, brackets.meetings_of(section)) if section.bracket else None
    if bracket is None:
        return
    tie = next((number for number, m in bracket.seated.items() if m.pairing == pairing.pk), None)
    begun = [t for t in bracket.fed_by(tie or 0) if t.number in bracket.fixed]
    named = brackets.winner_of(Outcome.UNPLAYED, advances, pairing.white_id, pairing.black_id)
    if not tie or not begun or not advances or named == bracket.winner(tie):
        return
    first = bracket.seated[begun[0].number]
    raise WrongState(
        _(
            "Board %(board)s of round %(round)s has begun with the other player: take its result back first, or let that "
            "player go on."
        ),
        code="played",
        board=first.board,
        round=first.round,
    )


def _places(repairs: Iterable[Repair]) -> str:
    return "; ".join(
        _("round %(round)s, board %(board)s") % {"round": r.meeting.round, "board": r.meeting.board}
        for r in repairs
        if r.meeting is not None
    )
