"""A JSON document that somebody else wrote: parsed, held against its schema, and walked with the place of each value.

A fault is a BadInput with the path of the value (`sections[0].rounds[2].pairings[5].white`) and the reason.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from django.core.exceptions import ValidationError as InvalidField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ValidationError

from tournaments.characters import validate_visible
from tournaments.documents.kinds import ABSENT
from tournaments.errors import BadInput

# Together they bound the time and the memory that reading takes: every value stands behind one of the marks.
MAX_BYTES = 24 * 1024 * 1024
MAX_MARKS = 1_500_000


def parse(content: bytes) -> Node:
    """Return the document of a UTF-8 file. Raises BadInput `not-json` with line and column."""
    if len(content) > MAX_BYTES or content.count(b",") + content.count(b":") > MAX_MARKS:
        raise BadInput(_("The file is too large."), code="file-too-large")
    try:
        value = json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_finite,
        )
    except UnicodeDecodeError:
        raise BadInput(_("The file is not UTF-8 text."), code="not-json") from None
    except json.JSONDecodeError as error:
        raise BadInput(
            _("The file is not JSON: line %(line)s, column %(column)s."),
            code="not-json",
            line=error.lineno,
            column=error.colno,
        ) from None
    except (RecursionError, ValueError):
        raise BadInput(_("The file is not JSON that can be read."), code="not-json") from None
    return Node(value=value, path="")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member stands twice in an object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large")
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value of the document and where it stands."""

    value: Any
    path: str

    def refuse(self, reason: str | Promise, **values: Any) -> NoReturn:
        sentence = str(reason) % values if values else str(reason)
        raise BadInput(_("%(path)s: %(reason)s"), code="bad-document", path=self.path or "/", reason=sentence)

    def __getitem__(self, name: str) -> Node:
        """Return a member. Raises BadInput if there is none."""
        if not isinstance(self.value, dict):
            self.refuse(_("expected an object"))
        if name not in self.value:
            self.refuse(_("“%(name)s” is missing"), name=name)
        return Node(value=self.value[name], path=f"{self.path}.{name}" if self.path else name)

    def has(self, name: str) -> bool:
        return name in self.value

    def items(self) -> Iterator[Node]:
        for index, item in enumerate(self.value):
            yield Node(value=item, path=f"{self.path}[{index}]")

    def values(self, names: Iterable[str]) -> dict[str, Any]:
        """Return members by their names."""
        return {name: self.value[name] for name in names}

    def checked(self, schema: type[BaseModel]) -> Node:
        """Return the document with every value of its kind, and the defaults of what older documents do not have.

        Raises BadInput `bad-document` with the path of the first fault.
        """
        try:
            found = schema.model_validate(self.value)
        except ValidationError as error:
            _refuse(error)
        return Node(value=_members(found), path=self.path)


def _members(value: Any) -> Any:
    """Records as plain objects, without the members that are absent."""
    if isinstance(value, BaseModel):
        return {name: _members(found) for name, found in value if found is not ABSENT}
    return [_members(item) for item in value] if isinstance(value, list) else value


def _refuse(error: ValidationError) -> NoReturn:
    first = error.errors(include_url=False, include_input=False)[0]
    place, context = first["loc"], first.get("ctx", {})
    match first["type"]:
        case "document":
            Node(value=None, path=path_of(place)).refuse(context["sentence"], **context["values"])
        case "missing":
            Node(value=None, path=path_of(place[:-1])).refuse(_("“%(name)s” is missing"), name=place[-1])
        case "extra_forbidden":
            Node(value=None, path=path_of(place[:-1])).refuse(_("unknown member “%(name)s”"), name=place[-1])
        case "too_long":
            Node(value=None, path=path_of(place)).refuse(
                _("expected a list of at most %(limit)s items"), limit=context["max_length"]
            )
        case "list_type":
            Node(value=None, path=path_of(place)).refuse(_("expected a list"))
        case _other:
            Node(value=None, path=path_of(place)).refuse(_("expected an object"))


def path_of(place: Sequence[str | int]) -> str:
    """Return `sections[0].rounds[2]` for the steps of a place."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)
    return "".join(steps).removeprefix(".")


def refuse_hidden(node: Node) -> None:
    """A name shows what it holds: no marks of direction, no hidden characters."""
    try:
        validate_visible(str(node.value))
    except InvalidField as error:
        node.refuse(" ".join(error.messages))
