"""The search for games behind faulty copies of a scoresheet.

A search over the plies that were really played. A state is a position and how far each copy is read; every legal move is
charged with what it costs to believe it (`rules.misreading`). States that meet are merged, each keeping its few cheapest
histories. Promises: every history is a legal game; the same copies give the same histories.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log
from operator import itemgetter
from typing import NamedTuple

from rules.board import Position
from rules.marks import Mark, Reading
from rules.misreading import (
    BOTH_MISREAD_REBATE,
    BOTH_MISSING_COST,
    MISREADINGS,
    MISSING_AFTER_END,
    MISSING_AGAIN_COST,
    MISSING_COST,
    REORDERED_COST,
    REPLACED_COST,
    SWAPPED_COST,
    TWICE_COST,
    ChangeKind,
)
from rules.moves import RawMove, play_raw, raw_captures, raw_quiet_moves


class Width(NamedTuple):
    """How much a search keeps: states a ply, cost above the cheapest, histories a state; after how much work, in ways from
    one state to the next, it gives up."""

    beam: int
    cut: float
    histories: int
    work: int | None = None


MOST_MISSING = 12  # plies that a copy may lack before its end
LOST_PER_PLY = 2.0  # above this cost a ply and copy the search itself may have lost the way
LOST_AFTER = 24  # plies
CLEAR_READING = 1.0

_Reading = tuple[int, int]
"""How a copy stands: the index of its next text, and how many plies in a row it lacks just before, or what was read of
the texts behind the next already: `_SWAPPED` the one after it (exchanged neighbours), `_OWN_AHEAD` the second after it,
`_OWN_BEHIND` both (two moves of one player exchanged)."""

_SWAPPED = -1
_OWN_AHEAD = -2
_OWN_BEHIND = -3
_LONGEST_GAP = 6


class _Step(NamedTuple):
    """What one copy does at one ply: cost, where it stands afterwards, and the change, if any, by text index."""

    cost: float
    reading: _Reading
    kind: ChangeKind | None
    text: int | None


class History(NamedTuple):
    cost: float
    key: int  # of all moves so far: the same game by two roads is one history
    before: History | None
    raw: RawMove | None
    notes: tuple[Note, ...]


Note = tuple[int, ChangeKind, int | None]
"""A change: the number of the copy, the kind, the index of the text."""


class _Way(NamedTuple):
    """One way into a state: what it adds to each of the histories."""

    cost: float
    histories: list[History]
    raw: RawMove
    notes: tuple[Note, ...]


State = tuple[Position, tuple[_Reading, ...]]


class Known(NamedTuple):
    """What is true of positions whatever is searched for: their legal moves, and what these lead to."""

    legal: dict[Position, list[RawMove]]
    played: dict[tuple[Position, RawMove], Position]


class Search:
    """One search; `ended` are the histories that read all copies to their end."""

    def __init__(
        self, sheets: Sequence[Sequence[Mark]], start: Position, width: Width, known: Known | None = None
    ) -> None:
        self.sheets = sheets
        self.start = start
        self._width = width
        self._legal, self._played = known or Known({}, {})
        self._fits: dict[tuple[Position, Mark], list[Reading]] = {}
        self.ended: list[History] = []
        self._best_end = float("inf")
        self._ply = 0
        self.work = 0
        """How many ways from one state to the next were looked at."""
        self.least_cost = sum(mark.least for sheet in sheets for mark in sheet)
        """What the marks cost however they are read."""
        self._left_out: dict[int, float] = {}
        """The least that a state may have cost which was dropped after so many plies."""

    def run(
        self, should_stop: Callable[[], bool] | None, progress: Callable[[int, int], None] | None
    ) -> bool:
        first = (self.start, tuple((0, 0) for _ in self.sheets))
        layer: dict[State, list[History]] = {first: [History(0.0, 0, None, None, ())]}
        total = max(len(sheet) for sheet in self.sheets)
        while layer:
            if should_stop is not None and should_stop():
                return False
            self._add_extras(layer)
            self._collect(layer)
            if progress is not None:
                progress(max(reading[0] for state in layer for reading in state[1]), total)
            layer = self._next(self._pruned(layer))
            self._ply += 1
            if self._width.work is not None and self.work > self._width.work:
                return False
        return True

    def _add_extras(self, layer: dict[State, list[History]]) -> None:
        """Texts with no ply behind them, passed over before the next ply."""
        limit = min(histories[0].cost for histories in layer.values()) + self._width.cut
        queue = [state for state, histories in layer.items() if histories[0].cost + TWICE_COST <= limit]
        while queue:
            state = queue.pop()
            for number, (index, gap) in enumerate(state[1]):
                if gap >= 0 and index < len(self.sheets[number]):
                    target = self._pass_over(layer, state, number, limit)
                    if target is not None:
                        queue.append(target)

    def _pass_over(
        self, layer: dict[State, list[History]], state: State, number: int, limit: float
    ) -> State | None:
        """Pass over the next text of one copy; the state reached when that is news and worth going on from."""
        position, readings = state
        sheet = self.sheets[number]
        index = readings[number][0]
        cost, kind = sheet[index].pass_over(sheet[index - 1] if index else None)
        note = (number, kind, index)
        fresh = [
            history._replace(cost=history.cost + cost, notes=(*history.notes, note))
            for history in layer[state]
            if len(history.notes) < 4 and history.cost + cost <= limit
        ]
        if not fresh:
            return None
        target = (position, (*readings[:number], (index + 1, 0), *readings[number + 1 :]))
        known = layer.get(target)
        layer[target] = merged((*(known or ()), *fresh), keep=self._width.histories)
        news = known is None or layer[target][0].cost < known[0].cost
        return target if news and layer[target][0].cost + TWICE_COST <= limit else None

    def _read_out(self, readings: tuple[_Reading, ...]) -> bool:
        return all(reading[0] >= len(sheet) for reading, sheet in zip(readings, self.sheets, strict=True))

    def _collect(self, layer: dict[State, list[History]]) -> None:
        """Keep the histories whose copies are read to the end."""
        for (_position, readings), histories in layer.items():
            if self._read_out(readings):
                self.ended.extend(histories)
                self._best_end = min(self._best_end, histories[0].cost)

    def _pruned(self, layer: dict[State, list[History]]) -> list[tuple[State, list[History]]]:
        alive = [item for item in layer.items() if not self._read_out(item[0][1])]
        if not alive:
            return []
        alive.sort(key=lambda item: item[1][0].cost)
        beam = self._beam(alive[0][1][0].cost)
        limit = min(alive[0][1][0].cost, self._best_end) + self._width.cut
        self._leave_out(self._ply, limit)
        if len(alive) > beam:
            self._leave_out(self._ply, alive[beam][1][0].cost)
        return [item for item in alive[:beam] if item[1][0].cost <= limit]

    def _beam(self, cheapest: float) -> int:
        """How many states to keep: a few where the copies have long been nonsense, so that nonsense ends soon too."""
        lost = self._ply >= LOST_AFTER and cheapest - self.least_cost > LOST_PER_PLY * self._ply * len(
            self.sheets
        )
        return max(self._width.beam // 12, 1) if lost else self._width.beam

    def _next(self, layer: list[tuple[State, list[History]]]) -> dict[State, list[History]]:
        """All that one more ply can lead to, as far as the width allows."""
        if not layer:
            return {}
        ways: dict[State, list[_Way]] = {}
        cheapest: dict[State, float] = {}
        limit = layer[0][1][0].cost + self._width.cut
        for state, histories in layer:
            position = state[0]
            base = histories[0].cost
            for raw, cost, readings, notes in self._steps(state, limit - base):
                target = (self.after(position, raw), readings)
                way = _Way(cost, histories, raw, notes)
                total = base + cost
                known = cheapest.get(target)
                if known is None:
                    cheapest[target] = total
                    ways[target] = [way]
                else:
                    ways[target].append(way)
                    if total < known:
                        cheapest[target] = total
        self.work += sum(map(len, ways.values()))
        self._leave_out(self._ply + 1, limit)
        ordered = sorted(cheapest, key=cheapest.__getitem__)
        beam = self._beam(cheapest[ordered[0]]) if ordered else 0
        if len(ordered) > beam:
            self._leave_out(self._ply + 1, cheapest[ordered[beam]])
        return {state: self._histories(ways[state]) for state in ordered[:beam]}

    def _leave_out(self, ply: int, cost: float) -> None:
        self._left_out[ply] = min(cost, self._left_out.get(ply, cost))

    def left_out_beside(self, history: History, *, within: float) -> bool:
        """Whether a state may have been dropped that cost at most so much more than the history did there."""
        played = [node for node in nodes(history) if node.raw is not None]
        return any(
            self._left_out.get(ply, float("inf")) <= node.cost + within for ply, node in enumerate(played, 1)
        )

    def _histories(self, ways: list[_Way]) -> list[History]:
        """The cheapest histories of a state, one for each game; of two that cost the same the one with the lesser key."""
        best: dict[int, tuple[float, int, _Way, History]] = {}
        for way in ways:
            cost, raw = way.cost, way.raw
            for history in way.histories:
                key = hash((history.key, raw))
                total = history.cost + cost
                known = best.get(key)
                if known is None or total < known[0]:
                    best[key] = (total, key, way, history)
        kept = sorted(best.values(), key=_COST_AND_KEY)[: self._width.histories]
        return [History(cost, key, history, way.raw, way.notes) for cost, key, way, history in kept]

    def moves_at(self, position: Position) -> list[RawMove]:
        found = self._legal.get(position)
        if found is None:
            found = sorted(raw_captures(position) or raw_quiet_moves(position))
            self._legal[position] = found
        return found

    def choices(self, position: Position) -> int:
        """Among how many moves a ply that no copy shows was chosen."""
        return len(self.moves_at(position))

    def after(self, position: Position, raw: RawMove) -> Position:
        found = self._played.get((position, raw))
        if found is None:
            found = self._played[position, raw] = play_raw(position, raw)
        return found

    def _steps(
        self, state: State, room: float
    ) -> Iterator[tuple[RawMove, float, tuple[_Reading, ...], tuple[Note, ...]]]:
        """Each move with what the copies may do while it is played, within the room left under the cut."""
        position, readings = state
        moves = self.moves_at(position)
        if not moves:
            return
        prior = log(self.choices(position))
        columns = [self._column(position, number, readings, room) for number in range(len(readings))]
        for place, raw in enumerate(moves):
            for one in columns[0][place]:
                if len(columns) == 1:
                    cost = one.cost + (prior if one.kind is ChangeKind.MISSING else 0.0)
                    if cost <= room:
                        yield raw, cost, (one.reading,), _notes(0, one)
                    continue
                for other in columns[1][place]:
                    cost = one.cost + other.cost
                    if one.kind is other.kind is ChangeKind.MISSING:
                        cost = self._both_missing(one, other) + prior
                    elif one.kind in MISREADINGS and other.kind in MISREADINGS:
                        cost -= BOTH_MISREAD_REBATE
                    if cost <= room:
                        yield raw, cost, (one.reading, other.reading), _notes(0, one) + _notes(1, other)

    def _both_missing(self, one: _Step, other: _Step) -> float:
        """That both copies lack a ply; one that has ended has no say."""
        white, black = self.sheets
        if one.reading[0] >= len(white) or other.reading[0] >= len(black):
            return one.cost + other.cost
        return max(one.cost, other.cost) + BOTH_MISSING_COST

    def _column(
        self, position: Position, number: int, readings: tuple[_Reading, ...], room: float
    ) -> list[list[_Step]]:
        """For each legal move what one copy may do while it is played."""
        reading = index, gap = readings[number]
        sheet = self.sheets[number]
        moves = self.moves_at(position)
        if index >= len(sheet):
            return [[_Step(MISSING_AFTER_END, reading, ChangeKind.MISSING, None)]] * len(moves)
        fits = self._fit(position, sheet[index])
        if gap < 0:
            return self._behind(position, number, reading, room)
        after = (index + 1, 0)
        found = [[_Step(cost, after, kind, index)] if cost <= room else [] for cost, kind in fits]
        lacking = MISSING_AGAIN_COST if gap else MISSING_COST
        if (
            gap < _LONGEST_GAP
            and self._ply - index < MOST_MISSING
            and lacking <= room
            and len(moves) + (fits[0][0] > 0) > 1
        ):
            missing = _Step(lacking, (index, gap + 1), ChangeKind.MISSING, None)
            for steps in found:
                steps.append(missing)
        if room >= SWAPPED_COST and index + 1 < len(sheet):
            before = (index, _SWAPPED)
            for steps, (cost, kind) in zip(found, self._fit(position, sheet[index + 1]), strict=True):
                if cost + SWAPPED_COST <= room and cost < REPLACED_COST:
                    steps.append(_Step(SWAPPED_COST + cost, before, kind or ChangeKind.SWAPPED, index + 1))
        if room >= REORDERED_COST and index + 2 < len(sheet):
            self._read_own_ahead(found, position, number, readings)
        return found

    def _read_own_ahead(
        self, found: list[list[_Step]], position: Position, number: int, readings: tuple[_Reading, ...]
    ) -> None:
        """The writer's next text but one of the same player, where his next one is no move here or the other copy may
        have that move now: an order that fits as it stands is not doubted without a reason."""
        index = readings[number][0]
        fits = self._fit(position, self.sheets[number][index])
        ahead = self._fit(position, self.sheets[number][index + 2])
        reasons = [] if any(map(_clear, fits)) else [fits]
        for (at, gap), sheet in zip(readings, self.sheets, strict=True):
            if sheet is not self.sheets[number] and gap >= 0 and at < len(sheet):
                reasons.append(self._fit(position, sheet[at]))
        for place, steps in enumerate(found):
            wanted = any(reason is fits or reason[place][0] < REPLACED_COST for reason in reasons)
            if wanted and not _clear(fits[place]) and _clear(ahead[place]):
                cost = REORDERED_COST + ahead[place][0]
                steps.append(_Step(cost, (index, _OWN_AHEAD), ChangeKind.REORDERED, index + 2))

    def _behind(self, position: Position, number: int, reading: _Reading, room: float) -> list[list[_Step]]:
        """What one copy may do where a text behind the next was read already."""
        index, code = reading
        at, after, usual = {
            _SWAPPED: (index, (index + 2, 0), ChangeKind.SWAPPED),
            _OWN_AHEAD: (index + 1, (index, _OWN_BEHIND), None),
            _OWN_BEHIND: (index, (index + 3, 0), ChangeKind.REORDERED),
        }[code]
        return [
            [_Step(cost, after, kind or usual, at)] if cost <= room else []
            for cost, kind in self._fit(position, self.sheets[number][at])
        ]

    def _fit(self, position: Position, mark: Mark) -> list[Reading]:
        """What it costs to read the mark as each of the legal moves."""
        found = self._fits.get((position, mark))
        if found is None:
            found = [mark.read(position, raw) for raw in self.moves_at(position)]
            self._fits[position, mark] = found
        return found


_COST_AND_KEY = itemgetter(0, 1)


class GuidedSearch(Search):
    """A search that plays nothing but moves of known games, and can afford to look at much in them."""

    def __init__(
        self,
        sheets: Sequence[Sequence[Mark]],
        start: Position,
        width: Width,
        games: Iterable[History],
    ) -> None:
        super().__init__(sheets, start, width)
        played: dict[Position, set[RawMove]] = {}
        for history in games:
            position = start
            for node in nodes(history):
                if node.raw is not None:
                    played.setdefault(position, set()).add(node.raw)
                    position = play_raw(position, node.raw)
        self._legal = {position: sorted(raws) for position, raws in played.items()}

    def moves_at(self, position: Position) -> list[RawMove]:
        return self._legal.get(position, [])

    def choices(self, position: Position) -> int:
        return len(raw_captures(position) or raw_quiet_moves(position))


def _clear(reading: Reading) -> bool:
    """Whether a mark says the move without a doubt worth speaking of."""
    return reading[1] is None and reading[0] < CLEAR_READING


def nodes(history: History) -> list[History]:
    """The plies of a history in order, behind the start; notes on the start itself are texts passed over before it."""
    found: list[History] = []
    node: History | None = history
    while node is not None:
        found.append(node)
        node = node.before
    return found[::-1]


def merged(histories: Iterable[History], *, keep: int) -> list[History]:
    """The cheapest histories, one for each game."""
    best: dict[int, History] = {}
    for history in histories:
        other = best.get(history.key)
        if other is None or history.cost < other.cost:
            best[history.key] = history
    return sorted(best.values(), key=lambda h: (h.cost, h.key))[:keep]


def _notes(number: int, step: _Step) -> tuple[Note, ...]:
    return () if step.kind is None else ((number, step.kind, step.text),)
