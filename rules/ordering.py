"""Two copies put into the order of the game before anything is looked for behind them.

A copy written the other way round is arranged (`rules.layouts`); two copies that hold the moves of one player each are one
game, their moves by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from rules.layouts import Layout, arrange
from rules.notation import parse

_ONE_SIDED = 0.8  # of a copy's moves go one way: on a whole copy about half of them do


class Ordered(NamedTuple):
    """Copies in the order of the game and how they stood. `interleaved`: two copies became one; `white` is then the
    number of the copy with White's moves."""

    copies: tuple[Sequence[str], ...]
    layouts: tuple[tuple[int, Layout], ...] = ()
    interleaved: bool = False
    white: int = 0

    def owner_of(self, place: int) -> int:
        """The copy that the text at a place of the interleaved game was written in."""
        return self.white if place % 2 == 0 else 1 - self.white


def order(sheets: Sequence[Sequence[str]]) -> Ordered:
    """Arrange copies of a game from the start position. A copy of one player's moves beside a whole one stays as it is."""
    up = [_share_upwards(sheet) for sheet in sheets]
    if len(sheets) == 2 and max(up) >= _ONE_SIDED and min(up) <= 1 - _ONE_SIDED:
        white = up.index(max(up))
        layouts: tuple[tuple[int, Layout], ...] = (
            (white, Layout.WHITE_ONLY),
            (1 - white, Layout.BLACK_ONLY),
        )
        own = [[text for text in sheet if text.strip()] for sheet in sheets]
        moves = [text for pair in zip_longest(own[white], own[1 - white], fillvalue="") for text in pair]
        while moves and not moves[-1]:
            moves.pop()
        return Ordered((moves,), layouts, interleaved=True, white=white)
    arranged = [arrange(sheet) for sheet in sheets]
    found_layouts = tuple(
        (number, layout) for number, found in enumerate(arranged) for layout in found.layouts
    )
    return Ordered(tuple(found.moves for found in arranged), found_layouts)


def _share_upwards(sheet: Sequence[str]) -> float:
    """The share of the moves that go towards the low numbers, as White's men walk; a half where nothing is readable."""
    written = [parse(text) for text in sheet]
    moves = [(one.origin, one.destination) for one in written if len(one.path) > 1]
    return sum(goal < origin for origin, goal in moves) / len(moves) if moves else 0.5
