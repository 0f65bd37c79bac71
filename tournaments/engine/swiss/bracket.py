"""One bracket: the best candidate by C6-C21, and among the equal ones the first in the order of C.04.3 art. 4.

Everything is asked of one matching problem, stage by stage; after each stage only the edges that some best matching
uses remain. The problem may hold the bracket alone, the bracket with the next scoregroup, or all who are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tournaments.engine.swiss.colours import allocate
from tournaments.engine.swiss.matching import Graph, maximum_weight_matching
from tournaments.engine.swiss.state import Contender, Field, Strength
from tournaments.engine.swiss.weights import Digits

BYE = -1
# In problems of more players than this, most of the pairs far below are left out until they prove to be needed.
LEFT_OUT_ABOVE = 100
# So many of them per player are in from the start.
KEPT_BELOW = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """`moved` came down, `residents` belong here, `after` is the next scoregroup, `rest` all lower ones.

    `receivers` are the indices that may take the pairing-allocated bye, None when no bye is in this problem.
    `complete` asks that everybody be paired (C4); without it players may stay alone. `kept` must be paired here, `dropped`
    must not.
    """

    moved: tuple[int, ...]
    residents: tuple[int, ...]
    after: tuple[int, ...] = ()
    rest: tuple[int, ...] = ()
    receivers: frozenset[int] | None = None
    bye_within: bool = False
    complete: bool = False
    kept: int | None = None
    dropped: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """`pairs` of the bracket as indices (the upper first), `floaters` in order, `bye` in the last bracket only.

    `alone` found no partner in this problem at all; `unpaired_next` are the floaters and players of the next scoregroup
    who find nobody among themselves.
    """

    pairs: tuple[tuple[int, int], ...]
    floaters: tuple[int, ...]
    bye: int | None
    alone: tuple[int, ...] = ()
    unpaired_next: tuple[int, ...] = ()


Extra = Callable[[int, int], int]


class BracketSolver:
    """Solves one bracket. `should_stop` is asked now and then; Stopped leaves the solver unusable."""

    def __init__(
        self, field: Field, bracket: Bracket, *, should_stop: Callable[[], bool] | None = None
    ) -> None:
        self.field = field
        self.bracket = bracket
        self.should_stop = should_stop
        self.inside = [*bracket.moved, *bracket.residents]
        self.ids = [*self.inside, *bracket.after, *bracket.rest]
        if bracket.receivers is not None:
            self.ids.append(BYE)
        self.moved_count = len(bracket.moved)
        self.inside_count = len(self.inside)
        self.after_end = self.inside_count + len(bracket.after)
        self.people = [field.contenders[i] if i != BYE else None for i in self.ids]
        self.scores = sorted({field.contenders[i].score for i in bracket.moved}, reverse=True)
        self.rounds = max((c.played for c in field.contenders), default=0)
        self.graph: Graph = []
        self.mate: list[int] = []
        self.settled: list[tuple[int, int]] = []
        # Pairs below, all of one weight, that are left out as long as the duals prove that they change nothing.
        self.left_out: list[tuple[int, int]] = []
        self.price = 0

    def solve(self, *, ordered: bool = True) -> Solution:
        """The first of the best candidates; without `ordered` any of the best."""
        self.graph = [{} for _ in self.ids]
        self._link()
        self._run()
        self._refine(self._quality())
        if ordered:
            self._refine_by_order()
        return self._answer()

    def _refine_by_order(self) -> None:
        if self.moved_count:
            self._refine(self._moved_order())
        gone = self._settle_moved()
        remainder = [v for v in range(self.moved_count, self.inside_count) if v not in gone]
        uppers = self._pairs_inside() - len(gone) // 2
        if uppers:
            self._refine(self._exchanges(remainder, uppers))
            self._refine(self._transpositions(remainder))

    # The graph and the first criteria

    def _link(self) -> None:
        """Edges with the weights of C4, C6, C7 and C8."""
        bracket, end, after_end = self.bracket, self.inside_count, self.after_end
        total = len(self.ids)
        home = self.field.contenders[bracket.residents[0]].score if bracket.residents else -1
        levels = [*self.scores, home]
        size = [total] * (2 + 1 + len(self.scores) + 1 + len(levels))
        kept, *units = Digits(size).units
        complete = units[0] if bracket.complete else 0
        pair = complete + units[1]
        paired = dict(zip(self.scores, units[2:], strict=False))
        onward = complete + units[2 + len(self.scores)]
        onward_of = dict(zip(levels, units[3 + len(self.scores) :], strict=False))
        own = [paired.get(p.score, 0) if p else 0 for p in self.people]
        down = [onward + onward_of.get(p.score, 0) if p else 0 for p in self.people]
        legal, graph = self.field.legal, self.graph
        sparse = total // KEPT_BELOW if total > LEFT_OUT_ABOVE else 1
        for v, w in self._possible():
            if self.ids[w] == BYE:
                weight = complete or 1
            elif w < end:
                weight = pair + own[v] + own[w]
                if bracket.kept is not None and bracket.kept in (self.ids[v], self.ids[w]):
                    weight += kept
            elif w < after_end:
                weight = down[v] if v < end else onward
            else:
                weight = complete
            if self.ids[w] != BYE and not legal(self.ids[v], self.ids[w]):
                continue
            if w >= after_end and self.ids[w] != BYE and sparse > 1 and (v * 7919 + w * 104729) % sparse:
                self.left_out.append((v, w))
            else:
                graph[v][w] = graph[w][v] = weight
        self.price = complete

    def _possible(self) -> Iterator[tuple[int, int]]:
        """Pairs of vertices that the problem allows, legal or not."""
        bracket, end, after_end = self.bracket, self.inside_count, self.after_end
        receivers = bracket.receivers or frozenset()
        size = len(self.ids) - (bracket.receivers is not None)
        for v in range(size):
            i = self.ids[v]
            # Two who came down together never meet here: they would have been paired above (C6).
            first = max(v + 1, self.moved_count)
            if i == bracket.dropped:
                first = max(first, end)
            for w in range(first, size if bracket.complete else after_end):
                if w >= end or self.ids[w] != bracket.dropped:
                    yield v, w
            if i in receivers:
                yield v, size

    def _run(self) -> None:
        while True:
            matching = maximum_weight_matching(self.graph, self.should_stop)
            priced = [(matching.slack(v, w, self.price), v, w) for v, w in self.left_out]
            needed = [(v, w) for slack, v, w in priced if slack < 0]
            self.left_out = [(v, w) for slack, v, w in priced if slack == 0 or (needed and slack > 0)]
            if not needed:
                break
            for v, w in needed:
                self.graph[v][w] = self.graph[w][v] = self.price
        self.mate = matching.mate
        self.graph = matching.tight

    def _refine(self, stage: tuple[Extra, int]) -> None:
        """Add a lower-weighing stage and solve again on the edges that are still in question."""
        extra, span = stage
        graph: Graph = [{} for _ in self.ids]
        for v, row in enumerate(self.graph):
            for w, weight in row.items():
                if v < w:
                    graph[v][w] = graph[w][v] = (weight << span) + extra(v, w)
        self.graph = graph
        self.price <<= span
        self._run()

    def _pairs_inside(self) -> int:
        return sum(1 for v in range(self.inside_count) if v < self.mate[v] < self.inside_count)

    # C9-C21

    def _quality(self) -> tuple[Extra, int]:
        count = self.inside_count + 1
        levels = len(self.scores)
        digits = Digits([self.rounds + 1, *([count] * (8 + 4 * levels))])
        c9, c10, c11, c12, c13, c14, c15, c16, c17, *tail = digits.units
        by_score = [
            dict(zip(self.scores, tail[k * levels : (k + 1) * levels], strict=True)) for k in range(4)
        ]
        alone = self.inside_count - 2 * self._pairs_inside() == 1
        bye_counts = self.bracket.bye_within and alone
        end, moved = self.inside_count, self.moved_count
        keep = [0] * len(self.ids)
        for v in range(moved, end):
            person = self.people[v]
            if person:
                keep[v] = c14 * person.down1 + c16 * person.down2

        def extra(v: int, w: int) -> int:
            a, b = self.people[v], self.people[w]
            if b is None:
                return c9 * a.played if a and bye_counts and v < end else 0
            if a is None or w >= end:
                return 0
            value = keep[v] + keep[w]
            ten, eleven, twelve, thirteen = colour_faults(self.field, a, b)
            value -= c10 * ten + c11 * eleven + c12 * twelve + c13 * thirteen
            if v < moved <= w:
                d18, d19, d20, d21 = (unit[a.score] for unit in by_score)
                value -= c15 * b.up1 + c17 * b.up2
                # C18 and C20: an unpaired moved player drops further still, so its pair here is the smaller drop.
                value += d18 * a.down1 - d19 * b.up1 + d20 * a.down2 - d21 * b.up2
            return value

        return extra, digits.span

    # The order of candidates

    def _moved_order(self) -> tuple[Extra, int]:
        """First the set of moved players that are paired, then their opponents (art. 4.4 and 4.2)."""
        moved, end = self.moved_count, self.inside_count
        size = end - moved + 1
        digits = Digits([1] * moved + [size] * moved)
        chosen, opponent = digits.units[:moved], digits.units[moved:]

        def extra(v: int, w: int) -> int:
            if v >= moved or w >= end:
                return 0
            return chosen[v] + opponent[v] * (end - w)

        return extra, digits.span

    def _settle_moved(self) -> set[int]:
        """Take the pairs of moved players out of the problem."""
        gone: set[int] = set()
        for v in range(self.moved_count):
            if self.mate[v] != -1 and self.mate[v] < self.inside_count:
                gone.update((v, self.mate[v]))
        self.settled = [(v, self.mate[v]) for v in sorted(gone) if v < self.mate[v]]
        for v in gone:
            for w in self.graph[v]:
                self.graph[w].pop(v, None)
            self.graph[v] = {}
        return gone

    def _exchanges(self, remainder: list[int], uppers: int) -> tuple[Extra, int]:
        """Art. 4.3: fewest exchanged, smallest difference, then which ones. The upper player of a pair is its S1."""
        place = {v: k for k, v in enumerate(remainder)}
        size = len(remainder)
        digits = Digits([size, size * size, *([1] * size)])
        number, difference, *bits = digits.units
        # From the highest place: S1 by falling number (who moves down), then S2 by rising number (who moves up).
        order = [*range(uppers - 1, -1, -1), *range(uppers, size)]
        bit_of = dict(zip(order, bits, strict=True))
        cost = [0] * size
        for k in range(size):
            if k < uppers:
                cost[k] = -difference * k - bit_of[k]
            else:
                cost[k] = -number - difference * k + bit_of[k]

        def extra(v: int, w: int) -> int:
            if v in place and w in place:
                return cost[place[v]]
            return 0

        return extra, digits.span

    def _transpositions(self, remainder: list[int]) -> tuple[Extra, int]:
        """Art. 4.2: S1 in order, each with the lowest number possible."""
        place = {v: k for k, v in enumerate(remainder)}
        size = len(remainder)
        digits = Digits([size] * size)
        units = digits.units

        def extra(v: int, w: int) -> int:
            if v in place and w in place:
                return units[place[v]] * (size - place[w])
            return 0

        return extra, digits.span

    def _answer(self) -> Solution:
        end = self.inside_count
        for v, w in self.settled:
            self.mate[v], self.mate[w] = w, v
        pairs, floaters, bye = [], [], None
        for v in range(end):
            w = self.mate[v]
            if w != -1 and w < end:
                if v < w:
                    pairs.append((self.ids[v], self.ids[w]))
                continue
            floaters.append(self.ids[v])
        last = not (self.bracket.after or self.bracket.rest)
        if last and self.ids and self.ids[-1] == BYE and self.mate[len(self.ids) - 1] != -1:
            bye = self.ids[self.mate[len(self.ids) - 1]]
        onward = [v for v in range(self.after_end) if v >= end or not 0 <= self.mate[v] < end]
        below = set(onward)
        counted = floaters and self.bracket.after
        return Solution(
            pairs=tuple(pairs),
            floaters=tuple(floaters),
            bye=bye,
            unpaired_next=tuple(self.ids[v] for v in onward if self.mate[v] not in below) if counted else (),
            alone=tuple(i for i, mate in zip(self.ids, self.mate, strict=True) if mate == -1),
        )


def colour_faults(field: Field, a: Contender, b: Contender) -> tuple[int, int, int, int]:
    """What the pair costs in C10, C11, C12 and C13."""
    if not a.preference or a.preference != b.preference:
        return 0, 0, 0, 0
    if a.strength == Strength.ABSOLUTE and b.strength == Strength.ABSOLUTE:
        higher, lower = (a, b) if a.index < b.index else (b, a)
        white, _ = allocate(higher, lower, initial=field.initial_colour)
        denied = lower if white == (higher.preference > 0) else higher
        return int(abs(denied.difference) > 1), int(denied.repeated), 1, 0
    strong = a.strength >= Strength.STRONG and b.strength >= Strength.STRONG
    return 0, 0, 1, int(strong)
