"""Rounds, hand changes to a draft, rulings on points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

Choices = Sequence[tuple[int, str]]


class DateTimeInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class RoundStartForm(forms.Form):
    starts_at = forms.DateTimeField(
        label=_("start"),
        required=False,
        widget=DateTimeInput(),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"],
    )


class PlayerChoice(forms.TypedChoiceField):
    """A player of the section by entry key."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, coerce=int, empty_value=None)

    def offer(self, choices: Choices) -> None:
        self.choices = [("", "—"), *choices]


class DraftChangeForm(forms.Form):
    """One hand change to a draft. Every change has its reason."""

    reason = forms.CharField(label=_("reason"), max_length=300)

    field_order = ("first", "second", "white", "black", "entry", "reason")

    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, PlayerChoice):
                field.offer(players)


class SwapForm(DraftChangeForm):
    first = PlayerChoice(_("player"))
    second = PlayerChoice(_("changes places with"))


class SetBoardForm(DraftChangeForm):
    white = PlayerChoice(_("White"))
    black = PlayerChoice(_("Black"))


class ByeForm(DraftChangeForm):
    entry = PlayerChoice(_("player"))


class FlipForm(DraftChangeForm):
    entry = PlayerChoice(_("a player of the board"))


class ForbidForm(forms.Form):
    first = PlayerChoice(_("player"))
    second = PlayerChoice(_("never meets"))
    first_round = forms.IntegerField(label=_("from round"), min_value=1, initial=1)
    last_round = forms.IntegerField(label=_("to round"), min_value=1, initial=99)
    reason = forms.CharField(label=_("reason"), max_length=200)

    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, PlayerChoice)
            field.offer(players)


class AdjustmentForm(forms.Form):
    entry = PlayerChoice(_("player"))
    points = forms.IntegerField(
        label=_("points"),
        min_value=-999,
        max_value=999,
        help_text=_("With a minus sign points are taken. A win is worth 2 in the standard scheme."),
    )
    after_round = forms.IntegerField(label=_("counts after round"), min_value=0, max_value=99)
    reason = forms.CharField(label=_("reason"), max_length=300)

    def __init__(self, *args: Any, players: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, PlayerChoice)
        field.offer(players)
