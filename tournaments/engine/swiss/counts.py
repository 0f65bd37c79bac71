"""The short way through a bracket: reach the least value that every criterion can have at all, by counting.

Counts of colours and floats give a lower bound on each of C6-C21. A candidate built in the order of C.04.3 art. 4 that
attains all bounds is optimal, and the first such one is the answer. Where the bounds cannot be met, or the search grows
long, the answer is None and says nothing: the matching decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.engine.swiss.bracket import Solution
from tournaments.engine.swiss.state import Contender, Field, Strength

_WHITE, _BLACK, _NONE = 0, 1, 2


def _colour(c: Contender) -> int:
    return _WHITE if c.preference > 0 else _BLACK if c.preference < 0 else _NONE


@dataclass(slots=True)
class _Budget:
    """What is still allowed: pairs of equal preference (C12), those of two strong ones (C13), and steps."""

    same: int
    strong: int
    steps: int


class CountSearch:
    """One bracket. `receivers` are given when a player left over takes the pairing-allocated bye here."""

    def __init__(
        self,
        field: Field,
        moved: Sequence[int],
        residents: Sequence[int],
        *,
        receivers: frozenset[int] | None = None,
    ) -> None:
        self.field = field
        self.moved = moved
        self.residents = residents
        self.receivers = receivers
        self.size = len(moved) + len(residents)
        self.odd = self.size % 2 == 1
        self.colour = {i: _colour(field.contenders[i]) for i in (*moved, *residents)}
        self.mild = {i: field.contenders[i].strength == Strength.MILD for i in (*moved, *residents)}
        self.may_float: frozenset[int] = frozenset()
        self.floating = 0

    def run(self) -> Solution | None:
        if len(self.moved) > len(self.residents):
            return None
        budget = self._bounds()
        if budget is None:
            return None
        self.floating = len(self.may_float)
        upper = self._place_moved(budget)
        if upper is None:
            return None
        taken = set(upper)
        remainder = [i for i in self.residents if i not in taken]
        half = len(remainder) // 2
        lower = _Halves(self, remainder[:half], remainder[half:], budget).run()
        if lower is None:
            return None
        pairs = [*zip(self.moved, upper, strict=True), *zip(remainder[:half], lower, strict=True)]
        taken.update(lower)
        floaters = tuple(i for i in remainder[half:] if i not in taken)
        bye = floaters[0] if self.receivers is not None and floaters else None
        return Solution(pairs=tuple(pairs), floaters=floaters, bye=bye)

    # Bounds

    def _bounds(self) -> _Budget | None:
        """The least C12 and C13, and who may be left over at the least C9, C14 and C16."""
        counts = [0, 0, 0]
        milds = [0, 0, 0]
        for i, colour in self.colour.items():
            counts[colour] += 1
            milds[colour] += self.mild[i]
        major = _WHITE if counts[_WHITE] >= counts[_BLACK] else _BLACK
        same = max(0, counts[major] - (self.size + 1) // 2)
        strong = max(0, same - milds[major])
        if self.odd:
            self.may_float = self._floaters(counts, milds, major, same, strong)
            if not self.may_float:
                return None
        return _Budget(same=same, strong=strong, steps=40 * self.size + 400)

    def _floaters(
        self, counts: list[int], milds: list[int], major: int, same: int, strong: int
    ) -> frozenset[int]:
        pairs = self.size // 2
        best: tuple[int, bool, bool] | None = None
        chosen: list[int] = []
        for i in self.residents:
            if self.receivers is not None and i not in self.receivers:
                continue
            own = self.colour[i] == major
            need = counts[major] - own - pairs
            if need > same or (need > 0 and need - (milds[major] - (own and self.mild[i])) > strong):
                continue
            c = self.field.contenders[i]
            grade = (-c.played if self.receivers is not None else 0, c.down1, c.down2)
            if best is None or grade < best:
                best, chosen = grade, []
            if grade == best:
                chosen.append(i)
        # C9 goes before colours: the bound must hold over everybody who may take the bye.
        if self.receivers is not None and best is not None:
            most = max(self.field.contenders[i].played for i in self.receivers)
            if -best[0] != most:
                return frozenset()
        return frozenset(chosen)

    # Those who came down

    def _place_moved(self, budget: _Budget) -> list[int] | None:
        """The lowest resident for each in turn, so that the counts of the others can still meet the bounds."""
        counts = [0, 0, 0]
        for colour in self.colour.values():
            counts[colour] += 1
        chosen: list[int] = []
        used: set[int] = set()
        resume = 0
        while len(chosen) < len(self.moved):
            budget.steps -= 1
            if budget.steps < 0:
                return None
            i = self.moved[len(chosen)]
            place = self._next_resident(i, resume, used, counts, budget)
            if place is not None:
                self._join(i, self.residents[place], counts, budget, 1)
                chosen.append(place)
                used.add(place)
                resume = 0
                continue
            if not chosen:
                return None
            place = chosen.pop()
            used.remove(place)
            self._join(self.moved[len(chosen)], self.residents[place], counts, budget, -1)
            resume = place + 1
        return [self.residents[place] for place in chosen]

    def _join(self, i: int, j: int, counts: list[int], budget: _Budget, sign: int) -> None:
        """Pair (sign 1) or part again (-1)."""
        same, strong = self._cost(i, j)
        budget.same -= sign * same
        budget.strong -= sign * strong
        counts[self.colour[i]] -= sign
        counts[self.colour[j]] -= sign
        self.floating -= sign * (j in self.may_float)

    def _cost(self, i: int, j: int) -> tuple[int, int]:
        if self.colour[i] != self.colour[j] or self.colour[i] == _NONE:
            return 0, 0
        return 1, int(not (self.mild[i] or self.mild[j]))

    def _next_resident(
        self, i: int, start: int, used: set[int], counts: list[int], budget: _Budget
    ) -> int | None:
        left = counts[_WHITE] + counts[_BLACK] + counts[_NONE] - 2
        room = (left + 1) // 2
        for place in range(start, len(self.residents)):
            if place in used:
                continue
            j = self.residents[place]
            c = self.field.contenders[j]
            if c.up1 or c.up2 or (self.odd and self.floating == 1 and j in self.may_float):
                continue
            if not self.field.legal(i, j):
                continue
            same, strong = self._cost(i, j)
            if same > budget.same or strong > budget.strong or self._both_absolute(i, j):
                continue
            white = counts[_WHITE] - (self.colour[i] == _WHITE) - (self.colour[j] == _WHITE)
            black = counts[_BLACK] - (self.colour[i] == _BLACK) - (self.colour[j] == _BLACK)
            if max(0, white - room) + max(0, black - room) <= budget.same - same:
                return place
        return None

    def _both_absolute(self, i: int, j: int) -> bool:
        """Topscorers may meet so, at the price of C10 or C11: above the bound."""
        a, b = self.field.contenders[i], self.field.contenders[j]
        return (
            a.strength == Strength.ABSOLUTE
            and b.strength == Strength.ABSOLUTE
            and a.preference == b.preference
        )


class _Halves:
    """S1 against S2 without exchanges: for each of S1 in turn the lowest of S2 that keeps the bounds in reach."""

    def __init__(
        self, search: CountSearch, first: Sequence[int], second: Sequence[int], budget: _Budget
    ) -> None:
        self.search = search
        self.first = first
        self.second = second
        self.budget = budget
        self.odd = len(second) > len(first)
        self.ones = [0, 0, 0]
        self.twos = [0, 0, 0]
        self.milds = [0, 0, 0]
        for i in first:
            self.ones[search.colour[i]] += 1
            self.milds[search.colour[i]] += search.mild[i]
        self.kind: list[tuple[int, bool, bool]] = []
        self.places: dict[tuple[int, bool, bool], list[int]] = {}
        for place, j in enumerate(second):
            self.twos[search.colour[j]] += 1
            self.milds[search.colour[j]] += search.mild[j]
            kind = (search.colour[j], search.mild[j], j in search.may_float)
            self.kind.append(kind)
            self.places.setdefault(kind, []).append(place)
        self.count = {kind: len(places) for kind, places in self.places.items()}
        self.head = dict.fromkeys(self.places, 0)
        self.used = [False] * len(second)

    def run(self) -> list[int] | None:
        chosen: list[int] = []
        after = -1
        if not self._reachable(self.budget.same, self.budget.strong, len(self.first)):
            return None
        while len(chosen) < len(self.first):
            self.budget.steps -= 1
            if self.budget.steps < 0:
                return None
            i = self.first[len(chosen)]
            place = self._next(i, after, len(self.first) - len(chosen) - 1)
            if place is not None:
                self._take(i, place, 1)
                chosen.append(place)
                after = -1
                continue
            if not chosen:
                return None
            after = chosen.pop()
            self._take(self.first[len(chosen)], after, -1)
        return [self.second[place] for place in chosen]

    def _take(self, i: int, place: int, sign: int) -> None:
        """Pair (sign 1) or part again (sign -1)."""
        search, j, kind = self.search, self.second[place], self.kind[place]
        same, strong = search._cost(i, j)
        self.budget.same -= sign * same
        self.budget.strong -= sign * strong
        self._shift(i, kind, sign)
        self.used[place] = sign > 0
        places = self.places[kind]
        if sign < 0:
            self.head[kind] = min(self.head[kind], bisect_right(places, place) - 1)
        while self.head[kind] < len(places) and self.used[places[self.head[kind]]]:
            self.head[kind] += 1

    def _shift(self, i: int, kind: tuple[int, bool, bool], sign: int) -> None:
        colour, mild = self.search.colour[i], self.search.mild[i]
        self.ones[colour] -= sign
        self.milds[colour] -= sign * mild
        self.twos[kind[0]] -= sign
        self.milds[kind[0]] -= sign * kind[1]
        self.count[kind] -= sign

    def _next(self, i: int, after: int, left: int) -> int | None:
        """The lowest free place beyond `after` that `i` may take with the bounds still in reach."""
        best: int | None = None
        for kind, places in self.places.items():
            if not self.count[kind]:
                continue
            start = self.head[kind]
            if after >= 0:
                start = max(start, bisect_right(places, after))
            if start >= len(places) or (best is not None and places[start] >= best):
                continue
            if not self._kind_fits(i, kind, left):
                continue
            for index in range(start, len(places)):
                place = places[index]
                if best is not None and place >= best:
                    break
                if not self.used[place] and self._legal(i, self.second[place]):
                    best = place
                    break
        return best

    def _legal(self, i: int, j: int) -> bool:
        return self.search.field.legal(i, j) and not self.search._both_absolute(i, j)

    def _kind_fits(self, i: int, kind: tuple[int, bool, bool], left: int) -> bool:
        search = self.search
        same = strong = 0
        if kind[0] == search.colour[i] != _NONE:
            same, strong = 1, int(not (search.mild[i] or kind[1]))
        same_left, strong_left = self.budget.same - same, self.budget.strong - strong
        if same_left < 0 or strong_left < 0:
            return False
        self._shift(i, kind, 1)
        fits = self._reachable(same_left, strong_left, left)
        self._shift(i, kind, -1)
        return fits

    def _reachable(self, same: int, strong: int, left: int) -> bool:
        """Whether counts alone let the rest of S1 be paired within what is allowed."""
        if not self.odd:
            return self._within(same, strong, left, -1, False)
        return any(
            self._within(same, strong, left, kind[0], kind[1])
            for kind, count in self.count.items()
            if count and kind[2]
        )

    def _within(self, same: int, strong: int, left: int, floater: int, floater_mild: bool) -> bool:
        for colour in (_WHITE, _BLACK):
            gone = floater == colour
            need = self.ones[colour] + self.twos[colour] - gone - left
            if need <= 0:
                continue
            same -= need
            strong -= max(0, need - self.milds[colour] + (gone and floater_mild))
        return same >= 0 and strong >= 0
