"""What goes on the notice board."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, Notice
from tournaments.services.notices import BY_HAND, LONGEST


class NoticeForm(forms.Form):
    kind = forms.ChoiceField(label=_("kind"), choices=[(kind.value, kind.label) for kind in BY_HAND])
    section = forms.TypedChoiceField(label=_("section"), required=False, coerce=int, empty_value=None)
    text = forms.CharField(
        label=_("text"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Everybody can read it. Once posted it can be struck out, not changed."),
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sections = [(section.pk, section.name) for section in event.sections.all()]
        field = self.fields["section"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [("", _("the whole event")), *sections]


assert Notice.Kind.WARNING not in BY_HAND
