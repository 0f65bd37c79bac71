"""The kinds of values in a document: each checks a value of JSON, and tells the JSON Schema what it takes.

A kind is an annotation for pydantic. A record is a model of pydantic made of kinds, most of them read off the fields of
a table, so that a document holds what the table can hold and nothing else. Members that nobody would read are refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, FailFast, Field, PlainValidator, WrapValidator, create_model
from pydantic_core import PydanticCustomError

MAX_SMALL, MAX_INT, MAX_BIG = 32767, 2**31 - 1, 2**53
MAX_DEPTH = 40
LONGEST_TEXT = 1_000_000
LARGEST_PART = 20_000_000

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""The default of a member that need not be there, where its absence says something."""


def fault(sentence: str | Promise, **values: Any) -> PydanticCustomError:
    """Return the error of a kind, worded when it is shown."""
    return PydanticCustomError("document", "refused", {"sentence": sentence, "values": values})


def kind(check: Callable[[Any], Any], schema: Any) -> Any:
    """Return an annotation whose values pass `check`, which raises a `fault`; `schema` is a type with the same JSON Schema."""
    return Annotated[Any, PlainValidator(check, json_schema_input_type=schema)]


def whole(low: int, high: int) -> Any:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise fault(_("expected a whole number from %(low)s to %(high)s"), low=low, high=high)
        return value

    return kind(check, Annotated[int, Field(ge=low, le=high)])


def checked_text(value: Any, *, limit: int, blank: bool = True) -> str:
    """Return the value if it is a text that the database can hold. Raises a `fault`."""
    if not isinstance(value, str) or len(value) > limit or (not blank and not value.strip()):
        raise fault(_("expected a text of at most %(limit)s characters"), limit=limit)
    if _holds_no_characters(value):
        raise fault(_("holds characters that no text has"))
    return value


def _holds_no_characters(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= c <= "\udfff" for c in text)


def text(limit: int = LONGEST_TEXT, *, blank: bool = True) -> Any:
    return kind(
        lambda value: checked_text(value, limit=limit, blank=blank),
        Annotated[str, Field(max_length=limit, min_length=0 if blank else 1)],
    )


def choice(choices: Collection[Any]) -> Any:
    known = [str(value) for value in choices]

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise fault(_("expected one of %(choices)s"), choices=", ".join(known) or "-")
        return value

    return kind(check, Literal[tuple(known)])


def known_text(limit: int, is_known: Callable[[str], bool], sentence: str | Promise) -> Any:
    """Return the kind of a text that `is_known`; `sentence` refuses another one."""

    def check(value: Any) -> str:
        if not is_known(checked_text(value, limit=limit)):
            raise fault(sentence)
        return str(value)

    return kind(check, Annotated[str, Field(max_length=limit)])


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise fault(_("expected true or false"))
    return value


def _day(value: Any) -> date:
    try:
        return date.fromisoformat(checked_text(value, limit=10))
    except ValueError:
        raise fault(_("expected a day such as 2026-05-01")) from None


def _time(value: Any) -> datetime:
    try:
        found = datetime.fromisoformat(checked_text(value, limit=40))
    except ValueError:
        raise fault(_("expected a time such as 2026-05-01T09:00:00+00:00")) from None
    if found.tzinfo is None:
        raise fault(_("expected a time with its zone"))
    return found


TRUTH: Any = kind(_truth, bool)
DAY: Any = kind(_day, date)
TIME: Any = kind(_time, datetime)


def check_json(value: Any) -> Any:
    """Return a part that is kept as it is, if it is no deeper or larger than documents of ours are. Raises a `fault`."""
    if _depth(value) > MAX_DEPTH:
        raise fault(_("is too large"))
    content = json.dumps(value, ensure_ascii=False)
    if len(content) > LARGEST_PART:
        raise fault(_("is too large"))
    if "\\u0000" in content or any("\ud800" <= c <= "\udfff" for c in content):
        raise fault(_("holds characters that no text has"))
    return value


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            child
            for item in level
            for child in (item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
        ]
    return depth


def plain(type_: type[dict[str, Any]] | type[list[Any]], check: Callable[[Any], object] | None = None) -> Any:
    """Return the kind of an object or a list that is kept as it is; `check` may look into it and raise a `fault`."""

    def whole_part(value: Any) -> Any:
        if not isinstance(value, type_):
            raise fault(_("expected an object") if type_ is dict else _("expected a list"))
        check_json(value)
        if check is not None:
            check(value)
        return value

    return kind(whole_part, dict[str, Any] if type_ is dict else list[Any])


def many(item: Any, limit: int = 100_000) -> Any:
    """Return the kind of a list; reading stops at its first fault."""
    return Annotated[list[item], FailFast(), Field(max_length=limit)]


def kept(annotation: Any) -> Any:
    """Return the kind of a part that is checked and then stored as it is; its size is limited as a whole."""

    def unchanged(value: Any, check: Callable[[Any], object]) -> Any:
        check(check_json(value))
        return value

    return Annotated[annotation, WrapValidator(unchanged)]


def by_name(item: Any) -> Any:
    return dict[str, item]


def record(name: str, fields: Mapping[str, Any], *, is_open: bool = False) -> type[BaseModel]:
    """Return a record of kinds. A pair (kind, default) need not be there; an open record keeps members it does not know."""
    definitions: dict[str, Any] = {}
    for member, found in fields.items():
        annotation, default = found if isinstance(found, tuple) else (found, ...)
        is_optional = default is ABSENT
        definitions[member] = (annotation, Field(default_factory=lambda: ABSENT) if is_optional else default)
    config = ConfigDict(extra="allow" if is_open else "forbid", protected_namespaces=())
    return create_model(name, __config__=config, **definitions)


def of_model(
    model: type[models.Model], names: Sequence[str], *, added: Collection[str] = (), **own: Any
) -> dict[str, Any]:
    """Return the kinds of a table's fields: type, size and choices as the table has them, but for those in `own`.

    Fields in `added` are not in older documents, which then have the table's default.
    """
    found: dict[str, Any] = {}
    for name in names:
        field = model._meta.get_field(name)
        assert isinstance(field, models.Field)
        made = own[name] if name in own else _of_field(field)
        found[name] = (made, field.get_default()) if name in added else made
    return found


def _of_field(field: models.Field[Any, Any]) -> Any:
    made = _of_type(field)
    return made | None if field.null else made


def _of_type(field: Any) -> Any:
    if field.choices:
        found = [str(value) for value, _label in field.flatchoices]
        return choice(["", *found] if field.blank and "" not in found else found)
    if isinstance(field, models.JSONField):
        return plain(list if field.get_default() == [] else dict)
    for type_, made in _KINDS:
        if isinstance(field, type_):
            return made
    return text(field.max_length or LONGEST_TEXT)


_KINDS: Sequence[tuple[type[models.Field[Any, Any]], Any]] = (
    (models.BooleanField, TRUTH),
    (models.DateTimeField, TIME),
    (models.DateField, DAY),
    (models.PositiveSmallIntegerField, whole(0, MAX_SMALL)),
    (models.PositiveIntegerField, whole(0, MAX_INT)),
    (models.BigIntegerField, whole(-MAX_BIG, MAX_BIG)),
    (models.SmallIntegerField, whole(-MAX_SMALL, MAX_SMALL)),
    (models.IntegerField, whole(-MAX_INT, MAX_INT)),
)
