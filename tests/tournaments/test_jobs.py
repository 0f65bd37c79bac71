"""The queue: claiming, losing a lease, sweeping, answers that are failures, and starting again."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from config.pulse import SWEEP_SECONDS, Sweep
from tests.tournaments import rows
from tournaments import jobs
from tournaments.errors import WrongState
from tournaments.models import Job, Section
from tournaments.services.runners import RUNNERS

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> Section:
    return rows.section()


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    heard: list[int] = []
    monkeypatch.setattr(jobs, "ring", heard.append)
    return heard


def waiting(section: Section, **fields: object) -> Job:
    return Job.objects.create(section=section, kind=Job.Kind.PAIR, **fields)


def lapse(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


class TestEnqueue:
    def test_the_bell_rings_after_the_commit(self, section, rung, django_capture_on_commit_callbacks) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            job = jobs.enqueue(section, Job.Kind.PAIR, round_number=1)
            assert rung == []

        assert rung == [job.pk]

    def test_the_active_job_of_the_kind_is_the_answer(self, section) -> None:
        first = jobs.enqueue(section, Job.Kind.PAIR, round_number=1)

        second = jobs.enqueue(section, Job.Kind.PAIR, round_number=1)

        assert second.pk == first.pk

    def test_a_finished_job_is_not_the_answer(self, section) -> None:
        first = waiting(section, state=Job.State.DONE)

        assert jobs.enqueue(section, Job.Kind.PAIR, round_number=1).pk != first.pk

    @pytest.mark.parametrize(("asked", "kept"), [(2, 2), (7, 5), (None, 5)])
    def test_standings_are_computed_from_the_earliest_round_touched(self, section, asked, kept) -> None:
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=5)

        job = jobs.enqueue(section, Job.Kind.STANDINGS, round_number=asked)

        assert job.round_number == kept

    def test_a_broker_that_is_away_is_no_failure(self, section, monkeypatch) -> None:
        def away(*_args: object, **_named: object) -> None:
            raise ConnectionError

        monkeypatch.setattr(current_app, "send_task", away)
        monkeypatch.setattr(jobs, "_broker_failed_at", float("-inf"))  # and back to that for other tests
        job = waiting(section)

        jobs.ring(job.pk)

        job.refresh_from_db()
        assert job.state == Job.State.QUEUED


class TestClaim:
    def test_a_waiting_job_is_taken_with_a_token_and_a_lease(self, section) -> None:
        job = jobs.claim(waiting(section).pk)

        assert job is not None
        assert (job.state, job.attempts) == (Job.State.RUNNING, 1)
        assert job.token is not None
        assert job.lease_until is not None and job.lease_until > timezone.now()

    def test_a_taken_job_is_not_taken_twice(self, section) -> None:
        job = waiting(section)
        jobs.claim(job.pk)

        assert jobs.claim(job.pk) is None

    @pytest.mark.parametrize("state", [Job.State.DONE, Job.State.FAILED])
    def test_an_ended_job_is_not_taken(self, section, state) -> None:
        assert jobs.claim(waiting(section, state=state).pk) is None

    def test_a_job_whose_lease_ran_out_goes_to_another(self, section) -> None:
        first = jobs.claim(waiting(section).pk)
        lapse(first)

        second = jobs.claim(first.pk)

        assert second is not None
        assert second.attempts == 2
        assert second.token != first.token


class TestLease:
    def test_progress_is_shown_and_renews_the_lease(self, section) -> None:
        job = jobs.claim(waiting(section).pk)
        lapse(job)

        jobs.report_progress(job, done=3, total=9)

        job.refresh_from_db()
        assert (job.done, job.total) == (3, 9)
        assert job.lease_until > timezone.now()

    def test_who_lost_the_lease_neither_reports_nor_writes(self, section) -> None:
        lost = jobs.claim(waiting(section).pk)
        lapse(lost)
        winner = jobs.claim(lost.pk)

        with pytest.raises(jobs.LostJob):
            jobs.report_progress(lost, done=1, total=2)
        with pytest.raises(jobs.LostJob):
            jobs.hold(lost)
        jobs.fail(lost, WrongState(code="too-late"))

        winner.refresh_from_db()
        assert (winner.state, winner.done, winner.error_code) == (Job.State.RUNNING, 0, "")

    def test_the_holder_finishes(self, section) -> None:
        job = jobs.claim(waiting(section).pk)

        with transaction.atomic():
            jobs.finish(jobs.hold(job))

        job.refresh_from_db()
        assert (job.state, job.token, job.lease_until) == (Job.State.DONE, None, None)
        assert job.done == job.total
        assert job.finished_at is not None


class TestRun:
    def test_a_refusal_is_an_answer_and_not_tried_again(self, section) -> None:
        def refuse(_job: Job) -> None:
            raise WrongState("Nobody is left.", code="nobody", players=[1, 2])

        job = waiting(section)
        jobs.run(job.pk, {Job.Kind.PAIR: refuse})

        job.refresh_from_db()
        assert (job.state, job.error_code, job.attempts) == (Job.State.FAILED, "nobody", 1)
        assert job.error_values == {"message": "Nobody is left.", "players": [1, 2]}
        assert jobs.claim(job.pk) is None

    def test_what_nobody_foresaw_puts_the_job_back_into_the_queue_at_once(self, section, rung) -> None:
        """A reader that fell over a write in the middle must not stand still until its lease ends."""

        def crash(_job: Job) -> None:
            raise ZeroDivisionError

        job = waiting(section)
        with pytest.raises(ZeroDivisionError):
            jobs.run(job.pk, {Job.Kind.PAIR: crash})

        job.refresh_from_db()
        assert (job.state, job.attempts, job.token) == (Job.State.QUEUED, 1, None)
        assert rung == [job.pk]

    def test_who_lost_the_job_and_then_fails_rings_for_nobody(self, section, rung) -> None:
        def robbed(job: Job) -> None:
            Job.objects.filter(pk=job.pk).update(token=uuid.uuid4())
            raise ZeroDivisionError

        job = waiting(section)
        with pytest.raises(ZeroDivisionError):
            jobs.run(job.pk, {Job.Kind.PAIR: robbed})

        job.refresh_from_db()
        assert (job.state, rung) == (Job.State.RUNNING, [])

    def test_a_job_that_crashes_again_and_again_is_given_up_in_words(self, section) -> None:
        worked: list[int] = []
        job = waiting(section, attempts=jobs.MAX_ATTEMPTS)

        jobs.run(job.pk, {Job.Kind.PAIR: lambda taken: worked.append(taken.pk)})

        job.refresh_from_db()
        assert worked == []
        assert (job.state, job.error_code) == (Job.State.FAILED, "too-many-attempts")

    def test_a_job_started_again_because_the_ledger_moved_is_no_failed_attempt(self, section, rung) -> None:
        def moved(job: Job) -> None:
            with transaction.atomic():
                jobs.requeue(jobs.hold(job))

        job = waiting(section)
        for _time in range(jobs.MAX_ATTEMPTS + 2):
            jobs.run(job.pk, {Job.Kind.PAIR: moved})

        job.refresh_from_db()
        assert (job.state, job.error_code) == (Job.State.QUEUED, "")

    def test_a_worker_that_lost_its_job_ends_quietly(self, section) -> None:
        def robbed(job: Job) -> None:
            Job.objects.filter(pk=job.pk).update(token=uuid.uuid4())
            jobs.report_progress(job, done=1, total=2)

        job = waiting(section)
        jobs.run(job.pk, {Job.Kind.PAIR: robbed})

        job.refresh_from_db()
        assert (job.state, job.done) == (Job.State.RUNNING, 0)

    def test_a_bell_for_no_job_is_ignored(self) -> None:
        jobs.run(987654321, {})


class TestSweep:
    @pytest.fixture
    def worked(self, monkeypatch) -> list[int]:
        done: list[int] = []
        monkeypatch.setitem(RUNNERS, Job.Kind.PAIR, lambda job: done.append(job.pk))
        return done

    def test_it_does_what_waited_at_the_look_before_and_what_was_abandoned(self, section, worked) -> None:
        sweep = Sweep()
        old = waiting(section)
        sweep()
        assert worked == []

        waiting(rows.section())
        abandoned = jobs.claim(waiting(rows.section()).pk)
        lapse(abandoned)
        jobs.claim(waiting(rows.section()).pk)
        sweep()

        assert sorted(worked) == sorted([old.pk, abandoned.pk])

    def test_one_job_that_fails_holds_up_no_other(self, section, rung, monkeypatch) -> None:
        done: list[int] = []

        def work(job: Job) -> None:
            if job.pk == bad.pk:
                raise ZeroDivisionError
            done.append(job.pk)

        monkeypatch.setitem(RUNNERS, Job.Kind.PAIR, work)
        sweep, bad, good = Sweep(), waiting(section), waiting(rows.section())
        sweep()
        sweep()

        assert done == [good.pk]

    def test_a_pulse_keeps_the_leases_of_what_is_worked_on(self, section, monkeypatch) -> None:
        monkeypatch.setattr(jobs.leases, "are_renewed", True)
        seen: list[bool] = []

        def work(job: Job) -> None:
            lapse(job)
            jobs.renew_leases()
            seen.append(job.pk in jobs.abandoned())

        job = waiting(section)
        jobs.run(job.pk, {Job.Kind.PAIR: work})

        assert seen == [False]
        assert jobs.leases.tokens == set()

    def test_the_job_of_a_killed_worker_is_anothers_within_ten_seconds(self) -> None:
        assert jobs.RENEWED_LEASE.total_seconds() + SWEEP_SECONDS < 10


class TestBump:
    def test_the_public_version_goes_up_only_with_what_is_public(self, section) -> None:
        jobs.bump(section, public=False)
        assert (section.version, section.public_version) == (1, 0)

        jobs.bump(section, public=True)
        assert (section.version, section.public_version) == (2, 1)

        section.refresh_from_db()
        assert (section.version, section.public_version) == (2, 1)
