"""Why two players do not meet: the rule between them, or the first bracket and criterion that their pair would worsen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tournaments.engine.swiss.descent import Descent, Settled
from tournaments.engine.swiss.matching import Stopped
from tournaments.engine.swiss.refuse import Refusal, between
from tournaments.engine.swiss.state import Field, read_field
from tournaments.engine.swiss.vector import Criterion, first_difference, measure
from tournaments.engine.types import EngineError, InvalidState, NoLegalPairing, Tournament


class TimeLimit(EngineError):
    """The caller's `should_stop` ended the work: nothing was paired."""

    code = "time-limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot:
    """The answer about players `a` and `b`. `refusal` is None when they do meet.

    `bracket` (from 1) and its `score` say where the pair would first change something; 0 for a rule between the two.
    `pairs` are the pairs of that bracket with the wish granted, by number: what the arbiter would get.
    """

    a: int
    b: int
    refusal: Refusal | None
    bracket: int = 0
    score: int = 0
    pairs: tuple[tuple[int, int], ...] = ()


def why_not(
    tournament: Tournament,
    a: int,
    b: int,
    *,
    absent: Collection[int] = (),
    order: Sequence[int] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> WhyNot:
    """Why players `a` and `b` are not paired in the next round, and what their pair would cost.

    `absent` and `order` as in `pair_round`. Raises InvalidState for a player who is not to be paired, NoLegalPairing when
    the round has no pairing at all, TimeLimit.
    """
    field = read_field(tournament, absent=absent, order=order)
    index_of = {c.number: c.index for c in field.contenders}
    for player in (a, b):
        if player not in index_of:
            raise InvalidState(player=player, round=field.round, why="player-not-to-be-paired")
    if a == b:
        raise InvalidState(player=a, round=field.round, why="player-against-itself")
    i, j = index_of[a], index_of[b]
    if rule := between(field, i, j):
        return WhyNot(a=a, b=b, refusal=rule)
    try:
        return replace(_compare(field, i, j, should_stop), a=a, b=b)
    except Stopped:
        raise TimeLimit(round=field.round) from None


def _compare(field: Field, i: int, j: int, should_stop: Callable[[], bool] | None) -> WhyNot:
    answer = WhyNot(a=0, b=0, refusal=None)
    plain = Descent(field, should_stop=should_stop)
    settled = plain.run()
    pair = (min(i, j), max(i, j))
    if any(pair in bracket.solution.pairs for bracket in settled):
        return answer
    granted = Descent(field.wishing(i, j), wished=pair, should_stop=should_stop)
    try:
        wished = granted.run()
    except NoLegalPairing:
        return replace(answer, refusal=Refusal(criterion=Criterion.C4))
    if plain.bye_score != granted.bye_score:
        return replace(
            answer, refusal=Refusal(criterion=Criterion.C5, was=plain.bye_score, would=granted.bye_score)
        )
    for own, other in zip(settled, wished, strict=True):
        if set(own.solution.pairs) != set(other.solution.pairs):
            return _first_change(field, plain, own, other, answer)
    return answer


def _first_change(field: Field, plain: Descent, own: Settled, other: Settled, answer: WhyNot) -> WhyNot:
    task = own.task
    bye_here = plain.bye_here(task)
    values = [
        measure(field, task.moved, task.residents, bracket.solution, bye_here=bye_here)
        for bracket in (own, other)
    ]
    found = first_difference(values[0], values[1])
    refusal = Refusal(criterion=Criterion.ORDER)
    if found is not None:
        refusal = Refusal(criterion=found[0], was=found[1], would=found[2])
    numbers = tuple((field.contenders[i].number, field.contenders[j].number) for i, j in other.solution.pairs)
    return replace(answer, refusal=refusal, bracket=own.number, score=task.home, pairs=numbers)
