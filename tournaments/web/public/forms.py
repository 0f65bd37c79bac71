"""Forms that anybody may send, or who holds a personal link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import ABSENCE_KINDS, Registration, Section
from tournaments.selectors.check_in import next_round

if TYPE_CHECKING:
    RegistrationBase = forms.ModelForm[Registration]
else:
    RegistrationBase = forms.ModelForm


class RegistrationForm(RegistrationBase):
    submission = forms.CharField(max_length=64, widget=forms.HiddenInput())

    class Meta:
        model = Registration
        fields = (
            "name", "latin_name", "club", "federation", "sex", "birth_year", "rating", "fmjd_id", "contact", "message",
        )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["rating"].required = False
        self.fields["rating"].help_text = _("0 for unrated.")
        self.fields["latin_name"].help_text = _("Leave empty: it is read from the name.")
        self.fields["birth_year"].widget.attrs |= {"min": 1900, "max": 2100}

    def clean_rating(self) -> int:
        return self.cleaned_data.get("rating") or 0

    def clean_fmjd_id(self) -> str:
        number = str(self.cleaned_data["fmjd_id"]).strip()
        if number and not (number.isascii() and number.isdigit()):
            raise forms.ValidationError(_("An FMJD number is digits only."))
        return number

    def clean_birth_year(self) -> int | None:
        year: int | None = self.cleaned_data["birth_year"]
        if year is not None and not 1900 <= year <= 2100:
            raise forms.ValidationError(_("Give a year such as 2010."))
        return year

    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self._meta.fields or ()}

    def typed(self) -> list[tuple[str, Any]]:
        """What was typed, by label, for the page that asks whether it is right."""
        rows = []
        for field in self.visible_fields():
            value = self.cleaned_data.get(field.name)
            if value:
                choices = dict(getattr(field.field, "choices", ()))
                rows.append((str(field.label), choices.get(value, value)))
        return rows


class AbsenceRequestForm(forms.Form):
    round_number = forms.TypedChoiceField(label=_("round"), coerce=int)
    kind = forms.ChoiceField(label=_("asked for"), choices=ABSENCE_KINDS)
    reason = forms.CharField(label=_("reason"), max_length=200, required=False)

    def __init__(self, *args: Any, section: Section, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        first = next_round(section) or section.rounds_total + 1
        rounds = self.fields["round_number"]
        assert isinstance(rounds, forms.TypedChoiceField)
        rounds.choices = [(number, str(number)) for number in range(first, section.rounds_total + 1)]

    def values(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


class HallCodeForm(forms.Form):
    code = forms.CharField(
        label=_("code shown in the hall"),
        max_length=4,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
