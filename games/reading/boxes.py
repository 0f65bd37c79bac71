"""The size at which the network sees a box, and the grey values made ready for it."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

WIDTH, HEIGHT = 32, 40
CLASSES = 11  # the digits, and an empty box
EMPTY = 10


def normalised(crops: Array) -> Array:
    """N x HEIGHT x WIDTH grey values (0 to 255) as N x 1 x HEIGHT x WIDTH of ink: 0 is the box's paper, 2 is black."""
    grey = crops.astype(np.float32) / 255
    paper = np.quantile(grey, 0.9, axis=(1, 2), keepdims=True).astype(np.float32)
    return ((paper - grey) * 2)[:, None]
