"""The most likely game behind one or two faulty copies of a scoresheet.

A search over the plies that were really played. A state is a position and how far each copy is read; every legal move is
charged with what it costs to believe it (`rules.misreading`). States that meet are merged, each keeping its few best
histories, so that the answer comes with its rivals: from their odds follow the confidence and the plies that stay
doubtful. Promises: every game proposed is legal; the same copies give the same answer; nothing is ever applied here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import exp, log
from typing import NamedTuple

from rules.board import SQUARE, START, Position
from rules.misreading import (
    EXTRA_COST,
    MISSING_AFTER_END,
    MISSING_COST,
    PATH_COST,
    SWAPPED_COST,
    TWICE_COST,
    ChangeKind,
    cost_of,
)
from rules.moves import Move, RawMove, play_raw, raw_captures, raw_quiet_moves
from rules.notation import parse, routes_taken, write

BEAM = 100
CUT = 16.0
HISTORIES = 4
RIVALS = 40
DOUBTFUL = 0.02  # a ply is doubtful when rivals with this share of the odds play another move there
CERTAIN = 0.98
HOPELESS_PER_PLY = 0.9  # above this cost a ply, the copies hardly belong to any game


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between a copy and the game. `ply` is 1-based in the game (for an extra text: the ply before it).

    `sheet` is the index of the copy; `index` that of its text, None for a missing ply; `move` the move it stands for.
    """

    sheet: int
    kind: ChangeKind
    ply: int
    index: int | None
    written: str
    move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One legal game. `share` is its part of the odds among all found, `cost` what its changes cost together."""

    moves: tuple[str, ...]
    played: tuple[Move, ...]
    changes: tuple[Change, ...]
    cost: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Best first. `doubtful` are plies of the best game that its rivals play otherwise. `complete` is False when the time
    ran out before the copies were read to their end."""

    games: tuple[Candidate, ...]
    confidence: float
    certain: bool
    reliable: bool
    doubtful: tuple[int, ...]
    complete: bool = True

    @property
    def best(self) -> Candidate | None:
        return self.games[0] if self.games else None


class _Reading(NamedTuple):
    """How far a copy is read: the next text, and whether the one after it was read already (exchanged neighbours)."""

    index: int
    swapped: bool


class _Step(NamedTuple):
    """What one copy does at one ply: cost, where it stands afterwards, and the change, if any, by text index."""

    cost: float
    reading: _Reading
    kind: ChangeKind | None
    index: int | None


class _History(NamedTuple):
    cost: float
    key: int  # of all moves so far: the same game by two roads is one history
    before: _History | None
    raw: RawMove | None
    notes: tuple[tuple[int, ChangeKind, int | None], ...]


_State = tuple[Position, tuple[_Reading, ...]]


