"""Forms of scoresheets: what a player declares with the moves."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import times
from games.wording.codes import ENDINGS
from tournaments.encodings import CHOICES

RESULTS = [("2-0", _("2-0: White won")), ("1-1", _("1-1: draw")), ("0-2", _("0-2: Black won"))]


class TimeUsedField(forms.CharField):
    """Time used: `1:05` or `1:05:30`, hours first, or whole minutes; in a blitz game m:ss. Seconds come out."""

    def __init__(self, *, is_short: bool = False, **options: Any) -> None:
        options.setdefault("required", False)
        options.setdefault("max_length", 10)
        options.setdefault("widget", forms.TextInput(attrs={"class": "short", "size": 8}))
        super().__init__(**options)
        self.read_as(is_short=is_short)

    def read_as(self, *, is_short: bool) -> None:
        """How two numbers are read: minutes and seconds, or hours and minutes."""
        self.is_short = is_short
        self.widget.attrs["data-time"] = "blitz" if is_short else "used"
        self.widget.attrs["placeholder"] = "4:30" if is_short else "1:05"

    def clean(self, value: Any) -> int | None:
        text = super().clean(value)
        if not text.strip():
            return None
        found = times.used(text, is_short=self.is_short)
        if found is None:
            raise forms.ValidationError(
                _("Write minutes and seconds, such as 4:30.")
                if self.is_short
                else _("Write hours and minutes, such as 1:05, or minutes, such as 65.")
            )
        return found


def of_pace(form: forms.BaseForm, *, is_short: bool) -> None:
    """The times of a form as the pace of its game has them."""
    for field in form.fields.values():
        if isinstance(field, TimeUsedField):
            field.read_as(is_short=is_short)


class MoveNumbersField(forms.CharField):
    """Numbers of full moves, in any order, as a tuple."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"class": "short", "size": 12, "autocomplete": "off"})
        super().__init__(required=False, max_length=100, widget=widget, **options)

    def clean(self, value: Any) -> tuple[int, ...]:
        words = re.split(r"[\s,;，、]+", super().clean(value).strip(" .,;，、"))
        if words == [""]:
            return ()
        numbers = [int(word.rstrip(".")) for word in words if re.fullmatch(r"[0-9]{1,4}\.?", word)]
        if len(numbers) != len(words) or 0 in numbers:
            raise forms.ValidationError(_("Write the numbers of moves, such as 41 47."))
        return tuple(sorted(set(numbers)))


class SheetForm(forms.Form):
    """All but the moves, which stand in fields of their own."""

    submission = forms.CharField(max_length=64, widget=forms.HiddenInput)
    pasted = forms.CharField(
        label=_("Text or PDN"),
        required=False,
        max_length=64 * 1024,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Moves with or without numbers, or a whole PDN game."),
    )
    file = forms.FileField(
        label=_("PDN file"), required=False, help_text=_("One game, at most 64 KB."), max_length=200
    )
    encoding = forms.ChoiceField(label=_("encoding"), required=False, choices=CHOICES)
    result = forms.ChoiceField(label=_("Result"), required=False, choices=RESULTS, widget=forms.RadioSelect)
    ended_by = forms.ChoiceField(
        label=_("How the game ended"),
        required=False,
        choices=[("", "–"), *((str(code), words) for code, words in ENDINGS.items())],
    )
    offers = MoveNumbersField(
        label=_("I offered a draw after my move"),
        help_text=_(
            "Numbers of your moves, such as 41 47. In a text or a PDN file write (=) behind the move."
        ),
    )
    white_seconds = TimeUsedField(label=_("White's time used"))
    black_seconds = TimeUsedField(label=_("Black's time used"))
    white_signed = forms.BooleanField(label=_("White has signed"), required=False)
    black_signed = forms.BooleanField(label=_("Black has signed"), required=False)

    @classmethod
    def fresh(cls, **initial: Any) -> SheetForm:
        return cls(initial={"submission": uuid.uuid4().hex, **initial})
