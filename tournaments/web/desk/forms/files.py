"""Files that bring in a whole section or a whole event."""

from __future__ import annotations

from collections.abc import Callable

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tournaments import encodings
from tournaments.documents import parsing as documents
from tournaments.importers import report_file
from tournaments.models import Section

MEGABYTE = 1024 * 1024


def limited(limit: int) -> Callable[[UploadedFile[bytes]], None]:
    """A validator of uploads: a file over the limit is refused before anything of it is read."""

    def check(file: UploadedFile[bytes]) -> None:
        if (file.size or 0) > limit:
            raise forms.ValidationError(
                _("The file has %(size)s MB: at most %(limit)s MB."),
                code="file-too-large",
                params={"size": -(-(file.size or 0) // MEGABYTE), "limit": limit // MEGABYTE},
            )

    return check


class ReportForm(forms.Form):
    file = forms.FileField(
        validators=[limited(report_file.MAX_BYTES)],
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
    encoding = forms.ChoiceField(label=_("encoding"), required=False, choices=encodings.CHOICES)


class EventFileForm(forms.Form):
    file = forms.FileField(
        validators=[limited(documents.MAX_BYTES)],
        label=_("event file"),
        help_text=_("JSON, as the files page of an event gives it."),
        widget=forms.FileInput(attrs={"accept": ".json"}),
    )
