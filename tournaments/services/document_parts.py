"""Parts of the event document that other rooms keep: the ledger does not know them, and asks whoever named a part here.

A part writes itself from the event's rows, and reads itself back in two steps: `read` checks the whole of it and gives
a function that writes its rows once those of the ledger are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.importers.documents import Node
from tournaments.models import Entry, Event, Notice, Pairing, Section
from tournaments.services.trf_import import LeftOut

__all__ = [
    "PARTS",
    "LeftOut",
    "Node",
    "Part",
    "References",
    "Rows",
    "Write",
    "fields_of",
    "only_once",
    "values_of",
]

MAX_SMALL, MAX_INT = 32767, 2**31 - 1
LONGEST_TEXT = 1_000_000

Write = Callable[[], Sequence[LeftOut]]
"""Writes the checked rows, inside the importer's transaction, and tells what of the document has no place here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """How rows of the ledger are named in the document."""

    sections: Mapping[int, str]
    entries: Mapping[int, int]  # by their number in their section
    boards: Mapping[int, dict[str, int]]  # by round and board, in their section
    notices: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of the ledger that a document names, not yet written; a name without a row is refused where it stands."""

    event: Event
    sections: dict[str, Section] = field(default_factory=dict)
    entries: dict[tuple[str, int], Entry] = field(default_factory=dict)
    boards: dict[tuple[str, int, int], Pairing] = field(default_factory=dict)
    notices: dict[int, Notice] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)  # what a part leaves for those read after it

    def section(self, node: Node) -> Section:
        code = node.text(limit=12)
        if code not in self.sections:
            node.refuse(_("there is no section %(code)s in the document"), code=code)
        return self.sections[code]

    def entry(self, node: Node, section: Section) -> Entry:
        key = (section.code, node.whole(1, MAX_INT))
        if key not in self.entries:
            node.refuse(_("there is no %(id)s in the document"), id=key[1])
        return self.entries[key]

    def entry_or_none(self, node: Node, section: Section) -> Entry | None:
        return None if node.value is None else self.entry(node, section)

    def board(self, node: Node, section: Section) -> Pairing:
        node.only({"round", "board"})
        key = (section.code, node["round"].whole(1, 999), node["board"].whole(1, MAX_SMALL))
        if key not in self.boards:
            node.refuse(_("there is no such board in the document"))
        return self.boards[key]

    def board_or_none(self, node: Node, section: Section) -> Pairing | None:
        return None if node.value is None else self.board(node, section)

    def notice_or_none(self, node: Node) -> Notice | None:
        number = node.whole_or_none(1, MAX_INT)
        if number is not None and number not in self.notices:
            node.refuse(_("there is no %(id)s in the document"), id=number)
        return None if number is None else self.notices[number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A member of the document. Older documents do not have it, and `read` is not asked then."""

    name: str
    write: Callable[[Event, References], Any]
    read: Callable[[Node, Rows], Write]


PARTS: list[Part] = []


def fields_of(row: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: plain_value(getattr(row, name)) for name in names}


def plain_value(value: Any) -> Any:
    """Times in UTC, days as days; all else is JSON already."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def values_of(node: Node, model: type[models.Model], names: Sequence[str]) -> dict[str, Any]:
    """Plain fields as the model keeps them, each checked by its kind, size and choices."""
    return {name: _value(node[name], model._meta.get_field(name)) for name in names}


def _value(node: Node, kind: Any) -> Any:
    if kind.null and node.value is None:
        return None
    if kind.choices:
        return node.choice(_choices(kind))
    if isinstance(kind, models.BooleanField):
        return node.truth()
    if isinstance(kind, models.DateTimeField):
        return node.time()
    if isinstance(kind, models.JSONField):
        return node.json(list if kind.get_default() == [] else dict)
    if isinstance(kind, models.PositiveSmallIntegerField):
        return node.whole(0, MAX_SMALL)
    if isinstance(kind, models.PositiveIntegerField):
        return node.whole(0, MAX_INT)
    if isinstance(kind, models.IntegerField):
        return node.whole(-MAX_INT, MAX_INT)
    return node.text(limit=kind.max_length or LONGEST_TEXT)


def _choices(kind: Any) -> list[str]:
    found = [str(value) for value, _label in kind.choices]
    return ["", *found] if kind.blank and "" not in found else found


def only_once(nodes: Sequence[Node], keys: Sequence[Any]) -> None:
    """Refuses the second of two that have the same key."""
    seen = set()
    for node, key in zip(nodes, keys, strict=True):
        if key in seen:
            node.refuse(_("is given twice"))
        seen.add(key)
