"""The event as a whole: its data, its log, its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.selectors.log_lines import action_words
from tournaments.services.events import EVENT_FIELDS
from tournaments.wording.values import object_words


class DateInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


if TYPE_CHECKING:
    EventBase = forms.ModelForm[Event]
else:
    EventBase = forms.ModelForm


class EventForm(EventBase):
    class Meta:
        model = Event
        fields = (
            "name",
            "name_en",
            "code",
            "place",
            "starts_on",
            "ends_on",
            "contact",
            "description",
            "regulations",
        )
        widgets = {"starts_on": DateInput(), "ends_on": DateInput()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is None:
            self.initial.pop("code", None)
            self.fields["code"].required = False
            self.fields["code"].help_text = _("Left empty, it is made from the name.")

    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in EVENT_FIELDS if name in self.cleaned_data}


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("reason"), max_length=300)


class TypedForm(forms.Form):
    """What cannot be undone asks to type a word."""

    word = forms.CharField(widget=forms.TextInput(attrs={"data-confirm-word": True, "autocomplete": "off"}))

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected
        self.fields["word"].label = _("Type %(word)s to confirm") % {"word": expected}

    def clean_word(self) -> str:
        word = str(self.cleaned_data["word"]).strip()
        if word != self.expected:
            raise forms.ValidationError(_("This is not the word that was asked for."))
        return word


class AuditFilter(forms.Form):
    action = forms.ChoiceField(label=_("action"), required=False)
    person = forms.ChoiceField(label=_("person"), required=False)
    subject = forms.ChoiceField(label=_("object"), required=False)

    def __init__(
        self, *args: Any, actions: list[str], people: list[str], subjects: list[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        found = {"action": actions, "person": people, "subject": subjects}
        for name, values in found.items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("all")), *((value, _label(name, value)) for value in values)]


_WORDS: dict[str, Callable[[str], str]] = {"action": action_words, "subject": object_words}


def _label(name: str, value: str) -> str:
    return _WORDS[name](value) if name in _WORDS else value
