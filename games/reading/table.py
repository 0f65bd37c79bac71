"""The form in millimetres from its upper left corner: the one table that the printer and the reader of the form share.

A page holds 81 moves in three blocks of 27 rows. A side of a move is a cell of four boxes, one digit each: two for the
square that the piece leaves, two for the one it reaches. Nine markers hold the page even where paper bends, and three
rows of them leave a gap in the middle of each block.
"""

from __future__ import annotations

PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0
MARKER_SIZE = 8.0
MARKERS = tuple((x, y) for y in (8.0, 154.0, 267.0) for x in (8.0, 101.0, 194.0))  # by their number
# The inner 4 x 4 squares of each marker (DICT_4X4_50), white is 1, row by row; around them is a black rim.
MARKER_SQUARES = (0xB532, 0x0F9A, 0x332D, 0x9946, 0x549E, 0x79CD, 0x9E2E, 0xC4F2, 0xFEDA)
QR_X, QR_Y, QR_SIZE = 152.0, 7.0, 22.0

BLOCKS, ROWS, ROWS_ABOVE = 3, 27, 14
MOVES = BLOCKS * ROWS
PLIES = 2 * MOVES
ROW_HEIGHT = 7.6
BLOCK_X, BLOCK_STEP = 11.0, 63.0
TOP_Y, MIDDLE_Y = 46.0, 164.0
NUMBER_WIDTH = 7.0
SIDE_STEP = 28.5
CELL_WIDTH = 27.0
BOX_WIDTH = 6.0
BOXES = (0.0, 6.0, 15.0, 21.0)
DASH_X = 13.5
LINE_WIDTH, LINE_LUMA, DASH_LUMA = 0.2, 165, 150

# What the reader sees of a box beyond its lines, on each side: digits spill over.
BOX_MARGIN_X, BOX_MARGIN_Y = 1.0, 1.2


def row_y(row: int) -> float:
    """The upper edge of a row of a block, from 0."""
    return TOP_Y + row * ROW_HEIGHT if row < ROWS_ABOVE else MIDDLE_Y + (row - ROWS_ABOVE) * ROW_HEIGHT


def block_x(block: int) -> float:
    return BLOCK_X + BLOCK_STEP * block


def cell(ply: int) -> tuple[float, float]:
    """The upper left corner of the cell of a ply of a page, from 0."""
    move, side = divmod(ply, 2)
    block, row = divmod(move, ROWS)
    return block_x(block) + NUMBER_WIDTH + side * SIDE_STEP, row_y(row)


def marker_rows(number: int) -> list[list[bool]]:
    """The 6 x 6 squares of a marker: True is black."""
    bits = MARKER_SQUARES[number]
    inner = [[not bits >> (15 - 4 * row - column) & 1 for column in range(4)] for row in range(4)]
    return [[True] * 6, *[[True, *row, True] for row in inner], [True] * 6]
