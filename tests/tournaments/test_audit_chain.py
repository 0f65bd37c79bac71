"""The audit log only grows, and a change made behind the site's back is found at its row."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import CommandError, call_command
from django.db import InternalError, ProgrammingError, connection, transaction

from tournaments import audit
from tournaments.audit import Actor, chain
from tournaments.models import AuditEntry

pytestmark = pytest.mark.django_db(transaction=True)
BY = Actor(label="tester")


def write(count: int) -> None:
    for number in range(count):
        audit.record(
            actor=BY, action=f"act-{number}", before={"名": [1, None, "é"]}, after=number, reason="why"
        )


@contextmanager
def guards_off() -> Iterator[None]:
    """As someone with the database's own keys would."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_auditentry DISABLE TRIGGER USER")
        try:
            yield
        finally:
            cursor.execute("ALTER TABLE tournaments_auditentry ENABLE TRIGGER USER")


def sql(text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(text)


def test_a_whole_log_is_proved() -> None:
    write(5)

    proof = chain.prove()

    assert (proof.rows, proof.broken) == (5, None)
    assert proof.last_hash == AuditEntry.objects.get(seq=5).hash != ""


def test_rows_of_one_transaction_are_chained_in_order() -> None:
    with transaction.atomic():
        write(3)
        assert not AuditEntry.objects.filter(seq__isnull=False).exists()

    assert list(AuditEntry.objects.order_by("seq").values_list("action", flat=True)) == [
        "act-0",
        "act-1",
        "act-2",
    ]
    assert chain.prove().rows == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_auditentry SET reason = 'other'",
        "UPDATE tournaments_auditentry SET hash = 'x'",
        "DELETE FROM tournaments_auditentry",
    ],
)
def test_the_database_refuses_to_change_or_remove(statement: str) -> None:
    write(1)

    with pytest.raises((InternalError, ProgrammingError), match="only grows"):
        sql(statement)

    assert chain.prove().rows == 1


def test_an_unchained_row_cannot_be_changed_either() -> None:
    with pytest.raises((InternalError, ProgrammingError), match="only grows"), transaction.atomic():
        write(1)
        sql("UPDATE tournaments_auditentry SET seq = 7, hash = 'x'")


def test_a_row_cannot_bring_its_own_link() -> None:
    AuditEntry.objects.create(action="x", seq=99, hash="ff", previous_hash="ee")

    assert AuditEntry.objects.get().seq == 1
    assert chain.prove().broken is None


@pytest.mark.parametrize(
    ("statement", "kind", "seq"),
    [
        ("UPDATE tournaments_auditentry SET reason = 'other' WHERE seq = 3", "content-changed", 3),
        ("UPDATE tournaments_auditentry SET before = '{}' WHERE seq = 1", "content-changed", 1),
        ("DELETE FROM tournaments_auditentry WHERE seq = 2", "number-missing", 3),
        ("UPDATE tournaments_auditentry SET previous_hash = 'aa' WHERE seq = 4", "link-broken", 4),
        (
            "INSERT INTO tournaments_auditentry (at, actor_name, address, action, object_type, reason, previous_hash, hash)"
            " VALUES (now(), '', '', 'slipped-in', '', '', '', '')",
            "not-chained",
            None,
        ),
    ],
)
def test_what_was_done_behind_the_sites_back_is_found(statement: str, kind: str, seq: int | None) -> None:
    write(5)
    with guards_off():
        sql(statement)

    broken = chain.prove().broken

    assert broken is not None
    assert (broken.kind, broken.seq) == (kind, seq)
    with pytest.raises(CommandError, match=kind):
        call_command("verify_audit", stdout=io.StringIO())


def test_the_command_says_that_all_is_whole() -> None:
    write(2)
    out = io.StringIO()

    call_command("verify_audit", stdout=out)

    assert out.getvalue().startswith("2 rows, all whole. Last hash: ")


def test_writers_at_once_make_one_chain() -> None:
    def work() -> None:
        try:
            for _number in range(5):
                with transaction.atomic():
                    write(2)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _thread in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    proof = chain.prove()
    assert (proof.rows, proof.broken) == (60, None)
