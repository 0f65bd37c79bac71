"""Sheets written the other way round: columns exchanged or one below the other, one side's moves only, squares numbered from
the other side.

Promises: a sheet whose first moves fit is left as it is; another arrangement is taken only when the game goes much further
under it, and it is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from rules.board import START
from rules.notation import Written, parse
from rules.replay import replay


class Layout(StrEnum):
    """How the moves stood on the sheet, where that is not White's and Black's by turns."""

    EXCHANGED = "columns-exchanged"
    ONE_BELOW_OTHER = "columns-one-below-the-other"
    WHITE_ONLY = "white-moves-only"
    BLACK_ONLY = "black-moves-only"
    TURNED = "numbered-from-the-other-side"
    WHITE_TURNED = "white-moves-numbered-from-the-other-side"
    BLACK_TURNED = "black-moves-numbered-from-the-other-side"


class Arranged(NamedTuple):
    """Moves in the order of the game; `layouts` is empty when they stood so already."""

    moves: tuple[str, ...]
    layouts: tuple[Layout, ...] = ()


_SQUARES = 51
_LEAST = 4
"""So many plies at least have to fit before an arrangement is believed."""
_LATER = 6
"""So many plies further than as written it has to go."""


def arrange(moves: Sequence[str]) -> Arranged:
    """Put the moves of a game from the start position into their order, where they stood otherwise."""
    as_written = tuple(moves)
    if len(as_written) < _LEAST or _begins_well(as_written):
        return Arranged(as_written)
    least = _reach(as_written)
    best, reach = Arranged(as_written), least
    for arranged in _arrangements(as_written):
        found = _reach(arranged.moves)
        if found > reach:
            best, reach = arranged, found
    while best.layouts and parse(best.moves[-1]).fault == "not-written":
        best = best._replace(moves=best.moves[:-1])
    if reach >= _LEAST and reach == len(best.moves) > least:
        return best
    own = _own_moves_only(as_written)
    if own is not None:
        return own
    return best if reach >= _LEAST and reach >= least + _LATER else Arranged(as_written)


def _begins_well(moves: Sequence[str]) -> bool:
    """Whether the first two moves written are of a man of White's and then of one of Black's. Moves left out tell nothing."""
    first, second = (parse(move) for move in moves[:2])
    if first.fault == "not-written" and second.fault == "not-written":
        return True
    white = first.fault == "not-written" or (not first.fault and first.origin > 30)
    black = second.fault == "not-written" or (not second.fault and second.origin <= 20)
    third = parse(moves[2])
    return white and black and (third.fault is not None or not (second.fault and third.origin <= 20))


def _reach(moves: Sequence[str]) -> int:
    return len(replay(moves, START).raws)


def _arrangements(moves: tuple[str, ...]) -> list[Arranged]:
    exchanged = _exchanged(moves)
    found = [
        Arranged(exchanged, (Layout.EXCHANGED,)),
        *(Arranged(below, (Layout.ONE_BELOW_OTHER,)) for below in _one_below_other(moves)),
    ]
    bases = [Arranged(moves), *found]
    turns: tuple[tuple[Layout, Callable[[int], bool]], ...] = (
        (Layout.TURNED, lambda _: True),
        (Layout.WHITE_TURNED, lambda ply: ply % 2 == 0),
        (Layout.BLACK_TURNED, lambda ply: ply % 2 == 1),
    )
    for base in bases:
        for layout, turned in turns:
            changed = tuple(_turned(move) if turned(ply) else move for ply, move in enumerate(base.moves))
            found.append(Arranged(changed, (*base.layouts, layout)))
    return found


def _exchanged(moves: tuple[str, ...]) -> tuple[str, ...]:
    """Every two moves the other way round; of an odd one at the end the place is kept."""
    pairs = [moves[at : at + 2][::-1] for at in range(0, len(moves), 2)]
    flat = [move for pair in pairs for move in pair]
    if len(moves) % 2:
        flat[-1:] = ["", flat[-1]] if parse(moves[-1]).fault is None else [flat[-1]]
    return tuple(flat)


def _one_below_other(moves: tuple[str, ...]) -> list[tuple[str, ...]]:
    """White's moves and then Black's, or Black's first: taken by turns."""
    half = (len(moves) + 1) // 2
    found = []
    for first, second in (
        (moves[:half], moves[half:]),
        (moves[len(moves) - half :], moves[: len(moves) - half]),
    ):
        mixed = [move for pair in zip(first, second, strict=False) for move in pair]
        if len(first) > len(second):
            mixed.append(first[-1])
        found.append(tuple(mixed))
    return found


def _turned(move: str) -> str:
    """A move with each square numbered from the other side."""
    written = parse(move)
    if written.fault is not None:
        return move
    sign = "x" if written.takes else "-"
    return sign.join(str(_SQUARES - square) for square in written.path) + (
        " a.l." if written.ad_libitum else ""
    )


def _own_moves_only(moves: tuple[str, ...]) -> Arranged | None:
    """White's moves or Black's alone, the other side's left out: each in its place."""
    written = [parse(move) for move in moves]
    told = [(ply, one) for ply, one in enumerate(written) if one.fault != "not-written"]
    if any(one.fault for _, one in told) or len(told) < _LEAST:
        return None
    for layout, forward, place in ((Layout.WHITE_ONLY, _goes_up, 0), (Layout.BLACK_ONLY, _goes_down, 1)):
        if not _is_one_sided([one for _, one in told], forward):
            continue
        texts = [moves[ply] for ply, _ in told]
        spread: list[str] = []
        for text in texts:
            spread += [text, ""] if place == 0 else ["", text]
        while spread and not spread[-1]:
            spread.pop()
        return Arranged(tuple(spread), (layout,))
    return None


def _goes_up(move: Written) -> bool:
    return (move.destination - 1) // 5 < (move.origin - 1) // 5


def _goes_down(move: Written) -> bool:
    return (move.destination - 1) // 5 > (move.origin - 1) // 5


def _is_one_sided(moves: Sequence[Written], forward: Callable[[Written], bool]) -> bool:
    """Whether all moves could be of one side: the quiet ones go one row forward or are far ones of a king."""
    quiet = [move for move in moves if not move.takes and abs(move.destination - move.origin) <= 6]
    first_row = moves[0].origin > 30 if forward is _goes_up else moves[0].origin <= 20
    if not first_row or not quiet:
        return False
    return sum(map(forward, quiet)) >= 0.9 * len(quiet)
