"""Numbers as forms and addresses send them."""

from __future__ import annotations

LONGEST_NUMBER = 18  # digits: fits the keys of the database


def whole_number(text: str) -> int | None:
    """The number that digits 0-9 spell, as keys, versions and rounds are sent; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None
