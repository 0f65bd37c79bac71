"""What stands against a pair, a float or a bye: the first criterion, with what it was and what it would be.

A local change shows how little a wish could cost, and a count of colours and floats that it cannot cost less: where the
two meet, that is the answer. Otherwise the bracket is solved again with the wish granted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tournaments.engine.swiss.bracket import Solution
from tournaments.engine.swiss.counts import CountSearch
from tournaments.engine.swiss.descent import Descent, Scope, Settled, Task
from tournaments.engine.swiss.state import Field, Strength
from tournaments.engine.swiss.vector import COMPARED, Criterion, Value, first_difference, measure
from tournaments.engine.types import NoLegalPairing

# So many other pairs are tried as the third of a ring.
RINGS = 24

Pair = tuple[int, int]
_MILD = Strength.MILD


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """`criterion` stood in the way: its value is `was`, and would be `would`. `player` is whom it concerns (C1, C2, C3 and
    the list: the partner; taken: who has the partner; order: the lower-numbered partner), `round` when (C1, C2).
    """

    criterion: Criterion
    was: Value | None = None
    would: Value | None = None
    player: int = 0
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A local change of a bracket's answer: what is taken out and what comes in."""

    old: Solution
    new: Solution


class Kept:
    """Pairs of a bracket that stand before a question, and the colours of all others; grows pair by pair."""

    def __init__(self, field: Field, task: Task) -> None:
        self.people = field.contenders
        self.came = set(task.moved)
        self.pairs: list[Pair] = []
        self.players: set[int] = set()
        self.same = self.strong = self.up1 = self.up2 = 0
        self.counts: Counter[int] = Counter()
        self.milds: Counter[int] = Counter()
        for i in (*task.moved, *task.residents):
            self._count(i, 1)

    def _count(self, i: int, sign: int) -> None:
        c = self.people[i]
        self.counts[c.preference] += sign
        self.milds[c.preference] += sign * (c.strength == _MILD)

    def shift(self, pair: Pair, sign: int = 1) -> None:
        """Keep the pair too (sign 1), or no longer (-1): the last one first."""
        i, j = pair
        a, b = self.people[i], self.people[j]
        if sign > 0:
            self.pairs.append(pair)
            self.players.update(pair)
        else:
            self.pairs.pop()
            self.players.difference_update(pair)
        self._count(i, -sign)
        self._count(j, -sign)
        if a.preference and a.preference == b.preference:
            self.same += sign
            self.strong += sign * (_MILD not in (a.strength, b.strength))
        if i in self.came:
            self.up1 += sign * b.up1
            self.up2 += sign * b.up2

    def least_colours(self, floaters: int, dropped: int | None) -> tuple[int, int]:
        """The least C12 and C13 by counting, with so many floaters, `dropped` (if given) being one of them."""
        if dropped is not None:
            self._count(dropped, -1)
            floaters -= 1
        # Each pair takes one of the majority without harm, and each floater may be one.
        room = (sum(self.counts.values()) + floaters) // 2
        major = 1 if self.counts[1] >= self.counts[-1] else -1
        need = max(0, self.counts[major] - room)
        result = self.same + need, self.strong + max(0, need - self.milds[major])
        if dropped is not None:
            self._count(dropped, 1)
        return result


def between(field: Field, i: int, j: int) -> Refusal | None:
    """The rule that forbids the two to meet, if one does."""
    number = field.contenders[j].number
    if j in field.met[i]:
        return Refusal(criterion=Criterion.C1, player=number, round=field.met[i][j])
    if field.forbids(i, j):
        return Refusal(criterion=Criterion.FORBIDDEN, player=number)
    if field.clashes(i, j):
        return Refusal(criterion=Criterion.C3, player=number)
    return None


