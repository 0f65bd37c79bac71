"""Entering a list from a file: held while it is looked at, entered whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.confined import run_confined
from tournaments.encodings import Encoding, encoding_named
from tournaments.errors import BadInput, NotAllowed, NotFound
from tournaments.gate import lock_section
from tournaments.importers.columns import Field
from tournaments.importers.entry_list import EntryRow, KnownPlayer, Preview, Repeats, preview_entries
from tournaments.importers.tables import MAX_BYTES, Table, read_table
from tournaments.models import Entry, ImportDraft, Player, Section, last_drafted
from tournaments.permissions import Action, require
from tournaments.services import entries as entry_list

DRAFT_KIND = "ENTRIES"
DRAFT_LIFE = timedelta(days=2)
ROWS_SHOWN = 500
_COPIED = (
    "name", "family_name", "latin_name", "sex", "birth_year", "federation", "club", "rating", "title", "grade", "fmjd_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user chose over what was detected. `columns` maps a column's index to a field or to None (not read)."""

    encoding: Encoding | None = None
    sheet: str = ""
    repeats: Repeats = Repeats.REFUSE
    columns: Mapping[int, Field | None] | None = None
    left_out: tuple[int, ...] = ()  # lines of the file that are no players

    def as_json(self) -> dict[str, Any]:
        columns = {str(index): name.value if name else None for index, name in (self.columns or {}).items()}
        return {
            "encoding": self.encoding.value if self.encoding else "",
            "sheet": self.sheet,
            "repeats": self.repeats.value,
            "columns": columns,
            "left_out": list(self.left_out),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Options:
        """Raises BadInput for a value that is none of the choices."""
        try:
            return cls(
                encoding=encoding_named(str(values.get("encoding") or "")),
                sheet=str(values.get("sheet") or ""),
                repeats=Repeats(values.get("repeats") or Repeats.REFUSE),
                columns={
                    int(index): Field(name) if name else None
                    for index, name in (values.get("columns") or {}).items()
                },
                left_out=tuple(sorted({int(line) for line in values.get("left_out") or ()})),
            )
        except (TypeError, ValueError, AttributeError):
            raise BadInput(code="bad-option") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    entries: tuple[Entry, ...]
    skipped: tuple[int, ...]  # lines whose player was entered already


def hold_entries(
    actor: Actor, section_id: int, *, filename: str, content: bytes, options: Options | None = None
) -> ImportDraft:
    """Keep an uploaded file until it is entered or thrown away. Nothing of it enters the ledger yet."""
    section = _section(actor, section_id)
    user = _user(actor)
    if len(content) > MAX_BYTES:
        raise BadInput(
            _("The file has %(size)s MB: at most %(limit)s MB."),
            code="file-too-large",
            size=-(-len(content) // (1024 * 1024)),
            limit=MAX_BYTES // (1024 * 1024),
        )
    with transaction.atomic():
        ImportDraft.objects.filter(user=user, created_at__lt=timezone.now() - DRAFT_LIFE).delete()
        return ImportDraft.objects.create(
            event=section.event,
            section=section,
            user=user,
            kind=DRAFT_KIND,
            filename=filename[-200:],
            content=content,
            options=(options or Options()).as_json(),
        )


def choose_options(actor: Actor, draft_id: int, options: Options) -> ImportDraft:
    """Read the held file in another way: encoding, sheet, columns, what to do with repeats."""
    draft = _draft(actor, draft_id)
    draft.options = options.as_json()
    draft.save(update_fields=["options"])
    return draft


def look_at_entries(actor: Actor, draft_id: int) -> Preview:
    """What the held file would enter now. Raises BadInput when it cannot be read as a whole."""
    draft = _draft(actor, draft_id)
    if draft.section is None:
        raise NotFound
    return _preview(draft.section, draft)


def look_at_table(actor: Actor, draft_id: int) -> Table:
    """The cells of the held file, for choosing the columns by hand when the list cannot be made out."""
    draft = _draft(actor, draft_id)
    options = Options.from_json(draft.options)
    return run_confined(read_table, bytes(draft.content), encoding=options.encoding, sheet=options.sheet)


def drop_entries_file(actor: Actor, draft_id: int) -> None:
    _draft(actor, draft_id).delete()


def import_entries(actor: Actor, section_id: int, draft_id: int) -> Imported:
    """Enter every row of the held file in one transaction, or none.

    The file is read again against the entries of this moment: what came up since the preview is a problem like any
    other. Raises BadInput whose `rows` map each bad line to its reasons.
    """
    with transaction.atomic():
        section = _lock_with_sisters(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        entry_list.refuse_closed_list(section)
        draft = _draft(actor, draft_id)
        if draft.section_id != section.pk:
            raise NotFound
        preview = _preview(section, draft)
        if not preview.is_ready:
            raise _refused(preview)
        entries = _write(section, preview.rows)
        entry_list.ensure_each_once(_sections_of(entries))
        audit.record(
            actor=actor, action=AuditAction.IMPORT_ENTRIES, section=section, subject=section,
            after=_log(draft, preview, entries),
        )  # fmt: skip
        draft.delete()
        entry_list.follow_list(section)
    return Imported(entries=tuple(entries), skipped=preview.repeats)


def _lock_with_sisters(section_id: int) -> Section:
    """Lock the section and the others of its event: a list may complete players who are in them, too."""
    sisters = Section.objects.filter(event__sections=section_id).order_by("pk").values_list("pk", flat=True)
    found = {pk: lock_section(pk) for pk in sisters}
    if section_id not in found:
        raise NotFound
    return found[section_id]


def _sections_of(entries: Sequence[Entry]) -> list[int]:
    """Every section that one of the players is in."""
    players = [entry.player_id for entry in entries]
    found = Entry.objects.filter(player_id__in=players).order_by("section_id").distinct()
    return list(found.values_list("section_id", flat=True))


def _user(actor: Actor) -> Any:
    if actor.user is None:
        raise NotAllowed
    return actor.user


def _section(actor: Actor, section_id: int) -> Section:
    section = Section.objects.select_related("event").filter(pk=section_id).first()
    if section is None:
        raise NotFound
    require(actor, Action.EDIT_ENTRIES, section.event)
    return section


def _draft(actor: Actor, draft_id: int) -> ImportDraft:
    """A held file is seen by the one who uploaded it, as long as the role lasts."""
    draft = (
        ImportDraft.objects.select_related("section__event")
        .filter(pk=draft_id, kind=DRAFT_KIND, user=_user(actor))
        .first()
    )
    if draft is None or draft.section is None:
        raise NotFound
    require(actor, Action.EDIT_ENTRIES, draft.section.event)
    return draft


def _preview(section: Section, draft: ImportDraft) -> Preview:
    options = Options.from_json(draft.options)
    return run_confined(
        preview_entries,
        bytes(draft.content),
        known=_known(section),
        repeats=options.repeats,
        encoding=options.encoding,
        sheet=options.sheet,
        chosen=options.columns,
        left_out=options.left_out,
    )


def _known(section: Section) -> list[KnownPlayer]:
    """The players of the event: two queries."""
    entered = {entry.player_id: entry for entry in section.entries.all()}
    return [
        KnownPlayer(
            player_id=player.pk,
            name=player.name,
            club=player.club,
            birth_year=player.birth_year,
            fmjd_id=player.fmjd_id,
            seed_number=entered[player.pk].seed_number if player.pk in entered else None,
            lot_number=entered[player.pk].lot_number if player.pk in entered else None,
            entered=player.pk in entered,
        )
        for player in Player.objects.filter(event_id=section.event_id).order_by("pk")
    ]


def _refused(preview: Preview) -> BadInput:
    if not preview.problems:
        return BadInput(_("The file holds no player to enter."), code="nothing-to-enter")
    rows: dict[int, list[str]] = {}
    for remark in preview.problems[:ROWS_SHOWN]:
        column = f"{remark.column}: " if remark.column else ""
        value = f"“{remark.value}” " if remark.value else ""
        rows.setdefault(remark.line, []).append(f"{column}{value}{remark.reason}")
    return BadInput(
        _("%(count)s faults in the file; nothing was entered."),
        code="bad-rows",
        count=len(preview.problems),
        rows=rows,
    )


def _write(section: Section, rows: Sequence[EntryRow]) -> list[Entry]:
    known = {
        player.pk: player
        for player in Player.objects.filter(pk__in=[r.player_id for r in rows if r.player_id])
    }
    players = [
        _completed(section, known[row.player_id], row) if row.player_id else _new(section, row)
        for row in rows
    ]
    Player.objects.bulk_create([player for player in players if player.pk is None])
    if known:
        Player.objects.bulk_create(
            known.values(),
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=[*_COPIED, "search_keys"],
        )
    last = last_drafted(section)
    entries = Entry.objects.bulk_create(
        Entry(
            section=section,
            player=player,
            seed_number=row.seed_number,
            lot_number=row.lot_number,
            first_round=last + 1,
        )
        for player, row in zip(players, rows, strict=True)
    )
    if last:
        entry_list.number_late_entries(section, entries, last)
    return entries


def _new(section: Section, row: EntryRow) -> Player:
    player = Player(event=section.event, **{name: getattr(row, name) for name in _COPIED})
    entry_list.complete_names(player, section)
    return player


def _completed(section: Section, player: Player, row: EntryRow) -> Player:
    """The file fills what was not known; what is known stays."""
    for name in _COPIED:
        if not getattr(player, name):
            setattr(player, name, getattr(row, name))
    entry_list.complete_names(player, section)
    return player


def _log(draft: ImportDraft, preview: Preview, entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        "file": draft.filename,
        "sha256": hashlib.sha256(bytes(draft.content)).hexdigest(),
        "entered": [[entry.pk, entry.player.name] for entry in entries],
        "skipped_lines": list(preview.repeats),
        "left_out_lines": [row.line for row in preview.left_out],
    }
