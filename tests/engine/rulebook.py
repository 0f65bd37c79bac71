"""FIDE C.04.3 (2026) by trying everything: for fields of up to eight players, and with nothing taken from the engine.

Every set of pairs of a bracket is a candidate. Each is judged by the text of the criteria, and its place in the sequence
is the earliest at which articles 4.2-4.4 would generate it. Slow on purpose: it shares no shortcut with what it judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import product

from tournaments.engine.types import Colour, Outcome, Tournament

NO_PAIRING = "no legal pairing"
_PLAYED = {Outcome.WHITE: (2, 0), Outcome.DRAW: (1, 1), Outcome.BLACK: (0, 2), Outcome.BOTH_LOSE: (0, 0)}
_UNPLAYED = {Outcome.WHITE_FORFEITS: (0, 2), Outcome.BLACK_FORFEITS: (2, 0), Outcome.BOTH_FORFEIT: (0, 0)}
_ALONE = {Outcome.BYE: 2, Outcome.HALF_BYE: 1, Outcome.ZERO_BYE: 0}


@dataclass
class Person:
    number: int
    points: int = 0
    score: int = 0
    history: list[str] = field(default_factory=list)  # colours of played games
    met: set[int] = field(default_factory=set)
    floats: list[str] = field(default_factory=list)  # per round "d", "u" or "-"
    had_free_win: bool = False
    has_been_paired: bool = False
    top: bool = False

    @property
    def difference(self) -> int:
        return self.history.count("w") - self.history.count("b")

    @property
    def wants(self) -> tuple[str, int]:
        """Colour and strength: 3 absolute, 2 strong, 1 mild, 0 none."""
        if not self.history:
            return "", 0
        turn = "b" if self.history[-1] == "w" else "w"
        if self.difference > 1:
            return "b", 3
        if self.difference < -1:
            return "w", 3
        if self.history[-2:] in (["w", "w"], ["b", "b"]):
            return turn, 3
        if self.difference == 1:
            return "b", 2
        if self.difference == -1:
            return "w", 2
        return turn, 1

    def floated(self, rounds_ago: int) -> str:
        return self.floats[-rounds_ago] if len(self.floats) >= rounds_ago else "-"


def _virtual(tournament: Tournament, player: int, number: int) -> int:
    return sum(
        v.points
        for v in tournament.virtual_points
        if player in v.players and v.first_round <= number <= v.last_round
    )


def people_of(tournament: Tournament, absent: set[int]) -> tuple[list[Person], dict[int, int]]:
    """Who is to be paired, best first, and the number that counts for article 5.2.5. Scoring 2/1/0 only."""
    people = {p.number: Person(number=p.number) for p in tournament.players}
    for index, played in enumerate(tournament.rounds, start=1):
        before = {n: p.points + _virtual(tournament, n, index) for n, p in people.items()}
        for board in played.boards:
            white = people[board.white]
            if board.black is None:
                won = _ALONE[board.outcome]
                white.points += won
                white.floats.append("d" if won else "-")
                if board.outcome == Outcome.BYE:
                    white.had_free_win = white.has_been_paired = True
                continue
            black = people[board.black]
            for person, other, place in ((white, black, 0), (black, white, 1)):
                person.has_been_paired = True
                if board.outcome in _PLAYED:
                    person.points += _PLAYED[board.outcome][place]
                    person.history.append("wb"[place])
                    person.met.add(other.number)
                    gap = before[person.number] - before[other.number]
                    person.floats.append("d" if gap > 0 else "u" if gap < 0 else "-")
                else:
                    won = _UNPLAYED[board.outcome][place]
                    person.points += won
                    person.floats.append("d" if won else "-")
                    person.had_free_win = person.had_free_win or won == 2
        for person in people.values():
            if len(person.floats) < index:
                person.floats.append("-")
    number = len(tournament.rounds) + 1
    for person in people.values():
        person.score = person.points + _virtual(tournament, person.number, number)
        person.top = number == tournament.rounds_total and person.points > number - 1
    counted = [n for n, p in sorted(people.items()) if p.has_been_paired or n not in absent]
    present = [p for n, p in people.items() if n not in absent]
    present.sort(key=lambda p: (-p.score, p.number))
    return present, {n: place for place, n in enumerate(counted, start=1)}


@dataclass
class Bracket:
    moved: list[Person]
    residents: list[Person]
    after: list[Person]
    lower: list[Person]
    pairs: list[tuple[Person, Person]]

    @property
    def people(self) -> list[Person]:
        return [*self.moved, *self.residents]


class Rulebook:
    """The next round of a small tournament."""

    def __init__(self, tournament: Tournament, absent: set[int]) -> None:
        self.people, self.counted = people_of(tournament, absent)
        self.initial = "w" if tournament.initial_colour == Colour.WHITE else "b"
        self.rounds = len(tournament.rounds)
        number = self.rounds + 1
        self.banned = {
            frozenset((a, b))
            for group in tournament.forbidden
            if group.first_round <= number <= group.last_round
            for a in group.players
            for b in group.players
            if a != b
        }
        self.by_number = {p.number: p for p in self.people}
        self.completes = cache(self._completes)
        self.next_best = cache(self._next_best)
        self.bye_score: int | None = None
        self.brackets: list[Bracket] = []

    def pair(self) -> set[tuple[int, int]] | str:
        """(white, black) of every board, black 0 for the bye; or NO_PAIRING."""
        everybody = frozenset(p.number for p in self.people)
        if len(everybody) % 2:
            scores = sorted({p.score for p in self.people})
            for self.bye_score in scores:
                self.completes.cache_clear()
                if self.completes(everybody):
                    break
            else:
                return NO_PAIRING
        elif not self.completes(everybody):
            return NO_PAIRING
        levels = sorted({p.score for p in self.people}, reverse=True)
        groups = [[p for p in self.people if p.score == level] for level in levels]
        boards: set[tuple[int, int]] = set()
        moved: list[Person] = []
        for place, residents in enumerate(groups):
            after = groups[place + 1] if place + 1 < len(groups) else []
            lower = [p for group in groups[place + 1 :] for p in group]
            pairs = self.best(moved, residents, after, lower)
            self.brackets.append(Bracket(moved, residents, after, lower, pairs))
            boards |= {self.seats(a, b) for a, b in pairs}
            gone = {p.number for pair in pairs for p in pair}
            moved = [p for p in [*moved, *residents] if p.number not in gone]
        return boards | {(p.number, 0) for p in moved}

    # 2.1 and C4, C5

    def legal(self, a: Person, b: Person) -> bool:
        if b.number in a.met or frozenset((a.number, b.number)) in self.banned:
            return False
        (colour_a, strength_a), (colour_b, strength_b) = a.wants, b.wants
        absolute = strength_a == strength_b == 3 and colour_a == colour_b
        return not absolute or a.top or b.top

    def _completes(self, numbers: frozenset[int], down: frozenset[int] = frozenset()) -> bool:
        """All can be paired, no two of `down` with each other; the odd one out takes a bye that C2 and C5 allow."""
        if not numbers:
            return True
        first = self.by_number[min(numbers)]
        rest = numbers - {first.number}
        bye_open = len(numbers) % 2 and not first.had_free_win and first.score == self.bye_score
        if bye_open and self.completes(rest, down - {first.number}):
            return True
        return any(
            self.legal(first, self.by_number[n]) and self.completes(rest - {n}, down - {first.number, n})
            for n in rest
            if not (first.number in down and n in down)
        )

    # Candidates

    def matchings(self, people: list[Person], moved: set[int]) -> list[list[tuple[Person, Person]]]:
        """All sets of legal pairs, moved players only with residents, the higher ranked first."""
        if not people:
            return [[]]
        first, rest = people[0], people[1:]
        found = self.matchings(rest, moved)
        for other in rest:
            both_moved = first.number in moved and other.number in moved
            if both_moved or not self.legal(first, other):
                continue
            left = [p for p in rest if p is not other]
            found = found + [[(first, other), *more] for more in self.matchings(left, moved)]
        return found

    def best(
        self, moved: list[Person], residents: list[Person], after: list[Person], lower: list[Person]
    ) -> list[tuple[Person, Person]]:
        bracket = Bracket(moved, residents, after, lower, [])
        candidates = [
            (quality, self.sequence(pairs, moved, residents), pairs)
            for quality, pairs in self.candidates(bracket)
        ]
        return min(candidates, key=lambda candidate: candidate[:2])[2]

    def candidates(self, bracket: Bracket) -> list[tuple[tuple[object, ...], list[tuple[Person, Person]]]]:
        """All that leave everybody else a partner (C4), with C6-C21."""
        found = []
        for pairs in self.matchings(bracket.people, {p.number for p in bracket.moved}):
            gone = {p.number for pair in pairs for p in pair}
            down = [p for p in bracket.people if p.number not in gone]
            gone_down = frozenset(p.number for p in down)
            if self.completes(gone_down | {p.number for p in bracket.lower}, gone_down):
                quality = self.quality(
                    pairs, down, bracket.moved, bracket.residents, bracket.after, bracket.lower
                )
                found.append((quality, pairs))
        return found

    # 2.4

    def quality(
        self,
        pairs: list[tuple[Person, Person]],
        down: list[Person],
        moved: list[Person],
        residents: list[Person],
        after: list[Person],
        lower: list[Person],
    ) -> tuple[object, ...]:
        came = {p.number for p in moved}
        home = residents[0].score
        c9 = 0
        if len(down) == 1 and self._always_takes_the_bye(down[0], lower):
            c9 = self.rounds - len(down[0].history)
        over = thrice = denied = denied_strong = 0
        for a, b in pairs:
            for person, colour in zip((a, b), self.colours(a, b), strict=True):
                wish, strength = person.wants
                refused = bool(wish) and wish != colour
                denied += refused
                denied_strong += refused and strength == 2
                gap = person.difference + (1 if colour == "w" else -1)
                over += (a.top or b.top) and abs(gap) > 2
                thrice += (a.top or b.top) and person.history[-2:] == [colour, colour]
        staying = [p for p in down if p.number not in came]
        met = [(a, b) for a, b in pairs if a.number in came]
        # A moved player that is not paired here meets somebody lower still: a wider difference than any here.
        drops = [(a, a.score - home, 0) for a, _ in met]
        drops += [(p, p.score - home, 1) for p in down if p.number in came]
        rises = [(b, a.score - home) for a, b in met]
        return (
            len(down),
            sorted((p.score for p in down), reverse=True),
            self.next_best(
                frozenset(p.number for p in down),
                frozenset(p.number for p in after),
                frozenset(p.number for p in lower),
            )
            if down and after
            else (),
            c9,
            over,
            thrice,
            denied,
            denied_strong,
            sum(p.floated(1) == "d" for p in staying),
            sum(b.floated(1) == "u" for _, b in met),
            sum(p.floated(2) == "d" for p in staying),
            sum(b.floated(2) == "u" for _, b in met),
            sorted(((gap, more) for p, gap, more in drops if p.floated(1) == "d"), reverse=True),
            sorted((gap for p, gap in rises if p.floated(1) == "u"), reverse=True),
            sorted(((gap, more) for p, gap, more in drops if p.floated(2) == "d"), reverse=True),
            sorted((gap for p, gap in rises if p.floated(2) == "u"), reverse=True),
        )

    def _always_takes_the_bye(self, person: Person, lower: list[Person]) -> bool:
        others = [p for p in lower if not p.had_free_win and p.score == self.bye_score]
        return (
            not others
            and bool((len(lower) + 1) % 2)
            and not person.had_free_win
            and person.score == self.bye_score
        )

    def _next_best(
        self, down: frozenset[int], after: frozenset[int], lower: frozenset[int]
    ) -> tuple[object, ...]:
        """C8: the fewest downfloaters of the next bracket, then their scores, everybody else being completed."""
        people = [p for p in self.people if p.number in down or p.number in after]
        found = []
        for pairs in self.matchings(people, set()):
            gone = {p.number for pair in pairs for p in pair}
            left = [p for p in people if p.number not in gone]
            still = frozenset(p.number for p in left)
            if self.completes(still | (lower - after), still):
                found.append((len(left), sorted((p.score for p in left), reverse=True)))
        return min(found)

    # 4

    def sequence(
        self, pairs: list[tuple[Person, Person]], moved: list[Person], residents: list[Person]
    ) -> tuple[object, ...]:
        """Where the candidate stands: set of moved players, their opponents, exchange, transposition."""
        place = {p.number: k for k, p in enumerate([*moved, *residents], start=1)}
        came = {p.number for p in moved}
        down_pairs = sorted((place[a.number], place[b.number]) for a, b in pairs if a.number in came)
        met = {b for _, b in down_pairs}
        remainder = [p for p in residents if place[p.number] not in met]
        renumbered = {p.number: k for k, p in enumerate(remainder, start=1)}
        inner = [(renumbered[a.number], renumbered[b.number]) for a, b in pairs if a.number not in came]
        return (
            [a for a, _ in down_pairs],
            [b for _, b in down_pairs],
            self._earliest(inner, len(remainder)),
        )

    def _earliest(self, pairs: list[tuple[int, int]], size: int) -> tuple[object, ...]:
        """Articles 4.2 and 4.3: the earliest of all ways to read the pairs as S1 against S2."""
        original = set(range(1, len(pairs) + 1))
        ways = []
        for turns in product((False, True), repeat=len(pairs)):
            seated = sorted((b, a) if turn else (a, b) for (a, b), turn in zip(pairs, turns, strict=True))
            first = {a for a, _ in seated}
            out, into = original - first, first - original
            ways.append(
                (
                    len(out),
                    sum(into) - sum(out),
                    [-n for n in sorted(out, reverse=True)],
                    sorted(into),
                    [b for _, b in seated],
                )
            )
        return min(ways) if ways else ()

    # 5.2

    def colours(self, a: Person, b: Person) -> tuple[str, str]:
        """Colours of a and b."""
        if (a.score, -a.number) < (b.score, -b.number):
            second, first = self.colours(b, a)
            return first, second
        own = self._colour_of_higher(a, b)
        return own, "b" if own == "w" else "w"

    def _colour_of_higher(self, a: Person, b: Person) -> str:
        turn = {"w": "b", "b": "w"}
        (wish_a, strength_a), (wish_b, strength_b) = a.wants, b.wants
        if wish_a and wish_b and wish_a != wish_b:
            return wish_a
        if not wish_a and not wish_b:
            odd = self.counted[a.number] % 2 == 1
            return self.initial if odd else turn[self.initial]
        if strength_a != strength_b:
            return wish_a if strength_a > strength_b else turn[wish_b]
        if strength_a == 3 and abs(a.difference) != abs(b.difference):
            return wish_a if abs(a.difference) > abs(b.difference) else turn[wish_b]
        for back in range(1, min(len(a.history), len(b.history)) + 1):
            if a.history[-back] != b.history[-back]:
                return turn[a.history[-back]]
        return wish_a

    def seats(self, a: Person, b: Person) -> tuple[int, int]:
        own, _ = self.colours(a, b)
        return (a.number, b.number) if own == "w" else (b.number, a.number)
