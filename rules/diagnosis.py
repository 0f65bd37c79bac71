"""Why a written move is not legal: one kind, the one a referee would name first.

Order of the questions: can it be read; is the game over; whose piece is it; what does the duty to capture say; how do
men and kings move. Which articles a kind offends against is in `rules.articles`.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.articles import Kind
from rules.board import BIT, SQUARE, Position
from rules.moves import (
    RawMove,
    can_capture,
    has_legal_move,
    raw_captures,
    raw_quiet_moves,
)
from rules.notation import Written, lands_on_the_way, parse, routes_taken


class Diagnosis(NamedTuple):
    """`captures_made` counts the pieces the written move would take, `captures_due` those that must be taken;
    0 where the question does not arise. `played_as` is what the move does if the opponent lets it stand (7.7), `None`
    when the writing does not say."""

    kind: Kind
    captures_made: int = 0
    captures_due: int = 0
    played_as: RawMove | None = None


def diagnose(
    position: Position, text: str, *, previous: RawMove | None = None, following: str | None = None
) -> Diagnosis:
    """Name the fault of a written move that is not legal in `position`.

    `previous` is the move just played and `following` what is written next: they tell a piece of the opponent moved
    (7.4.5) from two moves in a row (7.4.1) and from taking back (7.4.4).
    """
    written = parse(text)
    if written.fault is not None:
        return Diagnosis(Kind(written.fault))
    if not has_legal_move(position):
        return Diagnosis(Kind.GAME_OVER)
    origin = BIT[written.path[0]]
    own, opponent = _sides(position)
    if origin & opponent:
        return _opponent_piece(position, written, previous, following)
    if not origin & own:
        return Diagnosis(Kind.EMPTY_SQUARE, captures_due=_due(position))
    if written.destination == written.origin and not written.takes:
        return Diagnosis(Kind.SAME_SQUARE)
    if can_capture(position):
        return _with_capture_due(position, written)
    return _without_capture(position, written)


def _sides(position: Position) -> tuple[int, int]:
    white = position.white_men | position.white_kings
    black = position.black_men | position.black_kings
    return (white, black) if position.white_to_move else (black, white)


def _due(position: Position) -> int:
    """How many pieces must be taken."""
    return max((raw[2].bit_count() for raw in raw_captures(position)), default=0)


def _opponent_piece(
    position: Position, written: Written, previous: RawMove | None, following: str | None
) -> Diagnosis:
    due = _due(position)
    origin, destination = BIT[written.origin], BIT[written.destination]
    if previous is not None and previous[:2] == (destination, origin) and not written.takes:
        return Diagnosis(Kind.TAKEN_BACK, captures_due=due)
    turned = position._replace(white_to_move=not position.white_to_move)
    captures = raw_captures(turned)
    legal = [raw for raw in captures or raw_quiet_moves(turned) if raw[0] == origin and raw[1] == destination]
    played_as = legal[0] if len(legal) == 1 else None
    after = following and parse(following)
    if played_as and after and after.fault is None:
        own, _ = _sides(position)
        if BIT[after.origin] & own:
            return Diagnosis(Kind.TWO_IN_A_ROW, captures_due=due, played_as=played_as)
    return Diagnosis(
        Kind.OPPONENT_PIECE, captures_due=due, played_as=played_as or _displaced(position, written)
    )


def _displaced(position: Position, written: Written) -> RawMove | None:
    """The piece simply put on the square named, when that is empty."""
    destination = BIT[written.destination]
    if destination & position.occupied:
        return None
    return BIT[written.origin], destination, 0


def _with_capture_due(position: Position, written: Written) -> Diagnosis:
    captures = raw_captures(position)
    due = max(raw[2].bit_count() for raw in captures)
    origin, destination = BIT[written.origin], BIT[written.destination]
    ends = {raw for raw in captures if raw[0] == origin}
    if any(raw[1] == destination for raw in ends):
        return _wrong_path(position, written, due)
    made = routes_taken(position, origin, written.path)
    if made:
        greatest = max(made, key=lambda raw: raw[2].bit_count())
        early = bool(ends) and lands_on_the_way(position, origin, destination, due)
        kind = Kind.STOPPED_EARLY if early else Kind.NOT_MAXIMAL
        return Diagnosis(kind, greatest[2].bit_count(), due, greatest)
    if written.takes and _looks_like_jump(written):
        return _impossible_capture(position, written)._replace(captures_due=due)
    if destination & position.occupied:
        return Diagnosis(Kind.OCCUPIED, captures_due=due)
    return Diagnosis(Kind.CAPTURE_MANDATORY, 0, due, _displaced(position, written))


def _wrong_path(position: Position, written: Written, due: int) -> Diagnosis:
    """The squares named between origin and destination fit no road of the capture."""
    made = routes_taken(position, BIT[written.origin], written.path)
    if made:
        greatest = max(made, key=lambda raw: raw[2].bit_count())
        return Diagnosis(Kind.NOT_MAXIMAL, greatest[2].bit_count(), due, greatest)
    return Diagnosis(_fault_on_path(position, written), captures_due=due)


def _impossible_capture(position: Position, written: Written) -> Diagnosis:
    """Written as a capture, but nothing can be taken that way."""
    return Diagnosis(_fault_on_path(position, written), played_as=_displaced(position, written))


def _fault_on_path(position: Position, written: Written) -> Kind:
    own, _ = _sides(position)
    king = bool(BIT[written.origin] & (position.white_kings | position.black_kings))
    jumped: set[int] = set()
    for start, end in zip(written.path, written.path[1:], strict=False):
        between = _between(start, end)
        if between is None:
            return Kind.PATH_IMPOSSIBLE if len(written.path) > 2 else Kind.CAPTURE_IMPOSSIBLE
        pieces = [bit for bit in between if bit & position.occupied and SQUARE[bit] != written.origin]
        if any(bit & own for bit in pieces) and (king or len(between) == 1):
            return Kind.OWN_JUMP
        if any(bit in jumped for bit in pieces):
            return Kind.JUMPED_TWICE
        jumped.update(pieces)
    return Kind.PATH_IMPOSSIBLE if len(written.path) > 2 else Kind.CAPTURE_IMPOSSIBLE


def _without_capture(position: Position, written: Written) -> Diagnosis:
    if written.takes and _looks_like_jump(written):
        return _impossible_capture(position, written)
    destination = BIT[written.destination]
    if destination & position.occupied:
        return Diagnosis(Kind.OCCUPIED)
    king = BIT[written.origin] & (position.white_kings | position.black_kings)
    kind = _king_fault(written) if king else _man_fault(position, written)
    return Diagnosis(kind, played_as=_displaced(position, written))


def _looks_like_jump(written: Written) -> bool:
    """A capture sign between neighbouring squares is a slip of the pen over a quiet move."""
    return len(written.path) > 2 or _between(written.origin, written.destination) != ()


def _king_fault(written: Written) -> Kind:
    between = _between(written.origin, written.destination)
    return Kind.KING_OFF_LINE if between is None else Kind.KING_BLOCKED


def _man_fault(position: Position, written: Written) -> Kind:
    rows = _row(written.destination) - _row(written.origin)
    forward = -rows if position.white_to_move else rows
    if forward > 1:
        return Kind.TOO_FAR
    if forward < 0 and _between(written.origin, written.destination) is not None:
        return Kind.MAN_BACKWARDS
    return Kind.MAN_OFF_LINE


def _row(square: int) -> int:
    return (square - 1) // 5


def _column(square: int) -> int:
    row = _row(square)
    return 2 * ((square - 1) % 5) + (1 - row % 2)


def _between(start: int, end: int) -> tuple[int, ...] | None:
    """The bits strictly between two squares of one diagonal; `None` when they share none."""
    rows, columns = _row(end) - _row(start), _column(end) - _column(start)
    if rows == 0 or abs(rows) != abs(columns):
        return None
    row_step, column_step = rows // abs(rows), columns // abs(columns)
    found = []
    for n in range(1, abs(rows)):
        row, column = _row(start) + n * row_step, _column(start) + n * column_step
        found.append(BIT[row * 5 + column // 2 + 1])
    return tuple(found)
