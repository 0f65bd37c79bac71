"""What the database itself refuses, whichever code asks."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from tests.tournaments import rows
from tournaments import audit
from tournaments.models import Absence, AuditEntry, Entry, Event, Job, Pairing, Round, Section

pytestmark = pytest.mark.django_db


def refused(constraint: str):
    return pytest.raises(IntegrityError, match=constraint)


def check_now() -> None:
    """Constraints that wait for the commit are checked at once."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@pytest.fixture
def round_() -> Round:
    return rows.round_of(players=4)


@pytest.fixture
def players(round_: Round) -> list[Entry]:
    return list(round_.section.entries.order_by("number"))


class TestSeats:
    def test_two_boards_with_the_same_white_are_refused(self, round_, players) -> None:
        a, b, c, _d = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b)

        with refused("one_board_of_an_entry"), transaction.atomic():
            Pairing.objects.create(round=round_, board=2, white=a, black=c)
            check_now()

    def test_white_on_one_board_and_black_on_another_is_refused(self, round_, players) -> None:
        a, b, c, _d = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b)

        with refused("one_board_of_an_entry"), transaction.atomic():
            Pairing.objects.create(round=round_, board=2, white=c, black=a)
            check_now()

    def test_a_bye_beside_a_board_is_refused(self, round_, players) -> None:
        a, b, *_rest = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b)

        with refused("one_board_of_an_entry"), transaction.atomic():
            Pairing.objects.create(round=round_, board=0, white=b, outcome="BYE")
            check_now()

    def test_plain_sql_is_refused_as_well(self, round_, players) -> None:
        a, b, c, _d = players
        insert = (
            "INSERT INTO tournaments_pairing (round_id, board, white_id, black_id, outcome, grade, version, advances)"
            " VALUES (%s, %s, %s, %s, 'UNPLAYED', '', 0, '')"
        )

        with refused("one_board_of_an_entry"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [round_.pk, 1, a.pk, b.pk])
            cursor.execute(insert, [round_.pk, 2, c.pk, a.pk])
            check_now()

    def test_an_update_that_doubles_a_player_is_refused(self, round_, players) -> None:
        a, b, c, d = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b)
        second = Pairing.objects.create(round=round_, board=2, white=c, black=d)

        with refused("one_board_of_an_entry"), transaction.atomic():
            Pairing.objects.filter(pk=second.pk).update(black=a)
            check_now()

    def test_an_exchange_inside_one_commit_is_let_through(self, round_, players) -> None:
        a, b, c, d = players
        first = Pairing.objects.create(round=round_, board=1, white=a, black=b)
        second = Pairing.objects.create(round=round_, board=2, white=c, black=d)

        with transaction.atomic():
            Pairing.objects.filter(pk=first.pk).update(black=d)
            Pairing.objects.filter(pk=second.pk).update(black=b)
        check_now()

        assert rows.boards(round_) == [(a.pk, d.pk), (c.pk, b.pk)]

    def test_a_deleted_board_frees_its_seats(self, round_, players) -> None:
        a, b, *_rest = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b).delete()

        Pairing.objects.create(round=round_, board=1, white=b, black=a)
        check_now()

        assert rows.boards(round_) == [(b.pk, a.pk)]

    def test_the_same_player_sits_in_each_round(self, round_, players) -> None:
        a, b, *_rest = players
        later = Round.objects.create(section=round_.section, number=2)
        Pairing.objects.create(round=round_, board=1, white=a, black=b)
        Pairing.objects.create(round=later, board=1, white=b, black=a)
        check_now()

        assert rows.boards(later) == [(b.pk, a.pk)]


class TestPairings:
    def test_nobody_meets_himself(self, round_, players) -> None:
        with refused("no_one_meets_himself"):
            Pairing.objects.create(round=round_, board=1, white=players[0], black=players[0])

    @pytest.mark.parametrize("outcome", ["UNPLAYED", "WHITE", "VOID", "BOTH_FORFEIT"])
    def test_a_missing_opponent_is_a_bye_and_nothing_else(self, round_, players, outcome) -> None:
        with refused("a_bye_has_no_opponent"):
            Pairing.objects.create(round=round_, board=0, white=players[0], outcome=outcome)

    @pytest.mark.parametrize("outcome", ["BYE", "HALF_BYE", "ZERO_BYE"])
    def test_a_bye_has_no_opponent(self, round_, players, outcome) -> None:
        with refused("a_bye_has_no_opponent"):
            Pairing.objects.create(round=round_, board=1, white=players[0], black=players[1], outcome=outcome)

    def test_an_unknown_outcome_is_refused(self, round_, players) -> None:
        with refused("known_outcome"):
            Pairing.objects.create(
                round=round_, board=1, white=players[0], black=players[1], outcome="WHITE_WINS"
            )

    def test_two_pairings_on_one_board_are_refused(self, round_, players) -> None:
        a, b, c, d = players
        Pairing.objects.create(round=round_, board=1, white=a, black=b)

        with refused("one_pairing_of_a_board"):
            Pairing.objects.create(round=round_, board=1, white=c, black=d)

    def test_an_entry_with_boards_is_not_deleted(self, round_, players) -> None:
        Pairing.objects.create(round=round_, board=1, white=players[0], black=players[1])

        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM tournaments_entry WHERE id = %s", [players[0].pk])
            check_now()


