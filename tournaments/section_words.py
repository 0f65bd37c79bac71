"""The options of a section in words: result schemes, presets, and how byes and forfeits count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from tournaments.engine import policies, presets, scoring

_SCHEMES = {
    "STD": _("2 for a win, 1 for a draw"),
    "PLUS": _("2-1-0 with plus-draws"),
    "DELFT4": _("Delft counting, 4 points"),
    "GRAD12": _("graded draws, 12 points"),
    "MICRO12": _("micro-match, 12 points"),
    "XQ3": _("3 for a win, 1 for a draw"),
    "XQ_SECOND": _("2-1-0, a draw can give the second player 2"),
}
# The section has a field of its own for those who withdraw.
_LEFT_OUT = {"withdrawal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOption:
    """One choice of the treatment of byes and forfeits. Forms carry its value as text."""

    name: str
    label: str
    choices: Sequence[tuple[str, Any]]
    is_yes_no: bool

    def parsed(self, text: str) -> str | bool:
        return text == "True" if self.is_yes_no else text


def schemes() -> list[tuple[str, Any]]:
    return [(code, _SCHEMES.get(code, code)) for code in scoring.SCHEMES]


def presets_in_words() -> list[tuple[str, str]]:
    return [(code, in_words("tie-break preset", preset.label)) for code, preset in presets.PRESETS.items()]


def policy_options() -> list[PolicyOption]:
    """In the reader's language, from the texts that stand beside the engine's choices."""
    found = []
    for name, text in policies.CHOICE_TEXTS.items():
        if name in _LEFT_OUT:
            continue
        default = getattr(policies.DEFAULT_POLICY, name)
        words = list(type(default)) if isinstance(default, StrEnum) else []
        choices = [(word.value, in_words("tie-break policy", policies.WORD_TEXTS[word])) for word in words]
        found.append(
            PolicyOption(
                name=name,
                label=in_words("tie-break policy", text),
                choices=choices or [("True", _("yes")), ("False", _("no"))],
                is_yes_no=not choices,
            )
        )
    return found


# The engine's texts are no literals here; their translations are kept with the engine's other words.
in_words = pgettext
