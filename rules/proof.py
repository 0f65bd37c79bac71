"""Which plies of a game the copies prove, and which only seem so.

A misreading betrays itself by what comes after: the wrong man stands in the way, or the right one is missing. Where
nothing after it would show, a ply rests on its own text. Here each ply is changed into every other legal move that its
marks may have meant, and what is written behind is played again; moves of one player are exchanged in the same way. No
odds are asked: damage of a kind that no odds were made for is looked for too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules.board import Position
from rules.marks import MORE_THAN_ONE_SLIP, Mark
from rules.misreading import ChangeKind
from rules.moves import RawMove
from rules.search import History, Search, nodes

MOST_VARIED = 2  # plies that are taken otherwise at once
MOST_PLAYED = 20_000  # moves played while looking, after which what is left counts as not proved
CLOSE = 4  # to the end, where little comes after that could test a ply
APART = 8  # plies between moves of one player that are exchanged
FAR_FETCHED = 14.0  # above the cost of the likeliest reading: nobody would think of it

_UNWRITTEN = {ChangeKind.EXTRA, ChangeKind.TWICE}


class Proof(NamedTuple):
    """Plies, 1-based. `doubtful` are those where the copies disagree or err and another move would fit all the rest as
    well; `likely` those that rest on the one text there is, `unordered` those that could have been played in another
    order as far as the one copy shows. `passed_over`: marks that stand for no ply."""

    doubtful: frozenset[int]
    likely: frozenset[int]
    unordered: frozenset[int]
    passed_over: bool


class _Ply(NamedTuple):
    position: Position
    raw: RawMove
    marks: tuple[Mark, ...]
    """What stands for it, in the copies that have it."""


def examine(search: Search, history: History) -> Proof:
    """Look for games beside the one of this history that the copies support without proving them wrong."""
    look = _Look(search, history)
    doubtful: set[int] = set()
    likely: set[int] = set()
    for at, ply in enumerate(look.plies):
        for varied in look.rivals(at, ply):
            disputed = {place for place in varied if not look.alone(place)}
            doubtful |= disputed
            likely |= set(varied) - disputed
    doubtful |= look.reordered()
    return Proof(
        doubtful=frozenset(at + 1 for at in doubtful),
        likely=frozenset(at + 1 for at in likely),
        unordered=frozenset(at + 1 for at in look.unordered()),
        passed_over=any(
            kind is ChangeKind.EXTRA for node in nodes(history) for _copy, kind, _at in node.notes
        ),
    )


class _Look:
    """The plies of one game, the marks behind each, and other games near it."""

    def __init__(self, search: Search, history: History) -> None:
        self._search = search
        self.plies = _plies(search, history)
        self._notes = [node.notes for node in nodes(history) if node.raw is not None]
        self._played = 0

    def alone(self, at: int) -> bool:
        """Whether the ply rests on one text that says it: there is no other to agree or to differ."""
        marks = self.plies[at].marks
        return len(marks) == 1 and self._says(at, marks[0])

    def _says(self, at: int, mark: Mark) -> bool:
        return mark.says(self.plies[at].position, self.plies[at].raw)

    def _agreed(self, at: int) -> bool:
        """Whether two copies say the ply: what both players wrote down stands."""
        marks = self.plies[at].marks
        return len(marks) > 1 and all(self._says(at, text) for text in marks)

    def rivals(self, at: int, ply: _Ply) -> Iterator[tuple[int, ...]]:
        """The plies (0-based) that have to be taken otherwise where this one is, each way that leaves a legal game."""
        if not ply.marks:
            return
        agreed = self._agreed(at)
        for raw in self._search.moves_at(ply.position):
            if raw == ply.raw or not self._may_mean(ply.position, raw, ply.marks):
                continue
            if agreed and raw[:2] != ply.raw[:2]:
                continue
            yield from self._goes_on(at + 1, self._search.after(ply.position, raw), (at,))

    def _may_mean(self, position: Position, raw: RawMove, marks: Sequence[Mark]) -> bool:
        """Whether each of the marks is one slip away from the move at most."""
        for mark in marks:
            cost, kind = mark.read(position, raw)
            if kind in MORE_THAN_ONE_SLIP or cost - mark.least > FAR_FETCHED:
                return False
        return True

    def _goes_on(self, at: int, position: Position, varied: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Play what is written from a ply on, in a position that is not the game's; a few plies more may be otherwise."""
        while at < len(self.plies):
            if self._played > MOST_PLAYED:
                break
            ply = self.plies[at]
            if position == ply.position:
                break
            self._played += 1
            moves = self._search.moves_at(position)
            if len(varied) < MOST_VARIED and self._may_vary(at):
                for raw in moves:
                    if raw != ply.raw and self._may_mean(position, raw, ply.marks):
                        yield from self._goes_on(at + 1, self._search.after(position, raw), (*varied, at))
            raw_now = ply.raw if ply.raw in moves else _same_squares(moves, ply.raw)
            if raw_now is None:
                return
            position = self._search.after(position, raw_now)
            at += 1
        yield varied

    def _may_vary(self, at: int) -> bool:
        """Whether a second ply may be otherwise too: where the copies disagree or err, or close to the end."""
        if not self.plies[at].marks or self._agreed(at):
            return False
        return not self.alone(at) or at >= len(self.plies) - CLOSE

    def reordered(self) -> set[int]:
        """Plies of one player about whose order the copies disagree, where the other order could have been played too."""
        noted = [
            at
            for at, notes in enumerate(self._notes)
            if any(kind is ChangeKind.REORDERED for _copy, kind, _index in notes)
        ]
        found: set[int] = set()
        for first in noted:
            for last in (first - 2, first + 2):
                if 0 <= last < len(self.plies) and self._exchanges(*sorted((first, last))):
                    found |= {first, last}
        return found

    def unordered(self) -> set[int]:
        """Plies that rest on one copy and change places with another of the same player without a trace."""
        found: set[int] = set()
        for first in range(len(self.plies)):
            for last in range(first + 2, min(first + APART + 1, len(self.plies)), 2):
                if len(self.plies[first].marks) > 1 or len(self.plies[last].marks) > 1:
                    break
                if self.plies[first].raw != self.plies[last].raw and self._exchanges(first, last):
                    found |= {first, last}
                    break
        return found

    def _exchanges(self, first: int, last: int) -> bool:
        position = self.plies[first].position
        order = [last, *range(first + 1, last), first]
        for at in (*order, *range(last + 1, len(self.plies))):
            if at > last and position == self.plies[at].position:
                return True
            raw = self.plies[at].raw
            if raw not in self._search.moves_at(position):
                return False
            position = self._search.after(position, raw)
        return True