class Refuser:
    """Answers about the brackets of one descent that has been run."""

    def __init__(self, field: Field, descent: Descent) -> None:
        self.field = field
        self.descent = descent
        self.values: dict[int, tuple[Value, ...]] = {}
        self.roomy: dict[int, bool] = {}

    def chosen(self, bracket: Settled) -> tuple[Value, ...]:
        """C6-C21 of the answer of a bracket."""
        if bracket.number not in self.values:
            self.values[bracket.number] = self._measure(bracket.task, bracket.solution)
        return self.values[bracket.number]

    def _measure(self, task: Task, solution: Solution) -> tuple[Value, ...]:
        bye_here = self.descent.bye_here(task)
        return measure(self.field, task.moved, task.residents, solution, bye_here=bye_here)

    # Questions

    def refuse_pair(
        self,
        bracket: Settled,
        i: int,
        natural: int,
        *,
        partner: dict[int, int],
        kept: Kept,
        exchanged: bool,
    ) -> Refusal:
        """Why `i` was not paired with `natural`, the pairs in `kept` being kept. `partner` are those of the bracket."""
        if rule := between(self.field, i, natural):
            return rule
        people = self.field.contenders
        if natural in kept.players:
            return Refusal(criterion=Criterion.TAKEN, player=people[partner[natural]].number)
        got = partner.get(i)
        if not exchanged and got is not None and got < natural:
            return Refusal(criterion=Criterion.ORDER, player=people[got].number)
        kept.shift((i, natural))
        try:
            return self._refuse_wish(bracket, i, natural, partner, kept, exchanged)
        finally:
            kept.shift((i, natural), -1)

    def _refuse_wish(
        self, bracket: Settled, i: int, natural: int, partner: dict[int, int], kept: Kept, exchanged: bool
    ) -> Refusal:
        for change in self._rings(bracket, i, natural, partner, kept.players):
            if proven := self._prove(bracket, change, kept):
                return proven
        later = Criterion.ORDER if exchanged or i in kept.came else Criterion.EXCHANGE
        return self._solve_with(bracket, kept.pairs, later)

    def refuse_float(self, bracket: Settled, i: int, instead: int, *, partner: dict[int, int]) -> Refusal:
        """Why `instead` did not go down, or take the bye, in place of `i`, the only one to do so."""
        task = bracket.task
        if self.descent.bye_here(task):
            c = self.field.contenders[instead]
            if not c.bye_allowed:
                return Refusal(criterion=Criterion.C2, player=c.number, round=c.bye_barred)
        if quick := self._by_place(bracket, i, instead, partner):
            return quick
        return self._solve_again(bracket, replace(task, dropped=instead))

    def refuse_stay(self, bracket: Settled, i: int) -> Refusal:
        """Why `i` was not paired in the bracket."""
        return self._solve_again(bracket, replace(bracket.task, kept=i))

    # By solving

    def _solve_again(self, bracket: Settled, task: Task) -> Refusal:
        try:
            solution, _ = self.descent.settle(task, ordered=False)
        except NoLegalPairing:
            return Refusal(criterion=Criterion.C4)
        if task.kept in solution.floaters:
            return Refusal(criterion=Criterion.C4)
        return self._difference(bracket, solution, Criterion.ORDER)

    def _solve_with(self, bracket: Settled, fixed: Sequence[Pair], later: Criterion) -> Refusal:
        gone = {player for pair in fixed for player in pair}
        inner = replace(
            bracket.task,
            moved=tuple(m for m in bracket.task.moved if m not in gone),
            residents=tuple(r for r in bracket.task.residents if r not in gone),
        )
        try:
            solution, _ = self.descent.settle(inner, ordered=False)
        except NoLegalPairing:
            return Refusal(criterion=Criterion.C4)
        whole = replace(solution, pairs=(*fixed, *solution.pairs))
        return self._difference(bracket, whole, later)

    def _difference(self, bracket: Settled, solution: Solution, equal: Criterion) -> Refusal:
        found = first_difference(self.chosen(bracket), self._measure(bracket.task, solution))
        if found is None:
            return Refusal(criterion=equal)
        criterion, was, would = found
        return Refusal(criterion=criterion, was=was, would=would)

    # By a local change and a count

    def _rings(
        self, bracket: Settled, i: int, natural: int, partner: dict[int, int], kept: set[int]
    ) -> Iterator[_Change]:
        """Changes that join `i` and `natural`: their partners with each other, or by way of a third pair."""
        left = partner.get(i)
        other = partner.get(natural)
        if left is None:
            return
        if other is None:
            if self._fits(left, left):
                yield self._change([(i, left)], [(i, natural)], [natural], [left])
            return
        old = [(i, left), (natural, other)]
        if self._fits(left, other):
            yield self._change(old, [(i, natural), (left, other)])
        for floater in bracket.solution.floaters[:1]:
            for x, y in ((left, other), (other, left)):
                if self._fits(x, floater) and y not in bracket.task.moved:
                    yield self._change(old, [(i, natural), (x, floater)], [floater], [y])
        tried = 0
        for a, b in bracket.solution.pairs:
            if a in kept or a in (left, other) or b in (left, other):
                continue
            tried += 1
            if tried > RINGS:
                return
            for x, y in ((a, b), (b, a)):
                if self._fits(left, x) and self._fits(other, y):
                    yield self._change([*old, (a, b)], [(i, natural), (left, x), (other, y)])

    def _fits(self, i: int, j: int) -> bool:
        return i == j or self.field.legal(i, j)

    def _change(
        self,
        old: Sequence[Pair],
        new: Sequence[Pair],
        floated: Sequence[int] = (),
        floats: Sequence[int] = (),
    ) -> _Change:
        return _Change(
            old=Solution(pairs=tuple(_upper_first(p) for p in old), floaters=tuple(floated), bye=None),
            new=Solution(pairs=tuple(_upper_first(p) for p in new), floaters=tuple(floats), bye=None),
        )

    def _by_place(self, bracket: Settled, i: int, instead: int, partner: dict[int, int]) -> Refusal | None:
        """`i` takes the partner of `instead`."""
        taken = partner.get(instead)
        if taken is None or not self._fits(i, taken):
            return self._by_counts(bracket, instead)
        change = self._change([(instead, taken)], [(i, taken)], [i], [instead])
        kept = Kept(self.field, bracket.task)
        return self._prove(bracket, change, kept, dropped=instead) or self._by_counts(bracket, instead)

    def _by_counts(self, bracket: Settled, dropped: int) -> Refusal | None:
        """The short way through the bracket without the one who goes down."""
        task = bracket.task
        residents = [r for r in task.residents if r != dropped]
        solution = CountSearch(self.field, task.moved, residents).run()
        if solution is None or solution.floaters:
            return None
        left: tuple[int, ...] | None = ()
        if not self.descent.bye_here(task):
            left = self.descent.harmless((dropped,), task)
        elif task.after:
            left = None
        if left is None:
            return None
        granted = replace(solution, floaters=(dropped,), unpaired_next=left)
        return self._difference(bracket, granted, Criterion.ORDER)

    def _prove(
        self, bracket: Settled, change: _Change, kept: Kept, *, dropped: int | None = None
    ) -> Refusal | None:
        """The first criterion the change worsens, if no other way to grant the wish can keep it."""
        task = bracket.task
        if change.new.floaters and not self._same_below(bracket, change):
            return None
        before, after = self._measure(task, change.old), self._measure(task, change.new)
        found = first_difference(before, after)
        if found is None:
            return None
        criterion, was, would = found
        place = COMPARED.index(criterion)
        chosen = self.chosen(bracket)[place]
        if not (isinstance(chosen, int) and isinstance(was, int) and isinstance(would, int)):
            return None
        total = chosen - was + would
        if total <= chosen or self._least(bracket, criterion, kept, dropped) != total:
            return None
        return Refusal(criterion=criterion, was=chosen, would=total)

    def _same_below(self, bracket: Settled, change: _Change) -> bool:
        """The changed floaters leave C4 and C8 as they are."""
        task = bracket.task
        if self.descent.bye_here(task):
            receivers = self.descent.completion.receivers(task.home)
            return not task.after and receivers.issuperset(change.new.floaters)
        if len(bracket.solution.floaters) > 1:
            return False
        left = bracket.solution.unpaired_next
        if self._roomy(bracket) and all(
            any(j not in left and self.field.legal(i, j) for j in task.after) for i in change.new.floaters
        ):
            return True
        return self.descent.harmless(change.new.floaters, task) is not None

    def _roomy(self, bracket: Settled) -> bool:
        """The next scoregroup can spare any partner and still pair as before."""
        if bracket.number not in self.roomy:
            shortcut = bracket.scope in (Scope.COUNTS, Scope.ALONE)
            enough = self.descent.completion.enough_partners(bracket.task.after, spare=3)
            self.roomy[bracket.number] = shortcut and enough
        return self.roomy[bracket.number]

    def _least(self, bracket: Settled, criterion: Criterion, kept: Kept, dropped: int | None) -> int | None:
        """The least value of a criterion by counting, with the pairs in `kept`, or one player dropped."""
        if criterion in (Criterion.C12, Criterion.C13):
            floaters = len(bracket.solution.floaters)
            return kept.least_colours(floaters, dropped)[criterion == Criterion.C13]
        if criterion == Criterion.C9 and dropped is not None:
            return self.field.round - 1 - self.field.contenders[dropped].played
        if criterion == Criterion.C15:
            return kept.up1
        if criterion == Criterion.C17:
            return kept.up2
        if criterion in (Criterion.C14, Criterion.C16):
            residents = bracket.task.residents
            may = [dropped] if dropped is not None else [r for r in residents if r not in kept.players]
            return min((self._again(bracket, criterion, r) for r in may), default=None)
        return None

    def _again(self, bracket: Settled, criterion: Criterion, i: int) -> int:
        """C14, or C16 with C14 as it is, if `i` is the one who goes down; a large number where C14 would change."""
        c = self.field.contenders[i]
        if criterion == Criterion.C14:
            return int(c.down1)
        again = self.chosen(bracket)[COMPARED.index(Criterion.C14)]
        return int(c.down2) if int(c.down1) == again else 2


def _upper_first(pair: Pair) -> Pair:
    return pair if pair[0] < pair[1] else (pair[1], pair[0])
