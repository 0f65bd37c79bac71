"""From the top scoregroup to the bottom: each bracket is solved on as little of the field as proves enough.

A smaller problem leaves conditions out, so its best candidate is the true one as soon as it keeps the conditions that
were left out: that everybody below can still be paired (C4) and that the next bracket does as well as it could (C8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.engine.swiss.bracket import Bracket, BracketSolver, Solution
from tournaments.engine.swiss.complete import Completion
from tournaments.engine.swiss.counts import CountSearch
from tournaments.engine.swiss.matching import Graph, Stopped, maximum_weight_matching
from tournaments.engine.swiss.state import Field
from tournaments.engine.swiss.weights import Digits
from tournaments.engine.types import NoLegalPairing

# At or below this many players left, the whole remainder is one problem.
WHOLE = 24


class Scope(StrEnum):
    """How much of the field a bracket's answer needed."""

    COUNTS = "counts"
    ALONE = "alone"
    NEXT = "next"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A bracket and what lies below it: the next scoregroup and all lower ones. `home` is the score of the residents.

    For questions: `kept` must be paired in the bracket, `dropped` must not.
    """

    moved: tuple[int, ...]
    residents: tuple[int, ...]
    after: tuple[int, ...]
    rest: tuple[int, ...]
    home: int
    kept: int | None = None
    dropped: int | None = None

    @property
    def size(self) -> int:
        return len(self.moved) + len(self.residents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """One bracket with its answer; brackets are numbered from 1."""

    number: int
    task: Task
    solution: Solution
    scope: Scope


class Descent:
    """Pairs a field bracket by bracket. `progress` hears (players done, players); `fast` allows the short way."""

    def __init__(
        self,
        field: Field,
        *,
        fast: bool = True,
        wished: tuple[int, int] | None = None,
        progress: Callable[[int, int], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.field = field
        self.fast = fast
        self.progress = progress
        self.should_stop = should_stop
        self.completion = Completion(field, wished)
        self.bye_score: int | None = None

    def run(self) -> list[Settled]:
        """All brackets in order. Raises NoLegalPairing, and Stopped when `should_stop` answers true."""
        self.bye_score = self.completion.bye_score()
        groups = self._groups()
        settled: list[Settled] = []
        moved: tuple[int, ...] = ()
        for place, residents in enumerate(groups):
            if self.should_stop is not None and self.should_stop():
                raise Stopped
            task = Task(
                moved=moved,
                residents=residents,
                after=groups[place + 1] if place + 1 < len(groups) else (),
                rest=tuple(i for group in groups[place + 2 :] for i in group),
                home=self.field.contenders[residents[0]].score,
            )
            solution, scope = self.settle(task)
            settled.append(Settled(number=place + 1, task=task, solution=solution, scope=scope))
            moved = solution.floaters
            if self.progress is not None:
                waiting = len(moved) if task.after else 0
                self.progress(residents[-1] + 1 - waiting, len(self.field.contenders))
        return settled

    def _groups(self) -> list[tuple[int, ...]]:
        groups: dict[int, list[int]] = {}
        for c in self.field.contenders:
            groups.setdefault(c.score, []).append(c.index)
        return [tuple(group) for group in groups.values()]

    def settle(self, task: Task, *, ordered: bool = True) -> tuple[Solution, Scope]:
        """The answer of one bracket: the first of the best candidates, or any of them without `ordered`.

        Raises NoLegalPairing when nobody can pair all that are left.
        """
        if not task.size:
            return Solution(pairs=(), floaters=(), bye=None), Scope.COUNTS
        bye_here = self.bye_here(task)
        free = task.kept is None and task.dropped is None
        if self.fast and free and (counted := self._by_counts(task, bye_here=bye_here)):
            return counted, Scope.COUNTS
        below = len(task.after) + len(task.rest)
        if not bye_here and below and task.size + below > WHOLE:
            bracket = Bracket(
                moved=task.moved, residents=task.residents, kept=task.kept, dropped=task.dropped
            )
            alone = self._solve(bracket, ordered)
            left = self.harmless(alone.floaters, task)
            if left is not None:
                return replace(alone, unpaired_next=left), Scope.ALONE
            wider = self._solve(replace(bracket, after=task.after), ordered)
            # Two who go down do not meet below; only one who was made to could seem to.
            if task.rest and task.dropped not in wider.alone and self._completes([*wider.alone, *task.rest]):
                return wider, Scope.NEXT
        return self._settle_whole(task, ordered), Scope.WHOLE

    def bye_here(self, task: Task) -> bool:
        """Whether the pairing-allocated bye goes to a player of this bracket (C5)."""
        return self.bye_score is not None and self.bye_score >= task.home

    def _settle_whole(self, task: Task, ordered: bool) -> Solution:
        bracket = Bracket(
            moved=task.moved,
            residents=task.residents,
            after=task.after,
            rest=task.rest,
            receivers=None if self.bye_score is None else self.completion.receivers(self.bye_score),
            bye_within=self.bye_here(task),
            complete=True,
            kept=task.kept,
            dropped=task.dropped,
        )
        whole = self._solve(bracket, ordered)
        if whole.alone:
            raise NoLegalPairing(
                players=tuple(self.field.contenders[i].number for i in whole.alone if i >= 0)
            )
        return whole

    def _by_counts(self, task: Task, *, bye_here: bool) -> Solution | None:
        """The short way, if it ends and what it left out is certain."""
        if bye_here and (task.after or task.size % 2 == 0):
            return None
        receivers = None
        if bye_here and self.bye_score is not None:
            receivers = self.completion.receivers(self.bye_score)
            if not receivers.issubset(task.residents):
                return None
        solution = CountSearch(self.field, task.moved, task.residents, receivers=receivers).run()
        if solution is None or bye_here:
            return solution
        left = self.harmless(solution.floaters, task)
        return None if left is None else replace(solution, unpaired_next=left)

    def _solve(self, bracket: Bracket, ordered: bool) -> Solution:
        return BracketSolver(self.field, bracket, should_stop=self.should_stop).solve(ordered=ordered)

    # Certificates

    def harmless(self, floaters: Sequence[int], task: Task) -> tuple[int, ...] | None:
        """Who finds nobody in the next bracket, if everybody below can be paired with `floaters` and the next bracket
        loses nothing (C8 at its best value); None if that is not certain.
        """
        if not task.after:
            return None if floaters else ()
        if not floaters:
            return () if self._completes([*task.after, *task.rest]) else None
        if self.bye_score is not None and self.bye_score >= self.field.contenders[task.after[0]].score:
            return self._harmless_with_bye(floaters, task)
        left = self._pair_next(floaters, task.after)
        if left is None or len(left) != (len(floaters) + len(task.after)) % 2:
            return None
        return tuple(left) if self._completes([*left, *task.rest]) else None

    def _harmless_with_bye(self, floaters: Sequence[int], task: Task) -> tuple[int, ...] | None:
        """The same, when the bye belongs to the next bracket: best is that nobody but its receiver is left there."""
        if (len(floaters) + len(task.after)) % 2 == 0 or self.bye_score is None:
            return None
        receivers = self.completion.receivers(self.bye_score).intersection(task.after)
        for receiver in sorted(receivers, reverse=True):
            others = tuple(i for i in task.after if i != receiver)
            left = self._pair_next(floaters, others)
            if left is not None and not left:
                alone = not task.rest or self.completion.enough_partners(task.rest)
                alone = alone or self.completion.can_complete(task.rest, None)
                return (receiver,) if alone else None
        return None

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
        receivers = None
        if self.bye_score is not None:
            receivers = self.completion.receivers(self.bye_score).intersection(people)
            if not receivers:
                return False
        if (len(people) + (receivers is not None)) % 2:
            return False
        if self.completion.enough_partners(people, spare=int(receivers is not None)):
            return True
        return self.completion.can_complete(people, receivers)
