"""Filters of lists: applied, with wrong ones refused by name, and described."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

_TYPES: dict[type[filters.Filter], type] = {
    filters.NumberFilter: int,
    filters.BooleanFilter: bool,
}


def filtered(
    kind: type[filters.FilterSet], request: Request, rows: QuerySet[Any], **known: object
) -> QuerySet[Any]:
    """The rows that the address asks for. Raises ValidationError for a filter that cannot be read.

    `known` are values of ours that a filter needs beside what was asked.
    """
    asked = request.query_params.dict() | known
    chosen = kind(asked, queryset=rows, request=request)
    if not chosen.is_valid():
        raise ValidationError(chosen.errors)
    return chosen.qs


def described(kind: type[filters.FilterSet]) -> list[OpenApiParameter]:
    return [
        OpenApiParameter(
            name,
            next((known for sort, known in _TYPES.items() if isinstance(each, sort)), str),
            description=str(each.label or ""),
            enum=_choices(each),
        )
        for name, each in kind.base_filters.items()
    ]


def _choices(each: filters.Filter) -> list[str] | None:
    if isinstance(each, filters.OrderingFilter):
        names = list((each.param_map or {}).values())
        return [*names, *(f"-{name}" for name in names)]
    choices = each.extra.get("choices")
    return [str(value) for value, _label in choices] if choices else None