class TestNumbers:
    def test_two_rounds_of_one_number_are_refused(self, round_) -> None:
        with refused("one_round_of_a_number"):
            Round.objects.create(section=round_.section, number=1)

    def test_round_zero_is_refused(self, round_) -> None:
        with refused("round_number_from_one"):
            Round.objects.create(section=round_.section, number=0)

    def test_two_entries_of_one_number_are_refused(self, players) -> None:
        with refused("one_entry_of_a_number"), transaction.atomic():
            Entry.objects.filter(pk=players[0].pk).update(number=2)
            check_now()

    def test_one_player_twice_in_a_section_is_refused(self, players) -> None:
        with refused("one_entry_of_a_player"):
            Entry.objects.create(section=players[0].section, player=players[0].player)

    def test_two_sections_of_one_code_are_refused(self, round_) -> None:
        section = round_.section
        with refused("one_section_of_a_code"):
            Section.objects.create(event=section.event, code=section.code, name="B")

    def test_a_lateness_limit_over_an_hour_is_refused(self, round_) -> None:
        with refused("lateness_limit_in_range"):
            Section.objects.filter(pk=round_.section_id).update(lateness_limit=61)

    def test_an_event_that_ends_before_it_starts_is_refused(self) -> None:
        with refused("event_dates_in_order"):
            Event.objects.create(name="A", starts_on="2026-05-02", ends_on="2026-05-01")

    def test_two_absences_of_one_round_are_refused(self, players) -> None:
        Absence.objects.create(entry=players[0], round_number=2)

        with refused("one_absence_of_a_round"):
            Absence.objects.create(entry=players[0], round_number=2, kind="HALF_BYE")


class TestJobs:
    @pytest.mark.parametrize("state", [Job.State.QUEUED, Job.State.RUNNING])
    def test_two_active_jobs_of_a_kind_are_refused(self, round_, state) -> None:
        Job.objects.create(section=round_.section, kind=Job.Kind.PAIR, state=state)

        with refused("one_active_job_of_a_kind"):
            Job.objects.create(section=round_.section, kind=Job.Kind.PAIR)

    @pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED])
    def test_after_the_end_of_a_job_another_may_come(self, round_, state) -> None:
        Job.objects.create(section=round_.section, kind=Job.Kind.PAIR, state=state)

        Job.objects.create(section=round_.section, kind=Job.Kind.PAIR)

        assert Job.objects.filter(section=round_.section).count() == 2

    def test_jobs_of_two_kinds_stand_side_by_side(self, round_) -> None:
        Job.objects.create(section=round_.section, kind=Job.Kind.PAIR)

        Job.objects.create(section=round_.section, kind=Job.Kind.STANDINGS)

        assert Job.objects.filter(section=round_.section).count() == 2


class TestAudit:
    @pytest.fixture
    def line(self, round_) -> AuditEntry:
        return audit.record(actor=audit.SYSTEM, action="test", section=round_.section, subject=round_)

    def test_a_line_is_not_changed(self, line) -> None:
        with pytest.raises(DatabaseError, match="only grows: UPDATE"), transaction.atomic():
            AuditEntry.objects.filter(pk=line.pk).update(reason="nothing happened")

        line.refresh_from_db()
        assert line.reason == ""

    def test_a_line_is_not_deleted(self, line) -> None:
        with pytest.raises(DatabaseError, match="only grows: DELETE"), transaction.atomic():
            line.delete()

        assert AuditEntry.objects.filter(action="test").count() == 1

    def test_plain_sql_is_refused_as_well(self, line) -> None:
        with (
            pytest.raises(DatabaseError, match="only grows"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("DELETE FROM tournaments_auditentry")

        assert AuditEntry.objects.count() == 1

    def test_the_log_outlives_what_it_tells_of(self, line) -> None:
        event = line.event

        event.delete()

        line.refresh_from_db()
        assert line.action == "test"
