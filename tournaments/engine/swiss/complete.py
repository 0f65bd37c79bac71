"""Can everybody be paired? Completion (C4), the score of the pairing-allocated bye (C5), and who stands in the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from tournaments.engine.swiss.state import Field, Strength
from tournaments.engine.types import NoLegalPairing


class Cardinality:
    """Maximum-cardinality matching of vertices 0..n-1, grown from a greedy start (Edmonds, breadth first)."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self.n = len(neighbours)
        self.neighbours = neighbours
        self.mate = [-1] * self.n
        for v in range(self.n):
            if self.mate[v] == -1:
                for w in neighbours[v]:
                    if self.mate[w] == -1:
                        self.mate[v], self.mate[w] = w, v
                        break

    def grow(self) -> int:
        """Augment until nothing is left to gain; the number of vertices that stay alone."""
        alone = 0
        for v in range(self.n):
            if self.mate[v] == -1 and not self._search([v])[0]:
                alone += 1
        return alone

    def stuck(self) -> list[int]:
        """Vertices that some maximum matching leaves alone (the outer set of Gallai and Edmonds)."""
        return sorted(self._search([v for v in range(self.n) if self.mate[v] == -1])[1])

    def _search(self, roots: list[int]) -> tuple[bool, set[int]]:
        parent = [-1] * self.n
        base = list(range(self.n))
        outer = set(roots)
        queue = deque(roots)
        many = len(roots) > 1
        while queue:
            v = queue.popleft()
            for w in self.neighbours[v]:
                if base[v] == base[w] or self.mate[v] == w:
                    continue
                if w in outer:
                    self._contract(v, w, base, parent, outer, queue)
                elif parent[w] == -1:
                    parent[w] = v
                    if self.mate[w] == -1:
                        if not many:
                            self._flip(w, parent)
                            return True, outer
                        continue
                    outer.add(self.mate[w])
                    queue.append(self.mate[w])
        return False, outer

    def _contract(
        self, v: int, w: int, base: list[int], parent: list[int], outer: set[int], queue: deque[int]
    ) -> None:
        meeting = self._meet(v, w, base, parent)
        if meeting == -1:
            return
        inside: set[int] = set()
        for start, partner in ((v, w), (w, v)):
            x, child = start, partner
            while base[x] != meeting:
                inside.update((base[x], base[self.mate[x]]))
                parent[x] = child
                child = self.mate[x]
                x = parent[child]
        for x in range(self.n):
            if base[x] in inside:
                base[x] = meeting
                if x not in outer:
                    outer.add(x)
                    queue.append(x)

    def _meet(self, v: int, w: int, base: list[int], parent: list[int]) -> int:
        seen = set()
        x = base[v]
        while True:
            seen.add(x)
            if self.mate[x] == -1:
                break
            x = base[parent[self.mate[x]]]
        y = base[w]
        while y not in seen:
            if self.mate[y] == -1:
                return -1
            y = base[parent[self.mate[y]]]
        return y

    def _flip(self, w: int, parent: list[int]) -> None:
        while w != -1:
            v = parent[w]
            following = self.mate[v]
            self.mate[v], self.mate[w] = w, v
            w = following


