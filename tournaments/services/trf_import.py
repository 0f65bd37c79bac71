"""Entering a tournament report file as a new section: players, rounds, results, in one transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments import audit, jobs, snapshot
from tournaments.audit import Actor, AuditAction
from tournaments.documents.parts import LeftOut
from tournaments.encodings import encoding_named
from tournaments.engine import roundrobin
from tournaments.engine.trf import TeamReport, TrfFile
from tournaments.engine.types import Board, Outcome, Tournament
from tournaments.engine.types import Player as ReportPlayer
from tournaments.errors import NotFound
from tournaments.formats import Draft, kept
from tournaments.gate import lock_section
from tournaments.importers.identity import refuse_person_twice, year_of
from tournaments.importers.report_file import read_report
from tournaments.importers.report_shape import Table, points_of, round_robin_of
from tournaments.models import (
    Absence,
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    Job,
    Pairing,
    Player,
    Round,
    Section,
)
from tournaments.permissions import Action, require
from tournaments.services import drawing, team_report
from tournaments.services.entries import refuse_hidden
from tournaments.services.events import create_section
from tournaments.wording import names

MAX_FORBIDDEN_PAIRS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedReport:
    section: Section
    players: int
    rounds: int
    pairings: int  # boards and byes
    left_out: tuple[LeftOut, ...]


def import_trf(
    actor: Actor,
    event_id: int,
    content: bytes,
    *,
    filename: str = "",
    name: str = "",
    code: str = "",
    encoding: str = "",
) -> ImportedReport:
    """A new section from a report file. Its rounds are public at once where the event is.

    Raises BadInput naming line and reason; nothing is written then.
    """
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, Action.EDIT_EVENT, event)
    file = read_report(content, encoding=encoding_named(encoding))
    title = {"name": (name or _name_of(file) or filename or "TRF")[:100], **({"code": code} if code else {})}
    if isinstance(file, TeamReport):
        return _import_teams(actor, event_id, content, file, filename=filename, title=title)
    points, table = points_of(file.tournament), round_robin_of(file)
    tournament = replace(
        file.tournament,
        rounds=points.rounds,
        adjustments=(*file.tournament.adjustments, *points.adjustments),
    )
    fields = {
        **title,
        "scheme": points.scheme,
        "own_points": points.own,
        "rounds_total": min(99, max(tournament.rounds_total, len(tournament.rounds), 1)),
        "initial_colour": tournament.initial_colour.value,
        **_table_fields(tournament, table),
    }
    with transaction.atomic():
        section = lock_section(create_section(actor, event_id, fields).pk)
        entries = _write_entries(section, tournament)
        pairings = _write_rounds(section, tournament, entries)
        _write_arrangements(section, tournament, entries)
        if table is not None and table.to_come:
            _draw_rest(section, table)
        _start(section, played=len(tournament.rounds))
        audit.record(
            actor=actor, action=AuditAction.IMPORT_TRF, section=section, subject=section,
            after={"file": filename, "sha256": hashlib.sha256(content).hexdigest(), "players": len(entries)},
        )  # fmt: skip
    return ImportedReport(
        section=section,
        players=len(entries),
        rounds=len(tournament.rounds),
        pairings=pairings,
        left_out=tuple(_left_out(file)),
    )


def _name_of(file: TrfFile | TeamReport) -> str:
    return file.name if isinstance(file, TeamReport) else file.tournament.name


def _import_teams(
    actor: Actor, event_id: int, content: bytes, report: TeamReport, *, filename: str, title: dict[str, str]
) -> ImportedReport:
    with transaction.atomic():
        fields = {**title, **team_report.fields_of(report)}
        section = lock_section(create_section(actor, event_id, fields).pk)
        pairings = team_report.write(section, report)
        _start(section, played=report.rounds)
        audit.record(
            actor=actor, action=AuditAction.IMPORT_TRF, section=section, subject=section,
            after={"file": filename, "sha256": hashlib.sha256(content).hexdigest(), "players": len(report.teams)},
        )  # fmt: skip
    return ImportedReport(
        section=section,
        players=len(report.teams),
        rounds=report.rounds,
        pairings=pairings,
        left_out=(
            *(LeftOut(what="line", value=text) for text in report.extra),
            *(LeftOut(what="match points", value=text) for text in team_report.left_out(report)),
        ),
    )


def _write_entries(section: Section, tournament: Tournament) -> dict[int, Entry]:
    players = [_player(section.event, player) for player in tournament.players]
    refuse_person_twice(players)
    Player.objects.bulk_create(players)
    entries = [
        Entry(section=section, player=player, number=said.number)
        for player, said in zip(players, tournament.players, strict=True)
    ]
    Entry.objects.bulk_create(entries)
    return {entry.number or 0: entry for entry in entries}


def _player(event: Event, said: ReportPlayer) -> Player:
    name = " ".join(said.name.split()) or f"#{said.number}"
    refuse_hidden(name, said.club)
    family, latin = names.split_family(name), names.latin(name)
    return Player(
        event=event,
        name=name,
        family_name=family,
        latin_name=latin,
        search_keys=names.search_keys(name, latin, family),
        sex={"m": "m", "f": "f", "w": "f"}.get(said.sex.lower(), ""),
        birth_year=year_of(said.birth),
        federation=said.federation[:10],
        club=said.club[:120],
        rating=said.rating,
        title=said.title[:10],
        fmjd_id=said.fide_id[:20],
    )


def _write_rounds(section: Section, tournament: Tournament, entries: Mapping[int, Entry]) -> int:
    now = timezone.now()
    last = len(tournament.rounds)
    rounds = [
        Round(
            section=section,
            number=said.number,
            state=Round.State.PUBLISHED if said.number == last else Round.State.CLOSED,
            published_at=now,
            engine="TRF",
        )
        for said in tournament.rounds
    ]
    Round.objects.bulk_create(rounds)
    pairings = [
        _pairing(round_, board, entries)
        for round_, said in zip(rounds, tournament.rounds, strict=True)
        for board in said.boards
    ]
    Pairing.objects.bulk_create(pairings)
    return len(pairings)


def _pairing(round_: Round, board: Board, entries: Mapping[int, Entry]) -> Pairing:
    return Pairing(
        round=round_,
        board=board.number,
        white=entries[board.white],
        black=entries[board.black] if board.black is not None else None,
        outcome=board.outcome.value,
        grade=board.grade,
    )


def _table_fields(tournament: Tournament, table: Table | None) -> dict[str, Any]:
    """What a round robin is made with."""
    if table is None:
        return {}
    return {
        "format": kept.of_table(double=table.double),
        "preset": "CN_ROUND_ROBIN",
        "rounds_total": len(tournament.rounds) + len(table.to_come),
    }


def _draw_rest(section: Section, table: Table) -> None:
    """The rounds of the table that the file does not have yet, as drafts."""
    snap = snapshot.load(section)
    for round_ in table.to_come:
        drawing.write_draft(
            section, snap, Draft(number=round_.number, boards=round_.boards, engine=roundrobin.NAME)
        )


def _write_arrangements(section: Section, tournament: Tournament, entries: Mapping[int, Entry]) -> None:
    """Byes asked for, pairs kept apart, points by rulings."""
    Absence.objects.bulk_create(
        Absence(entry=entries[bye.player], round_number=bye.round, kind=bye.kind.value)
        for bye in tournament.requested_byes
    )
    pairs = [
        ForbiddenPair(
            section=section,
            first=entries[first],
            second=entries[second],
            first_round=min(group.first_round, 99),
            last_round=min(group.last_round, 99),
        )
        for group in tournament.forbidden
        for first, second in combinations(sorted(group.players), 2)
    ]
    ForbiddenPair.objects.bulk_create(pairs[:MAX_FORBIDDEN_PAIRS])
    Adjustment.objects.bulk_create(
        Adjustment(
            section=section,
            entry=entries[item.player],
            points=item.points,
            after_round=item.after_round,
            reason=item.reason or "TRF 299",
        )
        for item in tournament.adjustments
    )


def _start(section: Section, *, played: int) -> None:
    if played:
        section.state = Section.State.RUNNING
        section.save(update_fields=["state"])
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)
    jobs.bump(section, public=True)


def _left_out(file: TrfFile) -> list[LeftOut]:
    found = [LeftOut(what="line", value=text) for text in file.extra]
    for given in file.tournament.virtual_points:
        rounds = f"{given.first_round}-{given.last_round}"
        found.append(LeftOut(what="virtual points", value=f"{given.points}, {rounds}, {len(given.players)}"))
    open_boards = sum(
        board.outcome is Outcome.UNPLAYED for round_ in file.tournament.rounds for board in round_.boards
    )
    if open_boards:
        found.append(LeftOut(what="missing results", value=str(open_boards)))
    return found
