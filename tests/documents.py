"""Spoiling an event document: each edit changes one thing in it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any


def at(document: Any, *steps: Any) -> Any:
    for step in steps:
        document = document[step]
    return document


def changed(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        at(document, *path[:-1])[path[-1]] = to

    return change


def doubled(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        rows = at(document, *path)
        rows.append(copy.deepcopy(rows[0]))

    return change
