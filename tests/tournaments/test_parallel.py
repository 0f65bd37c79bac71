"""Many at once, on real connections: one round, one job; one result, and the other is told."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth import authenticate
from django.db import connection
from django.test import RequestFactory

from tests.tournaments import builders as b
from tournaments import gate, jobs
from tournaments.audit import Actor
from tournaments.errors import SiteError
from tournaments.models import Attempts, AuditEntry, Job, Pairing, Section
from tournaments.services import draft, entries, results, rounds
from tournaments.services.results import StaleResult
from tournaments.services.runners import RUNNERS
from tournaments.web import throttling

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 600  # seconds: how long a busy machine may take; nothing waits that long when all is well


@pytest.fixture(autouse=True)
def nobody_gives_up_at_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the last of ten may wait at the gate for longer than a person is kept waiting."""
    monkeypatch.setattr(gate, "LOCK_TIMEOUT_MS", PATIENCE * 1000)


def together(*calls: Callable[[], object]) -> list[object]:
    """What each call answered or raised, all started at the same moment on connections of their own."""
    barrier = Barrier(len(calls))

    def work(call: Callable[[], object]) -> object:
        try:
            barrier.wait(PATIENCE)
            return call()
        except SiteError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(work, call) for call in calls]]


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def section(organizer) -> Section:
    return b.section(organizer, players=6)


def test_ten_ask_for_the_next_round_and_there_is_one_job_and_one_round(organizer, section) -> None:
    asked = together(*[lambda: rounds.request_pairing(organizer, section.pk)] * 10)

    assert len({job.pk for job in asked}) == 1
    assert Job.objects.filter(section=section, kind="PAIR").count() == 1

    together(*[lambda: jobs.run(asked[0].pk, RUNNERS)] * 4)

    assert section.rounds.count() == 1
    assert b.seated(section.rounds.get()) == sorted(section.entries.values_list("pk", flat=True))
    assert Job.objects.get(kind="PAIR").state == Job.State.DONE
    assert AuditEntry.objects.filter(action="request-pairing").count() == 1


def test_two_results_for_one_board_one_wins_and_the_other_is_told(organizer, section) -> None:
    board = b.publish_next(organizer, section).pairings.get(board=1)

    answers = together(
        lambda: results.record_outcome(organizer, board.pk, outcome="WHITE", version=0),
        lambda: results.record_outcome(organizer, board.pk, outcome="BLACK", version=0),
    )

    (saved,) = [answer for answer in answers if isinstance(answer, Pairing)]
    (refused,) = [answer for answer in answers if isinstance(answer, StaleResult)]
    board.refresh_from_db()
    assert (board.outcome, board.version) == (saved.outcome, 1)
    assert refused.values["boards"][0]["outcome"] == saved.outcome
    assert AuditEntry.objects.filter(action="record-outcome").count() == 1


def test_results_of_different_boards_do_not_hinder_each_other(organizer, section) -> None:
    boards = list(b.publish_next(organizer, section).pairings.all())

    together(
        *[
            lambda pk=board.pk: results.record_outcome(organizer, pk, outcome="DRAW", version=0)
            for board in boards
        ]
    )
    b.work_all(section)

    assert set(Pairing.objects.values_list("outcome", flat=True)) == {"DRAW"}
    assert Job.objects.filter(section=section, state__in=["QUEUED", "RUNNING"]).count() == 0
    assert [row["points"] for row in section.standings.get(after_round=1).rows] == [1] * 6


def test_publishing_twice_publishes_once(organizer, section) -> None:
    round_ = b.draft(organizer, section)

    answers = together(*[lambda: rounds.publish_round(organizer, round_.pk)] * 4)

    assert sum(isinstance(answer, SiteError) for answer in answers) == 3
    assert AuditEntry.objects.filter(action="publish-round").count() == 1


def test_of_a_hand_change_and_a_publication_at_once_the_round_stays_whole(organizer, section) -> None:
    round_ = b.draft(organizer, section)
    board = round_.pairings.get(board=1)
    version = Section.objects.get(pk=section.pk).version
    everybody = b.seated(round_)

    answers = together(
        lambda: rounds.publish_round(organizer, round_.pk),
        lambda: draft.swap(
            organizer, round_.pk, first=board.white_id, second=board.black_id, version=version, reason=""
        ),
    )

    assert not isinstance(answers[0], SiteError)
    assert b.seated(round_) == everybody
    swapped = round_.pairings.get(board=1).white_id == board.black_id
    assert swapped is not isinstance(answers[1], SiteError)


def test_late_entries_at_once_get_numbers_of_their_own(organizer, section) -> None:
    b.play_round(organizer, section)

    together(
        *[
            lambda name=name: entries.add_entry(organizer, section.pk, {"name": name, "rating": 2380})
            for name in ("A", "B", "C", "D")
        ]
    )

    numbers = sorted(section.entries.values_list("number", flat=True))
    assert numbers == list(range(1, 11))


def test_a_result_entered_while_the_table_is_computed_is_in_the_table(organizer, section) -> None:
    boards = list(b.publish_next(organizer, section).pairings.all())
    b.work_all(section)

    for board in boards:
        results.record_outcome(organizer, board.pk, outcome="DRAW", version=0)
        job = Job.objects.get(section=section, kind="STANDINGS", state="QUEUED")
        together(
            lambda pk=job.pk: jobs.run(pk, RUNNERS),
            lambda pk=board.pk: results.record_outcome(organizer, pk, outcome="WHITE", version=1),
        )
        b.work_all(section)

        row_of = {row["entry"]: row["points"] for row in section.standings.get(after_round=1).rows}
        assert (row_of[board.white_id], row_of[board.black_id]) == (2, 0)


def test_guesses_at_the_same_moment_are_all_counted_whichever_process_hears_them() -> None:
    request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")

    said = together(*[lambda: authenticate(request, username="nobody", password="wrong")] * 14)

    assert said == [None] * 14
    counts = dict(Attempts.objects.values_list("key", "count"))
    # On the account, from the address, and on both together.
    assert sorted(counts.values()) == [14, 14, 14]


def test_of_many_questions_at_once_as_many_are_let_through_as_may_be_asked() -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")

    let_through = together(*[lambda: throttling.may_ask(request)] * (throttling.QUESTIONS + 6))

    assert let_through.count(True) == throttling.QUESTIONS
