"""How the desk shows what the log holds, and the look of its choices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import template

from tournaments.labels import ACTIONS, OBJECTS
from tournaments.selectors.grid import label_of

register = template.Library()


@register.filter
def action_words(action: str) -> str:
    return str(ACTIONS.get(action, action))


@register.filter
def object_words(kind: str) -> str:
    return str(OBJECTS.get(kind, kind))


@register.filter
def is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


@register.filter
def changed_items(state: Mapping[str, Any], other: Any) -> list[tuple[str, Any]]:
    """The names whose value differs from the state on the other side; all of them without another side."""
    if not isinstance(other, Mapping):
        return list(state.items())
    return [(name, value) for name, value in state.items() if other.get(name, ...) != value]


@register.filter
def state_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def result_words(value: str) -> str:
    return str(label_of(value))


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    return mapping[key]
