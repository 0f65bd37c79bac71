"""Proof that the audit log is whole: the chain of hashes, computed once more outside the database.

The text of a row is a JSON array as PostgreSQL writes jsonb: its number, the hash before, and every column. A changed,
removed or inserted row breaks the chain at its place; a log cut off at the end shows only by its last hash, which is
why that is printed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

COLUMNS = (
    "id", "at", "event_id", "section_id", "actor_id", "actor_name", "address", "action", "object_type", "object_id",
    "before", "after", "reason",
)  # fmt: skip
PAGE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """The first broken row. `kind` is number-missing, link-broken, content-changed or not-chained."""

    row: int
    seq: int | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    rows: int
    last_hash: str
    broken: Break | None = None


def prove() -> Proof:
    """Walk the chain from its first row. Stops at the first row that does not fit."""
    seq, last_hash = 0, ""
    for row, number, previous, found, expected in _rows():
        if number is None:
            return Proof(rows=seq, last_hash=last_hash, broken=Break(row=row, seq=None, kind="not-chained"))
        kind = ""
        if number != seq + 1:
            kind = "number-missing"
        elif previous != last_hash:
            kind = "link-broken"
        elif found != expected:
            kind = "content-changed"
        if kind:
            return Proof(rows=seq, last_hash=last_hash, broken=Break(row=row, seq=number, kind=kind))
        seq, last_hash = number, found
    return Proof(rows=seq, last_hash=last_hash)


def _rows() -> Iterator[tuple[int, int | None, str, str, str]]:
    """Each row with the hash it has and the hash its content asks for, in the order of the chain, unchained ones last."""
    parts = ", ".join("extract(epoch FROM at)::text" if name == "at" else name for name in COLUMNS)
    text = f"jsonb_build_array(seq, previous_hash, {parts})::text"
    query = (
        f"SELECT id, seq, previous_hash, hash, {text} FROM tournaments_auditentry ORDER BY seq NULLS LAST, id"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        while page := cursor.fetchmany(PAGE):
            for row, seq, previous, found, content in page:
                yield row, seq, previous, found, hashlib.sha256(content.encode()).hexdigest()
