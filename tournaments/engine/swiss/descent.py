"""From the top scoregroup to the bottom: each bracket is solved on as little of the field as proves enough.

A smaller problem leaves conditions out, so its best candidate is the true one as soon as it keeps the conditions that
were left out: that everybody below can still be paired (C4) and that the next bracket does as well as it could (C8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.engine.swiss.bracket import Bracket, BracketSolver, Solution
from tournaments.engine.swiss.complete import Completion
from tournaments.engine.swiss.counts import CountSearch
from tournaments.engine.swiss.matching import Graph, maximum_weight_matching
from tournaments.engine.swiss.state import Field
from tournaments.engine.swiss.weights import Digits
from tournaments.engine.types import NoLegalPairing

# At or below this many players left, the whole remainder is one problem.
WHOLE = 24
# At or below this many players, "can they be paired" is counted exactly.
COUNTED = 400


class Scope(StrEnum):
    """How much of the field a bracket's answer needed."""

    COUNTS = "counts"
    ALONE = "alone"
    NEXT = "next"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """One bracket with its answer."""

    number: int
    moved: tuple[int, ...]
    residents: tuple[int, ...]
    solution: Solution
    scope: Scope


class Descent:
    """Pairs a field bracket by bracket. `progress` hears (players done, players); `fast` allows the short way."""

    def __init__(
        self,
        field: Field,
        *,
        fast: bool = True,
        progress: Callable[[int, int], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.field = field
        self.fast = fast
        self.progress = progress
        self.should_stop = should_stop
        self.completion = Completion(field)
        self.bye_score: int | None = None

    def run(self) -> list[Settled]:
        self.bye_score = self.completion.bye_score()
        groups = self._groups()
        settled: list[Settled] = []
        moved: tuple[int, ...] = ()
        for number, residents in enumerate(groups):
            after = groups[number + 1] if number + 1 < len(groups) else ()
            rest = tuple(i for group in groups[number + 2 :] for i in group)
            solution, scope = self._settle(moved, residents, after, rest)
            settled.append(
                Settled(number=number + 1, moved=moved, residents=residents, solution=solution, scope=scope)
            )
            moved = solution.floaters
            if self.progress is not None:
                self.progress(residents[-1] + 1 - len(moved), len(self.field.contenders))
        return settled

    def _groups(self) -> list[tuple[int, ...]]:
        groups: dict[int, list[int]] = {}
        for c in self.field.contenders:
            groups.setdefault(c.score, []).append(c.index)
        return [tuple(group) for group in groups.values()]

    def _settle(
        self,
        moved: tuple[int, ...],
        residents: tuple[int, ...],
        after: tuple[int, ...],
        rest: tuple[int, ...],
    ) -> tuple[Solution, Scope]:
        below = len(after) + len(rest)
        home = self.field.contenders[residents[0]].score
        bye_here = self.bye_score is not None and self.bye_score >= home
        counted = self._by_counts(moved, residents, after, rest, bye_here=bye_here)
        if counted is not None:
            return counted, Scope.COUNTS
        if not bye_here and below and len(moved) + len(residents) + below > WHOLE:
            alone = self._solve(Bracket(moved=moved, residents=residents))
            if self._harmless(alone.floaters, after, rest):
                return alone, Scope.ALONE
            wider = self._solve(Bracket(moved=moved, residents=residents, after=after))
            if rest and self._completes([*wider.alone, *rest]):
                return wider, Scope.NEXT
        receivers = None if self.bye_score is None else self.completion.receivers(self.bye_score)
        bracket = Bracket(
            moved=moved,
            residents=residents,
            after=after,
            rest=rest,
            receivers=receivers,
            bye_within=bye_here,
            complete=True,
        )
        whole = self._solve(bracket)
        if whole.alone:
            raise NoLegalPairing(
                players=tuple(self.field.contenders[i].number for i in whole.alone if i >= 0)
            )
        return whole, Scope.WHOLE

    def _by_counts(
        self,
        moved: tuple[int, ...],
        residents: tuple[int, ...],
        after: tuple[int, ...],
        rest: tuple[int, ...],
        *,
        bye_here: bool,
    ) -> Solution | None:
        """The short way, if it ends and what it left out is certain."""
        if not self.fast or (bye_here and (after or (len(moved) + len(residents)) % 2 == 0)):
            return None
        receivers = None
        if bye_here and self.bye_score is not None:
            receivers = self.completion.receivers(self.bye_score)
            if not receivers.issubset(residents):
                return None
        solution = CountSearch(self.field, moved, residents, receivers=receivers).run()
        if solution is None or not (bye_here or self._harmless(solution.floaters, after, rest)):
            return None
        return solution

    def _solve(self, bracket: Bracket) -> Solution:
        return BracketSolver(self.field, bracket, should_stop=self.should_stop).solve()

    # Certificates

    def _receivers_below(self, people: Sequence[int]) -> frozenset[int] | None:
        if self.bye_score is None:
            return None
        return self.completion.receivers(self.bye_score).intersection(people)

    def _harmless(self, floaters: Sequence[int], after: tuple[int, ...], rest: tuple[int, ...]) -> bool:
        """Everybody below can be paired with `floaters`, the next bracket losing nothing: C8 at its best value."""
        if not after:
            return not floaters
        if not floaters:
            return self._completes([*after, *rest])
        bye_next = self.bye_score is not None and self.bye_score >= self.field.contenders[after[0]].score
        if bye_next:
            return False
        left = self._pair_next(floaters, after)
        if left is None or len(left) != (len(floaters) + len(after)) % 2:
            return False
        return self._completes([*left, *rest])

    def _pair_next(self, floaters: Sequence[int], after: tuple[int, ...]) -> list[int] | None:
        """Pair the floaters downwards and the next group as far as it goes; who is left, None if a floater is."""
        legal = self.field.legal
        free = list(after)
        for i in floaters:
            partner = next((j for j in reversed(free) if legal(i, j)), None)
            if partner is None:
                return None
            free.remove(partner)
        if len(free) % 2 == 0 and self.completion.enough_partners(free):
            return []
        if len(free) % 2 and self.completion.enough_partners(free, spare=1):
            return [free[-1]]
        return self._match_next(floaters, after)

    def _match_next(self, floaters: Sequence[int], after: tuple[int, ...]) -> list[int] | None:
        people = [*floaters, *after]
        count = len(floaters)
        pair, down = Digits([len(people), len(people)]).units
        graph: Graph = [{} for _ in people]
        for v, i in enumerate(people):
            for w in range(max(v + 1, count), len(people)):
                if self.field.legal(i, people[w]):
                    graph[v][w] = graph[w][v] = pair + (down if v < count else 0)
        mate = maximum_weight_matching(graph, self.should_stop).mate
        if any(mate[v] == -1 for v in range(count)):
            return None
        return [people[v] for v in range(count, len(people)) if mate[v] == -1]

    def _completes(self, people: Sequence[int]) -> bool:
        receivers = self._receivers_below(people)
        if receivers is not None and not receivers:
            return False
        if (len(people) + (receivers is not None)) % 2:
            return False
        if self.completion.enough_partners(people, spare=int(receivers is not None)):
            return True
        return len(people) <= COUNTED and self.completion.can_complete(people, receivers)
