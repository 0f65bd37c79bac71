"""Files that bring in a whole section or a whole event."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Section


class ReportForm(forms.Form):
    file = forms.FileField(
        label=_("report file"),
        help_text=_("TRF, as pairing programs write it. Players, rounds and results become a new section."),
        widget=forms.FileInput(attrs={"accept": ".trf,.trfx,.trf16,.txt"}),
    )
    name = forms.CharField(
        label=_("name of the section"),
        max_length=Section._meta.get_field("name").max_length,
        required=False,
        help_text=_("Leave empty: it is read from the file."),
    )


class EventFileForm(forms.Form):
    file = forms.FileField(
        label=_("event file"),
        help_text=_("JSON, as the files page of an event gives it."),
        widget=forms.FileInput(attrs={"accept": ".json"}),
    )
