"""A round, whole: read the state, descend, seat, number the boards, and say what was done.

`pair_round` is what the ledger calls. It returns values and keeps nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine.swiss.colours import seat
from tournaments.engine.swiss.descent import Descent, Settled
from tournaments.engine.swiss.explain import Explainer, Explanation
from tournaments.engine.swiss.matching import Stopped
from tournaments.engine.swiss.state import Field, read_field
from tournaments.engine.swiss.wish import TimeLimit
from tournaments.engine.types import Board, Outcome, ResultScheme, Tournament

ENGINE = "dutch-2026/1"


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


def canonical_input(
    tournament: Tournament, *, absent: Collection[int] = (), order: Sequence[int] | None = None
) -> str:
    """All that the pairing of the next round depends on, as JSON text that is equal for equal input."""
    number = len(tournament.rounds) + 1
    withdrawn = {
        p.number for p in tournament.players if p.withdrawn_after is not None and p.withdrawn_after < number
    }
    byes = {b.player for b in tournament.requested_byes if b.round == number}
    content = {
        "engine": ENGINE,
        "round": number,
        "rounds_total": tournament.rounds_total,
        "initial_colour": str(tournament.initial_colour),
        "players": sorted(p.number for p in tournament.players),
        "order": list(order) if order is not None else None,
        "not_paired": sorted(withdrawn | byes | set(absent)),
        "scheme": _scheme(tournament.scheme),
        "rounds": [
            [
                [b.white, b.black, str(b.outcome), b.grade]
                for b in sorted(played.boards, key=lambda b: (b.white, b.black or 0))
            ]
            for played in tournament.rounds
        ],
        "forbidden": sorted(
            [g.first_round, g.last_round, sorted(g.players)]
            for g in tournament.forbidden
            if g.first_round <= number <= g.last_round
        ),
        "virtual_points": sorted(
            [v.first_round, v.last_round, v.points, sorted(v.players)] for v in tournament.virtual_points
        ),
        "adjustments": sorted([a.after_round, a.player, a.points] for a in tournament.adjustments),
    }
    return json.dumps(content, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _scheme(scheme: ResultScheme) -> list[object]:
    points = [getattr(scheme, name) for name in _SCHEME_POINTS]
    grades = [[g.code, g.white, g.black, str(g.outcome)] for _, g in sorted(scheme.grades.items())]
    return [scheme.code, *points, grades]


_SCHEME_POINTS = ("win", "draw", "loss", "bye", "half_bye", "zero_bye", "forfeit_win", "forfeit_loss")


def digest(canonical: str, boards: Sequence[Board]) -> str:
    """SHA-256, in hex, over the canonical input and the boards as `white black` lines (0 for the bye)."""
    lines = "\n".join(f"{board.white} {board.black or 0}" for board in boards)
    return hashlib.sha256(f"{canonical}\n{lines}\n".encode()).hexdigest()
