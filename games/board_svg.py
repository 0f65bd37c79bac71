"""The board as SVG text. Pure: a position in, markup out; only numbers go into it, so it is safe as it stands.

Colours come from the style sheet by class; the marks of kings and of the last move are shapes too, never colour alone.
"""

from __future__ import annotations

from collections.abc import Collection

from rules import Position, Side

CELL = 10
EMPTY, WHITE_MAN, WHITE_KING, BLACK_MAN, BLACK_KING = ".wWbB"


def cell(square: int, *, flipped: bool = False) -> tuple[int, int]:
    """(column, row) of a square, 0 to 9 from the top left; `flipped` seen from Black's side."""
    row = (square - 1) // 5
    column = 2 * ((square - 1) % 5) + (1 - row % 2)
    return (9 - column, 9 - row) if flipped else (column, row)


def signs(position: Position) -> str:
    """The fifty squares in order, one sign each: `.` empty, `w` `W` white man and king, `b` `B` black."""
    found = [EMPTY] * 50
    for side, man, king in ((Side.WHITE, WHITE_MAN, WHITE_KING), (Side.BLACK, BLACK_MAN, BLACK_KING)):
        for square in position.men(side):
            found[square - 1] = man
        for square in position.kings(side):
            found[square - 1] = king
    return "".join(found)


def draw(
    position: Position,
    *,
    flipped: bool = False,
    numbers: bool = True,
    marked: Collection[int] = (),
    taken: Collection[int] = (),
) -> str:
    """The board. `marked` squares get a frame (the move just made), `taken` ones a cross (pieces just captured)."""
    parts = [
        '<svg class="draughts-board" viewBox="-1 -1 102 102" aria-hidden="true" focusable="false">',
        '<rect class="edge" x="-1" y="-1" width="102" height="102"/>',
        '<rect class="light" width="100" height="100"/>',
        '<g class="squares">',
        *(_square(n, flipped=flipped) for n in range(1, 51)),
        '</g><g class="marks">',
        *(_mark(n, flipped=flipped) for n in sorted(marked)),
        '</g><g class="pieces">',
        *(_piece(n, sign, flipped=flipped) for n, sign in enumerate(signs(position), 1) if sign != EMPTY),
        '</g><g class="taken">',
        *(_cross(n, flipped=flipped) for n in sorted(taken)),
        "</g>",
    ]
    if numbers:
        parts += ['<g class="numbers">', *(_number(n, flipped=flipped) for n in range(1, 51)), "</g>"]
    return "".join([*parts, "</svg>"])


def _square(square: int, *, flipped: bool) -> str:
    column, row = cell(square, flipped=flipped)
    return f'<rect x="{column * CELL}" y="{row * CELL}" width="{CELL}" height="{CELL}"/>'


def _mark(square: int, *, flipped: bool) -> str:
    column, row = cell(square, flipped=flipped)
    return f'<rect x="{column * CELL + 0.6:g}" y="{row * CELL + 0.6:g}" width="8.8" height="8.8"/>'


def _piece(square: int, sign: str, *, flipped: bool) -> str:
    column, row = cell(square, flipped=flipped)
    x, y = column * CELL + 5, row * CELL + 5
    colour = "white" if sign.lower() == WHITE_MAN else "black"
    body = f'<circle cx="{x}" cy="{y}" r="3.8"/><circle class="ring" cx="{x}" cy="{y}" r="2.9"/>'
    crown = (
        f'<path class="crown" d="M{x - 2.2:g} {y + 1.6:g}v-3l1.3 1.3 0.9-2 0.9 2 1.3-1.3v3z"/>'
        if sign.isupper()
        else ""
    )
    return f'<g class="{colour}">{body}{crown}</g>'


def _cross(square: int, *, flipped: bool) -> str:
    column, row = cell(square, flipped=flipped)
    x, y = column * CELL, row * CELL
    return f'<path d="M{x + 2.5:g} {y + 2.5:g}l5 5m0-5l-5 5"/>'


def _number(square: int, *, flipped: bool) -> str:
    column, row = cell(square, flipped=flipped)
    return f'<text x="{column * CELL + 0.4:g}" y="{row * CELL + 2.1:g}">{square}</text>'


_DARK = "".join(f"M{x} {y}h1v1h-1z" for y in range(10) for x in range(10) if (x + y) % 2)
_DIAGONAL = "".join(f"M{x} {9 - x}h1v1h-1z" for x in range(10))
_FRAME = '<path class="fr" d="M-.2-.2h10.4v10.4H-.2z"/>'
_THUMB = range(2, 8)  # the middle of the board, of which a small picture is cropped


def picture(position: Position, *, thumb: bool = False) -> str:
    """The board as the picture of an event, the long diagonal lit; `thumb` shows its middle 6x6 alone."""
    pieces = "".join(
        _disc(n, sign, thumb=thumb)
        for n, sign in enumerate(signs(position), 1)
        if sign != EMPTY and (not thumb or all(c in _THUMB for c in cell(n)))
    )
    box, kind, frame = ("2 2 6 6", "pos thumb", "") if thumb else ("-.4 -.4 10.8 10.8", "pos", _FRAME)
    return (
        f'<svg class="{kind}" viewBox="{box}" aria-hidden="true" focusable="false">{frame}<path class="lt" d="M0 0h10v10H0z"/>'
        f'<path class="dk" d="{_DARK}"/><path class="ld" d="{_DIAGONAL}"/>{pieces}</svg>'
    )


def _disc(square: int, sign: str, *, thumb: bool) -> str:
    """A man is a disc with a ring; a king two discs, one on the other."""
    column, row = cell(square)
    x, y = column + 0.5, row + 0.5
    colour = sign.lower()
    heights = (y + 0.08, y - 0.08) if sign.isupper() else (y,)
    discs = "".join(f'<circle class="p{colour}" cx="{x:g}" cy="{h:g}" r=".38"/>' for h in heights)
    return discs if thumb else f'{discs}<circle class="r{colour}" cx="{x:g}" cy="{heights[-1]:g}" r=".22"/>'
