"""Appeals that wait for the committee: pairing, publishing and closing say which. The ledger knows no appeals.

Whoever does names a source here when the program starts.
"""

from __future__ import annotations

from collections.abc import Callable

from tournaments.models import Section

Source = Callable[[Section], list[str]]
SOURCES: list[Source] = []


def open_cases(section: Section) -> list[str]:
    """Each open case in a sentence of the reader's language."""
    return [said for source in SOURCES for said in source(section)]
