"""One page of the form read: its code, and for each cell with writing the probabilities of its four boxes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import zxingcpp

from games.reading import pictures, table
from games.reading.boxes import CLASSES, EMPTY, HEIGHT, WIDTH, Array, normalised
from games.reading.code import Code
from games.reading.faults import Fault, Unreadable
from games.reading.flattening import PITCH, Flat, flatten

WEIGHTS = Path(__file__).with_name("boxes.onnx")
TEMPERATURE = 1.0  # fitted on whole pages: the network is honest, slightly modest
BATCH = 162
STRUCK = 0.9  # of a cell's width under one stroke
FAINTEST = 25  # grey values below the paper that can be ink, whatever the pen
SURE_DIGIT = 0.5  # the mean of the likeliest readings below which a page is too blurred
CROP_MARGIN = 1.0
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCell:
    """A cell with writing. `ply` counts from 0 over all pages of a side; `boxes` are 4 x 11 log-probabilities;
    `picture` is a PNG of the cell."""

    ply: int
    boxes: tuple[tuple[float, ...], ...]
    picture: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is on a page of the form. `struck` are the plies of cells that the writer crossed out."""

    code: Code | None
    cells: tuple[WrittenCell, ...]
    struck: tuple[int, ...]
    markers: int
    off: float


def read_page(picture: bytes, *, with_pictures: bool = True) -> Page:
    """Read a picture file of one page. Raises Unreadable naming what is wrong with the picture."""
    photo = pictures.grey(picture)
    flat = flatten(photo)
    code = _code(flat, photo)
    odds = _odds(_crops(flat.page))
    written, struck = _written(odds, flat.page)
    if written and _clearness(odds, written) < SURE_DIGIT:
        raise Unreadable(Fault.BLURRED)
    first = table.PLIES * ((code.page if code else 1) - 1)
    logs = np.log(np.maximum(odds, 1e-9))
    return Page(
        code=code,
        cells=tuple(
            WrittenCell(
                ply=first + ply,
                boxes=tuple(tuple(float(value) for value in box) for box in logs[ply]),
                picture=_png(flat.page, ply) if with_pictures else b"",
            )
            for ply in written
        ),
        struck=tuple(first + ply for ply in struck),
        markers=flat.markers,
        off=flat.off,
    )


def _code(flat: Flat, photo: Array) -> Code | None:
    margin = 3
    x, y, size = (
        int(value * PITCH) for value in (table.QR_X - margin, table.QR_Y - margin, table.QR_SIZE + 2 * margin)
    )
    for image in (flat.page[y : y + size, x : x + size], flat.page, photo):
        for found in zxingcpp.read_barcodes(np.ascontiguousarray(image), formats=_QR):
            code = Code.read(found.text)
            if code is not None:
                return code
    return None


def _crops(page: Array) -> Array:
    """PLIES * 4 boxes as the network sees them."""
    half_w = table.BOX_WIDTH / 2 + table.BOX_MARGIN_X
    half_h = table.ROW_HEIGHT / 2 + table.BOX_MARGIN_Y
    found = []
    for ply in range(table.PLIES):
        x, y = table.cell(ply)
        for box in table.BOXES:
            left = round((x + box + table.BOX_WIDTH / 2 - half_w) * PITCH)
            top = round((y + table.ROW_HEIGHT / 2 - half_h) * PITCH)
            part = page[top : top + int(2 * half_h * PITCH), left : left + int(2 * half_w * PITCH)]
            found.append(cv2.resize(part, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))
    return np.stack(found)


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))


def _odds(crops: Array) -> Array:
    """Probabilities of the digits and of an empty box: PLIES x 4 x 11."""
    network, found = _network(), []
    for start in range(0, len(crops), BATCH):
        network.setInput(normalised(crops[start : start + BATCH]))
        found.append(network.forward().copy())
    logits = np.concatenate(found).astype(np.float64) / TEMPERATURE
    odds = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True)).reshape(-1, len(table.BOXES), CLASSES)


def _written(odds: Array, page: Array) -> tuple[list[int], list[int]]:
    """The plies with writing up to the last of them, and those crossed out."""
    full = [ply for ply in range(table.PLIES) if odds[ply, :, EMPTY].prod() < 0.5]
    struck = [ply for ply in full if _is_struck(page, ply)]
    return [ply for ply in full if ply not in set(struck)], struck


def _is_struck(page: Array, ply: int) -> bool:
    """Whether one stroke runs through the whole cell, over the gaps between its digits."""
    x, y = table.cell(ply)
    inset = 1.4
    rows = slice(int((y + inset) * PITCH), int((y + table.ROW_HEIGHT - inset) * PITCH))
    part = page[rows, int((x + 0.6) * PITCH) : int((x + table.CELL_WIDTH - 0.6) * PITCH)]
    dark = 255.0 - part
    pen = float(np.quantile(dark, 0.985))
    printed = 255 - table.LINE_LUMA
    ink: Array = (dark > max(FAINTEST, 0.5 * pen)).astype(np.uint8)
    if pen < 2 * printed:  # a faint pencil: the upright lines of the boxes go, a stroke along the cell stays
        ink = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, 5), np.uint8))
    ink = cv2.dilate(ink, np.ones((5, 5), np.uint8))
    count, labels = cv2.connectedComponents(ink)
    if count < 2:
        return False
    wide = max(np.ptp(np.flatnonzero((labels == label).any(0))) for label in range(1, count))
    return bool(wide > STRUCK * part.shape[1])


def _clearness(odds: Array, written: list[int]) -> float:
    best = odds[written].max(2)
    digits = odds[written].argmax(2) != EMPTY
    return float(best[digits].mean()) if digits.any() else 0.0


def _png(page: Array, ply: int) -> bytes:
    x, y = table.cell(ply)
    top, bottom = ((y - CROP_MARGIN) * PITCH, (y + table.ROW_HEIGHT + CROP_MARGIN) * PITCH)
    left, right = ((x - CROP_MARGIN) * PITCH, (x + table.CELL_WIDTH + CROP_MARGIN) * PITCH)
    part = page[int(top) : int(bottom), int(left) : int(right)]
    small = cv2.resize(part, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".png", small)[1])
