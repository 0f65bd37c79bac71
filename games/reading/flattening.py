"""From a photograph to the flat form: markers, the page's plane, the curl of the paper, the light."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from games.reading import table
from games.reading.boxes import Array
from games.reading.faults import Fault, Unreadable

cv2.setNumThreads(1)

PITCH = 10  # pixels a millimetre of the flat page
LEAST_MARKERS = 4
FOR_CURL = 7
STEP = 20  # the map is computed at every so many pixels and smoothed between
LEAST_LIGHT = 45  # the paper's grey value


@dataclass(frozen=True, slots=True)
class Flat:
    """The page at PITCH with even light; `markers` were found, `off` is the worst error left, in pixels of the photograph."""

    page: Array
    markers: int
    off: float


def _detector() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


_DETECTOR = _detector()


def flatten(photo: Array) -> Flat:
    """Raises Unreadable naming what is wrong: no sheet, two, cut off, too dark, blurred."""
    corners, numbers = _markers(photo)
    if len(set(numbers)) < len(numbers):
        raise Unreadable(Fault.TWO_SHEETS)
    if len(numbers) < LEAST_MARKERS:
        raise Unreadable(_why(photo, len(numbers)))
    source, seen = _points(corners, numbers)
    plane, _ = cv2.findHomography(source, seen, cv2.RANSAC if len(numbers) > 4 else 0, 6.0)
    if plane is None:
        raise Unreadable(Fault.CUT)
    _require_whole(plane, photo)
    residual = seen - _projected(plane, source)
    curl = np.zeros((7, 2))
    if len(numbers) >= FOR_CURL:
        curl, *_ = np.linalg.lstsq(_bends(source), residual, rcond=None)
        residual = residual - _bends(source) @ curl
    page = _even_light(_mapped(photo, plane, curl))
    return Flat(page, len(numbers), float(np.abs(residual).max()))


def _markers(photo: Array) -> tuple[list[Array], list[int]]:
    corners, numbers, _ = _DETECTOR.detectMarkers(photo)
    if numbers is None:
        return [], []
    found = [(c[0], int(n)) for c, n in zip(corners, numbers.ravel(), strict=True) if n < len(table.MARKERS)]
    return [c for c, _ in found], [n for _, n in found]


def _why(photo: Array, markers: int) -> Fault:
    if float(np.quantile(photo, 0.9)) < LEAST_LIGHT:
        return Fault.DARK
    if (
        float(
            np.abs(
                cv2.Laplacian(cv2.resize(photo, (800, 1000), interpolation=cv2.INTER_AREA), cv2.CV_32F)
            ).mean()
        )
        < 2.0
    ):
        return Fault.BLURRED
    return Fault.CUT if markers else Fault.NO_SHEET


def _points(corners: list[Array], numbers: list[int]) -> tuple[Array, Array]:
    size = table.MARKER_SIZE
    source = [
        (x + dx, y + dy)
        for x, y in (table.MARKERS[number] for number in numbers)
        for dx, dy in ((0, 0), (size, 0), (size, size), (0, size))
    ]
    return np.array(source, np.float64), np.concatenate(corners).astype(np.float64)


def _require_whole(plane: Array, photo: Array) -> None:
    """All cells lie in the photograph: what is cut off would be read as empty."""
    left, right = table.block_x(0), table.block_x(2) + table.NUMBER_WIDTH + table.SIDE_STEP + table.CELL_WIDTH
    top, bottom = table.row_y(0), table.row_y(table.ROWS - 1) + table.ROW_HEIGHT
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    xy = _projected(plane, corners)
    height, width = photo.shape
    if (xy < -2).any() or (xy[:, 0] > width + 2).any() or (xy[:, 1] > height + 2).any():
        raise Unreadable(Fault.CUT)


def _projected(plane: Array, points: Array) -> Array:
    found = np.c_[points, np.ones(len(points))] @ plane.T
    return np.asarray(found[:, :2] / found[:, 2:])


def _bends(points: Array) -> Array:
    """The terms of the quadratic that takes out the curl of the paper."""
    x, y = points[:, :1] / 105 - 1, points[:, 1:] / 148 - 1
    return np.asarray(np.c_[np.ones(len(points)), points / 150 - 0.8, x**2, y**2, x * y, x**2 * y])


def _mapped(photo: Array, plane: Array, curl: Array) -> Array:
    width, height = int(table.PAGE_WIDTH * PITCH), int(table.PAGE_HEIGHT * PITCH)
    across, down = np.meshgrid(
        np.arange(0, width + STEP, STEP) / PITCH, np.arange(0, height + STEP, STEP) / PITCH
    )
    points = np.c_[across.ravel(), down.ravel()]
    found = _projected(plane, points) + _bends(points) @ curl
    maps = [_spread(found[:, axis].reshape(across.shape), width, height) for axis in (0, 1)]
    return cv2.remap(photo, maps[0], maps[1], cv2.INTER_LINEAR)


def _spread(coarse: Array, width: int, height: int) -> Array:
    """The values between the steps. OpenCV counts from the middle of a pixel: shift by half a step."""
    large = cv2.resize(coarse.astype(np.float32), None, fx=STEP, fy=STEP, interpolation=cv2.INTER_LINEAR)
    half = STEP / 2 - 0.5
    shift = np.array([[1, 0, -half], [0, 1, -half]], np.float32)
    return cv2.warpAffine(large, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)


def _even_light(page: Array) -> Array:
    """The page divided by its paper, so that shadow and lamp are gone."""
    small = cv2.resize(page, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    paper = cv2.GaussianBlur(cv2.dilate(small, np.ones((9, 9), np.uint8)), (0, 0), 4)
    paper = cv2.resize(paper, page.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return np.clip(page.astype(np.float32) / np.maximum(paper, 1) * 255, 0, 255).astype(np.uint8)
