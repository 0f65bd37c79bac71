"""Bodies of requests to the API: every member must be one that the address knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _
from rest_framework import serializers


def refuse_unknown(serializer: serializers.BaseSerializer[Any], data: Any) -> None:
    """Raises ValidationError naming the members of `data`, at any depth, that the serializer does not know."""
    if unknown := sorted(_unknown(serializer, data, "")):
        raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})


def _unknown(field: Any, data: Any, path: str) -> list[str]:
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        rows = data if isinstance(data, list) else []
        return [
            name for index, row in enumerate(rows) for name in _unknown(field.child, row, f"{path}{index}.")
        ]
    if not isinstance(field, serializers.Serializer) or not isinstance(data, Mapping):
        return []
    if isinstance(data, QueryDict):  # a form: lists and objects stand in it as name[0]member or name.member
        return [name for name in data if name.split("[")[0].split(".")[0] not in field.fields]
    found = [f"{path}{name}" for name in data if name not in field.fields]
    for name, inner in field.fields.items():
        found += _unknown(inner, data.get(name), f"{path}{name}.")
    return found