class Completion:
    """Answers about the field of a round. `wished` are two who are to meet each other and nobody else."""

    def __init__(self, field: Field, wished: tuple[int, int] | None = None) -> None:
        self.field = field
        self.wished = wished

    def _others(self, people: Sequence[int]) -> Sequence[int]:
        """Without the two who are wished together: they are no obstacle to anybody."""
        if self.wished is None or not set(self.wished).issubset(people):
            return people
        return [i for i in people if i not in self.wished]

    def enough_partners(self, people: Sequence[int], *, spare: int = 0) -> bool:
        """Dirac: everybody may meet at least half of the others, so they can all be paired among themselves.

        `spare` more people may be taken away (or one left over) without harm. Only sufficient.
        """
        people = self._others(people)
        size = len(people)
        if size == 0:
            return True
        inside = set(people)
        contenders = self.field.contenders
        same: dict[int, int] = {}
        bits: dict[int, int] = {}
        for i in people:
            c = contenders[i]
            if c.strength == Strength.ABSOLUTE:
                same[c.preference] = same.get(c.preference, 0) + 1
            circle = self.field.circles[i]
            if circle:
                bits[circle] = bits.get(circle, 0) + 1
        sharing = {a: sum(count for b, count in bits.items() if a & b) for a in bits}
        for i in people:
            c = contenders[i]
            others = size - 1
            barred = self.field.barred[i]
            others -= len(barred & inside) if len(barred) < size else size - 1
            if c.strength == Strength.ABSOLUTE:
                others -= same[c.preference] - 1
            if self.field.circles[i]:
                others -= sharing[self.field.circles[i]] - 1
            if 2 * (others - spare) < size:
                return False
        return True

    def can_complete(self, people: Sequence[int], receivers: frozenset[int] | None) -> bool:
        """Exactly: can all of `people` be paired, one of `receivers` (if given) taking the bye?"""
        if receivers is not None and not receivers:
            return False
        if (len(people) + (receivers is not None)) % 2:
            return False
        return self._matching(people, receivers).grow() == 0

    def _matching(self, people: Sequence[int], receivers: frozenset[int] | None) -> Cardinality:
        rows: list[list[int]] = [[] for _ in people]
        legal = self.field.legal
        for v, i in enumerate(people):
            for w in range(v + 1, len(people)):
                if legal(i, people[w]):
                    rows[v].append(w)
                    rows[w].append(v)
        if receivers is not None:
            rows.append([v for v, i in enumerate(people) if i in receivers])
            for v in rows[-1]:
                rows[v].append(len(people))
        return Cardinality(rows)

    def bye_score(self) -> int | None:
        """C5: the lowest score at which somebody may take the bye and all others can be paired; None for an even field.

        Raises NoLegalPairing with the players that cannot all be matched.
        """
        field = self.field
        people = range(len(field.contenders))
        if len(people) % 2 == 0:
            if not self.enough_partners(people) and not self.can_complete(people, None):
                raise self._impossible(None)
            return None
        for score in sorted({c.score for c in field.contenders if c.bye_allowed}):
            receivers = self.receivers(score)
            if self.enough_partners(people, spare=1) or self.can_complete(people, receivers):
                return score
        raise self._impossible(frozenset(c.index for c in field.contenders if c.bye_allowed))

    def receivers(self, score: int) -> frozenset[int]:
        return frozenset(c.index for c in self.field.contenders if c.bye_allowed and c.score == score)

    def _impossible(self, receivers: frozenset[int] | None) -> NoLegalPairing:
        contenders = self.field.contenders
        people = range(len(contenders))
        matching = self._matching(people, receivers)
        alone = matching.grow()
        stuck = [v for v in matching.stuck() if v < len(contenders)]
        numbers = tuple(sorted(contenders[i].number for i in stuck))
        return NoLegalPairing(players=numbers, unpaired=alone, relax=self._relaxations(receivers))

    def _relaxations(self, receivers: frozenset[int] | None) -> tuple[str, ...]:
        """Which single rule, dropped by the arbiter, would let everybody be paired."""
        options: list[tuple[str, Callable[[int, int], bool], frozenset[int] | None]] = []
        field = self.field
        everybody = frozenset(range(len(field.contenders)))
        if receivers is not None:
            options.append(("second-bye", field.legal, everybody))
        options.append(
            ("forbidden-pairs", lambda i, j: j not in field.met[i] and not field.clashes(i, j), receivers)
        )
        options.append(("colours", lambda i, j: not field.forbids(i, j), receivers))
        options.append(("rematch", lambda i, j: field.legal_but_met(i, j), receivers))
        return tuple(code for code, legal, who in options if self._possible(legal, who))

    def _possible(self, legal: Callable[[int, int], bool], receivers: frozenset[int] | None) -> bool:
        size = len(self.field.contenders)
        if receivers is not None and not receivers:
            return False
        rows: list[list[int]] = [[j for j in range(size) if j != i and legal(i, j)] for i in range(size)]
        if receivers is not None:
            rows.append(sorted(receivers))
            for i in receivers:
                rows[i].append(size)
        return Cardinality(rows).grow() == 0
