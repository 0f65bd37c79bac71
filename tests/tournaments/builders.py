"""Small events for the tests of the ledger's services, made through those services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from tournaments import jobs
from tournaments.audit import Actor
from tournaments.models import Entry, Event, Job, Pairing, Role, Round, Section, User
from tournaments.selectors import whatif
from tournaments.services import entries, events, results, rounds
from tournaments.services.results import Line
from tournaments.services.runners import RUNNERS

_numbers = count(1)


def user(*, staff: bool = False) -> User:
    return User.objects.create(username=f"person{next(_numbers)}", is_staff=staff)


def organizer() -> Actor:
    return Actor(user=user(staff=True), address="192.0.2.1")


def with_role(event: Event, kind: Role.Kind) -> Actor:
    person = user()
    Role.objects.create(event=event, user=person, kind=kind)
    return Actor(user=person)


def section(actor: Actor, *, players: int = 0, **fields: Any) -> Section:
    event = events.create_event(actor, {"name": "岳阳公开赛"})
    made = events.create_section(actor, event.pk, {"name": "公开组", **fields})
    for number in range(1, players + 1):
        entries.add_entry(actor, made.pk, {"name": f"Player {number}", "rating": 2400 - 10 * number})
    return made


def entry_list(section: Section) -> list[Entry]:
    return list(section.entries.select_related("player").order_by("number", "pk"))


def run(job: Job) -> Job:
    """Work a job as the worker does."""
    jobs.run(job.pk, RUNNERS)
    job.refresh_from_db()
    return job


def work_all(section: Section) -> None:
    """Work whatever waits for the section, until nothing does."""
    while (job := Job.objects.filter(section=section, state=Job.State.QUEUED).first()) is not None:
        run(job)


def draft(actor: Actor, section: Section) -> Round:
    """The next round's draft; of a round robin the first."""
    job = run(rounds.request_pairing(actor, section.pk))
    assert job.state == Job.State.DONE, job.error_values
    return section.rounds.get(number=job.round_number)


def publish_next(actor: Actor, section: Section) -> Round:
    return rounds.publish_round(actor, draft(actor, section).pk)


def enter_all(actor: Actor, round_: Round, outcome: str = "WHITE") -> None:
    """The same outcome on every board of the round that has none yet."""
    open_boards = round_.pairings.filter(outcome="UNPLAYED")
    lines = [Line(pairing=p.pk, outcome=outcome, version=p.version) for p in open_boards]
    results.record_outcomes(actor, round_.section_id, lines)


def play_round(actor: Actor, section: Section, outcome: str = "WHITE") -> Round:
    round_ = publish_next(actor, section)
    enter_all(actor, round_, outcome)
    return round_


def board_of(round_: Round, entry: Entry) -> Pairing:
    return next(p for p in round_.pairings.all() if entry.pk in (p.white_id, p.black_id))


def seated(round_: Round) -> list[int]:
    """Every entry named in the round, as often as it is named."""
    pairs = round_.pairings.values_list("white_id", "black_id")
    return sorted(entry for pair in pairs for entry in pair if entry is not None)


def seated_by_engine(round_: Round) -> list[int]:
    """Who has a board or the bye, without those who are away."""
    away = set(
        round_.pairings.filter(outcome__in=["HALF_BYE", "ZERO_BYE"]).values_list("white_id", flat=True)
    )
    return [entry for entry in seated(round_) if entry not in away]


def rows_after(section: Section, changes: Sequence[whatif.Change] = ()) -> list[Mapping[str, Any]]:
    """The rows of the table as what-if questions foresee them."""
    table = whatif.table(section, changes)
    assert table is not None  # a round is public
    return [line.then for line in table.lines]
