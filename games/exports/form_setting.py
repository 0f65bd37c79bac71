"""The form for scoresheets that can be read from a photograph, set from the table that its reader uses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import noto_cjk_sans_otc
import segno
import typst

from games.reading import table

_TEMPLATE = Path(__file__).with_name("paper_form.typ")
DOTS = 254  # an inch: ten dots a millimetre

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """The texts of one page: `head` are the lines over the moves, `white` and `black` head the columns, `feet` are what is
    filled in under them, `hint` tells how to write, `corner` stands under the code. `page` counts from 1."""

    code: str
    head: tuple[str, ...] = ()
    white: str = "White"
    black: str = "Black"
    hint: str = ""
    feet: tuple[str, ...] = ()
    corner: str = ""
    page: int = 1


def to_pdf(pages: Sequence[FormPage], *, language: str = "en") -> bytes:
    return bytes(typst_of(pages, language=language).compile(format="pdf"))


def to_png(page: FormPage) -> bytes:
    """One page as a picture of ten dots a millimetre."""
    return bytes(typst_of([page]).compile(format="png", ppi=DOTS))


def typst_of(pages: Sequence[FormPage], *, language: str = "en") -> Any:
    data = {
        "language": language,
        "black": _marks(),
        "cells": [table.cell(ply) for ply in range(table.PLIES)],
        "boxes": table.BOXES,
        "box": [table.BOX_WIDTH, table.ROW_HEIGHT],
        "line": table.LINE_WIDTH,
        "luma": table.LINE_LUMA,
        "dash": [table.DASH_X, table.DASH_LUMA],
        "numbers": [
            (table.block_x(n // table.ROWS), table.row_y(n % table.ROWS)) for n in range(table.MOVES)
        ],
        "columns": [
            (table.cell(2 * table.ROWS * block + side)[0], row_y)
            for block in range(table.BLOCKS)
            for side in (0, 1)
            for row_y in (table.TOP_Y,)
        ],
        "pages": [
            asdict(page) | {"qr": qr_squares(page.code), "first": table.MOVES * (page.page - 1)}
            for page in pages
        ],
    }
    return typst.Compiler(
        _TEMPLATE.read_bytes(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )


@lru_cache(maxsize=1)
def _fonts() -> Any:
    folder = Path(noto_cjk_sans_otc.__file__).parent
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(folder)])


def _marks() -> list[Rectangle]:
    size = table.MARKER_SIZE / 6
    return [
        (x + column * size, y + row * size, size, size)
        for number, (x, y) in enumerate(table.MARKERS)
        for row, squares in enumerate(table.marker_rows(number))
        for column, black in enumerate(squares)
        if black
    ]


def qr_squares(text: str) -> list[Rectangle]:
    """The black runs of the code, level M, in millimetres of the page."""
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
    size = table.QR_SIZE / len(rows)
    found = []
    for y, row in enumerate(rows):
        start = None
        for x, black in enumerate([*row, 0]):
            if black and start is None:
                start = x
            elif not black and start is not None:
                found.append((table.QR_X + start * size, table.QR_Y + y * size, (x - start) * size, size))
                start = None
    return found
