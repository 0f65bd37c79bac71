"""The commands of `python -m rules`: validate, reconstruct, perft. `manage.py` has them too, with words in the language of the site.

Each has HELP, `add_arguments(parser)` and `run(options, out, err)`, which hands every line to `out` or `err` and returns
the exit code. What cannot be done raises Fault with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Out = Callable[[str], object]
Options = Mapping[str, Any]
UNREADABLE = 2


class Fault(Exception):
    """A command cannot do what it is asked for: the sentence for the user, and the exit code."""

    def __init__(self, sentence: str, *, code: int = UNREADABLE) -> None:
        super().__init__(sentence)
        self.code = code
