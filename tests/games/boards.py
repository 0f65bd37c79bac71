"""One board of a public round with its people, for tests of sheets and their pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests import factories as f
from tournaments.audit import Actor
from tournaments.engine.types import Outcome
from tournaments.models import Entry, Event, Pairing, Role, Section

LEGAL = "1. 32-28 18-23 2. 38-32 12-18 3. 31-27 7-12 4. 43-38 20-24"
SHORT_WIN = [
    "32-28", "17-21", "28-23", "19x28", "33x22", "18x27", "31x22",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    section: Section
    pairing: Pairing
    white: Entry
    black: Entry
    chief: Actor
    arbiter: Actor
    organizer: Actor

    @property
    def event(self) -> Event:
        return self.section.event

    def fresh(self) -> Pairing:
        return Pairing.objects.get(pk=self.pairing.pk)


def actor(event: Event, kind: str) -> Actor:
    user = f.make_user()
    f.make_role(user, event, kind)
    return Actor(user=user, address="192.0.2.7")


def board(*, players: int = 4, **fields: Any) -> Board:
    """Round 1 public, every board open; the first one is the test's."""
    section = f.make_section(**fields)
    entries = f.make_entries(section, players)
    pairs = zip(entries[::2], entries[1::2], strict=True)
    f.make_round(section, [(white, black, Outcome.UNPLAYED) for white, black in pairs])
    pairing = Pairing.objects.get(round__section=section, board=1)
    return Board(
        section=section,
        pairing=pairing,
        white=entries[0],
        black=entries[1],
        chief=actor(section.event, Role.Kind.CHIEF_ARBITER),
        arbiter=actor(section.event, Role.Kind.ARBITER),
        organizer=actor(section.event, Role.Kind.ORGANIZER),
    )
