"""What is wrong with a picture of a scoresheet: one sentence that says what it is and what to do."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.reading.faults import Fault

FAULTS = {
    Fault.NO_PICTURE.value: _("This is no picture that can be read: send a JPEG, PNG or WebP, or a PDF of scanned pages."),
    Fault.TOO_LARGE.value: _("The picture is too large: send it with fewer pixels."),
    Fault.NO_SHEET.value: _("No form with markers is seen here: take the whole page, or type the moves beside the picture."),
    Fault.TWO_SHEETS.value: _("Two sheets are in the picture: take each by itself."),
    Fault.CUT.value: _("Part of the page is missing: take it again with all four corners."),
    Fault.DARK.value: _("The picture is too dark: take it again with more light."),
    Fault.BLURRED.value: _("The picture is blurred: take it again with a steady hand."),
    Fault.NO_CODE.value: _("The square code cannot be read: take it again with the upper edge sharp, or type the moves beside the picture."),
    Fault.EMPTY.value: _("Nothing is written on this form."),
    "wrong-sheet": _("This is the sheet of another round, board or side: send it to its own place."),
    "unknown": _("The code of this page is not from this site: type the moves beside the picture."),
    "doubled": _("This page is there already: the first picture counts."),
}  # fmt: skip


def fault_words(fault: str) -> str:
    return str(FAULTS.get(fault, "")) if fault else ""
