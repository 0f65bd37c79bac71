"""A round paired by hand: when no legal pairing exists, or the arbiter has another reason. The engine is not asked."""

from __future__ import annotations

from collections import Counter

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.engine import scoring
from tournaments.engine.types import PLAYED, Board, Outcome, Tournament
from tournaments.errors import BadInput, WrongState
from tournaments.formats import Draft
from tournaments.gate import lock_section
from tournaments.models import Job, Round, last_drafted
from tournaments.permissions import Action, require
from tournaments.services import drawing, rounds
from tournaments.services import entries as entry_list

ENGINE = "by hand"


def draft_by_hand(actor: Actor, section_id: int, *, reason: str) -> Round:
    """A draft of the next Swiss round with neighbours of the standings as opponents, for the arbiter to change.

    Rematches, forbidden pairs and colours are not looked after: the draft shows what it breaks, as after any hand
    change. Raises WrongState with what stands in the way.
    """
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Pairing by hand needs a reason.")]})
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        strategy = formats.of(section)
        refused = strategy.by_hand()
        if refused is not None:
            raise refused
        if section.jobs.filter(kind=Job.Kind.PAIR, state__in=[Job.State.QUEUED, Job.State.RUNNING]).exists():
            raise WrongState(_("The round is being paired."), code="being-paired")
        number = last_drafted(section) + 1
        rounds.check_ready(section, number)
        if number == 1:
            entry_list.fix_numbers(section)
        snap = snapshot.load(section)
        absent, out = strategy.missing(section, number=number)
        away = {snap.number_of[pk] for pk in absent | out if pk in snap.number_of}
        boards = neighbours(snap.tournament, number=number, away=away)
        made = drawing.write_draft(section, snap, Draft(number=number, boards=boards, engine=ENGINE))
        drawing.close_round(section, number - 1)
        audit.record(
            actor=actor, action=AuditAction.DRAFT_BY_HAND, section=section, subject=made, after={"round": number}, reason=reason
        )  # fmt: skip
        jobs.bump(section, public=False)
    return made


def neighbours(tournament: Tournament, *, number: int, away: set[int]) -> tuple[Board, ...]:
    """First against second, third against fourth ... by points and number; the last one left gets the bye.

    White goes to whoever had it less often, else by turns from the first board.
    """
    away = away | {bye.player for bye in tournament.requested_byes if bye.round == number}
    points = scoring.totals(tournament)
    playing = [
        player.number
        for player in sorted(tournament.players, key=lambda each: (-points[each.number], each.number))
        if player.number not in away and (player.withdrawn_after is None or player.withdrawn_after >= number)
    ]
    balance = _colour_balance(tournament)
    boards = []
    for place, (first, second) in enumerate(zip(playing[::2], playing[1::2], strict=False), start=1):
        turned = balance[first] > balance[second] or (balance[first] == balance[second] and place % 2 == 0)
        white, black = (second, first) if turned else (first, second)
        boards.append(Board(number=place, white=white, black=black))
    if len(playing) % 2:
        boards.append(Board(number=0, white=playing[-1], black=None, outcome=Outcome.BYE))
    return tuple(boards)


def _colour_balance(tournament: Tournament) -> Counter[int]:
    """Games with White less games with Black."""
    balance: Counter[int] = Counter()
    for round_ in tournament.rounds:
        for board in round_.boards:
            if board.black is not None and board.outcome in PLAYED:
                balance[board.white] += 1
                balance[board.black] -= 1
    return balance
