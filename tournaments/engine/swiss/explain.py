"""Why every player was paired so: codes and values only, texts live elsewhere.

The natural partner is the one the plain halves give: the n-th moved player meets the n-th resident, then the n-th of
S1 meets the n-th of S2. What refused it is the first of: a rule between the two (C1, the arbiter's list, C3); the partner
being taken by somebody who stands before; a lower number that fits; and else, with all pairs that stand before kept, the
first criterion that would be worse with the natural pair. Where S1 and S2 had to be exchanged, nothing but the moved
players' pairs is kept. Where nothing would be worse, the order of candidates decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum

from tournaments.engine.swiss.colours import ColourRule, seat
from tournaments.engine.swiss.descent import Descent, Settled
from tournaments.engine.swiss.matching import Stopped
from tournaments.engine.swiss.refuse import Kept, Refusal, Refuser
from tournaments.engine.swiss.state import Field

# At most this many players that stand below the one with the bye are told why they did not get it.
BYE_CANDIDATES = 12


class Role(StrEnum):
    MOVED = "moved"  # came down and was paired as such
    MET_MOVED = "met-moved"  # resident paired with a player that came down
    S1 = "S1"
    S2 = "S2"
    BYE = "bye"


class Float(StrEnum):
    NONE = ""
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """The player left `bracket` downwards. `reason`: "odd" (the last of an odd bracket), "no-partner" (nobody there may
    be met), else the criterion that staying would worsen, or "order".

    `instead`: the player whose turn it was, and `refusal` says what stood against that, or against staying.
    """

    bracket: int
    score: int
    reason: str
    instead: int = 0
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOver:
    """A player after the one with the bye who did not get it, and why."""

    player: int
    refusal: Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One player's pairing.

    `bracket` from 1, `score` is that of its residents, `number` the place in the bracket (BSN), `natural` the partner of
    the plain halves (0: none), `refused` what stood against it (None: it is the opponent, or there is none). `preference`
    and `strength` are what the player's games ask for, `colour_rule` the article that decided.
    """

    player: int
    bracket: int
    score: int
    role: Role
    number: int
    opponent: int
    natural: int = 0
    refused: Refusal | None = None
    exchanged: bool = False
    float: Float = Float.NONE
    drops: tuple[Drop, ...] = ()
    colour: str = ""
    colour_rule: ColourRule | None = None
    preference: str = ""
    strength: str = ""
    difference: int = 0
    passed_over: tuple[PassedOver, ...] = ()


def as_data(value: object) -> dict[str, object]:
    """An explanation or a part of one as plain data for JSON: what is not there (0, "", nothing) is left out, except
    the two values of a criterion.
    """
    data: dict[str, object] = {}
    if is_dataclass(value):
        for field_ in fields(value):
            content = getattr(value, field_.name)
            given = content is not None if field_.name in ("was", "would") else bool(content)
            if given:
                data[field_.name] = _plain(content)
    return data


def _plain(value: object) -> object:
    if is_dataclass(value):
        return as_data(value)
    if isinstance(value, StrEnum):
        return str(value)
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


class Explainer:
    """Explains a descent that has been run."""

    def __init__(self, field: Field, descent: Descent) -> None:
        self.field = field
        self.refuser = Refuser(field, descent)
        self.descent = descent
        self.drops: dict[int, list[Drop]] = {}

    def explain(self, settled: Sequence[Settled]) -> dict[int, Explanation]:
        """Everybody's explanation, by number."""
        found: dict[int, Explanation] = {}
        for bracket in settled:
            if self.descent.should_stop is not None and self.descent.should_stop():
                raise Stopped
            for explanation in _BracketExplainer(self, bracket).explain():
                found[explanation.player] = explanation
        return found


