"""The terms of a registration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from tournaments.models import RegistrationTerms

if TYPE_CHECKING:
    TermsBase = forms.ModelForm[RegistrationTerms]
else:
    TermsBase = forms.ModelForm


class TermsForm(TermsBase):
    class Meta:
        model = RegistrationTerms
        fields = ("is_open", "places", "fee", "remark")
