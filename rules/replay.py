"""Playing a written game through: the legal prefix, and where it stops.

Promises: every reading of an ambiguous capture is carried along until later moves leave one. Names no fault: that is
`rules.diagnosis`. As long as only men are on the board and each move is plain, `rules.lanes` plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rules.board import BIT, Position, Side
from rules.lanes import play_crowned, play_men
from rules.moves import RawMove, is_quiet_move, play_raw, positions_before, raw_captures
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
    `head` + n plies: the positions before, those of plain moves, are left to `rules.moves.positions_before`. `drawish`
    says that a draw by count (article 12.3) may have been reached in them. `uncommon` are the plies whose writing wants
    a look: an odd sign, `a.l.`, or one that was looked at closely anyway. `ambiguous` are the plies whose capture could
    be read in several ways, `unsettled` those that stay so; the positions from there on are one reading of `readings`.
    `irregular` are the plies that stand by leave of the opponent, each with the position before it. `set_up` are the
    plies after which the board was set up, each with the position that stood there until then.
    """

    raws: Sequence[RawMove | None]
    positions: list[Position]
    head: int
    uncommon: list[int]
    drawish: bool = False
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
    if written.fault is not None:
        return []
    path = written.path
    origin, destination = BIT[path[0]], BIT[path[-1]]
    captures = raw_captures(position)
    if not captures:
        quiet = len(path) == 2 and is_quiet_move(position, origin, destination)
        return [(origin, destination, 0)] if quiet else []
    fitting = [raw for raw in captures if raw[0] == origin and raw[1] == destination]
    if fitting and len(path) > 2:
        by_path = routes_taken(position, origin, path)
        fitting = [raw for raw in fitting if raw in by_path]
    if not fitting and written.takes:
        fitting = [raw for raw in captures if raw[0] == origin and _names_captured(raw, path)]
    return sorted(fitting) if len(fitting) > 1 else fitting


def _names_captured(raw: RawMove, path: Sequence[int]) -> bool:
    """Whether a capture is written by the pieces it takes: `from x taken`, `from x taken x to`, `from x to x taken`, as
    some players and programs do. The pieces named must all be taken; no landing square is one of them."""
    bits = [BIT[square] for square in path[1:]]
    taken = raw[2]
    if len(bits) == 1:
        return bool(bits[0] & taken)
    behind, before = (bits[1:] if bits[0] == raw[1] else []), (bits[:-1] if bits[-1] == raw[1] else [])
    return any(named and all(bit & taken for bit in named) for named in (behind, before))


def replay(
    moves: Sequence[str],
    start: Position,
    *,
    setups: Mapping[int, Setup] | None = None,
    leave: Leave | None = None,
) -> Replay:
    """Play `moves` from `start`. `setups[n]` replaces the position after n plies."""
    if setups:
        return _Readings([], [start], []).play_on(moves, setups, leave)
    raws, last, uncommon, drawish = _run(moves, start)
    if len(raws) == len(moves):
        return Replay(raws, [last], len(raws), uncommon, drawish)
    return _Readings(raws, [*positions_before(start, raws), last], uncommon).play_on(moves, {}, leave)


def play_irregular(position: Position, irregular: Irregular) -> Position:
    """The position after an irregular move that stands, whichever side owns the piece."""
    raw, same_side = irregular
    white = bool(raw[0] & (position.white_men | position.white_kings))
    after = play_raw(position._replace(white_to_move=white), raw)
    return after._replace(white_to_move=position.white_to_move is same_side)


def set_up(position: Position, setup: Setup) -> Position:
    return setup if isinstance(setup, Position) else position.with_turn(setup)


def _run(moves: Sequence[str], start: Position) -> tuple[list[RawMove], Position, list[int], bool]:
    """Play the moves as far as each has one meaning, up to the first that has none or several: (the moves played, the
    position they lead to, `uncommon` and `drawish` as in `Replay`)."""
    raws: list[RawMove] = []
    position = start
    uncommon = []
    drawish = False
    left = iter(moves)
    while True:
        if position.white_kings or position.black_kings:
            played, position, standstill = play_crowned(left, position)
            drawish = drawish or standstill
        else:
            played, position = play_men(left, position)
        raws += played
        if len(raws) == len(moves):
            break
        written = parse(moves[len(raws)])
        meanings = matching(position, written)
        if len(meanings) != 1:
            break
        raw = meanings[0]
        raws.append(raw)
        if (
            written.ad_libitum
            or written.lookalike
            or written.capture != bool(raw[2])
            or raw[1] != BIT[written.path[-1]]
        ):
            uncommon.append(len(raws))
            drawish = drawish or not raw[2]
        position = play_raw(position, raw)
    return raws, position, uncommon, drawish or position.occupied.bit_count() <= _FEW_PIECES


_FEW_PIECES = 4
"""So many at most are left when a count of moves against a lone king runs."""


class _Node(NamedTuple):
    """A reading after some ply: its position and how it came about."""

    position: Position
    parent: _Node | None
    raw: RawMove | None


class _Readings:
    """All readings of a game, carried ply by ply."""

    def __init__(self, raws: Sequence[RawMove], positions: list[Position], uncommon: list[int]) -> None:
        self.raws: list[RawMove | None] = list(raws)
        self.positions = positions
        self.uncommon = uncommon
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
            0,
            self.uncommon,
            True,
            stop,
            tuple(self.ambiguous),
            unsettled,
            readings,
            tuple(self.irregular),
            tuple(self.set_up),
        )
