"""Reasons that the program itself gives. They are kept as a code with values, and worded for whoever reads them.

What a person typed is kept and shown as it was typed.
"""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

DECISION, DRAW_AGREED, SEALED_MOVE, RULING = "decision", "draw-agreed", "sealed-move", "ruling"
_WORDS: dict[str, Any] = {
    DECISION: _("Decision on appeal %(number)s"),
    DRAW_AGREED: _("Draw agreed after %(count)s moves each."),
    SEALED_MOVE: _("The sealed move %(move)s is not legal (article 11.3.6)."),
    RULING: _("art. %(article)s: %(effect)s. %(text)s"),
}
_LABELS: dict[str, dict[str, Any]] = {}
"""Values that are codes themselves, by the name of the value; whoever knows their words names them when the program starts."""


def name_values(name: str, labels: dict[str, Any]) -> None:
    """Give the words for the codes of a value."""
    _LABELS[name] = labels


def coded(code: str, **values: Any) -> str:
    """Return the reason as it is kept: the code of a sentence of this module, with its values."""
    return json.dumps({"reason": code, **values}, ensure_ascii=False)


def typed(text: str) -> str:
    """Return what a person typed, and "" for a reason of the program's own."""
    return "" if worded(text) != text else text


def worded(text: str) -> str:
    """Return a kept reason in the reader's language; what a person typed comes back as it is."""
    if not text.startswith('{"reason": '):
        return text
    try:
        values = json.loads(text)
        words = _WORDS[values.pop("reason")]
        shown = {name: str(_LABELS.get(name, {}).get(value, value)) for name, value in values.items()}
        return str(words % shown).strip()
    except (ValueError, KeyError, TypeError, AttributeError):
        return text
