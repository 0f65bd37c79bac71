"""Hand changes to a draft: swap two players, set a board, give a bye, forbid a pair. Checked, and kept beside the engine's word."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import ForbiddenPair, Pairing, Round
from tournaments.permissions import Action, require
from tournaments.selectors.draft_checks import Seats, Warning, check, seats_of
from tournaments.services import filed
from tournaments.services.edits import keep_edit


def swap(actor: Actor, round_id: int, *, first: int, second: int, version: int, reason: str) -> list[Warning]:
    """The two entries take each other's places; opponents change colours."""

    def change(seats: Seats) -> Seats:
        return _exchange(seats, first, second)

    return _edit(actor, round_id, change, (first, second), version=version, reason=reason, verb="swap")


def set_board(
    actor: Actor, round_id: int, *, white: int, black: int, version: int, reason: str
) -> list[Warning]:
    """White meets Black on White's board; the opponents they leave meet each other, or get the bye one of them had."""

    def change(seats: Seats) -> Seats:
        rest = [seat for seat in seats if white not in seat and black not in seat]
        if len(rest) == len(seats) - 1:
            return [(white, black) if white in seat and black in seat else seat for seat in seats]
        left = [
            p
            for seat in seats
            if white in seat or black in seat
            for p in seat
            if p not in (white, black, None)
        ]
        new: list[tuple[int, int | None]] = []
        for seat in seats:
            if white in seat:
                new.append((white, black))
            elif black not in seat:
                new.append(seat)
            elif left:  # both had byes when nobody is left
                new.append((left[0], left[1] if len(left) == 2 else None))
        return new

    return _edit(actor, round_id, change, (white, black), version=version, reason=reason, verb="set")


def give_bye(actor: Actor, round_id: int, *, entry: int, version: int, reason: str) -> list[Warning]:
    """The entry gets the bye. Who had it takes the entry's place; with an even number the opponent gets a bye too."""

    def change(seats: Seats) -> Seats:
        byes = [white for white, black in seats if black is None]
        if entry in byes:
            return seats
        if byes:
            return _exchange(seats, entry, byes[0])
        return [
            *(seat for seat in seats if entry not in seat),
            *((player, None) for seat in seats if entry in seat for player in seat if player is not None),
        ]

    return _edit(actor, round_id, change, (entry,), version=version, reason=reason, verb="bye")


def forbid_pair(
    actor: Actor,
    section_id: int,
    *,
    first: int,
    second: int,
    first_round: int = 1,
    last_round: int = 99,
    reason: str = "",
) -> ForbiddenPair:
    """The two never meet in those rounds. A draft that pairs them stays until it is paired again."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        found = set(section.entries.filter(pk__in=[first, second]).values_list("pk", flat=True))
        if first == second or found != {first, second}:
            raise BadInput(fields={"second": [_("Choose two different players of this section.")]})
        if first_round > last_round:
            raise BadInput(fields={"last_round": [_("The last round comes before the first.")]})
        pair = ForbiddenPair.objects.create(
            section=section, first_id=first, second_id=second, first_round=first_round, last_round=last_round,
            reason=reason,
        )  # fmt: skip
        audit.record(
            actor=actor, action=AuditAction.FORBID_PAIR, section=section, subject=pair, after={"entries": [first, second]},
            reason=reason,
        )  # fmt: skip
        jobs.bump(section, public=False)
    return pair


def allow_pair(actor: Actor, pair_id: int) -> None:
    pair = ForbiddenPair.objects.filter(pk=pair_id).first()
    if pair is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(pair.section_id)
        require(actor, Action.PAIR, section.event)
        audit.record(
            actor=actor, action=AuditAction.ALLOW_PAIR, section=section, subject=pair,
            before={"entries": [pair.first_id, pair.second_id]},
        )  # fmt: skip
        pair.delete()
        jobs.bump(section, public=False)


def _edit(
    actor: Actor,
    round_id: int,
    change: Callable[[Seats], Seats],
    involved: tuple[int, ...],
    *,
    version: int,
    reason: str,
    verb: str,
) -> list[Warning]:
    section_id = Round.objects.filter(pk=round_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.PAIR, section.event)
        round_ = section.rounds.get(pk=round_id)
        round_.section = section
        if round_.state != Round.State.PAIRED:
            raise WrongState(_("Round %(round)s is not a draft."), round=round_.number)
        if section.version != version:
            raise Conflict
        before = seats_of(round_)
        _check_seated(before, involved)
        after = change(list(before))
        if formats.of(section).has_bracket and _pairs(before) != _pairs(after):
            raise WrongState(_("A knock-out is drawn by its bracket: only colours can be exchanged."))
        _rewrite(round_, before, after)
        snap = snapshot.load(section, through=round_.number - 1)
        warnings = check(snap, after, number=round_.number)
        keep_edit(
            actor, round_, action=AuditAction(f"draft-{verb}"), verb=verb, involved=involved, reason=reason,
            warnings=[{"kind": w.kind, "entries": list(w.entries), "detail": w.detail} for w in warnings],
        )  # fmt: skip
        jobs.bump(section, public=False)
    return warnings


def _pairs(seats: Seats) -> set[frozenset[int | None]]:
    return {frozenset(seat) for seat in seats}


def _exchange(seats: Seats, first: int, second: int) -> Seats:
    exchanged = {first: second, second: first}
    return [
        (exchanged.get(white, white), None if black is None else exchanged.get(black, black))
        for white, black in seats
    ]


def _check_seated(seats: Seats, involved: tuple[int, ...]) -> None:
    seated = {entry for seat in seats for entry in seat}
    if len(set(involved)) != len(involved) or not set(involved) <= seated:
        raise BadInput(_("Choose players who are paired in this round."))


def _rewrite(round_: Round, before: Seats, after: Seats) -> None:
    """Write the boards anew: numbers in order, byes last. Refused where something is filed at one, as `filed` says."""
    if sorted(str(e) for s in before for e in s if e) != sorted(str(e) for s in after for e in s if e):
        raise RuntimeError("a hand change lost or doubled a player")
    rewritten = Pairing.objects.filter(round=round_).exclude(outcome__in=[Outcome.HALF_BYE, Outcome.ZERO_BYE])
    filed.refuse_loss(round_.section, rewritten)
    rewritten.delete()
    boards = [seat for seat in after if seat[1] is not None]
    byes = [seat for seat in after if seat[1] is None]
    Pairing.objects.bulk_create(
        [
            Pairing(round=round_, board=number, white_id=white, black_id=black)
            for number, (white, black) in enumerate(boards, start=1)
        ]
        + [Pairing(round=round_, board=0, white_id=white, outcome=Outcome.BYE) for white, _none in byes]
    )
