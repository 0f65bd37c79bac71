"""How the desk shows what the log holds, and the look of its choices."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import template
from django.core.exceptions import FieldDoesNotExist
from django.utils.translation import gettext as _

from tournaments.models import Entry, Event, Player, Role, Section
from tournaments.selectors.grid import label_of
from tournaments.wording.values import ACTIONS, CODES, FIELDS, OBJECTS

register = template.Library()

EMPTY: tuple[Any, ...] = (None, "", [], {})


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
def changed_items(state: Mapping[str, Any], other: Any) -> list[tuple[str, str]]:
    """Names and values in words: those that differ from the state on the other side, else all that hold something."""
    if isinstance(other, Mapping):
        shown = [name for name, value in state.items() if other.get(name, ...) != value]
    else:
        shown = [name for name, value in state.items() if value not in EMPTY]
    return [(field_words(name), value_words(name, state[name])) for name in shown]


def field_words(name: str) -> str:
    if name in FIELDS:
        return str(FIELDS[name])
    for model in (Player, Entry, Section, Event):
        try:
            return str(getattr(model._meta.get_field(name), "verbose_name", name))
        except FieldDoesNotExist:
            continue
    return name


def value_words(name: str, value: Any) -> str:
    if value in EMPTY:
        return "–"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    if name in {"outcome", "kind"} and isinstance(value, str):
        return str(dict(Role.Kind.choices).get(value) or label_of(value))
    return state_text(value)


@register.filter
def state_text(value: Any) -> str:
    known = CODES.get(value) if isinstance(value, str) else None
    return str(known or value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def result_words(value: str) -> str:
    return str(label_of(value))


@register.filter
def item(mapping: Mapping[str, Any], key: str) -> Any:
    return mapping[key]
