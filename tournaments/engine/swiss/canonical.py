"""All that a pairing depends on, as text: equal for equal input, and enough to pair the round again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from types import MappingProxyType
from typing import Any

from tournaments.engine.types import (
    Adjustment,
    Board,
    Colour,
    ForbiddenGroup,
    Grade,
    Outcome,
    Player,
    ResultScheme,
    Round,
    Tournament,
    VirtualPoints,
)

ENGINE = "dutch-2026/1"


def canonical_input(
    tournament: Tournament, *, absent: Collection[int] = (), order: Sequence[int] | None = None
) -> str:
    """All that the pairing of the next round depends on, as JSON text that is equal for equal input."""
    number = len(tournament.rounds) + 1
    withdrawn = {
        p.number for p in tournament.players if p.withdrawn_after is not None and p.withdrawn_after < number
    }
    byes = {b.player for b in tournament.requested_byes if b.round == number}
    content = {
        "engine": ENGINE,
        "round": number,
        "rounds_total": tournament.rounds_total,
        "initial_colour": str(tournament.initial_colour),
        "players": sorted(p.number for p in tournament.players),
        "order": list(order) if order is not None else None,
        "not_paired": sorted(withdrawn | byes | set(absent)),
        "scheme": _scheme(tournament.scheme),
        "rounds": [
            [
                [b.white, b.black, str(b.outcome), b.grade]
                for b in sorted(played.boards, key=lambda b: (b.white, b.black or 0))
            ]
            for played in tournament.rounds
        ],
        "forbidden": sorted(
            [g.first_round, g.last_round, sorted(g.players)]
            for g in tournament.forbidden
            if g.first_round <= number <= g.last_round
        ),
        "virtual_points": sorted(
            [v.first_round, v.last_round, v.points, sorted(v.players)] for v in tournament.virtual_points
        ),
        "adjustments": sorted([a.after_round, a.player, a.points] for a in tournament.adjustments),
    }
    return json.dumps(content, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _scheme(scheme: ResultScheme) -> list[object]:
    points = [getattr(scheme, name) for name in _SCHEME_POINTS]
    grades = [[g.code, g.white, g.black, str(g.outcome)] for _, g in sorted(scheme.grades.items())]
    return [scheme.code, *points, grades]


_SCHEME_POINTS = ("win", "draw", "loss", "bye", "half_bye", "zero_bye", "forfeit_win", "forfeit_loss")


def digest(canonical: str, boards: Sequence[Board]) -> str:
    """SHA-256, in hex, over the canonical input and the boards as `white black` lines (0 for the bye)."""
    lines = "\n".join(f"{board.white} {board.black or 0}" for board in boards)
    return hashlib.sha256(f"{canonical}\n{lines}\n".encode()).hexdigest()


def read_canonical(text: str) -> tuple[Tournament, list[int], list[int] | None]:
    """The tournament, who is not paired, and the ranking order that `text` (of `canonical_input`) describes.

    Raises ValueError for text that is no canonical input.
    """
    try:
        return _read(json.loads(text))
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise ValueError(f"no canonical input: {error}") from error


def _read(content: dict[str, Any]) -> tuple[Tournament, list[int], list[int] | None]:
    tournament = Tournament(
        players=tuple(Player(number=number) for number in content["players"]),
        rounds=tuple(
            Round(
                number=number,
                boards=tuple(
                    Board(number=0, white=white, black=black, outcome=Outcome(outcome), grade=grade)
                    for white, black, outcome, grade in boards
                ),
            )
            for number, boards in enumerate(content["rounds"], start=1)
        ),
        scheme=_read_scheme(content["scheme"]),
        rounds_total=content["rounds_total"],
        initial_colour=Colour(content["initial_colour"]),
        forbidden=tuple(
            ForbiddenGroup(players=frozenset(players), first_round=first, last_round=last)
            for first, last, players in content["forbidden"]
        ),
        virtual_points=tuple(
            VirtualPoints(points=points, first_round=first, last_round=last, players=frozenset(players))
            for first, last, points, players in content["virtual_points"]
        ),
        adjustments=tuple(
            Adjustment(player=player, points=points, after_round=after)
            for after, player, points in content["adjustments"]
        ),
    )
    return tournament, content["not_paired"], content["order"]


def _read_scheme(parts: list[Any]) -> ResultScheme:
    code, *points, grades = parts
    table = {
        grade: Grade(code=grade, white=white, black=black, outcome=Outcome(outcome))
        for grade, white, black, outcome in grades
    }
    named = dict(zip(_SCHEME_POINTS, points, strict=True))
    return ResultScheme(code=code, grades=MappingProxyType(table), **named)
