"""What is wrong with a picture or a file, as codes: the words are the page's (`games.wording.reading`)."""

from __future__ import annotations

from enum import StrEnum


class Fault(StrEnum):
    NO_PICTURE = "no-picture"  # neither a picture nor a PDF of scanned pages
    TOO_LARGE = "too-large"
    NO_SHEET = "no-sheet"
    TWO_SHEETS = "two-sheets"
    CUT = "cut"
    DARK = "dark"
    BLURRED = "blurred"
    NO_CODE = "no-code"  # the form, but not its code
    EMPTY = "empty"


class Unreadable(Exception):
    """Nothing is read from this picture; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __reduce__(self) -> tuple[type[Unreadable], tuple[Fault]]:
        return Unreadable, (self.fault,)
