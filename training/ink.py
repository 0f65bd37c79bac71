"""Single boxes with real digits, printed lines and a simulated camera, at the size at which the network sees them."""

from __future__ import annotations

import cv2
import numpy as np

from games.reading import table
from games.reading.boxes import HEIGHT, WIDTH
from training.split import Array, Digits

EMPTY = 10
SCALE = WIDTH / (table.BOX_WIDTH + 2 * table.BOX_MARGIN_X)  # pixels a millimetre
BOX_W, BOX_H = table.BOX_WIDTH * SCALE, table.ROW_HEIGHT * SCALE
CENTRE = 13.5  # of a digit of 28 pixels


def glyph(image: Array, digit: int, chance: np.random.Generator, *, barred: bool) -> Array:
    """The digit as it is, or as on the continent: a seven with a bar, a one with a flag and sometimes a foot."""
    if barred and digit == 7:
        return _barred(image, chance)
    if barred and digit == 1:
        return _flagged(image, chance)
    return image


def _barred(image: Array, chance: np.random.Generator) -> Array:
    ys, xs = np.nonzero(image > 100)
    middle = (ys.min() + ys.max()) / 2 + chance.normal(0, 1.2)
    row = np.abs(ys - middle) < 1.5
    if not row.any():
        return image
    x, half, tilt = xs[row].mean(), chance.uniform(3, 6), chance.normal(0, 1)
    return _line(
        image, (x - half, middle + tilt), (x + 0.8 * half, middle - tilt), 2 if chance.random() < 0.6 else 1
    )


def _flagged(image: Array, chance: np.random.Generator) -> Array:
    ys, xs = np.nonzero(image > 100)
    top, bottom = ys.min(), ys.max()
    x, length = xs[ys <= top + 1].mean(), chance.uniform(3.5, 8)
    found = _line(image, (x, top + 1), (x - length, top + length * chance.uniform(0.6, 1.3)), 2)
    if chance.random() < 0.25:
        foot = xs[ys >= bottom - 1].mean()
        found = _line(found, (foot - 3.5, bottom), (foot + 3.5, bottom), 2)
    return found


def _line(image: Array, start: tuple[float, float], end: tuple[float, float], width: int) -> Array:
    found = image.copy()
    ends = [(round(x * 8), round(y * 8)) for x, y in (start, end)]
    cv2.line(found, ends[0], ends[1], 255, width, cv2.LINE_AA, 3)
    return found


def crop(digits: Digits, by_label: dict[int, Array], label: int, chance: np.random.Generator) -> Array:
    """One box (HEIGHT x WIDTH grey values) with what spills over from its neighbours. Label EMPTY leaves it empty."""
    ink = np.zeros((HEIGHT, WIDTH), np.float32)
    cx, cy = WIDTH / 2 + chance.normal(0, 1.1), HEIGHT / 2 + chance.normal(0, 1.1)
    hand = _Hand(digits, by_label, chance)
    if label != EMPTY:
        hand.write(ink, label, cx + chance.normal(0, 2.4), cy + chance.normal(0, 2.2))
        if chance.random() < 0.03:
            hand.write(ink, label, cx + chance.normal(0, 1), cy + chance.normal(0, 1))
    elif chance.random() < 0.15:
        speck = int(chance.integers(4, WIDTH - 4)), int(chance.integers(4, HEIGHT - 4))
        cv2.circle(ink, speck, 1, 0.8, -1)
    for side in (-1, 1):
        if chance.random() < 0.6:
            hand.write(
                ink,
                int(chance.integers(10)),
                cx + side * BOX_W + chance.normal(0, 2.8),
                cy + chance.normal(0, 2.4),
            )
        if chance.random() < 0.5:
            hand.write(
                ink,
                int(chance.integers(10)),
                cx + chance.normal(0, 3),
                cy + side * BOX_H + chance.normal(0, 2.4),
            )
    return _seen(ink, _printed(cx, cy), chance)


class _Hand:
    """One writer's size, slant and pressure for one box; the digits are of any writer of the group."""

    def __init__(self, digits: Digits, by_label: dict[int, Array], chance: np.random.Generator) -> None:
        self.digits, self.by_label, self.chance = digits, by_label, chance
        self.barred = chance.random() < 0.4
        self.slant, self.size = chance.normal(-0.02, 0.15), chance.uniform(0.72, 1.3)
        self.thick = chance.uniform(-0.12, 0.22)

    def write(self, ink: Array, digit: int, x: float, y: float) -> None:
        chance = self.chance
        image = glyph(
            self.digits.images[chance.choice(self.by_label[digit])], digit, chance, barred=self.barred
        )
        size, turn = self.size * chance.normal(1, 0.06), chance.normal(0, 0.06)
        slant, wide = self.slant + chance.normal(0, 0.06), chance.normal(1, 0.08)
        turned = np.array(
            [
                [np.cos(turn) * size * wide, -np.sin(turn) * size + slant * size],
                [np.sin(turn) * size * wide, np.cos(turn) * size],
            ]
        )
        shift = np.array([x, y]) - turned @ np.array([CENTRE, CENTRE])
        drawn = cv2.warpAffine(image, np.c_[turned, shift].astype(np.float32), (WIDTH, HEIGHT)).astype(
            np.float32
        )
        drawn = np.clip((drawn / 255 - (0.5 - self.thick)) * 1.6 + 0.2, 0, 1)
        np.maximum(ink, drawn, out=ink)


def _printed(cx: float, cy: float) -> Array:
    lines = np.zeros((HEIGHT, WIDTH), np.float32)
    for side in (-1, 0, 1):
        left, top = cx - BOX_W / 2 + side * BOX_W, cy - BOX_H / 2
        start = round(left * 8), round(top * 8)
        end = round((left + BOX_W) * 8), round((top + BOX_H) * 8)
        cv2.rectangle(lines, start, end, 1.0, 1, cv2.LINE_AA, 3)
    return lines


def _seen(ink: Array, lines: Array, chance: np.random.Generator) -> Array:
    """What a camera makes of ink and lines: blur, shake, light, noise."""
    pen = chance.uniform(0.12, 0.6)
    image = (1 - lines * (1 - chance.uniform(0.55, 0.97))) * (1 - ink) + pen * ink
    image = cv2.GaussianBlur(image, (0, 0), chance.uniform(0.3, 1.15))
    if chance.random() < 0.25:
        length = int(chance.integers(2, 4))
        shake = np.full((1, length), 1 / length, np.float32)
        image = cv2.filter2D(image, -1, shake if chance.random() < 0.5 else shake.T)
    if chance.random() < 0.4:
        light = np.linspace(1, chance.uniform(0.8, 1.0), WIDTH, dtype=np.float32)
        image = image * (light if chance.random() < 0.5 else light[::-1])
    noise = chance.normal(0, chance.uniform(0.005, 0.04), image.shape)
    image = image * chance.uniform(0.9, 1.05) + noise
    return (np.clip(image, 0, 1) * 255).astype(np.uint8)
