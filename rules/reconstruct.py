"""The most likely game behind one or two faulty copies of a scoresheet.

A search over the plies that were really played. A state is a position and how far each copy is read; every legal move is
charged with what it costs to believe it (`rules.misreading`). States that meet are merged, each keeping its few best
histories, so that the answer comes with its rivals: from their odds follow the confidence and the plies that stay
doubtful. Promises: every game proposed is legal; the same copies give the same answer; nothing is ever applied here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple

from rules.board import SQUARE, START, Position
from rules.habit import move_costs
from rules.misreading import (
    BOTH_MISSING_COST,
    EXTRA_COST,
    MISSING_AFTER_END,
    MISSING_AGAIN_COST,
    MISSING_COST,
    PATH_COST,
    REPLACED_COST,
    SWAPPED_COST,
    TWICE_COST,
    ChangeKind,
    cost_of,
)
from rules.moves import Move, RawMove, play_raw, raw_captures, raw_quiet_moves
from rules.notation import parse, routes_taken, write


class Width(NamedTuple):
    """How much a search keeps: states a ply, cost above the cheapest, histories a state."""

    beam: int
    cut: float
    histories: int


NORMAL = Width(250, 16.0, 6)
FOR_GAPS = Width(1200, 16.0, 16)  # where the copies lack plies in a row, many games fit
WIDE = Width(800, 26.0, 6)
LOST_PER_PLY = 2.0  # above this the search itself may have lost the way
LONGEST_WIDE = 300  # longer copies are not searched a second time
MOST_MISSING = 12  # plies that a copy may lack before its end
MOST_STATES = 60_000  # of a second search
RIVALS = 150
SHOWN = 40
DOUBTFUL = 0.02  # a ply is doubtful when rivals with this share of the odds play another move there
GAP_SHARE = 0.7  # as often is the best game right where plies in a row are missing from every copy
UNSURE = 0.02  # what may be missing to a certain answer, where nothing was changed; less with each change of one copy alone
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
    """One legal game. `share` is its part of the odds among all found, `cost` what its changes cost together; `unseen`
    are the plies (1-based) that no copy shows."""

    moves: tuple[str, ...]
    played: tuple[Move, ...]
    changes: tuple[Change, ...]
    cost: float
    share: float
    unseen: tuple[int, ...] = ()

    @property
    def longest_unseen(self) -> int:
        """The most plies in a row that no copy shows."""
        longest = run = 0
        for n, ply in enumerate(self.unseen):
            run = run + 1 if n and self.unseen[n - 1] == ply - 1 else 1
            longest = max(longest, run)
        return longest


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


_Reading = tuple[int, int]
"""How a copy stands: the index of its next text, and how many plies in a row it lacks just before, or `_SWAPPED` when
the text after the next was read already (exchanged neighbours)."""

_SWAPPED = -1
_LONGEST_GAP = 6


class _Step(NamedTuple):
    """What one copy does at one ply: cost, where it stands afterwards, and the change, if any, by text index."""

    cost: float
    reading: _Reading
    kind: ChangeKind | None
    text: int | None


class _History(NamedTuple):
    cost: float
    key: int  # of all moves so far: the same game by two roads is one history
    before: _History | None
    raw: RawMove | None
    notes: tuple[_Note, ...]


_Note = tuple[int, ChangeKind, int | None]
"""A change: the number of the copy, the kind, the index of the text."""


class _Played(NamedTuple):
    position: Position
    raw: RawMove
    unseen: bool  # by every copy


class _Way(NamedTuple):
    """One way into a state: what it adds to each of the histories."""

    cost: float
    histories: list[_History]
    raw: RawMove
    notes: tuple[_Note, ...]


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
    copies = [list(sheet) for sheet in sheets]
    search = _Search(copies, start, NORMAL)
    found = search.answer(search.run(should_stop, progress))
    if not found.complete or max(map(len, copies)) > LONGEST_WIDE:
        return found
    if found.best is None or found.best.cost > LOST_PER_PLY * len(found.best.moves) * len(copies):
        width = WIDE
    elif found.best.longest_unseen > 1:
        width = FOR_GAPS
    else:
        return found
    search = _Search(copies, start, width)
    wider = search.answer(search.run(should_stop, progress))
    return wider if wider.complete and wider.best is not None else found


class _Search:
    def __init__(self, sheets: list[list[str]], start: Position, width: Width) -> None:
        self._sheets = sheets
        self._start = start
        self._width = width
        self._legal: dict[Position, list[RawMove]] = {}
        self._after: dict[tuple[Position, RawMove], Position] = {}
        self._fits: dict[tuple[Position, str], list[tuple[float, ChangeKind | None]]] = {}
        self._habits: dict[Position, dict[RawMove, float]] = {}
        self._ended: list[_History] = []
        self._best_end = float("inf")
        self._ply = 0
        self._states = 0

    def run(
        self, should_stop: Callable[[], bool] | None, progress: Callable[[int, int], None] | None
    ) -> bool:
        first = (self._start, tuple((0, 0) for _ in self._sheets))
        layer: dict[_State, list[_History]] = {first: [_History(0.0, 0, None, None, ())]}
        total = max(len(sheet) for sheet in self._sheets)
        while layer:
            if should_stop is not None and should_stop():
                return False
            self._add_extras(layer)
            self._collect(layer)
            if progress is not None:
                progress(max(reading[0] for state in layer for reading in state[1]), total)
            layer = self._next(self._pruned(layer))
            self._ply += 1
            self._states += len(layer)
            if self._width is not NORMAL and self._states > MOST_STATES:
                return False
        return True

    def _add_extras(self, layer: dict[_State, list[_History]]) -> None:
        """Texts with no ply behind them, passed over before the next ply."""
        limit = min(histories[0].cost for histories in layer.values()) + self._width.cut
        queue = [state for state, histories in layer.items() if histories[0].cost + TWICE_COST <= limit]
        while queue:
            state = queue.pop()
            for number, (index, gap) in enumerate(state[1]):
                if gap != _SWAPPED and index < len(self._sheets[number]):
                    target = self._pass_over(layer, state, number, limit)
                    if target is not None:
                        queue.append(target)

    def _pass_over(
        self, layer: dict[_State, list[_History]], state: _State, number: int, limit: float
    ) -> _State | None:
        """Pass over the next text of one copy; the state reached when that is news and worth going on from."""
        position, readings = state
        sheet = self._sheets[number]
        index = readings[number][0]
        twice = index > 0 and sheet[index] == sheet[index - 1]
        kind, cost = (ChangeKind.TWICE, TWICE_COST) if twice else (ChangeKind.EXTRA, EXTRA_COST)
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
        layer[target] = _merge((*(known or ()), *fresh), keep=self._width.histories)
        news = known is None or layer[target][0].cost < known[0].cost
        return target if news and layer[target][0].cost + TWICE_COST <= limit else None

    def _read_out(self, readings: tuple[_Reading, ...]) -> bool:
        return all(reading[0] >= len(sheet) for reading, sheet in zip(readings, self._sheets, strict=True))

    def _collect(self, layer: dict[_State, list[_History]]) -> None:
        """Keep the histories whose copies are read to the end."""
        for (_position, readings), histories in layer.items():
            if self._read_out(readings):
                self._ended.extend(histories)
                self._best_end = min(self._best_end, histories[0].cost)

    def _pruned(self, layer: dict[_State, list[_History]]) -> list[tuple[_State, list[_History]]]:
        alive = [item for item in layer.items() if not self._read_out(item[0][1])]
        if not alive:
            return []
        alive.sort(key=lambda item: item[1][0].cost)
        limit = min(alive[0][1][0].cost, self._best_end) + self._width.cut
        return [item for item in alive[: self._width.beam] if item[1][0].cost <= limit]

    def _next(self, layer: list[tuple[_State, list[_History]]]) -> dict[_State, list[_History]]:
        """All that one more ply can lead to, as far as the width allows."""
        if not layer:
            return {}
        ways: dict[_State, list[_Way]] = {}
        cheapest: dict[_State, float] = {}
        limit = layer[0][1][0].cost + self._width.cut
        for state, histories in layer:
            position = state[0]
            base = histories[0].cost
            for raw, cost, readings, notes in self._steps(state, limit - base):
                target = (self._play(position, raw), readings)
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
        kept = sorted(cheapest, key=cheapest.__getitem__)[: self._width.beam]
        return {state: self._histories(ways[state]) for state in kept}

    def _histories(self, ways: list[_Way]) -> list[_History]:
        fresh = [
            _History(history.cost + way.cost, hash((history.key, way.raw)), history, way.raw, way.notes)
            for way in ways
            for history in way.histories
        ]
        return fresh if len(ways) == 1 else _merge(fresh, keep=self._width.histories)

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

    def _steps(
        self, state: _State, room: float
    ) -> Iterator[tuple[RawMove, float, tuple[_Reading, ...], tuple[_Note, ...]]]:
        """Each move with what the copies may do while it is played, within the room left under the cut."""
        position, readings = state
        moves = self._moves(position)
        if not moves:
            return
        prior = log(len(moves))
        columns = [self._column(position, number, reading, room) for number, reading in enumerate(readings)]
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
                        cost = max(one.cost, other.cost) + BOTH_MISSING_COST + prior
                    if cost <= room:
                        yield raw, cost, (one.reading, other.reading), _notes(0, one) + _notes(1, other)

    def _column(self, position: Position, number: int, reading: _Reading, room: float) -> list[list[_Step]]:
        """For each legal move what one copy may do while it is played."""
        index, gap = reading
        sheet = self._sheets[number]
        moves = self._moves(position)
        if index >= len(sheet):
            return [[_Step(MISSING_AFTER_END, reading, ChangeKind.MISSING, None)]] * len(moves)
        fits = self._fit(position, sheet[index])
        if gap == _SWAPPED:
            after = (index + 2, 0)
            return [
                [_Step(cost, after, kind or ChangeKind.SWAPPED, index)] if cost <= room else []
                for cost, kind in fits
            ]
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
        return found

    def _fit(self, position: Position, text: str) -> list[tuple[float, ChangeKind | None]]:
        """What it costs to read the text as each of the legal moves."""
        found = self._fits.get((position, text))
        if found is None:
            found = [self._read(position, raw, text) for raw in self._moves(position)]
            self._fits[position, text] = found
        return found

    def _read(self, position: Position, raw: RawMove, text: str) -> tuple[float, ChangeKind | None]:
        cost, kind = cost_of(SQUARE[raw[0]], SQUARE[raw[1]], raw[2] != 0, text)
        if cost == 0 and raw[2]:
            written = parse(text)
            if len(written.path) > 2 and raw not in routes_taken(position, raw[0], written.path):
                return PATH_COST, ChangeKind.PATH
        return cost, kind

    def answer(self, complete: bool) -> Candidates:
        ended = self._weighed(_merge(self._ended, keep=RIVALS))
        if not ended:
            return Candidates(
                games=(), confidence=0.0, certain=False, reliable=False, doubtful=(), complete=complete
            )
        odds = [exp(ended[0][0] - cost) for cost, _history in ended]
        whole = sum(odds)
        games = tuple(
            self._candidate(history, share=odd / whole)
            for (_cost, history), odd in zip(ended[:SHOWN], odds, strict=False)
        )
        gaps = games[0].longest_unseen > 1
        doubtful = _doubtful(games)
        if gaps:
            doubtful = tuple(sorted({*doubtful, *games[0].unseen}))
        plies = max(len(games[0].moves), 1)
        reliable = games[0].cost / plies / len(self._sheets) <= HOPELESS_PER_PLY
        share = games[0].share if reliable else games[0].share / 2
        if gaps:
            share = min(share, GAP_SHARE)
        alone = len(games[0].changes) if len(self._sheets) == 1 else 0
        spare = UNSURE / (1 + alone * alone / 4)
        return Candidates(
            games=games,
            confidence=round(share, 4),
            certain=complete and reliable and not gaps and share >= 1 - spare,
            reliable=reliable,
            doubtful=doubtful,
            complete=complete,
        )

    def _weighed(self, histories: list[_History]) -> list[tuple[float, _History]]:
        """The same games with what players are likely to play put on the scales, best first."""
        if len(histories) < 2 or histories[0].cost == 0:
            return [
                (history.cost, history) for history in histories[:1]
            ]  # what the copies say as they stand is not argued with
        roads = [self._road(history) for history in histories]
        shared = set.intersection(*({(step.position, step.raw) for step in road} for road in roads))
        found = []
        for history, road in zip(histories, roads, strict=True):
            cost = history.cost
            for step in road:
                if step.unseen:
                    cost -= log(len(self._moves(step.position)))
                if (step.position, step.raw) not in shared:
                    cost += self._habit(step.position)[step.raw]
            found.append((cost, history))
        return sorted(found, key=lambda pair: (pair[0], pair[1].key))

    def _road(self, history: _History) -> list[_Played]:
        nodes: list[_History] = []
        node: _History | None = history
        while node is not None:
            nodes.append(node)
            node = node.before
        position = self._start
        road = []
        copies = len(self._sheets)
        for node in reversed(nodes):
            if node.raw is None:
                continue
            unseen = sum(kind is ChangeKind.MISSING for _number, kind, _index in node.notes) == copies
            road.append(_Played(position, node.raw, unseen))
            position = self._play(position, node.raw)
        return road

    def _habit(self, position: Position) -> dict[RawMove, float]:
        found = self._habits.get(position)
        if found is None:
            found = self._habits[position] = move_costs(position, self._moves(position))
        return found

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
        unseen: list[int] = []
        for step in steps:
            if step.raw is not None:
                move = Move(SQUARE[step.raw[0]], SQUARE[step.raw[1]], step.raw[2])
                moves.append(write(position, move))
                played.append(move)
                position = play_raw(position, step.raw)
                if sum(kind is ChangeKind.MISSING for _number, kind, _index in step.notes) == len(
                    self._sheets
                ):
                    unseen.append(len(moves))
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
            unseen=tuple(unseen),
        )


def _merge(histories: Iterable[_History], *, keep: int) -> list[_History]:
    """The cheapest histories, one for each game."""
    best: dict[int, _History] = {}
    for history in histories:
        other = best.get(history.key)
        if other is None or history.cost < other.cost:
            best[history.key] = history
    return sorted(best.values(), key=lambda h: (h.cost, h.key))[:keep]


def _notes(number: int, step: _Step) -> tuple[_Note, ...]:
    return () if step.kind is None else ((number, step.kind, step.text),)


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
