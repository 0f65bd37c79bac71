"""How the desk shows what the log holds, and the look of its choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from tournaments.selectors import log_lines
from tournaments.selectors.grid import label_of

register = template.Library()


@register.filter
def action_words(action: str) -> str:
    return log_lines.action_words(action)


@register.filter
def result_words(value: str) -> str:
    return str(label_of(value))


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    return mapping[key]
