"""What the rehearsal does through the services, and what it computes once more at the end."""

from __future__ import annotations

import time
from collections import Counter
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection

from tests.tournaments import builders
from tournaments import snapshot
from tournaments.audit import Actor, chain
from tournaments.models import Event, Job, Pairing, Round, Section, Standings, User
from tournaments.selectors.standing_tables import compute_table
from tournaments.services import entries, results, rounds

PATIENCE = 180


def prepare(players: int, number: int) -> tuple[Section, Actor, str]:
    organizer = builders.organizer()
    section = builders.section(organizer, players=players, rounds_total=number)
    Event.objects.filter(pk=section.event_id).update(state=Event.State.OPEN)
    assert organizer.user is not None
    return section, organizer, session_of(organizer.user)


def session_of(user: User) -> str:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.save()
    return str(store.session_key)


def publish(organizer: Actor, section: Section, number: int) -> Round:
    """Ask for the round, wait for the worker's draft, publish it."""
    job = rounds.request_pairing(organizer, section.pk)
    wait_for(lambda: Job.objects.filter(pk=job.pk, state__in=["DONE", "FAILED"]).exists())
    return rounds.publish_round(organizer, section.rounds.get(number=number).pk)


def open_boards(round_: Round) -> list[int]:
    return list(round_.pairings.filter(black__isnull=False).order_by("board").values_list("pk", flat=True))


def correct(organizer: Actor, section: Section) -> dict[int, str]:
    board = Pairing.objects.filter(round__section=section, round__number=1, board=1).get()
    outcome = "DRAW" if board.outcome != "DRAW" else "WHITE"
    results.record_outcome(organizer, board.pk, outcome=outcome, version=board.version, reason="misread")
    return {board.pk: outcome}


def withdraw(organizer: Actor, section: Section) -> None:
    entry = section.entries.order_by("-number").first()
    assert entry is not None
    entries.withdraw_entry(organizer, entry.pk, after_round=3)


def wait_for_jobs(section: Section) -> None:
    wait_for(lambda: not Job.objects.filter(section=section, state__in=["QUEUED", "RUNNING"]).exists())


def wait_for(truth: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not truth():
        if time.monotonic() > deadline:
            raise TimeoutError("the worker did not get there")
        time.sleep(0.1)


def broken(section: Section, sent: dict[int, str]) -> list[str]:
    """What does not agree with what was sent, or with itself when computed from nothing."""
    found = []
    section.refresh_from_db()
    stored = dict(Pairing.objects.filter(pk__in=sent).values_list("pk", "outcome"))
    found += [
        f"board {pk}: {stored.get(pk)} is stored, {outcome} was sent"
        for pk, outcome in sent.items()
        if stored.get(pk) != outcome
    ]
    failed = Job.objects.filter(section=section, state="FAILED").values_list("kind", "error_code")
    found += [f"job {kind} failed: {code}" for kind, code in failed]
    snap = snapshot.load(section, public_only=True)
    for number in range(1, len(snap.tournament.rounds) + 1):
        kept = Standings.objects.filter(section=section, after_round=number).order_by("-version").first()
        computed = compute_table(section, snap, after_round=number)
        if kept is None or kept.rows != computed.rows:
            found.append(f"the table after round {number} is not what its rounds give")
    for round_ in section.rounds.all():
        seats = Counter(
            pk for pair in round_.pairings.values_list("white_id", "black_id") for pk in pair if pk
        )
        found += [
            f"entry {pk} has {count} boards in round {round_.number}"
            for pk, count in seats.items()
            if count > 1
        ]
    proof = chain.prove()
    if proof.broken:
        found.append(f"the log is broken at row {proof.broken.row}: {proof.broken.kind}")
    connection.close()
    return found
