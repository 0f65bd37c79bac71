"""Larger random fields before a round, the hard kinds among them."""

from __future__ import annotations

import random
from dataclasses import replace

from tournaments.engine.simulate import Simulation, simulate
from tournaments.engine.swiss.state import Field, read_field
from tournaments.engine.types import ForbiddenGroup, Tournament

KINDS = (
    "plain",
    "mixed",
    "half the field one club",
    "many clubs",
    "many forbidden",
    "many rounds",
    "withdrawn",
    "same colour due",
    "thrown together",
)


def random_field(seed: int, *, least: int = 20, most: int = 400, kind: str = "") -> tuple[str, Field]:
    """The kind, and the field of the next round. The same seed gives the same field."""
    lot = random.Random(seed)
    kind = kind or KINDS[seed % len(KINDS)]
    # Small fields are the hard ones, so there are more of them.
    size = round(least * (most / least) ** lot.random())
    rounds = lot.randint(1, 9)
    options: dict[str, object] = {"rounds": rounds, "rounds_total": rounds + lot.randint(1, 2), "seed": seed}
    options["draws"] = lot.choice((5, 30, 60))
    options |= {
        "mixed": {"absences": 5, "forfeits": 4, "late": 8, "withdrawals": 1},
        "many clubs": {"clubs": max(2, size // 8)},
        "many rounds": {"rounds": 8, "rounds_total": 9, "draws": lot.choice((5, 30))},
        "withdrawn": {"withdrawals": 40 // rounds},
        "thrown together": {"paired": False},
    }.get(kind, {})
    size = 12 if kind == "many rounds" else size
    tournament = simulate(Simulation(players=size, **options))  # type: ignore[arg-type]
    if kind == "half the field one club":
        club = frozenset(lot.sample(range(1, size + 1), size // 2))
        tournament = _with_groups(tournament, [club])
    if kind == "many forbidden":
        pairs = [frozenset(lot.sample(range(1, size + 1), 2)) for _ in range(2 * size)]
        tournament = _with_groups(tournament, pairs)
    field = read_field(tournament)
    if kind == "same colour due":
        away = [c.number for c in field.contenders if c.preference > 0]
        field = read_field(tournament, absent=away)
    return kind, field


def _with_groups(tournament: Tournament, groups: list[frozenset[int]]) -> Tournament:
    return replace(tournament, forbidden=tuple(ForbiddenGroup(players=group) for group in groups))
