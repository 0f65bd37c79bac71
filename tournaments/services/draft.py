"""Hand changes to a draft: swap two players, set a board, give a bye, forbid a pair. Checked, and kept beside the engine's word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, formats, jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.engine.types import PLAYED, Colour, Outcome, Tournament
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import ForbiddenPair, Pairing, Round
from tournaments.permissions import Action, require
from tournaments.services import filed
from tournaments.services.edits import keep_edit

Seats = list[tuple[int, int | None]]  # (white entry, black entry or None for the bye), board by board


@dataclass(frozen=True, slots=True, kw_only=True)
class Warning:
    """Something a change breaks: `kind` is repeat, forbidden, bye-again, same-colour-thrice or colour-imbalance."""

    kind: str
    entries: tuple[int, ...]
    detail: str = ""


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


def warnings_of(round_: Round) -> list[Warning]:
    """What the boards of a round break, as they stand now."""
    snap = snapshot.load(round_.section, through=round_.number - 1)
    return check(snap, _seats(round_), number=round_.number)


def differences(round_: Round) -> list[dict[str, Any]]:
    """Boards where the arbiter's draft and the engine's proposal differ, by the pairing numbers of now.

    Before round 1 is public an entry has none yet: there they are those of the draft.
    """
    number_of: dict[int | None, int | None] = dict(round_.section.entries.values_list("pk", "number"))
    drawn = {entry: int(number) for number, entry in round_.numbers.items()}
    number_of |= {entry: drawn.get(entry) for entry, number in number_of.items() if number is None and entry}
    said, now = differing_seats(round_)

    def told(side: str, seats: set[tuple[int, int | None]]) -> list[dict[str, Any]]:
        numbered = [(number_of.get(white), number_of.get(black)) for white, black in seats]
        return [{"side": side, "white": w, "black": b} for w, b in sorted(numbered, key=str)]

    return [*told("engine", said), *told("arbiter", now)]


def differing_seats(round_: Round) -> tuple[set[tuple[int, int | None]], set[tuple[int, int | None]]]:
    """The boards only the engine's proposal has, and those only the draft has, by entry."""
    now, said = set(_seats(round_)), set(proposed_seats(round_))
    return said - now, now - said


def proposed_seats(round_: Round) -> Seats:
    """The engine's boards by entry: its numbers are those of the moment when the round was paired."""
    entry_of = {int(number): entry for number, entry in round_.numbers.items()}
    return [
        (entry_of[white], None if black is None else entry_of[black])
        for _board, white, black in round_.proposal
        if white in entry_of and (black is None or black in entry_of)
    ]


def check(snap: snapshot.Snapshot, seats: Seats, *, number: int) -> list[Warning]:
    history = _History(snap)
    found: list[Warning] = []
    for white, black in seats:
        if black is None:
            if white in history.had_bye:
                found.append(Warning(kind="bye-again", entries=(white,)))
            continue
        if frozenset((white, black)) in history.met:
            found.append(
                Warning(
                    kind="repeat", entries=(white, black), detail=str(history.met[frozenset((white, black))])
                )
            )
        if history.forbidden(white, black, number):
            found.append(Warning(kind="forbidden", entries=(white, black)))
        found += history.colour_warnings(white, Colour.WHITE) + history.colour_warnings(black, Colour.BLACK)
    return found


class _History:
    """Who met whom, who had a bye, and the colours of games played, by entry."""

    def __init__(self, snap: snapshot.Snapshot) -> None:
        self.met: dict[frozenset[int], int] = {}
        self.had_bye: set[int] = set()
        self.colours: dict[int, list[Colour]] = {}
        self._tournament: Tournament = snap.tournament
        self._number_of = snap.number_of
        for round_ in snap.tournament.rounds:
            for board in round_.boards:
                white = snap.entry_of[board.white]
                if board.black is None:
                    if board.outcome is Outcome.BYE:
                        self.had_bye.add(white)
                    continue
                black = snap.entry_of[board.black]
                if board.outcome in PLAYED:
                    self.met[frozenset((white, black))] = round_.number
                    self.colours.setdefault(white, []).append(Colour.WHITE)
                    self.colours.setdefault(black, []).append(Colour.BLACK)
                elif board.outcome is Outcome.BLACK_FORFEITS:
                    self.had_bye.add(white)
                elif board.outcome is Outcome.WHITE_FORFEITS:
                    self.had_bye.add(black)

    def forbidden(self, first: int, second: int, number: int) -> bool:
        pair = {self._number_of.get(first), self._number_of.get(second)}
        return any(
            pair <= group.players and group.first_round <= number <= group.last_round
            for group in self._tournament.forbidden
        )

    def colour_warnings(self, entry: int, colour: Colour) -> list[Warning]:
        games = [*self.colours.get(entry, []), colour]
        found = []
        if len(games) >= 3 and games[-3:] == [colour] * 3:
            found.append(Warning(kind="same-colour-thrice", entries=(entry,), detail=colour))
        balance = games.count(Colour.WHITE) - games.count(Colour.BLACK)
        if abs(balance) > 2:
            found.append(Warning(kind="colour-imbalance", entries=(entry,), detail=f"{balance:+d}"))
        return found


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
        before = _seats(round_)
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


def _seats(round_: Round) -> Seats:
    """Boards in order, then pairing-allocated byes. Requested byes and absences are not for changing here."""
    rows = round_.pairings.exclude(outcome__in=[Outcome.HALF_BYE, Outcome.ZERO_BYE])
    boards = rows.filter(board__gt=0).order_by("board").values_list("white_id", "black_id")
    byes = rows.filter(board=0).order_by("id").values_list("white_id", "black_id")
    return [*boards, *byes]


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