def reconstruct(
    sheets: Sequence[Sequence[str]],
    *,
    start: Position = START,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Candidates:
    """The likeliest games behind one or two lists of moves as written (article 10).

    `should_stop` is asked at each ply and ends the search; `progress` hears of texts read and their number. Raises
    ValueError for no copy, more than two, or copies without a move.
    """
    if not 1 <= len(sheets) <= 2 or not any(sheets):
        raise ValueError("one or two copies with moves are needed")
    search = _Search([list(sheet) for sheet in sheets], start)
    complete = search.run(should_stop, progress)
    return search.answer(complete)


class _Search:
    def __init__(self, sheets: list[list[str]], start: Position) -> None:
        self._sheets = sheets
        self._start = start
        self._legal: dict[Position, list[RawMove]] = {}
        self._after: dict[tuple[Position, RawMove], Position] = {}
        self._ended: list[_History] = []
        self._best_end = float("inf")

    def run(
        self, should_stop: Callable[[], bool] | None, progress: Callable[[int, int], None] | None
    ) -> bool:
        first = (self._start, tuple(_Reading(0, False) for _ in self._sheets))
        layer: dict[_State, list[_History]] = {first: [_History(0.0, 0, None, None, ())]}
        total = max(len(sheet) for sheet in self._sheets)
        while layer:
            if should_stop is not None and should_stop():
                return False
            layer = self._with_extras(layer)
            self._collect(layer)
            if progress is not None:
                progress(max(reading.index for state in layer for reading in state[1]), total)
            layer = self._next(self._pruned(layer))
        return True

    def _with_extras(self, layer: dict[_State, list[_History]]) -> dict[_State, list[_History]]:
        """Texts with no ply behind them, passed over before the next ply."""
        limit = self._floor(layer) + CUT
        queue = [state for state, histories in layer.items() if histories[0].cost + TWICE_COST <= limit]
        while queue:
            state = queue.pop()
            position, readings = state
            for number, reading in enumerate(readings):
                sheet = self._sheets[number]
                if reading.swapped or reading.index >= len(sheet):
                    continue
                twice = reading.index > 0 and sheet[reading.index] == sheet[reading.index - 1]
                kind = ChangeKind.TWICE if twice else ChangeKind.EXTRA
                cost = TWICE_COST if twice else EXTRA_COST
                moved = (*readings[:number], _Reading(reading.index + 1, False), *readings[number + 1 :])
                target = (position, moved)
                note = (number, kind, reading.index)
                known = target in layer
                fresh = [
                    history._replace(cost=history.cost + cost, notes=(*history.notes, note))
                    for history in layer[state]
                    if len(history.notes) < 4
                ]
                if not fresh:
                    continue
                merged = _merge(layer.get(target, []), fresh)
                if not known or merged[0].cost < layer[target][0].cost:
                    layer[target] = merged
                    if merged[0].cost + TWICE_COST <= limit:
                        queue.append(target)
        return layer

    @staticmethod
    def _floor(layer: dict[_State, list[_History]]) -> float:
        return min(histories[0].cost for histories in layer.values())

    def _collect(self, layer: dict[_State, list[_History]]) -> None:
        """Keep the histories whose copies are read to the end."""
        for (_position, readings), histories in layer.items():
            if all(r.index >= len(s) for r, s in zip(readings, self._sheets, strict=True)):
                self._ended.extend(histories)
                self._best_end = min(self._best_end, histories[0].cost)

    def _pruned(self, layer: dict[_State, list[_History]]) -> list[tuple[_State, list[_History]]]:
        limit = min(self._floor(layer), self._best_end) + CUT
        alive = [
            (state, histories)
            for state, histories in layer.items()
            if histories[0].cost <= limit
            and not all(r.index >= len(s) for r, s in zip(state[1], self._sheets, strict=True))
        ]
        return nsmallest(BEAM, alive, key=lambda item: item[1][0].cost)

    def _next(self, layer: list[tuple[_State, list[_History]]]) -> dict[_State, list[_History]]:
        following: dict[_State, list[_History]] = {}
        if not layer:
            return following
        limit = layer[0][1][0].cost + CUT
        for (position, readings), histories in layer:
            moves = self._moves(position)
            prior = log(len(moves)) if moves else 0.0
            room = limit - histories[0].cost
            for raw in moves:
                steps = [
                    self._steps(position, raw, sheet, reading)
                    for sheet, reading in zip(self._sheets, readings, strict=True)
                ]
                for combined in _combined(steps, room):
                    self._advance(following, position, raw, combined, histories, prior)
        return following

    def _advance(
        self,
        following: dict[_State, list[_History]],
        position: Position,
        raw: RawMove,
        steps: tuple[_Step, ...],
        histories: list[_History],
        prior: float,
    ) -> None:
        unseen = all(step.kind is ChangeKind.MISSING for step in steps)
        cost = sum(step.cost for step in steps) + (prior if unseen else 0.0)
        notes = tuple(
            (number, step.kind, step.index) for number, step in enumerate(steps) if step.kind is not None
        )
        target = (self._play(position, raw), tuple(step.reading for step in steps))
        fresh = [
            _History(history.cost + cost, hash((history.key, raw)), history, raw, notes)
            for history in histories
        ]
        known = following.get(target)
        following[target] = fresh if known is None else _merge(known, fresh)

    def _moves(self, position: Position) -> list[RawMove]:
        found = self._legal.get(position)
        if found is None:
            found = sorted(raw_captures(position) or raw_quiet_moves(position))
            self._legal[position] = found
        return found

    def _play(self, position: Position, raw: RawMove) -> Position:
        found = self._after.get((position, raw))
        if found is None:
            found = self._after[position, raw] = play_raw(position, raw)
        return found

    def _steps(self, position: Position, raw: RawMove, sheet: list[str], reading: _Reading) -> list[_Step]:
        """What the copy may do while this move is played, cheapest first."""
        index, swapped = reading
        if index >= len(sheet):
            return [_Step(MISSING_AFTER_END, reading, ChangeKind.MISSING, None)]
        cost, kind = self._read(position, raw, sheet[index])
        if swapped:
            return [_Step(cost, _Reading(index + 2, False), kind or ChangeKind.SWAPPED, index)]
        found = [_Step(cost, _Reading(index + 1, False), kind, index)]
        if cost > 0:
            found.append(_Step(MISSING_COST, reading, ChangeKind.MISSING, None))
            if index + 1 < len(sheet):
                later, later_kind = self._read(position, raw, sheet[index + 1])
                if later < MISSING_COST:
                    step = _Step(
                        SWAPPED_COST + later,
                        _Reading(index, True),
                        later_kind or ChangeKind.SWAPPED,
                        index + 1,
                    )
                    found.append(step)
        elif len(self._moves(position)) > 1:
            # The text fits, but it may be the same words for a later ply.
            found.append(_Step(MISSING_COST, reading, ChangeKind.MISSING, None))
        return sorted(found, key=lambda step: step.cost)

    def _read(self, position: Position, raw: RawMove, text: str) -> tuple[float, ChangeKind | None]:
        cost, kind = cost_of(SQUARE[raw[0]], SQUARE[raw[1]], raw[2] != 0, text)
        if cost == 0 and raw[2]:
            written = parse(text)
            if len(written.path) > 2 and raw not in routes_taken(position, raw[0], written.path):
                return PATH_COST, ChangeKind.PATH
        return cost, kind

    def answer(self, complete: bool) -> Candidates:
        ended = _merge([], self._ended, keep=RIVALS)
        if not ended:
            return Candidates(
                games=(), confidence=0.0, certain=False, reliable=False, doubtful=(), complete=complete
            )
        odds = [exp(ended[0].cost - history.cost) for history in ended]
        whole = sum(odds)
        games = tuple(
            self._candidate(history, share=odd / whole) for history, odd in zip(ended, odds, strict=True)
        )
        doubtful = _doubtful(games)
        plies = max(len(games[0].moves), 1)
        reliable = games[0].cost / plies / len(self._sheets) <= HOPELESS_PER_PLY
        share = games[0].share if reliable else games[0].share / 2
        return Candidates(
            games=games,
            confidence=round(share, 4),
            certain=complete and reliable and share >= CERTAIN,
            reliable=reliable,
            doubtful=doubtful,
            complete=complete,
        )

    def _candidate(self, history: _History, *, share: float) -> Candidate:
        steps: list[_History] = []
        node: _History | None = history
        while node is not None:
            steps.append(node)
            node = node.before
        steps.reverse()
        position = self._start
        moves: list[str] = []
        played: list[Move] = []
        changes: list[Change] = []
        for step in steps:
            if step.raw is not None:
                move = Move(SQUARE[step.raw[0]], SQUARE[step.raw[1]], step.raw[2])
                moves.append(write(position, move))
                played.append(move)
                position = play_raw(position, step.raw)
            for number, kind, index in step.notes:
                unwritten = kind in {ChangeKind.EXTRA, ChangeKind.TWICE}
                changes.append(
                    Change(
                        sheet=number,
                        kind=kind,
                        ply=len(moves),
                        index=index,
                        written="" if index is None else self._sheets[number][index],
                        move="" if unwritten or not moves else moves[-1],
                    )
                )
        return Candidate(
            moves=tuple(moves),
            played=tuple(played),
            changes=tuple(changes),
            cost=round(history.cost, 3),
            share=share,
        )


def _merge(known: list[_History], fresh: Iterable[_History], *, keep: int = HISTORIES) -> list[_History]:
    """The cheapest histories of both, one for each game."""
    best: dict[int, _History] = {}
    for history in (*known, *fresh):
        other = best.get(history.key)
        if other is None or history.cost < other.cost:
            best[history.key] = history
    return sorted(best.values(), key=lambda h: (h.cost, h.key))[:keep]


def _combined(steps: list[list[_Step]], room: float) -> list[tuple[_Step, ...]]:
    """One step of each copy, together within the room left under the cut."""
    if len(steps) == 1:
        return [(step,) for step in steps[0] if step.cost <= room]
    return [(one, other) for one in steps[0] for other in steps[1] if one.cost + other.cost <= room]


def _doubtful(games: tuple[Candidate, ...]) -> tuple[int, ...]:
    """Plies of the best game between the first and the last place where a rival of some weight leaves it."""
    best = games[0].played
    weight: dict[int, float] = {}
    for rival in games[1:]:
        other = rival.played
        same_head = 0
        while same_head < min(len(best), len(other)) and best[same_head] == other[same_head]:
            same_head += 1
        same_tail = 0
        while (
            same_tail < min(len(best), len(other)) - same_head
            and best[-1 - same_tail] == other[-1 - same_tail]
        ):
            same_tail += 1
        if len(best) == len(other):
            plies = [ply for ply in range(same_head, len(best) - same_tail) if best[ply] != other[ply]]
        else:
            plies = list(range(same_head, max(len(best) - same_tail, same_head + 1)))
        for ply in plies:
            weight[ply] = weight.get(ply, 0.0) + rival.share
    return tuple(ply + 1 for ply in sorted(weight) if weight[ply] >= DOUBTFUL and ply < len(best))
