"""The only lock on the ledger: one row lock on the section. Every ledger write passes here first; readers take a
snapshot in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

from tournaments.errors import Busy, NotFound
from tournaments.models import Event, Section, User

LOCK_TIMEOUT_MS = 5000
LOCK_NOT_AVAILABLE = "55P03"


def lock_section(pk: int) -> Section:
    """The section's present row, held until the transaction ends.

    Raises Busy after five seconds of waiting, NotFound for no such section, RuntimeError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("lock_section needs a transaction")
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{LOCK_TIMEOUT_MS}ms"])
    try:
        # The savepoint keeps the caller's transaction usable when the lock is refused.
        with transaction.atomic():
            return (
                Section.objects.select_for_update(no_key=True, of=("self",))
                .select_related("event")
                .get(pk=pk)
            )
    except Section.DoesNotExist:
        raise NotFound from None
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") == LOCK_NOT_AVAILABLE:
            raise Busy from None
        raise


def lock_event(pk: int) -> Event:
    """The event's present row, held until the transaction ends: for what concerns its officials or all its sections.

    Taken before any section's lock. Raises NotFound, and RuntimeError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("lock_event needs a transaction")
    event = Event.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if event is None:
        raise NotFound
    return event


def lock_account(pk: int) -> User:
    """The account's present row, held until the transaction ends: for what is counted by account. Raises NotFound."""
    if not connection.in_atomic_block:
        raise RuntimeError("lock_account needs a transaction")
    user = User.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if user is None:
        raise NotFound
    return user


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Show all reads inside the database as it is at the first of them, whatever others commit meanwhile.

    Writes inside are refused by the database. Inside a transaction that is open already nothing changes.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def lock_set_up() -> None:
    """Held while the first account is made, so that there is one first account."""
    if not connection.in_atomic_block:
        raise RuntimeError("lock_set_up needs a transaction")
    with connection.cursor() as cursor:
        cursor.execute(
            f"LOCK TABLE {connection.ops.quote_name(User._meta.db_table)} IN SHARE ROW EXCLUSIVE MODE"
        )
