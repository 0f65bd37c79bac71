"""Digits of real hands, kept apart by writer.

The file is a numpy archive with `images` (28 x 28, ink 255), `labels` (0 to 9) and `writers` (a number of each writer; its
ten-thousands name the population, where there are several).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

HELD_OUT = 36  # writers of each population
FOR_TEMPERATURE = 20
LEAST_OF_EACH = 8  # a writer who fills a page needs some of every digit
POPULATION = 10_000
SEED = 7


@dataclass(frozen=True, slots=True)
class Digits:
    """Images with their labels and writers, of some of the writers."""

    images: Array
    labels: Array
    writers: Array

    def of(self, writers: list[int]) -> Digits:
        chosen = np.isin(self.writers, writers)
        return Digits(self.images[chosen], self.labels[chosen], self.writers[chosen])

    def by_label(self) -> dict[int, Array]:
        return {digit: np.flatnonzero(self.labels == digit) for digit in range(10)}


@dataclass(frozen=True, slots=True)
class Split:
    """Three groups of writers, none in two of them."""

    train: Digits
    temperature: Digits
    held_out: Digits


def load(path: Path) -> Digits:
    with np.load(path) as kept:
        return Digits(kept["images"], kept["labels"], kept["writers"])


def split(digits: Digits) -> Split:
    """The same three groups for the same file, drawn by a fixed seed from those who wrote enough of each digit.

    Where a population is small, the two groups that are not trained with are a quarter of it each.
    """
    _, first = np.unique(digits.writers, return_index=True)
    writers = [int(writer) for writer in digits.writers[np.sort(first)]]
    chance = np.random.default_rng(SEED)
    held: list[int] = []
    kept: list[int] = []
    for population in sorted({writer // POPULATION for writer in writers}):
        full = [
            writer for writer in writers if writer // POPULATION == population and _is_full(digits, writer)
        ]
        chance.shuffle(full)
        out = min(HELD_OUT, len(full) // 4)
        held += full[:out]
        kept += full[out : out + min(FOR_TEMPERATURE, len(full) // 4)]
    rest = [writer for writer in writers if writer not in {*held, *kept}]
    return Split(digits.of(rest), digits.of(kept), digits.of(held))


def _is_full(digits: Digits, writer: int) -> bool:
    mine = digits.labels[digits.writers == writer]
    return bool(np.bincount(mine, minlength=10).min() >= LEAST_OF_EACH)
