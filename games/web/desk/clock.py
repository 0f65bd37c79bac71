"""The clock calculator: forms in, the law's seconds out (articles 8 and 9)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rules
from games.models import Side
from games.selectors.viewer import clock
from games.web.public.forms import TimeUsedField
from rules.clock import Attendance, charge_correction, lateness, restore, restore_initial

_OF_DAY = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


class HourField(forms.CharField):
    """A time of day such as 9:00; seconds since midnight come out."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", 8)
        options.setdefault(
            "widget", forms.TextInput(attrs={"placeholder": "9:00", "class": "short", "size": 8})
        )
        super().__init__(**options)

    def clean(self, value: Any) -> int | None:
        text = super().clean(value).strip()
        if not text:
            return None
        match = _OF_DAY.fullmatch(text)
        if match is None or int(match[1]) > 23 or int(match[2]) > 59 or int(match[3] or 0) > 59:
            raise forms.ValidationError(_("Write a time of day, such as 9:20."))
        return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0)


class LatenessForm(forms.Form):
    starts = HourField(label=gettext_lazy("Scheduled start"))
    white = HourField(
        label=gettext_lazy("White came at"), required=False, help_text=gettext_lazy("Empty: never came.")
    )
    black = HourField(
        label=gettext_lazy("Black came at"), required=False, help_text=gettext_lazy("Empty: never came.")
    )
    moved = HourField(
        label=gettext_lazy("White's first move at"),
        required=False,
        help_text=gettext_lazy("If White's clock was started while Black was away."),
    )
    limit = forms.IntegerField(
        label=gettext_lazy("Lateness limit (minutes)"), min_value=0, max_value=60, initial=60
    )


class ControlForm(forms.Form):
    base = TimeUsedField(label=gettext_lazy("Time for the game"), required=True)
    increment = forms.IntegerField(
        label=gettext_lazy("Seconds added a move"), min_value=0, max_value=3600, initial=0, required=False
    )


class RestoreForm(ControlForm):
    white_used = TimeUsedField(label=gettext_lazy("White's time used"), required=True)
    black_used = TimeUsedField(label=gettext_lazy("Black's time used"), required=True)
    white_moves = forms.IntegerField(
        label=gettext_lazy("Moves White made"), min_value=0, max_value=1000, initial=0
    )
    black_moves = forms.IntegerField(
        label=gettext_lazy("Moves Black made"), min_value=0, max_value=1000, initial=0
    )


class CorrectionForm(forms.Form):
    white_used = TimeUsedField(label=gettext_lazy("White's time used"), required=True)
    black_used = TimeUsedField(label=gettext_lazy("Black's time used"), required=True)
    offender = forms.ChoiceField(label=gettext_lazy("Who made the irregular move"), choices=Side.choices)
    seconds = forms.IntegerField(
        label=gettext_lazy("Seconds the correction took"), min_value=0, max_value=7200
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One calculator of the page. `answer` is a list of sentences once the form is filled in rightly."""

    name: str
    title: str
    articles: str
    form: forms.Form
    answer: list[str]


def parts(query: Mapping[str, str]) -> list[Part]:
    asked = query.get("part", "")
    known: list[tuple[str, Any, str, type[forms.Form], Callable[[dict[str, Any]], list[str]]]] = [
        ("late", _("Late players"), "8.3, 9.1, 9.2", LatenessForm, _lateness),
        ("restore", _("Times to set on a clock"), "8.2.4, 9.1", RestoreForm, _restore),
        ("initial", _("Late through no fault of his own"), "9.1", ControlForm, _initial),
        ("correction", _("Time of a correction"), "8.2.8", CorrectionForm, _correction),
    ]
    return [
        _part(name, str(title), articles, form, work, query if asked == name else None)
        for name, title, articles, form, work in known
    ]


def _part(
    name: str,
    title: str,
    articles: str,
    kind: type[forms.Form],
    work: Callable[[dict[str, Any]], list[str]],
    query: Mapping[str, str] | None,
) -> Part:
    form = kind(query, auto_id=f"{name}-%s")
    answer: list[str] = []
    if form.is_bound and form.is_valid():
        try:
            answer = work(form.cleaned_data)
        except ValueError:
            form.add_error(None, _("These times do not fit each other."))
    return Part(name=name, title=title, articles=articles, form=form, answer=answer)


def _lateness(data: dict[str, Any]) -> list[str]:
    start = data["starts"]
    arrivals = {
        name: None if data[name] is None else data[name] - start for name in ("white", "black", "moved")
    }
    found = lateness(
        white_arrives=arrivals["white"],
        black_arrives=arrivals["black"],
        white_moves_at=arrivals["moved"],
        limit=data["limit"] * 60,
    )
    if found.attendance is not Attendance.PLAY:
        return [
            {
                Attendance.WHITE_FORFEITS: _("White is too late and forfeits the game."),
                Attendance.BLACK_FORFEITS: _("Black is too late and forfeits the game."),
                Attendance.BOTH_FORFEIT: _("Both are too late and forfeit: 0-0."),
            }[found.attendance]
        ]
    assert found.white_seconds is not None and found.black_seconds is not None
    return _used(found.white_seconds, found.black_seconds)


def _used(white: int, black: int) -> list[str]:
    return [
        _("White has used %(time)s.") % {"time": clock(white)},
        _("Black has used %(time)s.") % {"time": clock(black)},
    ]


def _left(white: int, black: int) -> list[str]:
    return [
        _("Set White's clock to %(time)s.") % {"time": clock(white)},
        _("Set Black's clock to %(time)s.") % {"time": clock(black)},
    ]


def _control(data: dict[str, Any]) -> rules.TimeControl:
    increment = data["increment"] or 0
    return rules.fischer(data["base"], increment) if increment else rules.sudden(data["base"])


def _restore(data: dict[str, Any]) -> list[str]:
    found = restore(
        _control(data),
        white_used=data["white_used"],
        black_used=data["black_used"],
        white_moves=data["white_moves"],
        black_moves=data["black_moves"],
    )
    return _left(found.white_left, found.black_left)


def _initial(data: dict[str, Any]) -> list[str]:
    found = restore_initial(_control(data))
    return _left(found.white_left, found.black_left)


def _correction(data: dict[str, Any]) -> list[str]:
    white, black = charge_correction(
        white_used=data["white_used"],
        black_used=data["black_used"],
        offender=rules.Side(data["offender"]),
        seconds=data["seconds"],
    )
    return _used(white, black)
