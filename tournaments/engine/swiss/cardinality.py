"""Maximum-cardinality matching on sets of bits: how many can be paired at all, and who stands in the way.

Edmonds' search from one vertex at a time. A vertex is outer when an even alternating path leads to it from the root; two
outer neighbours close a blossom, whose inner vertices remember the edge that closed it (their bridge). A search that finds
nobody leaves a tree that no later search needs to enter (Hungarian tree), so the failures together cost one pass.

This module knows no chess or draughts: vertices are 0..n-1, and `neighbours[v]` has bit w set where v and w may meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_TURN = -1  # in a list of things to do: turn round what was found since


def bits(mask: int) -> Iterator[int]:
    """The places of the bits set, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Cardinality:
    """A matching that `grow` makes as large as it can be. `inside` are the vertices that take part, as bits; `mate` is a
    matching to start from, -1 for nobody.
    """

    def __init__(
        self, neighbours: Sequence[int], *, inside: int | None = None, mate: Sequence[int] | None = None
    ) -> None:
        self.n = len(neighbours)
        self.neighbours = neighbours
        self.inside = (1 << self.n) - 1 if inside is None else inside
        self.mate = [-1] * self.n if mate is None else [*mate, *[-1] * (self.n - len(mate))]
        self.outside_trees = self.inside  # what no failed search has reached
        self.outer = 0  # the outer vertices of the failed searches
        self._start()

    def _start(self) -> None:
        """Whoever is alone takes the first neighbour who is alone too."""
        free = sum(1 << v for v in bits(self.inside) if self.mate[v] == -1)
        for v in bits(free):
            if not free >> v & 1:
                continue
            choice = self.neighbours[v] & free
            if choice:
                w = (choice & -choice).bit_length() - 1
                self.mate[v], self.mate[w] = w, v
                free &= ~(1 << v | 1 << w)

    def grow(self) -> int:
        """Augment until nothing is left to gain; the number of vertices that stay alone."""
        alone = 0
        for v in bits(self.inside):
            if self.mate[v] == -1 and not self._search(v):
                alone += 1
        return alone

    def stuck(self) -> list[int]:
        """After `grow`: vertices that some maximum matching leaves alone (the outer set of Gallai and Edmonds)."""
        return list(bits(self.outer))

    def _search(self, root: int) -> bool:
        tree = _Tree(self, root)
        end = tree.find_end()
        if end is None:
            self.outer |= tree.outer
            self.outside_trees = tree.unreached
            return False
        v, w = end
        path = tree.path(v, root)
        for place in range(0, len(path) - 1, 2):
            # path: outer, its mate, the outer before it, ..., the root
            self.mate[path[place + 1]], self.mate[path[place + 2]] = path[place + 2], path[place + 1]
        self.mate[v], self.mate[w] = w, v
        return True


class _Tree:
    """One search. `above[w]` is the outer vertex from which the inner w was reached; `members` are blossoms by their base."""

    def __init__(self, matching: Cardinality, root: int) -> None:
        self.neighbours = matching.neighbours
        self.mate = matching.mate
        self.outer = 1 << root
        self.unreached = matching.outside_trees & ~self.outer
        self.queue = [root]
        self.above: dict[int, int] = {}
        self.bridge: dict[int, tuple[int, int]] = {}
        self.below: dict[int, int] = {root: root}  # towards the base of the blossom, with short cuts
        self.members: dict[int, int] = {root: 1 << root}

    def find_end(self) -> tuple[int, int] | None:
        """An edge from an outer vertex to one that is alone; None where there is none."""
        for v in self.queue:  # grows while it is walked
            while reached := self.neighbours[v] & self.unreached:
                w = (reached & -reached).bit_length() - 1
                partner = self.mate[w]
                if partner == -1:
                    return v, w
                self.unreached ^= 1 << w
                self.above[w] = v
                self._add_outer(partner)
                self.members[partner] = 1 << partner
                self.below[partner] = partner
            while closing := self.neighbours[v] & self.outer & ~self.members[self._base(v)]:
                self._close(v, (closing & -closing).bit_length() - 1)
        return None

    def _add_outer(self, v: int) -> None:
        self.outer |= 1 << v
        self.unreached &= ~(1 << v)
        self.queue.append(v)

    def _base(self, v: int) -> int:
        below = self.below
        while below[v] != v:
            below[v] = below[below[v]]
            v = below[v]
        return v

    def _close(self, v: int, w: int) -> None:
        """A blossom over the edge v-w: everything on the two ways up to where they meet becomes outer."""
        meeting = self._meeting(v, w)
        gathered = self.members[meeting]
        for start, other in ((v, w), (w, v)):
            base = self._base(start)
            while base != meeting:
                inner = self.mate[base]
                self.bridge[inner] = (start, other)
                gathered |= self.members.pop(base) | 1 << inner
                self.below[base] = self.below[inner] = meeting
                self._add_outer(inner)
                base = self._base(self.above[inner])
        self.members[meeting] = gathered

    def _meeting(self, v: int, w: int) -> int:
        """The first base that both ways up share; they are climbed in turn, so the shorter one decides the cost."""
        seen: set[int] = set()
        a: int | None = self._base(v)
        b: int | None = self._base(w)
        while True:
            if a is not None:
                if a in seen:
                    return a
                seen.add(a)
                a = self._up(a)
            a, b = b, a

    def _up(self, base: int) -> int | None:
        """The base two steps nearer the root; None at the root."""
        inner = self.mate[base]
        return None if inner == -1 else self._base(self.above[inner])

    def path(self, v: int, end: int) -> list[int]:
        """The alternating path from outer `v` to `end`, both included: v, its mate, the vertex before that ..."""
        found: list[int] = []
        todo: list[tuple[int, int]] = [(v, end)]
        while todo:
            x, stop = todo.pop()
            if x < 0:
                found[stop:] = reversed(found[stop:])
                continue
            while x != stop:
                found.append(x)
                if x in self.bridge:
                    # x was inner: down from its mate to the bridge, over it, and up on the other side.
                    near, far = self.bridge[x]
                    todo += [(far, stop), (_TURN, len(found)), (near, self.mate[x])]
                    break
                inner = self.mate[x]
                found.append(inner)
                x = self.above[inner]
            else:
                found.append(stop)
        return found
