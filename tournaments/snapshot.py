"""A section as the engine's value: one read of the ledger, a fixed number of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from tournaments.engine.types import (
    Adjustment,
    Board,
    Colour,
    ForbiddenGroup,
    Outcome,
    Player,
    RequestedBye,
    Round,
    Tournament,
    VirtualPoints,
)
from tournaments.models import PUBLIC_STATES, Entry, Pairing, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The value, the version it was read at, and the way back from pairing numbers to entries."""

    tournament: Tournament
    version: int
    entry_of: Mapping[int, int]  # pairing number -> entry pk
    number_of: Mapping[int, int]  # entry pk -> pairing number


def load(section: Section, *, through: int | None = None, public_only: bool = False) -> Snapshot:
    """Rounds 1..through (all when None) with their boards. Entries without a number are left out.

    The version is read first: whoever writes later compares it under the gate and starts again if it moved.
    """
    version = Section.objects.values_list("version", flat=True).get(pk=section.pk)
    entries = list(section.entries.filter(number__isnull=False).select_related("player").order_by("number"))
    number_of = {entry.pk: entry.number for entry in entries if entry.number is not None}
    tournament = Tournament(
        name=section.name,
        players=tuple(player_of(entry) for entry in entries),
        rounds=_rounds(section, number_of, through=through, public_only=public_only),
        scheme=section.result_scheme,
        rounds_total=section.rounds_total,
        initial_colour=Colour(section.initial_colour),
        forbidden=(*_forbidden(section, number_of), *_clubs(section, entries)),
        virtual_points=virtual_points(section, number_of),
        requested_byes=_requested_byes(section, number_of),
        adjustments=tuple(
            Adjustment(
                player=number_of[a.entry_id], points=a.points, after_round=a.after_round, reason=a.reason
            )
            for a in section.adjustments.all()
            if a.entry_id in number_of
        ),
    )
    return Snapshot(
        tournament=tournament,
        version=version,
        entry_of={number: pk for pk, number in number_of.items()},
        number_of=number_of,
    )


def player_of(entry: Entry) -> Player:
    person = entry.player
    return Player(
        number=entry.number or 0,
        name=person.name,
        rating=person.rating,
        title=person.title,
        sex=person.sex,
        federation=person.federation,
        club=person.club,
        fide_id=person.fmjd_id,
        birth=str(person.birth_year or ""),
        withdrawn_after=entry.withdrawn_after_round,
    )


def _rounds(
    section: Section, number_of: Mapping[int, int], *, through: int | None, public_only: bool
) -> tuple[Round, ...]:
    states = PUBLIC_STATES if public_only else (*PUBLIC_STATES, "PAIRED")
    limit = Q(round__number__lte=through) if through is not None else Q()
    pairings = Pairing.objects.filter(limit, round__section=section, round__state__in=states)
    boards: dict[int, list[Board]] = {}
    rows = pairings.order_by("round__number", "board", "id").values_list(
        "round__number", "board", "white_id", "black_id", "outcome", "grade"
    )
    for number, board, white, black, outcome, grade in rows:
        boards.setdefault(number, []).append(
            Board(
                number=board,
                white=number_of[white],
                black=number_of[black] if black is not None else None,
                outcome=Outcome(outcome),
                grade=grade,
            )
        )
    last = max(boards, default=0)
    return tuple(Round(number=n, boards=tuple(boards.get(n, ()))) for n in range(1, last + 1))


def virtual_points(section: Section, number_of: Mapping[int, int]) -> tuple[VirtualPoints, ...]:
    """The records of the section's acceleration, by pairing number."""
    return tuple(
        VirtualPoints(
            points=record["points"],
            first_round=record["first_round"],
            last_round=record["last_round"],
            players=frozenset(number_of[pk] for pk in record["entries"] if pk in number_of),
        )
        for record in section.virtual_points
    )


def _forbidden(section: Section, number_of: Mapping[int, int]) -> list[ForbiddenGroup]:
    return [
        ForbiddenGroup(
            players=frozenset({number_of[pair.first_id], number_of[pair.second_id]}),
            first_round=pair.first_round,
            last_round=pair.last_round,
        )
        for pair in section.forbidden_pairs.all()
        if pair.first_id in number_of and pair.second_id in number_of
    ]


def _clubs(section: Section, entries: list[Entry]) -> list[ForbiddenGroup]:
    if not section.protect_clubs_rounds:
        return []
    members: dict[tuple[str, str], set[int]] = {}
    for entry in entries:
        for kind, name in (("club", entry.player.club), ("family", entry.player.family)):
            if name:
                members.setdefault((kind, name), set()).add(entry.number or 0)
    return [
        ForbiddenGroup(players=frozenset(group), last_round=section.protect_clubs_rounds)
        for group in members.values()
        if len(group) > 1
    ]


def _requested_byes(section: Section, number_of: Mapping[int, int]) -> tuple[RequestedBye, ...]:
    rows = section.entries.filter(absences__isnull=False).values_list(
        "pk", "absences__round_number", "absences__kind"
    )
    return tuple(
        RequestedBye(player=number_of[pk], round=number, kind=Outcome(kind))
        for pk, number, kind in rows
        if pk in number_of
    )
