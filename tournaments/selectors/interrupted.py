"""Games that are adjourned while a round is paired: they count as drawn for the pairing, and for nothing else.

The ledger knows no adjournments. Whoever does names a source here when the program starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tournaments.engine.types import Outcome
from tournaments.models import Pairing, Section
from tournaments.snapshot import Snapshot

Source = Callable[[Section], set[int]]
SOURCES: list[Source] = []


def adjourned(section: Section) -> set[int]:
    """The pairings without a result whose game is adjourned."""
    return {pk for source in SOURCES for pk in source(section)}


def counted_as_drawn(section: Section, snap: Snapshot) -> Snapshot:
    """The value to pair from: adjourned boards are draws in it. Standings are never computed from it."""
    keys = set(
        Pairing.objects.filter(pk__in=adjourned(section), outcome=Outcome.UNPLAYED).values_list(
            "round__number", "white_id"
        )
    )
    if not keys:
        return snap
    boards = {(number, snap.number_of[white]) for number, white in keys}
    rounds = tuple(
        replace(
            round_,
            boards=tuple(
                replace(b, outcome=Outcome.DRAW) if (round_.number, b.white) in boards else b
                for b in round_.boards
            ),
        )
        for round_ in snap.tournament.rounds
    )
    return replace(snap, tournament=replace(snap.tournament, rounds=rounds))
