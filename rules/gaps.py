"""Filling in several plies in a row that no copy has.

Three left-out plies can be a thousand games, far more than a search carries along. But what is written behind the gap
can be played only after few of them: those are looked for from the places where the copies soon come to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

from rules.board import Position
from rules.marks import Ends, Mark
from rules.misreading import (
    BOTH_MISSING_AGAIN_COST,
    BOTH_MISSING_COST,
    MISSING_AGAIN_COST,
    MISSING_COST,
    ChangeKind,
)
from rules.moves import RawMove
from rules.search import History, Known, Note, Search, State, Width, merged

LONGEST = 4  # plies filled in
SOON = 8  # where so many texts can be played, nothing seems to be missing
AT_ONCE = 2  # the longest gaps are looked for only where fewer can
BEHIND = 4  # texts that must be playable behind the gap
FROM = 4  # states of a ply to start from
NEAR = 1.0  # that cost at most so much more than the cheapest
WAYS = 4  # orders of the same plies

MOST = 40_000  # positions in all

_Texts = Sequence[tuple[Ends, ...]]
"""What the copies have for the plies to come, ply by ply."""


class GapSearch(Search):
    """A search that also fills gaps."""

    def __init__(
        self, sheets: Sequence[Sequence[Mark]], start: Position, width: Width, known: Known | None = None
    ) -> None:
        super().__init__(sheets, start, width, known)
        self._filled: dict[int, dict[State, list[History]]] = {}
        """The states behind filled gaps, by the number of plies played there."""
        self._looked_at = 0

    def _next(self, layer: list[tuple[State, list[History]]]) -> dict[State, list[History]]:
        self._fill(layer)
        following = super()._next(layer)
        for state, histories in self._filled.pop(self._ply + 1, {}).items():
            known = following.get(state, [])
            following[state] = merged((*known, *histories), keep=self._width.histories)
        return following

    def _fill(self, layer: list[tuple[State, list[History]]]) -> None:
        for (position, readings), histories in layer[:FROM]:
            if histories[0].cost > layer[0][1][0].cost + NEAR:
                return
            if any(gap for _index, gap in readings):
                continue
            written = [
                [mark.ends for mark in sheet[index : index + SOON]]
                for (index, _gap), sheet in zip(readings, self.sheets, strict=True)
            ]
            texts = list(zip(*written, strict=False))
            playable = self._playable(position, texts)
            if playable == len(texts):
                continue
            longest = LONGEST if playable < AT_ONCE else LONGEST - 1
            for cost, raws in self._fillings(position, texts[:BEHIND], longest):
                self._add(histories[0], cost, raws, position, tuple((index, 1) for index, _gap in readings))

    def _fillings(
        self, position: Position, texts: _Texts, longest: int
    ) -> Iterator[tuple[float, tuple[RawMove, ...]]]:
        """Two and more plies after which the texts can be played, with the cost of leaving them out."""
        ways: dict[Position, list[tuple[float, tuple[RawMove, ...]]]] = {position: [(0.0, ())]}
        both = len(self.sheets) > 1
        cost = MISSING_COST + (BOTH_MISSING_COST if both else 0.0)
        for length in range(1, longest + 1):
            if self._looked_at > MOST:
                return
            ways = self._one_more(ways)
            self._looked_at += len(ways)
            if length == 1:
                continue
            cost += BOTH_MISSING_AGAIN_COST if both else MISSING_AGAIN_COST
            for reached, found in ways.items():
                if self._playable(reached, texts) == len(texts):
                    yield from ((cost + prior, raws) for prior, raws in found)

    def _one_more(
        self, ways: dict[Position, list[tuple[float, tuple[RawMove, ...]]]]
    ) -> dict[Position, list[tuple[float, tuple[RawMove, ...]]]]:
        following: dict[Position, list[tuple[float, tuple[RawMove, ...]]]] = {}
        for position, found in ways.items():
            moves = self.moves_at(position)
            for raw in moves:
                known = following.setdefault(self.after(position, raw), [])
                known += [(cost + log(len(moves)), (*raws, raw)) for cost, raws in found[: WAYS - len(known)]]
        return following

    def _playable(self, position: Position, texts: _Texts) -> int:
        """How many of the texts can be played one after the other, as one of the copies has them."""
        for count, alternatives in enumerate(texts):
            raw = next(filter(None, (self._written(position, ends) for ends in alternatives)), None)
            if raw is None:
                return count
            position = self.after(position, raw)
        return len(texts)

    def _written(self, position: Position, ends: Ends) -> RawMove | None:
        origin, destination = ends
        white = position.white_men | position.white_kings
        black = position.black_men | position.black_kings
        if (
            not origin & (white if position.white_to_move else black)
            or (white | black) & ~origin & destination
        ):
            return None
        return next((raw for raw in self.moves_at(position) if raw[:2] == ends), None)

    def _add(
        self,
        history: History,
        cost: float,
        raws: tuple[RawMove, ...],
        position: Position,
        readings: tuple[tuple[int, int], ...],
    ) -> None:
        notes: tuple[Note, ...] = tuple((copy, ChangeKind.MISSING, None) for copy in range(len(self.sheets)))
        each = cost / len(raws)
        for raw in raws:
            history = History(history.cost + each, hash((history.key, raw)), history, raw, notes)
            position = self.after(position, raw)
        waiting = self._filled.setdefault(self._ply + len(raws), {})
        waiting.setdefault((position, readings), []).append(history)
