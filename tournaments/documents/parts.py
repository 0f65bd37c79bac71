"""Parts of the event document that other rooms keep: the ledger does not know them, and asks whoever named a part here.

A part writes itself from the event's rows, and reads itself back in two steps: `read` checks the whole of it and gives
a function that writes its rows once those of the ledger are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.documents.parsing import Node
from tournaments.models import Entry, Event, Notice, Pairing, Section

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
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Something of a file that has no place here: what kind, and the value or line."""

    what: str
    value: str = ""


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
        if node.value not in self.sections:
            node.refuse(_("there is no section %(code)s in the document"), code=node.value)
        return self.sections[node.value]

    def entry(self, node: Node, section: Section) -> Entry:
        key = (section.code, node.value)
        if key not in self.entries:
            node.refuse(_("there is no %(id)s in the document"), id=key[1])
        return self.entries[key]

    def entry_or_none(self, node: Node, section: Section) -> Entry | None:
        return None if node.value is None else self.entry(node, section)

    def board(self, node: Node, section: Section) -> Pairing:
        key = (section.code, node.value["round"], node.value["board"])
        if key not in self.boards:
            node.refuse(_("there is no such board in the document"))
        return self.boards[key]

    def board_or_none(self, node: Node, section: Section) -> Pairing | None:
        return None if node.value is None else self.board(node, section)

    def notice_or_none(self, node: Node) -> Notice | None:
        number = node.value
        if number is not None and number not in self.notices:
            node.refuse(_("there is no %(id)s in the document"), id=number)
        return None if number is None else self.notices[number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A member of the document, of a kind. Older documents do not have it, and `read` is not asked then."""

    name: str
    schema: Any
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


def only_once(nodes: Sequence[Node], keys: Sequence[Any]) -> None:
    """Refuses the second of two that have the same key."""
    seen = set()
    for node, key in zip(nodes, keys, strict=True):
        if key in seen:
            node.refuse(_("is given twice"))
        seen.add(key)
