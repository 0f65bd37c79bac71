"""Turns: what only one process of all machines should be doing at a time. The ledger is guarded elsewhere, by `gate`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

ALONE = 710002  # the class of these locks in the database


@contextmanager
def alone(what: str, *, wait: bool) -> Iterator[bool]:
    """Whether no other connection, of any process or machine, is at `what` now; with `wait` the turn is waited for.

    It keeps work from being done twice, and guards nothing: the ledger's writes go through `lock_section`.
    """
    function = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({ALONE}, hashtext(%s))", [what])
        mine = wait or bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock({ALONE}, hashtext(%s))", [what])
