"""Tells again, from the rulebook alone, what every explanation claims; used by the test and by the long run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.engine.rulebook import Bracket, Person, Rulebook
from tournaments.engine.swiss import Criterion, Drop, Explanation, Refusal, Role

Pairs = list[tuple[Person, Person]]
NAMES = [Criterion(f"C{number}") for number in range(6, 22)]
BETWEEN = (Criterion.C1, Criterion.C3, Criterion.FORBIDDEN)


class Retelling:
    """`complaints` names every claim that the rulebook does not bear out."""

    def __init__(self, book: Rulebook, explanations: Mapping[int, Explanation]) -> None:
        self.book = book
        self.explanations = explanations

    def complaints(self) -> Iterator[str]:
        if set(self.explanations) != {p.number for p in self.book.people}:
            yield f"explained are {sorted(self.explanations)}"
            return
        for number, explanation in sorted(self.explanations.items()):
            bracket = self.book.brackets[explanation.bracket - 1]
            for complaint in self._one(explanation, bracket):
                yield f"player {number}: {complaint}"

    def _one(self, told: Explanation, bracket: Bracket) -> Iterator[str]:
        if told.player not in {p.number for p in bracket.people}:
            yield "is not of that bracket"
            return
        if told.role == Role.BYE:
            yield from self._bye(told, bracket)
        else:
            yield from self._natural(told, bracket)
        for drop in told.drops:
            yield from self._drop(told.player, drop)

    # Halves

    def _split(self, bracket: Bracket) -> tuple[Pairs, list[Person], list[Person]]:
        came = {p.number for p in bracket.moved}
        down_pairs = [pair for pair in bracket.pairs if pair[0].number in came]
        met = {b.number for _, b in down_pairs}
        remainder = [p for p in bracket.residents if p.number not in met]
        half = len(bracket.pairs) - len(down_pairs)
        return down_pairs, remainder[:half], remainder[half:]

    def _natural(self, told: Explanation, bracket: Bracket) -> Iterator[str]:
        down_pairs, first, second = self._split(bracket)
        plain = [(a, bracket.residents[k]) for k, (a, _) in enumerate(down_pairs)]
        met = {b.number for _, b in down_pairs}
        if told.role in (Role.MOVED, Role.MET_MOVED):
            rows = [(a, b) for a, b in plain if told.role == Role.MOVED or b.number in met]
        else:
            rows = list(zip(first, second, strict=False))
        natural = next((pair for pair in rows if told.player in (pair[0].number, pair[1].number)), None)
        expected = 0
        if natural is not None:
            expected = natural[1].number if natural[0].number == told.player else natural[0].number
        if told.natural != expected:
            yield f"natural partner {told.natural}, rather {expected}"
        if natural is None or told.opponent == told.natural:
            if told.refused is not None:
                yield "a refusal without need"
            return
        if told.refused is None:
            yield "no refusal"
            return
        yield from self._refusal(told.refused, natural, bracket)

    def _refusal(self, refusal: Refusal, natural: tuple[Person, Person], bracket: Bracket) -> Iterator[str]:
        a, b = natural
        expected = self._between(a, b) or self._in_turn(a, b, bracket)
        if (refusal.criterion, refusal.was, refusal.would) != expected:
            yield f"{a.number}-{b.number} refused by {refusal}, rather {expected}"

    def _between(self, a: Person, b: Person) -> tuple[Criterion, object, object] | None:
        if self.book.legal(a, b):
            return None
        if b.number in a.met:
            return Criterion.C1, None, None
        banned = frozenset((a.number, b.number)) in self.book.banned
        return (Criterion.FORBIDDEN if banned else Criterion.C3), None, None

    def _in_turn(self, a: Person, b: Person, bracket: Bracket) -> tuple[Criterion, object, object]:
        down_pairs, first, _ = self._split(bracket)
        partner = {x.number: y for x, y in bracket.pairs} | {y.number: x for x, y in bracket.pairs}
        came = a.number in {p.number for p in bracket.moved}
        halves = {p.number for p in first}
        exchanged = not came and any(
            p.number not in partner or partner[p.number].number in halves for p in first
        )
        if came:
            stand = [pair for pair in down_pairs if self._before(pair[0], a, bracket)]
        else:
            stand = list(down_pairs)
            if not exchanged:
                stand += [(p, partner[p.number]) for p in first if self._before(p, a, bracket)]
        if any(b.number in (x.number, y.number) for x, y in stand):
            return Criterion.TAKEN, None, None
        got = partner.get(a.number)
        if not exchanged and got is not None and self._before(got, b, bracket):
            return Criterion.ORDER, None, None
        wanted = {(x.number, y.number) for x, y in [*stand, (a, b)]}
        later = Criterion.ORDER if exchanged or came else Criterion.EXCHANGE
        return self._best(bracket, lambda pairs: wanted <= {(x.number, y.number) for x, y in pairs}, later)

    def _before(self, a: Person, b: Person, bracket: Bracket) -> bool:
        place = [p.number for p in bracket.people]
        return place.index(a.number) < place.index(b.number)

    def _best(
        self, bracket: Bracket, wish: Callable[[Pairs], bool], equal: Criterion
    ) -> tuple[Criterion, object, object]:
        """The first criterion in which the best candidate that grants the wish is worse."""
        chosen, granted = None, None
        own = {(x.number, y.number) for x, y in bracket.pairs}
        for quality, pairs in self.book.candidates(bracket):
            if {(x.number, y.number) for x, y in pairs} == own:
                chosen = quality
            if wish(pairs) and (granted is None or quality < granted):
                granted = quality
        if granted is None:
            return Criterion.C4, None, None
        assert chosen is not None
        for name, was, would in zip(NAMES, chosen, granted, strict=True):
            if was != would:
                return name, _value(name, was), _value(name, would)
        return equal, None, None

    # Downwards

    def _drop(self, player: int, drop: Drop) -> Iterator[str]:
        bracket = self.book.brackets[drop.bracket - 1]
        person = self.book.by_number[player]
        paired = {p.number for pair in bracket.pairs for p in pair}
        down = [p for p in bracket.people if p.number not in paired]
        came = {p.number for p in bracket.moved}
        others = bracket.residents if player in came else bracket.people
        alone = not any(self.book.legal(person, p) for p in others if p is not person)
        if alone != (drop.reason == "no-partner"):
            yield f"reason {drop.reason}, partners there: {not alone}"
            return
        if alone:
            return
        if len(down) == 1 and len(bracket.people) % 2 and player not in came:
            last = self._split(bracket)[2][-1].number
            if drop.reason != "odd" or drop.instead != (0 if last == player else last):
                yield f"odd bracket, last is {last}, told {drop}"
            elif drop.refusal is not None:
                yield from self._place(drop.refusal, bracket, drop.instead)
            return
        expected = self._best(bracket, lambda pairs: _has(pairs, player), Criterion.ORDER)
        told = drop.refusal
        if told is None or (told.criterion, told.was, told.would) != expected:
            yield f"left bracket {drop.bracket} for {told}, rather {expected}"

    def _place(self, told: Refusal, bracket: Bracket, instead: int) -> Iterator[str]:
        """`instead` goes down in another's place; who would take the bye by that must be allowed to."""
        person = self.book.by_number[instead]
        takes = [p for p in bracket.people if self.book._always_takes_the_bye(p, bracket.lower)]
        if person.had_free_win and takes:
            if told.criterion != Criterion.C2:
                yield f"{instead} may not have the bye, told {told}"
            return
        expected = self._best(bracket, lambda pairs: not _has(pairs, instead), Criterion.ORDER)
        if (told.criterion, told.was, told.would) != expected:
            yield f"{instead} did not go down for {told}, rather {expected}"

    def _bye(self, told: Explanation, bracket: Bracket) -> Iterator[str]:
        order = [p.number for p in bracket.people]
        # A moved player stands before every resident.
        after = order[order.index(told.player) + 1 :]
        if [p.player for p in told.passed_over] != after[-len(told.passed_over) :][: len(told.passed_over)]:
            yield f"passed over {[p.player for p in told.passed_over]}, rather {after}"
        for passed in told.passed_over:
            if self.book.by_number[passed.player].had_free_win:
                if passed.refusal.criterion != Criterion.C2:
                    yield f"{passed.player} may not have the bye, told {passed.refusal}"
            else:
                yield from self._place(passed.refusal, bracket, passed.player)


def _has(pairs: Pairs, player: int) -> bool:
    return any(player in (x.number, y.number) for x, y in pairs)


def _value(name: Criterion, value: object) -> object:
    if name == Criterion.C7:
        return tuple(value)  # type: ignore[call-overload, no-any-return]
    if name == Criterion.C8:
        assert isinstance(value, tuple)
        return (value[0], *value[1]) if value else (0,)
    if name in (Criterion.C18, Criterion.C20):
        return tuple(gap + more for gap, more in value)  # type: ignore[attr-defined]
    if name in (Criterion.C19, Criterion.C21):
        return tuple(value)  # type: ignore[call-overload, no-any-return]
    return int(value)  # type: ignore[call-overload, no-any-return]
