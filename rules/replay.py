"""Playing a written game through: the legal prefix, and where it stops.

Promises: every reading of an ambiguous capture is carried along until later moves leave one. Names no fault: that is
`rules.diagnosis`. As long as only men are on the board and each move is plain, `rules.lanes` plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rules.board import BIT, BOARD, PASSED, Position, Side
from rules.lanes import play_men
from rules.moves import (
    RawMove,
    kings_can_capture,
    men_can_capture,
    play_raw,
    raw_captures,
    raw_quiet_moves,
)
from rules.notation import Written, parse, routes_taken

READINGS_LIMIT = 64
"""A sheet that can be read in more ways than this at once is given up as too ambiguous."""


class Stop(NamedTuple):
    """Where replaying stopped: the move of this ply (1-based) fits none of the positions still possible."""

    ply: int
    before: Position
    previous: RawMove | None = None
    """The move played just before."""
    too_many: bool = False


class Irregular(NamedTuple):
    """How an irregular move that stands (article 7.7) is played. `same_side` keeps the turn: after two moves in a row
    the opponent answers."""

    raw: RawMove
    same_side: bool = False


class Replay(NamedTuple):
    """What a written game comes to.

    `raws[n]` is the move of ply n + 1 (`None` where only a set-up tells what happened). `positions[n]` stands after
    `head` + n plies: of the plies before, moves of men alone, the positions are left to `rules.lanes.positions_of_men`. `uncommon` are
    the plies whose writing wants a look. `ambiguous` are the plies whose capture could be read in several ways,
    `unsettled` those that stay so; the positions from there on are one reading of `readings`. `irregular` are the plies
    that stand by leave of the opponent, each with the position before it. `set_up` are the plies after which the board
    was set up, each with the position that stood there until then.
    """

    raws: list[RawMove | None]
    positions: list[Position]
    head: int
    uncommon: list[int]
    stop: Stop | None = None
    ambiguous: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()
    readings: int = 1
    irregular: tuple[Stop, ...] = ()
    set_up: tuple[tuple[int, Position], ...] = ()


Setup = Position | Side
"""What a set-up changes: the whole position, or the side to move alone."""

Leave = Callable[[Stop], Irregular | None]
"""Asked about each move that is not legal: how it is played if it stands, `None` if it does not."""


def matching(position: Position, written: Written) -> list[RawMove]:
    """The legal moves that a written move can mean, in a fixed order; several when a capture is ambiguous.

    The sign between the squares is not held against it (articles 10.2.2 and 10.2.3 are notation).
    """
    path = written.path
    origin, destination = BIT[path[0]], BIT[path[-1]]
    captures = raw_captures(position)
    if not captures:
        if len(path) > 2:
            return []
        return [raw for raw in raw_quiet_moves(position) if raw[0] == origin and raw[1] == destination]
    fitting = [raw for raw in captures if raw[0] == origin and raw[1] == destination]
    if fitting and len(path) > 2:
        by_path = routes_taken(position, origin, path)
        fitting = [raw for raw in fitting if raw in by_path]
    return sorted(fitting) if len(fitting) > 1 else fitting


def replay(
    moves: Sequence[str],
    start: Position,
    *,
    setups: Mapping[int, Setup] | None = None,
    leave: Leave | None = None,
) -> Replay:
    """Play `moves` from `start`. `setups[n]` replaces the position after n plies."""
    if setups:
        return _Readings(_Plain([], [start], 0, [])).play_on(moves, setups, leave)
    plain = _run(moves, start)
    if len(plain.raws) == len(moves):
        return Replay(*plain)
    return _Readings(plain).play_on(moves, {}, leave)


def play_irregular(position: Position, irregular: Irregular) -> Position:
    """The position after an irregular move that stands, whichever side owns the piece."""
    raw, same_side = irregular
    white = bool(raw[0] & (position.white_men | position.white_kings))
    after = play_raw(position._replace(white_to_move=white), raw)
    return after._replace(white_to_move=position.white_to_move is same_side)


def set_up(position: Position, setup: Setup) -> Position:
    return setup if isinstance(setup, Position) else position.with_turn(setup)


class _Plain(NamedTuple):
    """The part of a game whose moves have one meaning each; fields as in `Replay`."""

    raws: list[RawMove | None]
    positions: list[Position]
    head: int
    uncommon: list[int]


def _run(moves: Sequence[str], start: Position) -> _Plain:
    """Play the moves as far as each has one meaning. Stops at the first that has none or several."""
    raws: list[RawMove | None] = []
    position = start
    if not start.white_kings and not start.black_kings:
        raws, position = play_men(moves, start)
    head = len(raws)
    positions = [position]
    uncommon = []
    for index in range(head, len(moves)):
        step = _quiet(position, moves[index])
        if step is None:
            step = _single(position, moves[index])
            if step is None:
                break
            uncommon.append(index + 1)
        raw, position = step
        raws.append(raw)
        positions.append(position)
    return _Plain(raws, positions, head, uncommon)


def _single(position: Position, text: str) -> tuple[RawMove, Position] | None:
    """The only meaning of a written move and what it leads to, `None` when it has none or several."""
    written = parse(text)
    if written.fault is not None:
        return None
    found = matching(position, written)
    if len(found) != 1:
        return None
    return found[0], play_raw(position, found[0])


_Quiet = tuple[RawMove, bool, bool, int]
_quiets: dict[str, _Quiet | None] = {}
_QUIETS_LIMIT = 20_000
_REMEMBERED_LENGTH = 24


def _compile(text: str) -> _Quiet | None:
    """(move, a white man may make it, a black man may, the squares a king passes); `None` unless plainly quiet."""
    written = parse(text)
    found = None
    if written.fault is None and len(written.path) == 2 and not written.capture:
        origin, destination = BIT[written.path[0]], BIT[written.path[1]]
        passed = PASSED.get((origin, destination))
        if passed is not None:
            white = destination in (origin >> 5, origin >> 6)
            black = destination in (origin << 5, origin << 6)
            found = ((origin, destination, 0), white, black, passed)
    if len(text) <= _REMEMBERED_LENGTH:
        if len(_quiets) >= _QUIETS_LIMIT:
            _quiets.clear()
        _quiets[text] = found
    return found


def _quiet(position: Position, text: str) -> tuple[RawMove, Position] | None:
    """As `_single`, for quiet moves when nothing can be taken: no list of moves is made."""
    token = _quiets[text] if text in _quiets else _compile(text)
    if token is None:
        return None
    raw, by_white_man, by_black_man, passed = token
    white_men, white_kings, black_men, black_kings, white_to_move = position
    occupied = white_men | white_kings | black_men | black_kings
    if white_to_move:
        men, kings, enemy, by_man = white_men, white_kings, black_men | black_kings, by_white_man
    else:
        men, kings, enemy, by_man = black_men, black_kings, white_men | white_kings, by_black_man
    if raw[1] & occupied or not ((raw[0] & men and by_man) or (raw[0] & kings and not passed & occupied)):
        return None
    empty = BOARD ^ occupied
    if men_can_capture(men, enemy, empty) or (kings and kings_can_capture(kings, enemy, empty)):
        return None
    return raw, play_raw(position, raw)


class _Node(NamedTuple):
    """A reading after some ply: its position and how it came about."""

    position: Position
    parent: _Node | None
    raw: RawMove | None


class _Readings:
    """All readings of a game, carried ply by ply."""

    def __init__(self, plain: _Plain) -> None:
        self.raws, self.positions, self.head, self.uncommon = plain
        self.front = [_Node(self.positions[-1], None, None)]
        self.ambiguous: list[int] = []
        self.irregular: list[Stop] = []
        self.set_up: list[tuple[int, Position]] = []

    def play_on(self, moves: Sequence[str], setups: Mapping[int, Setup], leave: Leave | None) -> Replay:
        if not self.raws:
            self._set_up(0, setups.get(0))
        stop = None
        for index in range(len(self.raws), len(moves)):
            setup = setups.get(index + 1)
            stop = self._step(index, moves[index], leave, isinstance(setup, Position))
            if stop is not None:
                break
            self._set_up(index + 1, setup)
        return self._finish(stop)

    def _step(self, index: int, text: str, leave: Leave | None, excused: bool) -> Stop | None:
        self.uncommon.append(index + 1)
        following = self._following(text)
        if len(following) > READINGS_LIMIT:
            return self._stop(index, too_many=True)
        if not following:
            stop = self._stop(index)
            irregular = leave(stop) if leave is not None else None
            if irregular is None and not excused:
                return stop
            self._let_stand(stop, irregular)
            return None
        if len({id(node.parent) for node in following}) < len(following):
            self.ambiguous.append(index + 1)
        self.front = following
        if len(following) == 1:
            self._settle()
        return None

    def _stop(self, index: int, *, too_many: bool = False) -> Stop:
        node = self.front[0]
        previous = node.raw or (self.raws[-1] if self.raws else None)
        return Stop(index + 1, node.position, previous, too_many)

    def _following(self, text: str) -> list[_Node]:
        written = parse(text)
        if written.fault is not None:
            return []
        found: dict[Position, _Node] = {}
        for node in self.front:
            for raw in matching(node.position, written):
                position = play_raw(node.position, raw)
                found.setdefault(position, _Node(position, node, raw))
        return list(found.values())

    def _let_stand(self, stop: Stop, irregular: Irregular | None) -> None:
        self._settle()
        before = self.positions[-1]
        after = before._replace(white_to_move=not before.white_to_move)
        if irregular is not None:
            after = play_irregular(before, irregular)
        self.irregular.append(stop)
        self.positions.append(after)
        self.raws.append(irregular.raw if irregular is not None else None)
        self.front = [_Node(after, None, None)]

    def _set_up(self, ply: int, setup: Setup | None) -> None:
        if setup is None:
            return
        self._settle()
        self.set_up.append((ply, self.positions[-1]))
        self.positions[-1] = set_up(self.positions[-1], setup)
        self.front = [_Node(self.positions[-1], None, None)]

    def _settle(self) -> None:
        """Write down the road of the first reading, the only one unless something else forces the choice."""
        road = []
        node = self.front[0]
        while node.parent is not None:
            road.append(node)
            node = node.parent
        for step in reversed(road):
            self.positions.append(step.position)
            self.raws.append(step.raw)
        self.front = [_Node(self.positions[-1], None, None)]

    def _finish(self, stop: Stop | None) -> Replay:
        readings = len(self.front)
        settled_plies = len(self.raws)
        unsettled = tuple(ply for ply in self.ambiguous if ply > settled_plies) if readings > 1 else ()
        self._settle()
        return Replay(
            self.raws,
            self.positions,
            self.head,
            self.uncommon,
            stop,
            tuple(self.ambiguous),
            unsettled,
            readings,
            tuple(self.irregular),
            tuple(self.set_up),
        )
