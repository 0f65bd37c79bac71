"""Entering a section that was played elsewhere: players, rounds and results as another source tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from tournaments import audit, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput
from tournaments.gate import lock_section
from tournaments.importers.identity import refuse_person_twice
from tournaments.models import Entry, Event, Pairing, Player, Round, Section
from tournaments.permissions import Action, require
from tournaments.services.entries import refuse_hidden, starting_order
from tournaments.services.standings import compute_tables, store
from tournaments.wording import names


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPlayer:
    key: str
    name: str
    rating: int = 0
    birth_year: int | None = None
    fmjd_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastBoard:
    """One board of a round: players by key, the outcome a code of the ledger. `ref` is the caller's own."""

    ref: int
    round: int
    white: str
    black: str
    outcome: str


def enter_history(
    actor: Actor, section: Section, players: Sequence[PastPlayer], boards: Sequence[PastBoard], *, source: str
) -> dict[int, int]:
    """Write the past of an empty section, rounds public, boards numbered in the order given, standings with it.

    Returns the pairing's pk for each board's ref. Raises BadInput when the section is not empty or a person is in it twice. A round in which
    results are missing stays the last one open; the rounds before the last are closed.
    """
    with transaction.atomic():
        section = lock_section(section.pk)
        require(actor, Action.EDIT_EVENT, section.event)
        if section.entries.exists():
            raise BadInput
        refuse_person_twice(players)
        entry_of = _write_players(section, players)
        rounds = _write_rounds(section, {board.round for board in boards})
        pairings = _pairings(rounds, boards, entry_of)
        Pairing.objects.bulk_create(pairings)
        section.state = Section.State.RUNNING
        section.save(update_fields=["state"])
        audit.record(
            actor=actor, action=AuditAction.IMPORT_HISTORY, section=section, subject=section,
            after={"source": source, "players": len(players), "boards": len(boards)},
        )  # fmt: skip
        jobs.bump(section, public=True)
        for table in compute_tables(section.pk, first=1)[1]:
            store(table)
    return {board.ref: pairing.pk for board, pairing in zip(boards, pairings, strict=True)}


def _write_players(section: Section, players: Sequence[PastPlayer]) -> dict[str, Entry]:
    people = [_player(section.event, said) for said in players]
    Player.objects.bulk_create(people)
    entries = [Entry(section=section, player=person) for person in people]
    Entry.objects.bulk_create(entries)
    for number, entry in enumerate(starting_order(section, entries), start=1):
        entry.number = number
    Entry.objects.bulk_update(entries, ["number"])
    return {said.key: entry for said, entry in zip(players, entries, strict=True)}


def _player(event: Event, said: PastPlayer) -> Player:
    refuse_hidden(said.name)
    family, latin = names.split_family(said.name), names.latin(said.name)
    return Player(
        event=event,
        name=said.name[:120],
        family_name=family[:80],
        latin_name=latin[:120],
        search_keys=names.search_keys(said.name, latin, family),
        rating=min(said.rating, 4000),
        birth_year=said.birth_year,
        fmjd_id=said.fmjd_id,
    )


def _write_rounds(section: Section, numbers: set[int]) -> dict[int, Round]:
    """Rounds 1..last without a gap; one that no board names stands empty."""
    last = max(numbers, default=0)
    rounds = [
        Round(
            section=section,
            number=number,
            state=Round.State.PUBLISHED if number == last else Round.State.CLOSED,
            published_at=timezone.now(),
        )
        for number in range(1, last + 1)
    ]
    Round.objects.bulk_create(rounds)
    return {round_.number: round_ for round_ in rounds}


def _pairings(
    rounds: dict[int, Round], boards: Sequence[PastBoard], entry_of: dict[str, Entry]
) -> list[Pairing]:
    used: dict[int, int] = {}
    made = []
    for board in boards:
        used[board.round] = used.get(board.round, 0) + 1
        made.append(
            Pairing(
                round=rounds[board.round],
                board=used[board.round],
                white=entry_of[board.white],
                black=entry_of[board.black],
                outcome=board.outcome,
            )
        )
    return made
