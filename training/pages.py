"""Whole pages: the printed form filled in by one writer with real digits, then photographed. Paper and camera are simulated.

A `Writer` has a pen, a size and habits; `filled` writes a game as the writer noted it; `photographed` bends the page, lights
it and takes its picture; `DAMAGE` are kinds of harm that the network was not trained with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from games.reading import table
from games.reading.flattening import PITCH
from training.ink import CENTRE, EMPTY, glyph
from training.split import Array, Digits

Written = tuple[int, int, bool]  # origin, destination, whether a cross is written
# Blue, black, pencil, dark blue, as (blue, green, red) parts of the paper's light.
PENS = ((0.75, 0.25, 0.15), (0.25, 0.22, 0.22), (0.45, 0.42, 0.42), (0.62, 0.15, 0.1))
STAMP = 90  # pixels of the square in which a digit is drawn


class Writer:
    """One hand: its digits, and habits drawn by a seed."""

    def __init__(self, digits: Digits, writer: int, seed: int) -> None:
        self.chance = chance = np.random.default_rng(seed)
        mine = digits.of([writer])
        self.images = {digit: mine.images[where] for digit, where in mine.by_label().items()}
        self.height = float(np.clip(chance.normal(4.9, 0.55), 3.7, 6.3))
        self.slant, self.thick = chance.normal(-0.02, 0.1), chance.uniform(-0.12, 0.2)
        self.barred = chance.random() < 0.4
        self.pen = PENS[int(chance.integers(len(PENS)))]
        self.off = chance.uniform(0.25, 0.6, 2)
        self.leading_zero, self.first_box = chance.random() < 0.15, chance.random() < 0.2

    def boxes(self, square: int) -> list[int]:
        """The digits of a square in its two boxes, EMPTY for none."""
        if square >= 10 or self.leading_zero:
            return list(divmod(square, 10))
        return [square, EMPTY] if self.first_box else [EMPTY, square]

    def digit(self, ink: Array, digit: int, x: float, y: float) -> None:
        chance = self.chance
        images = self.images[digit]
        image = glyph(images[int(chance.integers(len(images)))], digit, chance, barred=self.barred)
        size = self.height * chance.normal(1, 0.06) / 20 * PITCH
        slant, turn = self.slant + chance.normal(0, 0.05), chance.normal(0, 0.05)
        wide, cos, sin = chance.normal(0.97, 0.07), np.cos(turn), np.sin(turn)
        turned = np.array([[cos * size * wide, -sin * size + slant * size], [sin * size * wide, cos * size]])
        shift = np.array([STAMP / 2, STAMP / 2]) - turned @ np.array([CENTRE, CENTRE])
        drawn = cv2.warpAffine(
            image, np.c_[turned, shift].astype(np.float32), (STAMP, STAMP), flags=cv2.INTER_CUBIC
        ).astype(np.float32)
        drawn = np.clip((drawn / 255 - (0.5 - self.thick)) * 4 + 0.5, 0, 1)
        left, top = round(x * PITCH - STAMP / 2), round(y * PITCH - STAMP / 2)
        under = ink[top : top + STAMP, left : left + STAMP]
        np.maximum(under, drawn[: under.shape[0], : under.shape[1]], out=under)

    def stroke(self, ink: Array, points: Sequence[tuple[float, float]]) -> None:
        width = max(round((0.32 + 1.2 * max(self.thick + 0.12, 0)) * PITCH), 3)
        line = np.array([[int(x * PITCH * 8), int(y * PITCH * 8)] for x, y in points])
        cv2.polylines(ink, [line], False, 1.0, width, cv2.LINE_AA, 3)


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled page (height x width x 3, 0 to 1) with what stands in its boxes: PLIES x 4 labels; `struck` plies are -1."""

    page: Array
    labels: Array


def filled(
    form: Array,
    writing: Sequence[Written],
    writer: Writer,
    *,
    overwritten: float = 0.012,
    struck: float = 0.0,
) -> Filled:
    """Write up to PLIES plies on a form (BGR, PITCH a millimetre); with the odds `struck` a row is spoilt, crossed out and
    written again in the next: both sides, as people do."""
    chance, ink = writer.chance, np.zeros(form.shape[:2], np.float32)
    labels = np.full((table.PLIES, len(table.BOXES)), EMPTY)
    place = 0
    for index, written in enumerate(writing):
        if place % 2 == 0 and chance.random() < struck and place + 2 < table.PLIES:
            for spoilt in (place, place + 1):
                other = writing[int(chance.integers(len(writing)))]
                _write(ink, spoilt, other, writer, overwritten)
                _cross_out(ink, spoilt, writer)
                labels[spoilt] = -1
            place += 2
        if place >= table.PLIES:
            raise ValueError(f"{len(writing) - index} plies do not fit the page")
        labels[place] = _write(ink, place, written, writer, overwritten)
        place += 1
    ink = cv2.GaussianBlur(ink, (0, 0), 0.8)
    pressure = cv2.resize(
        chance.uniform(0.75, 1, (30, 20)).astype(np.float32), ink.shape[::-1], interpolation=cv2.INTER_CUBIC
    )
    cover = (ink * pressure)[..., None]
    page = form.astype(np.float32) / 255 * (1 - cover) + np.array(writer.pen, np.float32) * cover
    return Filled(page, labels)


