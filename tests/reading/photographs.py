"""Simulated photographs of filled forms, small enough to make in a second."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from games.exports.form_setting import FormPage, to_png
from games.reading import table
from games.reading.code import Code
from training.pages import Camera, Writer, filled, jpeg, photographed
from training.split import Array, Digits

SMALL = Camera(width=1500)
CODE = Code(
    event="spring-open", section="OPEN", round=3, board=7, game=1, side="W", page=1, signature="ABCDEFGH"
)


@lru_cache(maxsize=1)
def digits() -> Digits:
    """Twenty rows of eight digits: 0 to 9 of one writer, then of another."""
    sprite = cv2.imread(str(Path(__file__).with_name("digits.png")), cv2.IMREAD_GRAYSCALE)
    assert sprite is not None
    images = np.concatenate([np.split(row, 8, axis=1) for row in np.split(sprite, 20)])
    rows = np.repeat(np.arange(20), 8)
    return Digits(images, rows % 10, rows // 10)


@lru_cache(maxsize=8)
def form(code: str, page: int = 1) -> Array:
    found = cv2.imdecode(np.frombuffer(to_png(FormPage(code=code, page=page)), np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return found


def photo(
    moves: Sequence[str],
    *,
    code: Code = CODE,
    writer: int = 0,
    seed: int = 1,
    struck: float = 0.0,
    camera: Camera = SMALL,
) -> Array:
    """A page of the form with these moves, written by one of the two writers and photographed."""
    written = [
        (*(int(square) for square in move.replace("x", "-").split("-")[:2]), "x" in move) for move in moves
    ]
    page = filled(form(code.text, code.page), written, Writer(digits(), writer, seed), struck=struck).page  # type: ignore[arg-type]
    return photographed(page, np.random.default_rng(seed), camera)


def picture(moves: Sequence[str], **how: object) -> bytes:
    return jpeg(photo(moves, **how))  # type: ignore[arg-type]


def scanned(pictures: Sequence[bytes]) -> bytes:
    """A PDF with one picture a page, as scanners make it."""
    pages = [Image.open(io.BytesIO(content)) for content in pictures]
    out = io.BytesIO()
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:])
    return out.getvalue()


PLIES = table.PLIES