def _same_squares(moves: Sequence[RawMove], raw: RawMove) -> RawMove | None:
    return next((other for other in moves if other[:2] == raw[:2]), None)


def _plies(search: Search, history: History) -> list[_Ply]:
    """The game with the marks that stand for each ply, as the notes of the history account for them."""
    played = nodes(history)
    marks = [_marks_by_ply(played, number, len(sheet)) for number, sheet in enumerate(search.sheets)]
    position = search.start
    found: list[_Ply] = []
    for node in played:
        if node.raw is None:
            continue
        written = tuple(
            search.sheets[number][by_ply[len(found)]]
            for number, by_ply in enumerate(marks)
            if len(found) in by_ply
        )
        found.append(_Ply(position, node.raw, written))
        position = search.after(position, node.raw)
    return found


def _marks_by_ply(played: Sequence[History], number: int, length: int) -> dict[int, int]:
    """The index of the text of one copy for each ply (0-based) that has one."""
    notes = [[(kind, index) for copy, kind, index in node.notes if copy == number] for node in played]
    used = {index for found in notes for _kind, index in found if index is not None}
    free = iter([index for index in range(length) if index not in used])
    found: dict[int, int] = {}
    ply = 0
    for node, kinds in zip(played, notes, strict=True):
        if node.raw is None:
            continue
        own = [(kind, index) for kind, index in kinds if kind not in _UNWRITTEN]
        index = own[0][1] if own else next(free, None)
        if index is not None:
            found[ply] = index
        ply += 1
    return found