def _write(ink: Array, ply: int, written: Written, writer: Writer, overwritten: float) -> list[int]:
    chance = writer.chance
    x, y = table.cell(ply)
    digits = writer.boxes(written[0]) + writer.boxes(written[1])
    for left, digit in zip(table.BOXES, digits, strict=True):
        if digit == EMPTY:
            continue
        cx = x + left + table.BOX_WIDTH / 2 + chance.normal(0, writer.off[0])
        cy = y + table.ROW_HEIGHT / 2 + chance.normal(0, writer.off[1])
        if chance.random() < overwritten:
            writer.digit(
                ink, int(chance.integers(10)), cx + chance.normal(0, 0.2), cy + chance.normal(0, 0.2)
            )
        writer.digit(ink, digit, cx, cy)
    if written[2] and chance.random() < 0.7:
        cx, cy = x + table.DASH_X, y + table.ROW_HEIGHT / 2
        writer.stroke(ink, [(cx - 1, cy - 1), (cx + 1, cy + 1)])
        writer.stroke(ink, [(cx - 1, cy + 1), (cx + 1, cy - 1)])
    return digits


def _cross_out(ink: Array, ply: int, writer: Writer) -> None:
    x, y = table.cell(ply)
    chance, middle = writer.chance, y + table.ROW_HEIGHT / 2
    ends = [chance.normal(0, 0.6), chance.normal(0, 0.6)]
    points = [
        (x - 0.3, middle + ends[0]),
        (x + 13, middle + chance.normal(0, 0.4)),
        (x + 27.3, middle + ends[1]),
    ]
    writer.stroke(ink, points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """How hard the picture is. The defaults are an ordinary telephone; factors of 1."""

    width: int = 2000
    blur: float = 1.0
    curl: float = 1.0
    darkest: float = 0.55
    tilt: float = 1.0
    noise: float = 1.0


def photographed(page: Array, chance: np.random.Generator, camera: Camera | None = None) -> Array:
    """The picture of a page on a table: height x width x 3, 0 to 255."""
    camera = camera or Camera()
    image = _on_table(_curled(page, chance, camera), chance, camera)
    image = image * _light(image.shape[1], image.shape[0], chance, camera)[..., None]
    image *= np.array([chance.uniform(0.85, 1), chance.uniform(0.93, 1), 1], np.float32) * chance.uniform(
        0.85, 1.05
    )
    image = cv2.GaussianBlur(image, (0, 0), chance.uniform(0.5, 1.5) * camera.blur * camera.width / 2000)
    if chance.random() < 0.35:
        length = int(chance.integers(3, 6))
        shake = np.full((1, length), 1 / length, np.float32)
        image = cv2.filter2D(image, -1, shake if chance.random() < 0.5 else shake.T)
    grain = chance.normal(0, 1, (*image.shape[:2], 1)).astype(np.float32)
    image = image + grain * chance.uniform(0.008, 0.03) * camera.noise
    return np.clip(image * 255, 0, 255).astype(np.uint8)


def jpeg(image: Array, quality: int = 75) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def _curled(page: Array, chance: np.random.Generator, camera: Camera) -> Array:
    height, width = page.shape[:2]
    across = chance.uniform(0, 12) * (1 if chance.random() < 0.5 else -1) * camera.curl
    down = chance.uniform(0, 5) * camera.curl
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return cv2.remap(
        page,
        (x + down * np.sin(y / height * np.pi * 1.3)).astype(np.float32),
        (y + across * np.sin(x / width * np.pi) * (0.4 + 0.6 * y / height)).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _on_table(page: Array, chance: np.random.Generator, camera: Camera) -> Array:
    """The page in perspective on a table of another colour."""
    width, (tall, wide) = camera.width, page.shape[:2]
    height = int(width * 1.36)
    margin = chance.uniform(0.03, 0.06) * width
    turn = np.deg2rad(chance.normal(0, 3 * camera.tilt))
    far = margin + (width - 2 * margin) * tall / wide
    box = np.array([[margin, margin], [width - margin, margin], [width - margin, far], [margin, far]])
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = box.mean(0)
    box = (box - centre) @ turned.T * 0.97 + centre + chance.normal(0, 0.018 * width * camera.tilt, (4, 2))
    box = np.clip(box, 8, [width - 8, height - 8])
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    seen = cv2.getPerspectiveTransform(corners, box.astype(np.float32))
    cloth = cv2.resize(chance.normal(0, 0.04, (height // 4, width // 4)).astype(np.float32), (width, height))
    background = cloth[..., None] + chance.uniform(0.15, 0.6, 3).astype(np.float32)
    image = cv2.warpPerspective(page, seen, (width, height), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((tall, wide), np.float32), seen, (width, height))[..., None]
    return np.asarray(image * mask + background * (1 - mask), np.float32)


def _light(width: int, height: int, chance: np.random.Generator, camera: Camera) -> Array:
    """A lamp from one side and, more often than not, the soft shadow of a hand."""
    corners = chance.uniform(camera.darkest, 1, (2, 2)).astype(np.float32)
    light = cv2.resize(corners, (width, height), interpolation=cv2.INTER_LINEAR)
    if chance.random() < 0.6:
        shadow = np.ones((height // 8, width // 8), np.float32)
        at = chance.uniform(0, 1, 2) * [width // 8, height // 8]
        points = np.array([at + chance.normal(0, 60, 2) for _ in range(6)]).astype(np.int32)
        cv2.fillConvexPoly(shadow, cv2.convexHull(points), float(chance.uniform(0.5, 0.8)))
        shadow = cv2.GaussianBlur(shadow, (0, 0), chance.uniform(3, 14))
        light = light * cv2.resize(shadow, (width, height))
    return light


def _creased(image: Array, chance: np.random.Generator) -> Array:
    """Folded twice and unfolded: bright and dark lines, and a jump of light between the parts."""
    height, width = image.shape[:2]
    light = np.ones((height, width), np.float32)
    x, y = int(width * chance.uniform(0.4, 0.6)), int(height * chance.uniform(0.4, 0.6))
    light[:, x:] *= chance.uniform(0.85, 0.97)
    light[y:] *= chance.uniform(0.85, 0.97)
    cv2.line(light, (x, 0), (x + int(chance.normal(0, 9)), height), 0.7, 4, cv2.LINE_AA)
    cv2.line(light, (0, y), (width, y + int(chance.normal(0, 9))), 1.25, 4, cv2.LINE_AA)
    return np.clip(image * light[..., None], 0, 255).astype(np.uint8)


def _stained(image: Array, chance: np.random.Generator) -> Array:
    """A ring of coffee and drops."""
    height, width = image.shape[:2]
    light = np.ones((height, width), np.float32)
    at = int(width * chance.uniform(0.2, 0.8)), int(height * chance.uniform(0.2, 0.8))
    cv2.circle(
        light, at, int(width * chance.uniform(0.12, 0.2)), float(chance.uniform(0.6, 0.8)), int(width * 0.012)
    )
    for _ in range(6):
        drop = int(chance.integers(width)), int(chance.integers(height))
        cv2.circle(
            light, drop, int(width * chance.uniform(0.005, 0.02)), float(chance.uniform(0.65, 0.85)), -1
        )
    light = cv2.GaussianBlur(light, (0, 0), 5)
    colour = np.stack([light**1.6, light**1.2, light], axis=-1)
    return np.clip(image * colour, 0, 255).astype(np.uint8)


def _defocused(image: Array, chance: np.random.Generator) -> Array:
    """Out of focus as a lens is: a disc, not a bell."""
    size = 2 * round(image.shape[1] / 2000 * chance.uniform(2.5, 4)) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    return cv2.filter2D(image, -1, disc / disc.sum())


def _lensed(image: Array, chance: np.random.Generator) -> Array:
    """The barrel of a wide lens."""
    height, width = image.shape[:2]
    camera = np.array([[width, 0, width / 2], [0, width, height / 2], [0, 0, 1]], np.float64)
    return cv2.undistort(image, camera, np.array([chance.uniform(0.03, 0.08), 0, 0, 0, 0]))


DAMAGE: dict[str, Callable[[Array, np.random.Generator], Array]] = {
    "creased": _creased,
    "stained": _stained,
    "defocused": _defocused,
    "lensed": _lensed,
}
