"""Expected errors: each with a stable code, an HTTP status and a sentence in the reader's language.

A `DomainError` is one that the user can fix where he stands, so a form catches it and shows it. An `AccessError` says that
he may not be there at all, so it passes every form and becomes a page of its own. `SiteError` is both.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _


class SiteError(Exception):
    """Any expected error. Nothing was written."""

    code = "refused"
    status = 400
    text = _("This is not possible.")

    def __init__(self, text: Any = None, *, code: str = "", **values: Any) -> None:
        self.code = code or type(self).code
        self.values = values
        self._text = text if text is not None else type(self).text
        super().__init__(self.code)

    @property
    def message(self) -> str:
        text = str(self._text)
        return text % self.values if self.values and "%(" in text else text

    def __str__(self) -> str:
        return self.message


class DomainError(SiteError):
    """Refused by a domain rule; the user can fix it."""


class AccessError(SiteError):
    """The user has no access to what was asked for."""


class NotAllowed(AccessError):
    code = "not-allowed"
    status = 403
    text = _("You do not have the role for this.")


class NotFound(AccessError):
    code = "not-found"
    status = 404
    text = _("Not found.")


class Conflict(DomainError):
    """The state moved on since the reader saw it."""

    code = "conflict"
    status = 409
    text = _("Someone else changed this meanwhile. Look at the present state and try again.")


class Busy(DomainError):
    code = "busy"
    status = 503
    text = _("Another change is being written. Try again in a moment.")


class WrongState(DomainError):
    code = "wrong-state"
    status = 409
    text = _("This is not possible in the present state.")


class BadInput(DomainError):
    """`values["fields"]` may map a field's name to a list of sentences, `values["rows"]` a file's rows to theirs."""

    code = "bad-input"
    status = 400
    text = _("Some of the input is wrong.")

    def __str__(self) -> str:
        faults = self.values.get("fields", {})
        return " ".join([self.message, *(f"{name}: {' '.join(said)}" for name, said in faults.items())])
