"""The commands on report files, for `python -m tournaments.engine` and for `manage.py`, which only call them.

Each has HELP, `add_arguments(parser)` and `run(options, out, err)`, which hands every line to `out` or `err` and returns
the exit code. What cannot be done raises Fault with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Out = Callable[[str], object]
Options = Mapping[str, Any]
