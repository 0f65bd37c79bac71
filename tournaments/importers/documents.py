"""Walking a JSON document that somebody else wrote: each step says what it expects and where it stands.

A fault is a BadInput with the path of the value (`sections[0].rounds[2].pairings[5].white`) and the reason.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NoReturn

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.characters import validate_visible
from tournaments.errors import BadInput

# Together they bound the time and the memory that reading takes: every value stands behind one of the marks.
MAX_BYTES = 24 * 1024 * 1024
MAX_MARKS = 1_500_000
MAX_DEPTH = 40


def parse(content: bytes) -> Node:
    """The document of a UTF-8 file. Raises BadInput `not-json` with line and column."""
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
        """A member that must be there."""
        if name not in self.members():
            self.refuse(_("“%(name)s” is missing"), name=name)
        return Node(value=self.value[name], path=f"{self.path}.{name}" if self.path else name)

    def get(self, name: str, default: Any) -> Node:
        """A member that older documents do not have."""
        return self[name] if name in self.members() else Node(value=default, path=f"{self.path}.{name}")

    def members(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            self.refuse(_("expected an object"))
        return self.value

    def only(self, names: Collection[str]) -> None:
        """Refuses members nobody would read: what is not understood must not be lost silently."""
        unknown = sorted(set(self.members()) - set(names))
        if unknown:
            self.refuse(_("unknown member “%(name)s”"), name=unknown[0])

    def items(self, *, limit: int = 100_000) -> Iterator[Node]:
        if not isinstance(self.value, list) or len(self.value) > limit:
            self.refuse(_("expected a list of at most %(limit)s items"), limit=limit)
        for index, item in enumerate(self.value):
            yield Node(value=item, path=f"{self.path}[{index}]")

    def text(self, *, limit: int, blank: bool = True) -> str:
        if (
            not isinstance(self.value, str)
            or len(self.value) > limit
            or (not blank and not self.value.strip())
        ):
            self.refuse(_("expected a text of at most %(limit)s characters"), limit=limit)
        if "\x00" in self.value or any("\ud800" <= c <= "\udfff" for c in self.value):
            self.refuse(_("holds characters that no text has"))
        return self.value

    def whole(self, low: int, high: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            self.refuse(_("expected a whole number from %(low)s to %(high)s"), low=low, high=high)
        return self.value

    def whole_or_none(self, low: int, high: int) -> int | None:
        return None if self.value is None else self.whole(low, high)

    def truth(self) -> bool:
        if not isinstance(self.value, bool):
            self.refuse(_("expected true or false"))
        return self.value

    def choice(self, choices: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in choices:
            self.refuse(_("expected one of %(choices)s"), choices=", ".join(map(str, choices)) or "-")
        return self.value

    def day_or_none(self) -> date | None:
        if self.value is None:
            return None
        try:
            return date.fromisoformat(self.text(limit=10))
        except ValueError:
            self.refuse(_("expected a day such as 2026-05-01"))

    def time(self) -> datetime:
        try:
            found = datetime.fromisoformat(self.text(limit=40))
        except ValueError:
            self.refuse(_("expected a time such as 2026-05-01T09:00:00+00:00"))
        if found.tzinfo is None:
            self.refuse(_("expected a time with its zone"))
        return found

    def time_or_none(self) -> datetime | None:
        return None if self.value is None else self.time()

    def json(self, kind: type[dict[str, Any]] | type[list[Any]], *, limit: int = 20_000_000) -> Any:
        """A part kept as it is: an object or a list, not deeper than documents of ours are."""
        if not isinstance(self.value, kind):
            self.refuse(_("expected an object") if kind is dict else _("expected a list"))
        if _depth(self.value) > MAX_DEPTH:
            self.refuse(_("is too large"))
        text = json.dumps(self.value, ensure_ascii=False)
        if len(text) > limit:
            self.refuse(_("is too large"))
        if "\\u0000" in text or any("\ud800" <= c <= "\udfff" for c in text):
            self.refuse(_("holds characters that no text has"))
        return self.value


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


def refuse_hidden(node: Node) -> None:
    """A name shows what it holds: no marks of direction, no hidden characters."""
    try:
        validate_visible(str(node.value))
    except ValidationError as error:
        node.refuse(" ".join(error.messages))