class _BracketExplainer:
    """One bracket: who is paired in it, and who leaves it."""

    def __init__(self, explainer: Explainer, bracket: Settled) -> None:
        self.people = explainer.field.contenders
        self.field = explainer.field
        self.refuser = explainer.refuser
        self.drops = explainer.drops
        self.bracket = bracket
        self.partner = {i: j for pair in bracket.solution.pairs for i, j in (pair, pair[::-1])}
        came = set(bracket.task.moved)
        self.moved_pairs = [pair for pair in bracket.solution.pairs if pair[0] in came]
        met = {j for _, j in self.moved_pairs}
        self.remainder = [i for i in bracket.task.residents if i not in met]
        self.half = len(bracket.solution.pairs) - len(self.moved_pairs)
        place = [*bracket.task.moved, *bracket.task.residents]
        self.kept = Kept(self.field, bracket.task)
        self.number_of = {i: number for number, i in enumerate(place, start=1)}

    def explain(self) -> Iterator[Explanation]:
        bye = self.bracket.solution.bye
        for i in self.bracket.solution.floaters:
            if i != bye:
                self.drops.setdefault(i, []).append(self._drop(i))
        yield from self._moved()
        yield from self._halves()
        if bye is not None:
            yield self._bye(bye)

    # Pairs

    def _moved(self) -> Iterator[Explanation]:
        mirrored: dict[int, tuple[int, Refusal | None]] = {}
        for turn, (i, j) in enumerate(self.moved_pairs):
            natural = self.bracket.task.residents[turn]
            refused = None
            if natural != j:
                refused = self._refuse(i, natural, exchanged=False)
            self.kept.shift((i, j))
            mirrored[natural] = (i, refused)
            yield self._paired(i, Role.MOVED, natural, refused)
        for _, j in self.moved_pairs:
            yield self._paired(j, Role.MET_MOVED, *mirrored.get(j, (None, None)))

    def _halves(self) -> Iterator[Explanation]:
        first, second = self.remainder[: self.half], self.remainder[self.half :]
        exchanged = any(i not in self.partner or self.partner[i] in set(first) for i in first)
        for i, natural in zip(first, second, strict=False):
            refused = None
            if self.partner.get(i) != natural:
                refused = self._refuse(i, natural, exchanged=exchanged)
            for own, other, role in ((i, natural, Role.S1), (natural, i, Role.S2)):
                if own in self.partner:
                    yield self._paired(own, role, other, refused, exchanged=exchanged)
            if not exchanged:
                self.kept.shift((i, self.partner[i]))
        for j in second[self.half :]:
            if j in self.partner:
                yield self._paired(j, Role.S2, None, None, exchanged=exchanged)

    def _refuse(self, i: int, natural: int, *, exchanged: bool) -> Refusal:
        return self.refuser.refuse_pair(
            self.bracket, i, natural, partner=self.partner, kept=self.kept, exchanged=exchanged
        )

    def _paired(
        self, own: int, role: Role, natural: int | None, refused: Refusal | None, *, exchanged: bool = False
    ) -> Explanation:
        other = self.partner[own]
        white, _, rule = seat(self.field, own, other)
        gap = self.people[own].score - self.people[other].score
        return replace(
            self._base(own, role),
            opponent=self.people[other].number,
            natural=0 if natural is None else self.people[natural].number,
            refused=refused,
            exchanged=exchanged,
            float=Float.DOWN if gap > 0 else Float.UP if gap < 0 else Float.NONE,
            colour="w" if white == own else "b",
            colour_rule=rule,
        )

    def _base(self, own: int, role: Role) -> Explanation:
        c = self.people[own]
        return Explanation(
            player=c.number,
            bracket=self.bracket.number,
            score=self.bracket.task.home,
            role=role,
            number=self.number_of[own],
            opponent=0,
            drops=tuple(self.drops.get(own, ())),
            preference="w" if c.preference > 0 else "b" if c.preference < 0 else "",
            strength=c.strength.name.lower(),
            difference=c.difference,
        )

    # Downwards

    def _drop(self, i: int) -> Drop:
        task, floaters = self.bracket.task, self.bracket.solution.floaters
        drop = Drop(bracket=self.bracket.number, score=task.home, reason="")
        everybody = (r for r in (*task.moved, *task.residents) if r != i)
        others = task.residents if i in set(task.moved) else everybody
        if not any(self.field.legal(i, j) for j in others):
            return replace(drop, reason="no-partner")
        if len(floaters) == 1 and task.size % 2 and i not in set(task.moved):
            natural = self.remainder[-1]
            if natural == i:
                return replace(drop, reason="odd")
            refusal = self.refuser.refuse_float(self.bracket, i, natural, partner=self.partner)
            return replace(drop, reason="odd", instead=self.people[natural].number, refusal=refusal)
        refusal = self.refuser.refuse_stay(self.bracket, i)
        return replace(drop, reason=str(refusal.criterion), refusal=refusal)

    def _bye(self, i: int) -> Explanation:
        task = self.bracket.task
        below = [r for r in (*task.moved, *task.residents) if r > i]
        passed = []
        for r in below[-BYE_CANDIDATES:]:
            refusal = self.refuser.refuse_float(self.bracket, i, r, partner=self.partner)
            passed.append(PassedOver(player=self.people[r].number, refusal=refusal))
        return replace(self._base(i, Role.BYE), float=Float.DOWN, passed_over=tuple(passed))
