"""Accounts, officials and what people set for themselves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models import ApiToken, Role
from tournaments.services import tokens
from tournaments.web.throttling import too_many


def password_field(label: Any, *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=required,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=True),
    )


class LogInForm(AuthenticationForm):
    """Says whether name and password do not fit, or were tried too often."""

    shared = forms.BooleanField(
        label=_("this computer is shared: log out by itself after 2 hours"), required=False
    )

    def get_invalid_login_error(self) -> forms.ValidationError:
        name = str(self.cleaned_data.get("username", ""))
        if self.request is not None and too_many(self.request, name):
            return forms.ValidationError(
                _("Too many attempts. Wait a minute, then try again."), code="throttled"
            )
        return forms.ValidationError(
            _("User name and password do not fit. Both mind capital letters."), code="invalid_login"
        )


class AccountForm(forms.Form):
    """A new account with its first password."""

    username = forms.CharField(
        label=_("user name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    full_name = forms.CharField(label=_("full name"), max_length=150, required=False)
    password = password_field(_("password"))


class SetUpForm(AccountForm):
    """The first account. Where others can reach the site, only with the code that its console shows."""

    repeated = password_field(_("password again"))
    code = forms.CharField(
        label=_("code from the console of the server"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._code = code
        if not code:
            del self.fields["code"]

    def clean_code(self) -> str:
        given = str(self.cleaned_data["code"])
        if not constant_time_compare(given.strip(), self._code):
            raise forms.ValidationError(_("This is not the code."))
        return given

    def clean_repeated(self) -> str:
        repeated = str(self.cleaned_data["repeated"])
        if repeated != self.cleaned_data.get("password"):
            raise forms.ValidationError(_("The two passwords differ."))
        return repeated


class OfficialForm(forms.Form):
    username = forms.CharField(
        label=_("user name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    kind = forms.ChoiceField(label=_("role"), choices=Role.Kind.choices, initial=Role.Kind.ARBITER)
    delegation = forms.CharField(
        label=_("club or delegation"),
        max_length=120,
        required=False,
        help_text=_("Of a captain, and of a committee member who belongs to one."),
    )
    full_name = forms.CharField(
        label=_("full name"), max_length=150, required=False, help_text=_("Only for a new account.")
    )
    password = password_field(_("first password"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = _(
            "Only for a new account: tell it to the person, who can change it after logging in."
        )


class LanguageForm(forms.Form):
    email = forms.EmailField(
        label=_("e-mail"),
        required=False,
        help_text=_("Where a new password is sent to when yours is forgotten. Nobody else sees it."),
    )
    language = forms.ChoiceField(
        label=_("language"),
        required=False,
        choices=[("", _("as the browser asks")), *settings.LANGUAGES],
    )


class TokenForm(forms.Form):
    name = forms.CharField(label=_("what it is for"), max_length=60)
    scope = forms.ChoiceField(label=_("may"), choices=ApiToken.Scope.choices, initial=ApiToken.Scope.READ)
    days = forms.TypedChoiceField(
        label=_("lasts"), coerce=int, initial=tokens.USUAL_DAYS,
        choices=[(days, ngettext_lazy("%(n)s day", "%(n)s days", days) % {"n": days}) for days in tokens.LIFETIMES],
    )  # fmt: skip

    def values(self) -> dict[str, Any]:
        return dict(self.cleaned_data)
