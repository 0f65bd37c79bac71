"""Placing and ending holds, inside the transaction of the case that asks for it; the guard itself is `tournaments.holds`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils import timezone

from tournaments.engine.types import Outcome
from tournaments.holds import Held, facts_of, in_force, points_of, refuse_broken
from tournaments.models import Entry, Hold, Pairing, Section

__all__ = ["Held", "Touched", "end_holds", "hold_facts", "refuse_broken", "what_is_held"]

LIFTED = {
    Outcome.WHITE_FORFEITS: (Outcome.WHITE_FORFEITS, Outcome.BOTH_FORFEIT),
    Outcome.BLACK_FORFEITS: (Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT),
    Outcome.BOTH_FORFEIT: (Outcome.WHITE_FORFEITS, Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """What a ruling or a decision speaks of: boards (with the number of a game of a match), seats, players.

    `boards` gives for each the result that it has taken away, where it did.
    """

    boards: dict[tuple[int, int | None], str] = field(default_factory=dict)
    seats: frozenset[int] = frozenset()
    statuses: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()


def hold_facts(section: Section, touched: Touched, *, case: str, is_final: bool) -> list[Hold]:
    """Hold what was touched as it stands now. A board without a result is held in its seats alone, or kept from the forfeit
    that was lifted.
    """
    common = {"section": section, "case": case, "is_final": is_final}
    found = []
    for (pk, number), taken in sorted(touched.boards.items(), key=str):
        board = _board(pk)
        if board is not None:
            found.append(_hold_board(board, number, taken, common))
    for pk in sorted(touched.seats):
        board = _board(pk)
        if board is not None:
            found.append(_of_board(board, None, Hold.Kind.SEATS, common, facts_of(board)))
    for entry in Entry.objects.filter(pk__in=touched.statuses):
        is_out = entry.status == Entry.Status.DISQUALIFIED
        values = {"disqualified": is_out, "withdrawn_after_round": entry.withdrawn_after_round}
        found.append(Hold(kind=Hold.Kind.STATUS, entry=entry, values=values, **common))
    found += [
        Hold(kind=Hold.Kind.POINTS, entry_id=pk, values={"points": points_of(pk)}, **common)
        for pk in sorted(touched.points)
    ]
    return Hold.objects.bulk_create(found)


def end_holds(section: Section, cases: Iterable[str]) -> None:
    """Let go of what these cases held."""
    Hold.objects.filter(section=section, case__in=list(cases), ended_at__isnull=True).update(
        ended_at=timezone.now()
    )


def what_is_held(section: Section) -> list[Hold]:
    return in_force(section)


def _hold_board(board: Pairing, number: int | None, taken: str, common: dict[str, object]) -> Hold:
    values = facts_of(board, number)
    if values["outcome"] != Outcome.UNPLAYED:
        return _of_board(board, number, Hold.Kind.RESULT, common, values | {"match": board.outcome})
    lifted = LIFTED.get(Outcome(taken)) if taken else None
    if lifted is None:
        return _of_board(board, number, Hold.Kind.SEATS, common, values)
    return _of_board(
        board, number, Hold.Kind.TO_PLAY, common, values | {"not": [outcome.value for outcome in lifted]}
    )


def _of_board(
    board: Pairing, number: int | None, kind: Hold.Kind, common: dict[str, object], values: dict[str, object]
) -> Hold:
    return Hold(
        kind=kind, pairing=board, number=number, round_number=board.round.number, board=board.board, values=values,
        **common,
    )  # fmt: skip


def _board(pk: int) -> Pairing | None:
    return Pairing.objects.select_related("round").filter(pk=pk).first()
