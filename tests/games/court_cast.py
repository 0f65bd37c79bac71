"""A section with a court: two rounds of a Swiss of eight, the second one open, and everybody who works at a case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.models import Incident, Ruling
from games.services.court import incidents, rulings
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests import factories as f
from tests.games.boards import actor
from tournaments.audit import Actor
from tournaments.engine.types import Outcome
from tournaments.models import Entry, Event, Pairing, Role, Round, Section, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Court:
    section: Section
    entries: list[Entry]
    round: Round
    organizer: Actor
    chief: Actor
    arbiter: Actor
    committee: list[Actor] = field(default_factory=list)

    @property
    def event(self) -> Event:
        return self.section.event

    def board(self, number: int = 1) -> Pairing:
        return Pairing.objects.select_related("white__player", "black__player", "round").get(
            round=self.round, board=number
        )

    def fresh(self) -> Section:
        return Section.objects.select_related("event").get(pk=self.section.pk)


def court(*, members: int = 0, players: int = 8, **fields: Any) -> Court:
    fields.setdefault("rounds_total", 5)
    section = f.make_section(**fields)
    entries = f.make_entries(section, players)
    f.make_round(
        section, f.draw(entries, 1, outcomes=[Outcome.WHITE, Outcome.DRAW]), state=Round.State.CLOSED
    )
    round_ = f.make_round(section, f.draw(entries, 2))
    event = section.event
    return Court(
        section=section,
        entries=entries,
        round=round_,
        organizer=actor(event, Role.Kind.ORGANIZER),
        chief=actor(event, Role.Kind.CHIEF_ARBITER),
        arbiter=actor(event, Role.Kind.ARBITER),
        committee=[actor(event, Role.Kind.COMMITTEE) for _i in range(members)],
    )


def user_of(someone: Actor) -> User:
    assert someone.user is not None
    return someone.user


def log(court: Court, *, board: int = 1, by: Actor | None = None, **fields: Any) -> Incident:
    fields = {"category": "CONDUCT", "raised_by": "A", "against": "W", **fields}
    return incidents.log_incident(by or court.arbiter, court.board(board).pk, Report(**fields))


def ruled(
    court: Court, effect: str, *, by: Actor | None = None, side: str = "W", board: int = 1, **fields: Any
) -> Ruling:
    incident = log(court, board=board, **fields)
    text = "not proved" if effect == "NONE" else ""  # 14.2.1 asks for the reason
    return rulings.rule(by or court.arbiter, incident.pk, Order(effect=effect, side=side, text=text))
