"""A round, whole: read the state, descend, seat, number the boards, and say what was done.

`pair_round` is what the ledger calls. It returns values and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.swiss.canonical import ENGINE, canonical_input, digest, read_canonical
from tournaments.engine.swiss.colours import seat
from tournaments.engine.swiss.descent import Descent, Settled
from tournaments.engine.swiss.explain import Explainer, Explanation
from tournaments.engine.swiss.matching import Stopped
from tournaments.engine.swiss.state import Field, read_field
from tournaments.engine.swiss.wish import TimeLimit
from tournaments.engine.types import Board, Outcome, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPairing:
    """`boards` in published order from number 1; the pairing-allocated bye last, as number 0.

    Requested byes are not among the boards. `digest` is over the canonical input and the boards.
    """

    round: int
    boards: tuple[Board, ...]
    explanations: Mapping[int, Explanation]
    digest: str
    engine: str


def pair_round(
    tournament: Tournament,
    *,
    absent: Collection[int] = (),
    order: Sequence[int] | None = None,
    explain: bool = True,
    progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> RoundPairing:
    """Pair the next round by FIDE C.04.3 (2026), criteria C1-C21.

    `absent`: numbers not paired besides the withdrawn and those with a requested bye for the round. `order`: the ranking
    order, best first, instead of the pairing numbers (every player named once). `progress(done, total)` hears of players.
    Raises InvalidState, NoLegalPairing (`players`: who cannot all be matched, `relax`: what would help), TimeLimit.
    """
    field = read_field(tournament, absent=absent, order=order)
    try:
        descent = Descent(field, progress=progress, should_stop=should_stop)
        settled = descent.run()
        explanations = Explainer(field, descent).explain(settled) if explain else {}
    except Stopped:
        raise TimeLimit(round=field.round) from None
    boards = _boards(field, settled)
    _verify(field, boards)
    return RoundPairing(
        round=field.round,
        boards=boards,
        explanations=explanations,
        digest=digest(canonical_input(tournament, absent=absent, order=order), boards),
        engine=ENGINE,
    )


def _boards(field: Field, settled: list[Settled]) -> tuple[Board, ...]:
    """Board order: points of the higher player, then of both, then rank; without virtual points (C.04.2)."""
    people = field.contenders
    seats = []
    bye = None
    for bracket in settled:
        for i, j in bracket.solution.pairs:
            white, black, _ = seat(field, i, j)
            first = min((people[i], people[j]), key=lambda c: (-c.points, c.rank))
            other = people[j] if first is people[i] else people[i]
            key = (-first.points, -other.points, first.rank)
            seats.append((key, people[white].number, people[black].number))
        if bracket.solution.bye is not None:
            bye = people[bracket.solution.bye].number
    seats.sort()
    boards = [Board(number=k, white=w, black=b) for k, (_, w, b) in enumerate(seats, start=1)]
    if bye is not None:
        boards.append(Board(number=0, white=bye, black=None, outcome=Outcome.BYE))
    return tuple(boards)


def _verify(field: Field, boards: tuple[Board, ...]) -> None:
    """The absolute criteria once more, on the result itself."""
    index_of = {c.number: c.index for c in field.contenders}
    seen: set[int] = set()
    for board in boards:
        i = index_of[board.white]
        seen.add(i)
        if board.black is None:
            legal = field.contenders[i].bye_allowed
        else:
            j = index_of[board.black]
            seen.add(j)
            legal = field.legal(i, j)
        if not legal:
            raise AssertionError(f"illegal board {board}")
    named = sum(1 if board.black is None else 2 for board in boards)
    if len(seen) != len(field.contenders) or named != len(seen):
        raise AssertionError("not everybody is paired once")


def recompute(text: str) -> RoundPairing:
    """The pairing of a canonical input, as published with a round: its digest proves the round, or does not.

    Raises as `pair_round`, and ValueError for text that is no canonical input.
    """
    tournament, absent, order = read_canonical(text)
    return pair_round(tournament, absent=absent, order=order)
