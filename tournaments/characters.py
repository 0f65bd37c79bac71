"""Which characters a name may hold."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_JOINERS = frozenset("\u200c\u200d")  # Persian and Indian scripts spell with them


def hidden_characters(text: str) -> list[str]:
    """The characters of a text that show nothing and change how what stands beside them is shown."""
    return [c for c in text if c not in _JOINERS and unicodedata.category(c) in {"Cc", "Cf", "Zl", "Zp"}]


def without_hidden(text: str) -> str:
    """For reports that name people and are taken in as they are."""
    hidden = set(hidden_characters(text))
    return "".join(c for c in text if c not in hidden)


def validate_visible(text: str) -> None:
    """Refuses marks of direction and other hidden characters: with them a name shows as another name."""
    if hidden := hidden_characters(text):
        raise ValidationError(
            _("holds a hidden character (%(character)s): type the name again instead of pasting it"),
            code="hidden-character",
            params={"character": f"U+{ord(hidden[0]):04X}"},
        )
