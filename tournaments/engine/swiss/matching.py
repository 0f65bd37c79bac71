"""Maximum-weight matching in a general graph, on integers of any size.

The primal-dual method of Edmonds with one growing forest: every exposed vertex roots a tree, all duals of exposed
vertices fall together, and an augmentation frees only the two trees it joins. Stored duals are relative to the running
total `clock`: outer vertices hold dual + clock, inner ones dual - clock, so an adjustment costs nothing.

This module knows no chess or draughts: vertices are 0..n-1, weights are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

FREE, OUTER, INNER = 0, 1, 2
_JOIN, _GROW, _OPEN = 0, 1, 2

Graph = list[dict[int, int]]


class Stopped(Exception):
    """The caller's `should_stop` said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """`mate[v]` is the partner or -1. `tight` keeps exactly the edges an optimal matching can use.

    `dual`, `chains` (the charged blossoms around a vertex) and `charge` prove it; they also price an edge that was left out.
    """

    mate: list[int]
    tight: Graph
    dual: list[int]
    chains: list[frozenset[int]]
    charge: dict[int, int]

    def slack(self, v: int, w: int, weight: int) -> int:
        """Doubled. An edge of that weight could only help if it is negative, and be in an optimal matching if it is 0."""
        slack = self.dual[v] + self.dual[w] - 2 * weight
        if self.chains[v] and self.chains[w]:
            for blossom in self.chains[v] & self.chains[w]:
                slack += 2 * self.charge[blossom]
        return slack

    def weight(self, graph: Graph) -> int:
        return sum(graph[v][w] for v, w in enumerate(self.mate) if v < w)


def maximum_weight_matching(graph: Graph, should_stop: Callable[[], bool] | None = None) -> Matching:
    """Match `graph` (symmetric: vertex -> {neighbour: weight}, weights >= 0) with the greatest total weight.

    Vertices may stay alone. Whoever needs as many pairs as possible puts a large constant on every edge.
    Raises Stopped when `should_stop` answers true.
    """
    return _Forest(graph, should_stop).run()


class _Forest:
    def __init__(self, graph: Graph, should_stop: Callable[[], bool] | None) -> None:
        n = len(graph)
        self.n = n
        self.graph = graph
        self.adjacent = [[(w, 2 * weight) for w, weight in row.items()] for row in graph]
        self.ceiling = max((weight for row in graph for weight in row.values()), default=0)
        self.should_stop = should_stop
        self.mate = [-1] * n
        self.clock = 0
        self.dual = [self.ceiling] * n  # doubled duals: slack is dual + dual - 2 * weight
        self.label = [OUTER] * n
        self.root = list(range(n))
        self.top = list(range(n))
        self.join_time: list[int | None] = [None] * n
        self.join_with = [-1] * n
        self.grow_time: list[int | None] = [None] * n
        self.grow_from = [-1] * n
        self.heap: list[tuple[int, int, int]] = []
        # Blossoms have numbers from n on; a vertex is its own trivial one.
        self.children: dict[int, list[int]] = {}
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.parent: dict[int, int] = {}
        self.charge: dict[int, int] = {}
        self.base = list(range(n))
        self.entry: dict[int, tuple[int, int]] = {}
        self.next_blossom = n

    def run(self) -> Matching:
        for v in range(self.n):
            self._scan_joins(v)
        while self.heap:
            time, kind, item = heappop(self.heap)
            if time > self.ceiling:
                break
            if kind == _JOIN:
                self._try_join(time, item)
            elif kind == _GROW:
                self._try_grow(time, item)
            elif self._inner_blossom(item) and self.charge[item] == time:
                self.clock = time
                self._open(item)
        # Whoever is still exposed has a dual of zero only at the ceiling.
        self.clock = self.ceiling
        self._release([v for v in range(self.n) if self.label[v] != FREE], rescan=False)
        return self._result()

    # Events

    def _try_join(self, time: int, v: int) -> None:
        if self.join_time[v] != time or self.label[v] != OUTER:
            return
        w = self.join_with[v]
        top_v, top_w = self.top[v], self.top[w]
        if (
            self.label[w] != OUTER
            or top_v == top_w
            or self.dual[v] + self.dual[w] - 2 * self.graph[v][w] != 2 * time
        ):
            self._scan_joins(v)
            return
        self.clock = time
        if self.root[v] != self.root[w]:
            self._augment(v, w)
            return
        self._shrink(v, w)
        self._scan_joins(v)

    def _try_grow(self, time: int, w: int) -> None:
        if self.label[w] != FREE or self.grow_time[w] != time:
            return
        v = self.grow_from[w]
        if self.label[v] != OUTER or self.dual[v] + self.dual[w] - 2 * self.graph[v][w] != time:
            self._scan_growth(w)
            return
        self.clock = time
        self._grow(v, w)

    def _scan_joins(self, v: int) -> None:
        """Find the next edge from outer `v` to another outer vertex; tell free neighbours about `v`."""
        best: int | None = None
        partner = -1
        own, home = self.dual[v], self.top[v]
        dual, label, top = self.dual, self.label, self.top
        grow_time, heap = self.grow_time, self.heap
        for w, twice in self.adjacent[v]:
            kind = label[w]
            if kind == INNER:
                continue
            time = own + dual[w] - twice
            if kind == OUTER:
                if (best is None or time < best) and top[w] != home:
                    best, partner = time, w
                continue
            known = grow_time[w]
            if known is None or time < known:
                grow_time[w] = time
                self.grow_from[w] = v
                heappush(heap, (time, _GROW, w))
        self.join_time[v] = None if best is None else best // 2
        self.join_with[v] = partner
        if best is not None:
            heappush(heap, (best // 2, _JOIN, v))

    def _scan_growth(self, w: int) -> None:
        """Find the outer neighbour that reaches free `w` first."""
        best: int | None = None
        origin = -1
        own, dual, label = self.dual[w], self.dual, self.label
        for v, twice in self.adjacent[w]:
            if label[v] == OUTER:
                time = own + dual[v] - twice
                if best is None or time < best:
                    best, origin = time, v
        self.grow_time[w] = best
        self.grow_from[w] = origin
        if best is not None:
            heappush(self.heap, (best, _GROW, w))

    # Trees

    def _leaves(self, blossom: int) -> Iterator[int]:
        if blossom < self.n:
            yield blossom
            return
        stack = list(self.children[blossom])
        while stack:
            item = stack.pop()
            if item < self.n:
                yield item
            else:
                stack.extend(self.children[item])

    def _inner_blossom(self, blossom: int) -> bool:
        if blossom not in self.children or blossom in self.parent:
            return False
        return self.label[self.base[blossom]] == INNER

    def _set_label(self, blossom: int, kind: int, root: int) -> None:
        """Label a free top-level blossom and make its stored duals relative to the clock."""
        shift = self.clock if kind == OUTER else -self.clock
        for v in self._leaves(blossom):
            self.label[v] = kind
            self.root[v] = root
            self.dual[v] += shift
        if blossom >= self.n:
            self.charge[blossom] -= shift

    def _grow(self, v: int, w: int) -> None:
        root = self.root[v]
        inner = self.top[w]
        self.entry[inner] = (v, w)
        self._set_label(inner, INNER, root)
        if inner >= self.n:
            heappush(self.heap, (self.charge[inner], _OPEN, inner))
        outer = self.top[self.mate[self.base[inner]]]
        self._set_label(outer, OUTER, root)
        for x in list(self._leaves(outer)):
            self._scan_joins(x)

    def _path(self, v: int) -> list[int]:
        """Top-level blossoms from `v` to its root: outer, inner, outer, ..."""
        path = [self.top[v]]
        while (partner := self.mate[self.base[path[-1]]]) != -1:
            inner = self.top[partner]
            path += [inner, self.top[self.entry[inner][0]]]
        return path

    def _steps(self, path: list[int]) -> list[tuple[int, int]]:
        """The edges along a path towards the root, as (nearer the start, nearer the root)."""
        steps = []
        for index in range(0, len(path) - 1, 2):
            outer, inner = path[index], path[index + 1]
            steps.append((self.base[outer], self.mate[self.base[outer]]))
            origin, reached = self.entry[inner]
            steps.append((reached, origin))
        return steps

    def _shrink(self, v: int, w: int) -> None:
        path_v, path_w = self._path(v), self._path(w)
        seen = set(path_w)
        meeting = next(b for b in path_v if b in seen)
        path_v = path_v[: path_v.index(meeting) + 1]
        path_w = path_w[: path_w.index(meeting) + 1]
        down = [(b, a) for a, b in reversed(self._steps(path_v))]
        up = self._steps(path_w)
        cycle = [*reversed(path_v), *path_w[:-1]]
        blossom = self.next_blossom
        self.next_blossom += 1
        base = self.base[meeting]
        self.base.append(base)
        root = self.root[v]
        awake: list[int] = []
        for child in cycle:
            self.parent[child] = blossom
            outer = self.label[self.base[child]] == OUTER
            if child >= self.n:
                self.charge[child] += self.clock if outer else -self.clock
            if not outer:
                self.entry.pop(child, None)
                awake.extend(self._leaves(child))
        for x in awake:
            self.label[x] = OUTER
            self.root[x] = root
            self.dual[x] += 2 * self.clock
        self.children[blossom] = cycle
        self.links[blossom] = [*down, (v, w), *up]
        self.charge[blossom] = -self.clock
        for x in self._leaves(blossom):
            self.top[x] = blossom
        for x in awake:
            self._scan_joins(x)

    def _open(self, blossom: int) -> None:
        """Dissolve an inner blossom whose dual reached zero; its way through stays in the tree."""
        children, links = self.children.pop(blossom), self.links.pop(blossom)
        root = self.root[self.base[blossom]]
        origin, reached = self.entry.pop(blossom)
        del self.charge[blossom]
        for x in [leaf for child in children for leaf in self._leaves(child)]:
            self.label[x] = FREE
            self.dual[x] += self.clock
        for child in children:
            del self.parent[child]
            for x in self._leaves(child):
                self.top[x] = child
        start = children.index(self.top[reached])
        size = len(children)
        # An even number of steps leads from the entry to the base, forwards or backwards.
        step = 1 if (size - start) % 2 == 0 else -1
        position, arrival = start, (origin, reached)
        while position != 0:
            inner = children[position]
            self.entry[inner] = arrival
            self._set_label(inner, INNER, root)
            after = (position + step) % size
            self._set_label(children[after], OUTER, root)
            position = (after + step) % size
            near, far = links[after] if step == 1 else links[position]
            arrival = (near, far) if step == 1 else (far, near)
        self.entry[children[0]] = arrival
        self._set_label(children[0], INNER, root)
        self._rescan(children)

    def _rescan(self, children: list[int]) -> None:
        for child in children:
            kind = self.label[self.base[child]]
            if kind == INNER:
                if child >= self.n:
                    heappush(self.heap, (self.charge[child], _OPEN, child))
                continue
            for x in list(self._leaves(child)):
                if kind == OUTER:
                    self._scan_joins(x)
                else:
                    self._scan_growth(x)

    # Augmentation

    def _augment(self, v: int, w: int) -> None:
        if self.should_stop is not None and self.should_stop():
            raise Stopped
        roots = (self.root[v], self.root[w])
        for start, partner in ((v, w), (w, v)):
            s, new_mate = start, partner
            while True:
                outer = self.top[s]
                old_mate = self.mate[self.base[outer]]
                if outer >= self.n:
                    self._rotate(outer, s)
                self.mate[s] = new_mate
                if old_mate == -1:
                    break
                inner = self.top[old_mate]
                origin, reached = self.entry[inner]
                if inner >= self.n:
                    self._rotate(inner, reached)
                self.mate[reached] = origin
                s, new_mate = origin, reached
        self._release(
            [x for x in range(self.n) if self.label[x] != FREE and self.root[x] in roots], rescan=True
        )

    def _rotate(self, blossom: int, v: int) -> None:
        """Make `v` the base of `blossom` by switching the matched edges on its even side."""
        child = v
        while self.parent[child] != blossom:
            child = self.parent[child]
        if child >= self.n:
            self._rotate(child, v)
        children, links = self.children[blossom], self.links[blossom]
        start = children.index(child)
        size = len(children)
        step = 1 if (size - start) % 2 == 0 else -1
        position = start
        while position != 0:
            first = (position + step) % size
            second = (first + step) % size
            near, far = links[first] if step == 1 else links[second]
            if step != 1:
                near, far = far, near
            if children[first] >= self.n:
                self._rotate(children[first], near)
            if children[second] >= self.n:
                self._rotate(children[second], far)
            self.mate[near] = far
            self.mate[far] = near
            position = second
        self.children[blossom] = children[start:] + children[:start]
        self.links[blossom] = links[start:] + links[:start]
        self.base[blossom] = v

    def _release(self, vertices: list[int], *, rescan: bool) -> None:
        blossoms = set()
        for x in vertices:
            outer = self.label[x] == OUTER
            self.dual[x] += -self.clock if outer else self.clock
            blossom = self.top[x]
            if blossom >= self.n and blossom not in blossoms:
                blossoms.add(blossom)
                self.charge[blossom] += self.clock if outer else -self.clock
            self.entry.pop(blossom, None)
        for x in vertices:
            self.label[x] = FREE
        if rescan:
            for x in vertices:
                self._scan_growth(x)

    def _result(self) -> Matching:
        chains = []
        for v in range(self.n):
            chain, item = [], v
            while (parent := self.parent.get(item, -1)) != -1:
                if self.charge[parent]:
                    chain.append(parent)
                item = parent
            chains.append(frozenset(chain))
        tight: Graph = [{} for _ in range(self.n)]
        matching = Matching(mate=self.mate, tight=tight, dual=self.dual, chains=chains, charge=self.charge)
        for v, row in enumerate(self.graph):
            for w, weight in row.items():
                if v < w and matching.slack(v, w, weight) == 0:
                    tight[v][w] = tight[w][v] = weight
        return matching
