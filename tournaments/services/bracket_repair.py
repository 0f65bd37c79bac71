"""A bracket after a corrected result: which ties drawn since do not follow any more, what stands, and setting it right.

Nothing that has begun is changed here: who sits in a tie that has begun is the one who went on, and the arbiter is told
where a corrected result says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.engine import knockout as engine
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput, Conflict, WrongState
from tournaments.gate import lock_section
from tournaments.models import Job, Pairing, Round, Section
from tournaments.permissions import Action, require
from tournaments.services import filed, knockout
from tournaments.services.edits import keep_edit
from tournaments.services.knockout import Bracket, Meeting


class Kind(StrEnum):
    REPLACE = "replace"  # drawn and not begun: others belong there, and it is known who
    WAITS = "waits"  # drawn and not begun: who belongs there is open again
    STANDS = "stands"  # the tie after it has begun: who sits there went on, against the corrected result
    QUALIFIERS = "qualifiers"  # the groups as corrected would send others, or in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What no longer follows. REPLACE, WAITS: `meeting` is the drawn tie, `leaving` and `coming` go pair by pair, `before`
    are the ties that its players come from.

    STANDS: `meeting` is the corrected tie, `leaving` the one who went on, `coming` the one who would (none when level),
    `after` the ties that have begun since. QUALIFIERS: who would not be in the bracket, and who would.
    """

    kind: Kind
    meeting: Meeting | None = None
    leaving: tuple[int, ...] = ()
    coming: tuple[int, ...] = ()
    before: tuple[Meeting, ...] = ()
    after: tuple[Meeting, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether the section cannot go on before the arbiter has said what holds."""
        return self.kind is not Kind.QUALIFIERS


def open_repairs(section: Section) -> list[Repair]:
    """Everything that the arbiter has to settle, drafts included; nothing for other formats."""
    if not section.has_knockout or not section.bracket:
        return []
    bracket = knockout.bracket_of(section, knockout.meetings_of(section))
    found = [] if bracket is None else repairs_in(bracket)
    return found + _qualifiers(section)


def repairs_in(bracket: Bracket) -> list[Repair]:
    return list(_repairs(bracket))


def _repairs(bracket: Bracket) -> Iterator[Repair]:
    for tie in bracket.ties:
        meeting = bracket.seated.get(tie.number)
        if meeting is None:
            continue
        if tie.number not in bracket.fixed:
            expected = bracket.expected(tie.number)
            before = tuple(bracket.seated[n] for n in engine.feeders(tie) if n in bracket.seated)
            if expected is None:
                yield Repair(kind=Kind.WAITS, meeting=meeting, before=before)
            elif frozenset(expected) != meeting.players:
                leaving, coming = _changes(bracket, tie.number)
                yield Repair(
                    kind=Kind.REPLACE, meeting=meeting, leaving=leaving, coming=coming, before=before
                )
            continue
        begun = tuple(
            bracket.seated[t.number] for t in bracket.fed_by(tie.number) if t.number in bracket.fixed
        )
        went_on = bracket.winner(tie.number)
        if begun and went_on is not None and went_on != meeting.winner:
            would = () if meeting.winner is None else (meeting.winner,)
            yield Repair(kind=Kind.STANDS, meeting=meeting, leaving=(went_on,), coming=would, after=begun)


def _changes(bracket: Bracket, number: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who leaves a drawn tie and who comes for him: the two come from the same tie before."""
    expected, seated = set(bracket.expected(number) or ()), bracket.seated[number].players
    tie = next(tie for tie in bracket.ties if tie.number == number)
    reach = engine.reach(bracket.ties)
    sides = [{bracket.seeds[seed - 1] for seed in reach[before]} for before in engine.feeders(tie)]
    pairs = [
        (gone, come)
        for side in sides
        for gone in seated & side - expected
        for come in expected & side - seated
    ]
    return tuple(gone for gone, _come in pairs), tuple(come for _gone, come in pairs)


def _qualifiers(section: Section) -> list[Repair]:
    """Whom the groups would send now, against those in the bracket; an order that differs counts."""
    if section.format != Section.Format.GROUPS_KNOCKOUT:
        return []
    drawn = list(section.bracket)
    now = knockout.seeds_of(section, snapshot.load(section))
    if now == drawn:
        return []
    out, in_ = [pk for pk in drawn if pk not in now], [pk for pk in now if pk not in drawn]
    return [Repair(kind=Kind.QUALIFIERS, leaving=tuple(out), coming=tuple(in_))]


def has_begun(section: Section) -> bool:
    """Whether anything of the knock-out is played."""
    return any(meeting.begun for meeting in knockout.meetings_of(section) if meeting.black is not None)


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
    bracket = knockout.bracket_of(section, knockout.meetings_of(section)) if section.bracket else None
    if bracket is None:
        return
    tie = next((number for number, m in bracket.seated.items() if m.pairing == pairing.pk), None)
    begun = [t for t in bracket.fed_by(tie or 0) if t.number in bracket.fixed]
    named = knockout.winner_of(Outcome.UNPLAYED, advances, pairing.white_id, pairing.black_id)
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
