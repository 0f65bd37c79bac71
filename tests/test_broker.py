"""A ring goes through a real broker to a real worker: the folder of the default set-up, and Redis."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from config import health, pulse
from config.broker import Channel
from config.celery import app
from tournaments import jobs
from tournaments.models import Event, Heartbeat, Job, Section
from tournaments.services.runners import RUNNERS

PATIENCE = 600  # seconds: how long a busy machine may take; nothing waits that long when all is well


def until(met: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not met() and time.monotonic() < deadline:
        time.sleep(0.05)
    return met()


@pytest.fixture
def folder_broker(tmp_path: Path) -> dict[str, Any]:
    folders = {"data_folder_in": "messages", "data_folder_out": "messages", "control_folder": "control"}
    options = {option: str(tmp_path / "broker" / folder) for option, folder in folders.items()}
    return {
        "broker_url": "folder://localhost",
        "broker_transport_options": {**options, "polling_interval": 0.05},
    }


@pytest.fixture
def redis_broker(tmp_path: Path) -> Iterator[dict[str, Any]]:
    given = os.environ.get("TEST_BROKER_URL")
    if given:
        yield {"broker_url": given, "broker_transport_options": {"global_keyprefix": f"test-{os.getpid()}-"}}
        return
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("no Redis: CELERY_BROKER_URL names no server and redis-server is not installed")
    socket = tmp_path / "redis.sock"
    command = [program, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            assert until(socket.exists)
            yield {"broker_url": f"redis+socket://{socket}", "broker_transport_options": {}}
        finally:
            server.terminate()


@pytest.fixture(params=["folder", "redis"])
def worker(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[None]:
    """A Celery worker in a thread of this process, on the test's database, and the site ringing through its broker."""
    before = {name: app.conf[name] for name in ("broker_url", "broker_transport_options")}
    app.conf.update(request.getfixturevalue(f"{request.param}_broker"))
    app._after_fork()
    try:
        with start_worker(
            app, pool="threads", concurrency=1, perform_ping_check=False, shutdown_timeout=PATIENCE
        ):
            yield
    finally:
        app.conf.update(before)
        app._after_fork()


def bare_section() -> Section:
    return Section.objects.create(event=Event.objects.create(name="岳阳公开赛"), name="公开组")


def finish_at_once(job: Job) -> None:
    with transaction.atomic():
        jobs.finish(jobs.hold(job))
    connection.close()


def state(job: Job) -> str:
    job.refresh_from_db()
    return job.state


@pytest.mark.broker
@pytest.mark.usefixtures("worker")
def test_a_ring_makes_the_worker_do_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RUNNERS, Job.Kind.STANDINGS, finish_at_once)
    section = bare_section()

    with transaction.atomic():
        job = jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)

    assert until(lambda: state(job) == Job.State.DONE)
    assert job.attempts == 1


@pytest.mark.broker
@pytest.mark.usefixtures("worker")
def test_a_job_whose_ring_was_lost_is_done_after_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RUNNERS, Job.Kind.STANDINGS, finish_at_once)
    section = bare_section()
    lost = Job.objects.create(section=section, kind=Job.Kind.STANDINGS, round_number=1)
    look = pulse.Sweep()

    look()
    assert state(lost) == Job.State.QUEUED
    look()

    assert state(lost) == Job.State.DONE


@pytest.mark.broker
@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("worker", ["folder"], indirect=True)
def test_a_folder_deleted_under_a_running_site_stops_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RUNNERS, Job.Kind.STANDINGS, finish_at_once)
    section = bare_section()
    look = Channel._get
    looks: list[str] = []

    def counted(channel: Channel, queue: str) -> Any:
        try:
            return look(channel, queue)
        finally:
            looks.append(queue)

    monkeypatch.setattr(Channel, "_get", counted)
    for _time in range(2):
        shutil.rmtree(tmp_path / "broker", ignore_errors=True)
        before = len(looks)
        assert until(lambda before=before: len(looks) >= before + 3)  # the worker looked where the folder was

        with transaction.atomic():
            job = jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)

        assert until(lambda job=job: state(job) == Job.State.DONE)


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_cannot_be_reached_costs_no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_broker_failed_at", float("-inf"))  # and back to that for other tests
    section = bare_section()
    before = app.conf["broker_url"]
    app.conf.update(broker_url="redis://127.0.0.1:9/0")
    app._after_fork()
    try:
        with transaction.atomic():
            job = jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)
    finally:
        app.conf.update(broker_url=before)
        app._after_fork()

    assert state(job) == Job.State.QUEUED


