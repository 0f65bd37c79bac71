"""Can everybody be paired? Completion (C4), the score of the pairing-allocated bye (C5), and who stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tournaments.engine.swiss.cardinality import Cardinality
from tournaments.engine.swiss.state import Field, Strength
from tournaments.engine.types import NoLegalPairing


def as_bits(places: Iterable[int]) -> int:
    found = 0
    for place in places:
        found |= 1 << place
    return found


class Completion:
    """Answers about the field of a round. `wished` are two who are to meet each other and nobody else."""

    def __init__(self, field: Field, wished: tuple[int, int] | None = None) -> None:
        self.field = field
        self.wished = wished
        self.size = len(field.contenders)
        self.rows: list[int | None] = [None] * self.size  # whom each may meet, as bits, once it is asked for
        self.circle_bits: dict[int, int] = {}
        # By colour, who has to have it (C3) and is no topscorer.
        self.due = {
            colour: as_bits(
                c.index
                for c in field.contenders
                if c.strength == Strength.ABSOLUTE and c.preference == colour and not c.top_scorer
            )
            for colour in (1, -1)
        }

    def _row(self, i: int) -> int:
        found = self.rows[i]
        if found is None:
            found = self._all_but(i, as_bits(self.field.barred[i]) | self._circle(i) | self._clashing(i))
            self.rows[i] = found
        return found

    def _all_but(self, i: int, excluded: int) -> int:
        return (1 << self.size) - 1 & ~(excluded | 1 << i)

    def _clashing(self, i: int) -> int:
        c = self.field.contenders[i]
        return self.due[c.preference] if c.preference and self.due[c.preference] >> i & 1 else 0

    def _circle(self, i: int) -> int:
        """Who shares a large forbidden group with i."""
        own = self.field.circles[i]
        if own not in self.circle_bits:
            self.circle_bits[own] = as_bits(j for j, theirs in enumerate(self.field.circles) if own & theirs)
        return self.circle_bits[own]

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

    def _matching(
        self,
        people: Iterable[int],
        receivers: frozenset[int] | None,
        *,
        row: Callable[[int], int] | None = None,
        mate: Sequence[int] | None = None,
    ) -> Cardinality:
        """The largest matching of `people` with the bye, if there is one, as a vertex after all others. `row` tells whom
        each may meet, in place of the rules; `mate` is a matching to start from.
        """
        inside = as_bits(people)
        row = row or self._row
        rows = [row(i) if inside >> i & 1 else 0 for i in range(self.size)]
        if receivers is not None:
            takes_bye = as_bits(receivers) & inside
            inside |= 1 << self.size
            rows.append(takes_bye)
            for i in receivers:
                rows[i] |= 1 << self.size
        return Cardinality(rows, inside=inside, mate=mate)

    def bye_score(self) -> int | None:
        """C5: the lowest score at which somebody may take the bye and all others can be paired; None for an even field.

        Raises NoLegalPairing with the players that cannot all be matched.
        """
        people = range(self.size)
        if self.size % 2 == 0:
            if not self.enough_partners(people) and not self.can_complete(people, None):
                raise self._impossible(None)
            return None
        may = [c for c in self.field.contenders if c.bye_allowed]
        if may and not self.enough_partners(people, spare=1):
            matching = self._matching(people, None)
            # Whoever some largest matching leaves alone can be left to the bye, and nobody else.
            alone = frozenset(matching.stuck()) if matching.grow() == 1 else frozenset()
            may = [c for c in may if c.index in alone]
        if may:
            return min(c.score for c in may)
        raise self._impossible(frozenset(c.index for c in self.field.contenders if c.bye_allowed))

    def receivers(self, score: int) -> frozenset[int]:
        return frozenset(c.index for c in self.field.contenders if c.bye_allowed and c.score == score)

    def _impossible(self, receivers: frozenset[int] | None) -> NoLegalPairing:
        contenders = self.field.contenders
        matching = self._matching(range(self.size), receivers)
        alone = matching.grow()
        stuck = [v for v in matching.stuck() if v < self.size]
        numbers = tuple(sorted(contenders[i].number for i in stuck))
        relax = self._relaxations(receivers, matching.mate)
        return NoLegalPairing(players=numbers, unpaired=alone, relax=relax)

    def _relaxations(self, receivers: frozenset[int] | None, mate: Sequence[int]) -> tuple[str, ...]:
        """Which single rule, dropped by the arbiter, would let everybody be paired; `mate` is the largest matching without.

        Dropping a rule takes nothing away, so that matching is where each search starts.
        """
        options: list[tuple[str, Callable[[int], int], frozenset[int] | None]] = []
        if receivers is not None:
            options.append(("second-bye", self._row, frozenset(range(self.size))))
        options += [
            ("forbidden-pairs", self._row_if_allowed, receivers),
            ("colours", self._row_in_any_colour, receivers),
            ("rematch", self._row_if_not_met, receivers),
        ]
        return tuple(code for code, row, who in options if self._possible(row, who, mate))

    def _row_if_allowed(self, i: int) -> int:
        return self._all_but(i, as_bits(self.field.met[i]) | self._clashing(i))

    def _row_in_any_colour(self, i: int) -> int:
        return self._all_but(i, as_bits(self.field.barred[i]) | self._circle(i))

    def _row_if_not_met(self, i: int) -> int:
        """Legal if an earlier meeting did not count."""
        listed, met = self.field.written_out[i], self.field.met[i]
        barred = (j for j in self.field.barred[i] if j in listed or j not in met)
        return self._all_but(i, as_bits(barred) | self._circle(i) | self._clashing(i))

    def _possible(
        self, row: Callable[[int], int], receivers: frozenset[int] | None, mate: Sequence[int]
    ) -> bool:
        if receivers is not None and not receivers:
            return False
        return self._matching(range(self.size), receivers, row=row, mate=mate).grow() == 0
