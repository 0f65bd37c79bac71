"""The one lock on the ledger: refuses to run without a transaction, waits, gives up in time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from tests.tournaments import rows
from tournaments import gate
from tournaments.errors import Busy, NotFound
from tournaments.models import Entry, Player, Section

PATIENCE = 600  # seconds: how long a busy machine may take; nothing waits that long when all is well


@pytest.mark.django_db(transaction=True)
class TestGate:
    def test_outside_a_transaction_it_refuses_to_run(self) -> None:
        section = rows.section()

        with pytest.raises(RuntimeError, match="needs a transaction"):
            gate.lock_section(section.pk)

    def test_the_answer_is_the_present_row_with_its_event(self) -> None:
        section = rows.section()
        Section.objects.filter(pk=section.pk).update(version=7)

        with transaction.atomic():
            locked = gate.lock_section(section.pk)

        assert locked.version == 7
        assert locked.event == section.event

    def test_no_such_section_is_not_found(self) -> None:
        with pytest.raises(NotFound), transaction.atomic():
            gate.lock_section(987654321)

    def test_while_another_holds_it_the_second_is_told_it_is_busy(self, monkeypatch) -> None:
        monkeypatch.setattr(gate, "LOCK_TIMEOUT_MS", 50)
        section = rows.section()
        asked = threading.Event()
        held = threading.Event()

        def hold() -> None:
            with transaction.atomic():
                gate.lock_section(section.pk)
                held.set()
                asked.wait(PATIENCE)
            connection.close()

        with ThreadPoolExecutor(1) as pool:
            holder = pool.submit(hold)
            assert held.wait(PATIENCE)
            with pytest.raises(Busy), transaction.atomic():
                gate.lock_section(section.pk)
            asked.set()
            holder.result()

        with transaction.atomic():
            assert gate.lock_section(section.pk).pk == section.pk

    def test_the_transaction_of_the_refused_is_still_usable(self, monkeypatch) -> None:
        monkeypatch.setattr(gate, "LOCK_TIMEOUT_MS", 50)
        section = rows.section()
        asked = threading.Event()
        held = threading.Event()

        def hold() -> None:
            with transaction.atomic():
                gate.lock_section(section.pk)
                held.set()
                asked.wait(PATIENCE)
            connection.close()

        with ThreadPoolExecutor(1) as pool:
            holder = pool.submit(hold)
            assert held.wait(PATIENCE)
            with transaction.atomic():
                with pytest.raises(Busy):
                    gate.lock_section(section.pk)
                assert Section.objects.filter(pk=section.pk).exists()
            asked.set()
            holder.result()

    def test_rows_that_point_at_the_section_are_written_while_it_is_held(self, monkeypatch) -> None:
        """The gate keeps ledger writers apart, not readers nor rows that only refer to the section."""
        section = rows.section(players=1)
        player = Player.objects.create(event=section.event, name="Late")

        def enter() -> int:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '60s'")
            made = Entry.objects.create(section_id=section.pk, player_id=player.pk)
            connection.close()
            return made.pk

        with transaction.atomic(), ThreadPoolExecutor(1) as pool:
            gate.lock_section(section.pk)
            made = pool.submit(enter).result()

        assert section.entries.filter(pk=made).exists()