UNREADABLE = [
    "",
    "{",
    "[]",
    '{"body": "x"}',
    '{"body": 1, "properties": {"delivery_tag": "a", "delivery_info": {}}}',
    "\x00",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_message_that_cannot_be_understood_is_put_aside_and_the_next_one_heard(
    text: str, tmp_path: Path, folder_broker: dict[str, Any]
) -> None:
    messages = tmp_path / "broker" / "messages"
    whole = {"body": "ring", "properties": {"delivery_tag": "1", "delivery_info": {"exchange": ""}}}
    with app.connection_for_write(url="folder://localhost") as link:
        link.transport_options = folder_broker["broker_transport_options"]
        channel = link.default_channel
        assert isinstance(channel, Channel)
        (messages / "0_first.jobs.msg").write_text(text)
        channel._put("jobs", whole)

        assert channel._get("jobs") == whole

    assert list(messages.iterdir()) == []
    assert [path.read_text() for path in (tmp_path / "broker" / "unreadable").iterdir()] == [text]


def test_a_list_of_queues_that_cannot_be_read_is_put_aside(
    tmp_path: Path, folder_broker: dict[str, Any]
) -> None:
    with app.connection_for_write(url="folder://localhost") as link:
        link.transport_options = folder_broker["broker_transport_options"]
        channel = link.default_channel
        assert isinstance(channel, Channel)
        (tmp_path / "broker" / "control" / "jobs.exchange").write_text("{half")

        assert [row.queue for row in channel.get_table("jobs")] == ["jobs"]
        (tmp_path / "broker" / "control" / "jobs.exchange").write_text("{half")
        channel._queue_bind("jobs", "jobs", "", "jobs")

        assert [row.queue for row in channel.get_table("jobs")] == ["jobs"]


def test_a_message_appears_whole_or_not_at_all(tmp_path: Path, folder_broker: dict[str, Any]) -> None:
    seen: list[list[str]] = []
    messages = tmp_path / "broker" / "messages"
    with app.connection_for_write(url="folder://localhost") as link:
        link.transport_options = folder_broker["broker_transport_options"]
        channel = link.default_channel
        assert isinstance(channel, Channel)

        whole = {"body": "ring", "properties": {"delivery_tag": "1", "delivery_info": {}}}
        channel._put("jobs", whole)
        seen.append([path.suffix for path in messages.iterdir()])

        assert channel._get("jobs") == whole
        seen.append([path.name for path in messages.iterdir()])

    assert seen == [[".msg"], []]


@pytest.mark.django_db
def test_a_worker_counts_as_up_while_its_pulse_is_fresh() -> None:
    assert health.check()["worker"] == health.DOWN

    pulse.beat("a:1")
    assert health.check() == dict.fromkeys(("web", "database", "disk", "worker", "broker"), "up")

    Heartbeat.objects.update(at=timezone.now() - health.WORKER_SILENCE - timedelta(seconds=1))
    assert health.check()["worker"] == health.DOWN


@pytest.mark.django_db
def test_the_rows_of_workers_killed_on_this_machine_are_forgotten() -> None:
    pulse.beat(f"{pulse.machine()}:1")
    pulse.beat("elsewhere:1")

    pulse.forget_dead_workers()

    assert list(Heartbeat.objects.values_list("name", flat=True)) == ["elsewhere:1"]


def test_a_broker_that_does_not_answer_is_down(tmp_path: Path) -> None:
    assert health.ask_broker("redis://127.0.0.1:9/0") == health.DOWN
    assert health.ask_broker(f"redis+socket://{tmp_path}/nothing.sock") == health.DOWN
    assert health.ask_broker("folder://localhost") == health.UP


def test_the_suite_itself_rings_through_no_real_broker() -> None:
    assert settings.CELERY_BROKER_URL == "memory://"
