"""Setting up an event from its document: everything in one transaction, or nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import audit, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.documents.parsing import parse
from tournaments.documents.parts import LeftOut
from tournaments.errors import NotAllowed
from tournaments.exports.event_json import with_entries
from tournaments.importers.event_document import EventRows, SectionRows, read_event
from tournaments.models import (
    PUBLIC_STATES,
    Absence,
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    Job,
    MatchGame,
    Notice,
    Pairing,
    Player,
    Role,
    Round,
    Standings,
    TeamMember,
    random_code,
)
from tournaments.wording import names


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedEvent:
    """The event, and what of the document has no place on this site."""

    event: Event
    left_out: tuple[LeftOut, ...]


def import_event(actor: Actor, content: bytes, *, filename: str = "") -> ImportedEvent:
    """A new event from a document, the actor its organizer. The address code changes only if it is taken here.

    Raises BadInput with path and reason; nothing is written then.
    """
    system = actor.user is None and actor.label == audit.SYSTEM.label
    if not system and (actor.user is None or not actor.user.is_staff):
        raise NotAllowed
    rows = read_event(parse(content))
    with transaction.atomic():
        event = _write_event(actor, rows)
        for part in rows.sections:
            _write_section(part)
        Notice.objects.bulk_create(rows.notices)
        left_out = [told for write in rows.parts for told in write()]
        if rows.log_lines:
            left_out.append(LeftOut(what=_("lines of the log"), value=str(rows.log_lines)))
        audit.record(
            actor=actor, action=AuditAction.IMPORT_EVENT, event=event, subject=event,
            after={
                "file": filename,
                "sha256": hashlib.sha256(content).hexdigest(),
                "sections": [part.section.code for part in rows.sections],
                "players": len(rows.players),
                "log_lines_left_out": rows.log_lines,
                "left_out": [f"{told.what} {told.value}".strip() for told in left_out],
            },
        )  # fmt: skip
    return ImportedEvent(event=event, left_out=tuple(left_out))


def _write_event(actor: Actor, rows: EventRows) -> Event:
    event = rows.event
    while Event.objects.filter(code=event.code).exists():
        event.code = random_code()
    event.created_by = actor.user
    event.notices_version = len(rows.notices)
    event.save()
    if actor.user is not None:
        Role.objects.create(event=event, user=actor.user, kind=Role.Kind.ORGANIZER)
    for player in rows.players:
        player.search_keys = names.search_keys(player.name, player.latin_name, player.family_name)
    Player.objects.bulk_create(rows.players)
    return event


def _write_section(part: SectionRows) -> None:
    section = part.section
    section.save()
    Entry.objects.bulk_create(part.entries.values())
    pk_of = {ref: entry.pk for ref, entry in part.entries.items()}
    TeamMember.objects.bulk_create(part.members)
    if part.virtual_points or part.bracket:
        section.virtual_points = with_entries(part.virtual_points, pk_of)
        section.bracket = [pk_of[ref] for ref in part.bracket]
        section.save(update_fields=["virtual_points", "bracket"])
    for round_ in part.rounds:
        round_.edits = with_entries(part.edits[round_.number], pk_of)
        round_.numbers = {number: pk_of[ref] for number, ref in round_.numbers.items()}
    Round.objects.bulk_create(part.rounds)
    Pairing.objects.bulk_create(part.pairings)
    MatchGame.objects.bulk_create(part.games)
    Absence.objects.bulk_create(part.absences)
    ForbiddenPair.objects.bulk_create(part.forbidden_pairs)
    Adjustment.objects.bulk_create(part.adjustments)
    for table in part.standings:
        table.rows = [{**row, "entry": pk_of[row["entry"]]} for row in table.rows]
    Standings.objects.bulk_create(part.standings)
    _complete_standings(part)


def _complete_standings(part: SectionRows) -> None:
    """A file made while a table was still being computed gets it computed here."""
    public = {round_.number for round_ in part.rounds if round_.state in PUBLIC_STATES}
    missing = public - {table.after_round for table in part.standings}
    if missing:
        jobs.enqueue(part.section, Job.Kind.STANDINGS, round_number=min(missing))
