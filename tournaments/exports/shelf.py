"""The last few costly files that a process made, by what they show.

The key is made of the content itself, so a file is never out of date; one is made at a time, so that a hall full of
readers does not make the same book side by side.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock


class Shelf:
    def __init__(self, *, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The file of that key, made now unless it stands on the shelf. What `make` raises is passed on, nothing kept."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
            return self._kept[key]
