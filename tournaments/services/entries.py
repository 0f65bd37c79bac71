"""The entry list: entering, correcting, late entry, announced absence, withdrawal and return."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from tournaments import audit, formats, holds, jobs
from tournaments.audit import Actor, AuditAction
from tournaments.characters import validate_visible, without_hidden
from tournaments.engine.swiss import baku
from tournaments.engine.types import BYES, Outcome
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.importers.identity import People, Person, refuse_person_twice
from tournaments.models import (
    Absence,
    Entry,
    Job,
    Pairing,
    Player,
    Section,
    TeamMember,
    last_drafted,
    last_public,
    link_token,
)
from tournaments.permissions import Action, require
from tournaments.wording import names

PLAYER_FIELDS = (
    "name", "family_name", "latin_name", "sex", "birth_year", "federation", "club", "rating", "title", "grade", "fmjd_id",
    "family",
)  # fmt: skip
ENTRY_FIELDS = ("seed_number", "lot_number")
LAST_RENUMBERED_ROUND = 3  # later entries do not move the numbers any more (FIDE C.04.2.C)


def add_entry(actor: Actor, section_id: int, fields: Mapping[str, Any]) -> Entry:
    """Enter a player. After round 1 is paired this is a late entry, from the next round on."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        refuse_closed_list(section)
        entry = enter(section, fields)
        audit.record(
            actor=actor, action=AuditAction.ADD_ENTRY, section=section, subject=entry, after=describe(entry)
        )
        follow_list(section)
    return entry


def enter(section: Section, fields: Mapping[str, Any]) -> Entry:
    """Write a player and the entry, inside the gate of the caller. Raises BadInput by field."""
    unknown = set(fields) - set(PLAYER_FIELDS) - set(ENTRY_FIELDS)
    if unknown:
        raise BadInput(fields={name: [_("There is no such field.")] for name in sorted(unknown)})
    player = Player(event=section.event, **{k: v for k, v in fields.items() if k in PLAYER_FIELDS})
    entry = Entry(section=section, player=player, **{k: v for k, v in fields.items() if k in ENTRY_FIELDS})
    last = last_drafted(section)
    entry.first_round = last + 1
    _refuse_twice(player, [section.pk])
    _refuse_taken_seed(entry)
    _save_player(player, section)
    _save_entry(entry)
    if last:
        number_late_entries(section, [entry], last)
    return entry


def update_entry(actor: Actor, entry_id: int, fields: Mapping[str, Any]) -> Entry:
    """Correct a player's data. Numbers follow a changed rating only until the first round is paired."""
    with transaction.atomic():
        sections = _lock_all_of_player(entry_id)
        entry = _locked(actor, entry_id)
        before = describe(entry)
        was = (entry.player.name, entry.player.birth_year, entry.player.fmjd_id)
        for name, value in fields.items():
            if name in PLAYER_FIELDS:
                setattr(entry.player, name, value)
            elif name in ENTRY_FIELDS:
                setattr(entry, name, value)
            else:
                raise BadInput(fields={name: [_("There is no such field.")]})
        if "name" in fields and "family_name" not in fields:
            entry.player.family_name = ""
        if "name" in fields and "latin_name" not in fields:
            entry.player.latin_name = ""
        if (entry.player.name, entry.player.birth_year, entry.player.fmjd_id) != was:
            _refuse_twice(entry.player, sections)
        if entry.seed_number != before["seed_number"]:
            _refuse_taken_seed(entry)
        _save_player(entry.player, entry.section)
        _save_entry(entry)
        after = describe(entry)
        if after != before:
            audit.record(
                actor=actor,
                action=AuditAction.EDIT_ENTRY,
                section=entry.section,
                subject=entry,
                before=before,
                after=after,
            )
            follow_list(entry.section)
    return entry


def remove_entry(actor: Actor, entry_id: int) -> None:
    """Only an entry that was never paired; one that was is withdrawn instead."""
    with transaction.atomic():
        entry = _locked(actor, entry_id)
        if Pairing.objects.filter(Q(white=entry) | Q(black=entry)).exists():
            raise WrongState(_("%(name)s is paired already: withdraw the entry instead."), name=str(entry))
        audit.record(
            actor=actor,
            action=AuditAction.REMOVE_ENTRY,
            section=entry.section,
            subject=entry,
            before=describe(entry),
        )
        section, player = entry.section, entry.player
        entry.delete()
        if not player.entries.exists():
            player.delete()
        follow_list(section)


def withdraw_entry(actor: Actor, entry_id: int, *, after_round: int, reason: str = "") -> Entry:
    """The entry is paired in no round after `after_round`.

    Swiss rounds already paired are not touched. Of a round robin, drawn whole, the open boards become forfeits; by the
    section's choice all its boards are annulled instead when under half of them were played.
    """
    with transaction.atomic():
        entry = _locked(actor, entry_id)
        section = entry.section
        paired = _last_paired_of(entry)
        if after_round < paired:
            raise WrongState(
                _("%(name)s is paired in round %(round)s: discard the draft, or enter a forfeit there."),
                name=str(entry),
                round=paired,
            )
        before = describe(entry)
        entry.status = Entry.Status.WITHDRAWN
        entry.withdrawn_after_round = after_round
        entry.save(update_fields=["status", "withdrawn_after_round"])
        _settle_drawn_boards(entry)
        _log_status(actor, AuditAction.WITHDRAW_ENTRY, entry, before, reason)
        follow_list(section)
    return entry


def return_entry(actor: Actor, entry_id: int, *, reason: str = "") -> Entry:
    """A withdrawn player comes back, from the next round that is not paired yet; forfeits entered meanwhile stay."""
    with transaction.atomic():
        entry = _locked(actor, entry_id)
        if entry.status != Entry.Status.WITHDRAWN:
            raise WrongState(_("%(name)s is not withdrawn."), name=str(entry))
        before = describe(entry)
        entry.status = Entry.Status.ACTIVE
        entry.withdrawn_after_round = None
        last = last_drafted(entry.section)
        if last and entry.number is None:  # was out before the numbers were given: enters late
            refuse_closed_list(entry.section)
            entry.first_round = last + 1
        entry.save(update_fields=["status", "withdrawn_after_round", "first_round"])
        if last and entry.number is None:
            number_late_entries(entry.section, [entry], last)
        _log_status(actor, AuditAction.RETURN_ENTRY, entry, before, reason)
        follow_list(entry.section)
    return entry


def renew_link(actor: Actor, entry_id: int, *, member_id: int | None = None) -> Entry:
    """A new personal link of the entry, or of a player of the team; the one before opens nothing any more."""
    with transaction.atomic():
        entry = _locked(actor, entry_id)
        holder: Entry | TeamMember | None = entry
        if member_id is not None:
            holder = entry.members.filter(pk=member_id).first()
        if holder is None:
            raise NotFound
        holder.link = link_token()
        holder.save(update_fields=["link"])
        audit.record(actor=actor, action=AuditAction.RENEW_LINK, section=entry.section, subject=holder)
    return entry


def announce_absence(
    actor: Actor, entry_id: int, *, round_number: int, kind: str = Outcome.ZERO_BYE, reason: str = ""
) -> Absence:
    """A bye asked for ahead: zero, half or full points, for a round that is not drafted yet."""
    with transaction.atomic():
        entry = _locked(actor, entry_id)
        check_absence(entry, round_number, kind)
        absence, _created = Absence.objects.update_or_create(
            entry=entry, round_number=round_number, defaults={"kind": kind, "reason": reason}
        )
        audit.record(
            actor=actor, action=AuditAction.ANNOUNCE_ABSENCE, section=entry.section, subject=entry,
            after={"round": round_number, "kind": kind}, reason=reason,
        )  # fmt: skip
        jobs.bump(entry.section, public=False)
    return absence


def set_absences(actor: Actor, section_id: int, wanted: Mapping[tuple[int, int], str]) -> int:
    """Set absences by entry and round at once: a kind of bye, or "" for none. All or nothing; returns how many changed.

    What is as it is wanted already is left alone. Raises NotFound for an entry of another section, and BadInput or
    WrongState as for one absence.
    """
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_ENTRIES, section.event)
        if section.state == Section.State.CLOSED:
            raise WrongState(_("The section is closed."))
        known = {(a.entry_id, a.round_number): a for a in Absence.objects.filter(entry__section=section)}
        people = {entry.pk: entry for entry in section.entries.select_related("player")}
        changed = 0
        for (entry_id, number), kind in wanted.items():
            if entry_id not in people:
                raise NotFound
            before = known.get((entry_id, number))
            if kind == (before.kind if before else ""):
                continue
            changed += 1
            if kind:
                announce_absence(actor, entry_id, round_number=number, kind=kind)
            elif before is not None:
                cancel_absence(actor, before.pk)
    return changed


def cancel_absence(actor: Actor, absence_id: int) -> None:
    absence = Absence.objects.select_related("entry").filter(pk=absence_id).first()
    if absence is None:
        raise NotFound
    with transaction.atomic():
        entry = _locked(actor, absence.entry_id)
        _refuse_drafted(entry.section, absence.round_number)
        audit.record(
            actor=actor, action=AuditAction.CANCEL_ABSENCE, section=entry.section, subject=entry,
            before={"round": absence.round_number, "kind": absence.kind},
        )  # fmt: skip
        absence.delete()
        jobs.bump(entry.section, public=False)


def fix_numbers(section: Section) -> None:
    """Number the entries 1..n before round 1 is paired, by the section's rule. The lot is drawn from the stored seed.

    Who withdrew before the start gets no number. Swiss on Solkoff draws a lot for round 1 whatever the numbers go by.
    The virtual points of an acceleration are drawn up here, for these players, and stand as they are.
    """
    entries = list(section.entries.select_related("player").order_by("pk"))
    playing = [entry for entry in entries if entry.withdrawn_after_round != 0]
    for entry in entries:
        entry.number = None
    ordered = starting_order(section, playing)
    for number, entry in enumerate(ordered, start=1):
        entry.number = number
    if formats.of(section).draws_lots(section):
        for number, entry in enumerate(lot_order(section, playing), start=1):
            entry.lot_number = number
    Entry.objects.bulk_update(entries, ["number", "lot_number"])
    section.virtual_points = _virtual_points(section, ordered)
    section.save(update_fields=["virtual_points"])


def _virtual_points(section: Section, ordered: Sequence[Entry]) -> list[dict[str, Any]]:
    if not section.acceleration or not formats.of(section).accelerates:
        return []
    scheme = section.result_scheme
    return [
        {
            "points": record.points,
            "first_round": record.first_round,
            "last_round": record.last_round,
            "entries": [ordered[number - 1].pk for number in sorted(record.players)],
        }
        for record in baku(players=len(ordered), rounds=section.rounds_total, scheme=scheme)
    ]


def starting_order(section: Section, entries: list[Entry]) -> list[Entry]:
    """By rating (title, name break ties), by seed number (missing ones last), or by lot."""
    by_rating = _by_rating(entries)
    if section.numbering == Section.Numbering.LOT:
        return lot_order(section, entries)
    if section.numbering == Section.Numbering.SEED:
        return sorted(by_rating, key=lambda e: (e.seed_number is None, e.seed_number or 0))
    return by_rating


def lot_order(section: Section, entries: Iterable[Entry]) -> list[Entry]:
    """Drawn from the section's seed over the order by rating: the same players give the same lot."""
    drawn = _by_rating(entries)
    Random(section.seed).shuffle(drawn)
    return drawn


def _by_rating(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda e: (-e.player.rating, -title_rank(e.player.title), e.player.name, e.pk))


TITLES = ("MFF", "MIF", "GMIF", "MF", "MI", "GMI")


def title_rank(title: str) -> int:
    return TITLES.index(title.upper()) + 1 if title.upper() in TITLES else 0


def describe(entry: Entry) -> dict[str, Any]:
    player = entry.player
    return {name: getattr(player, name) for name in PLAYER_FIELDS} | {
        "number": entry.number,
        "seed_number": entry.seed_number,
        "lot_number": entry.lot_number,
        "status": entry.status,
        "withdrawn_after_round": entry.withdrawn_after_round,
        "first_round": entry.first_round,
    }


def refuse_hidden(*texts: str) -> None:
    """Raises BadInput for a name with a hidden character, at the doors that no form and no model guards."""
    for text in texts:
        try:
            validate_visible(text)
        except ValidationError as error:
            raise BadInput(
                _("“%(name)s” %(reason)s"),
                code="hidden-character",
                name=without_hidden(text),
                reason=" ".join(error.messages),
            ) from None


def complete_names(player: Player, section: Section) -> None:
    """What was not given is read from the name; that of a team is no family name with a given name."""
    is_team = formats.of(section).enters_teams
    if is_team:
        player.family_name = player.family_name or player.name[:80]
    player.family_name = player.family_name or names.split_family(player.name)[:80]
    player.latin_name = player.latin_name or names.latin(player.name, team=is_team)[:120]
    player.search_keys = names.search_keys(player.name, player.latin_name, player.family_name)


def _save_player(player: Player, section: Section) -> None:
    player.name = " ".join(player.name.split())
    complete_names(player, section)
    with _refused_by_field():
        player.full_clean()
    player.save()


def _save_entry(entry: Entry) -> None:
    with _refused_by_field():
        others = {field.name for field in entry._meta.concrete_fields} - set(ENTRY_FIELDS)
        entry.clean_fields(exclude=others)
    entry.save()


def _refuse_taken_seed(entry: Entry) -> None:
    """A seed number is given once in a section. The caller holds the gate."""
    others = Entry.objects.filter(section_id=entry.section_id).exclude(pk=entry.pk)
    if entry.seed_number and others.filter(seed_number=entry.seed_number).exists():
        raise BadInput(fields={"seed_number": [_("Another player has this seed number.")]})


def _refuse_twice(player: Player, sections: Iterable[int]) -> None:
    """One person enters a section once. The caller holds the gate of each of the sections."""
    for section_id in sections:
        others = Player.objects.filter(entries__section_id=section_id).exclude(pk=player.pk)
        known = People(others.only("name", "birth_year", "fmjd_id")).find(player)
        if known is not None:
            raise BadInput(fields={"name": [twice_sentence(known)]})


def ensure_each_once(sections: Iterable[int]) -> None:
    """Raise BadInput when a person, or a seed number, is in one of the sections twice. The caller holds their gates."""
    for section_id in sections:
        entries = Entry.objects.filter(section_id=section_id).select_related("player").order_by("pk")
        refuse_person_twice(entry.player for entry in entries)
        seeds = [entry.seed_number for entry in entries if entry.seed_number]
        if len(seeds) != len(set(seeds)):
            raise BadInput(_("A seed number is given twice."), code="number-taken")


def twice_sentence(known: Person) -> str:
    return _("%(other)s is entered already. If these are two people, give the federation number of each.") % {
        "other": known.name
    }


@contextmanager
def _refused_by_field() -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise BadInput(
            fields={name: [str(m) for m in messages] for name, messages in error.message_dict.items()}
        ) from None


def number_late_entries(section: Section, late: Sequence[Entry], last: int) -> None:
    """Places in the order by rating while few rounds are paired, the next numbers otherwise."""
    late_keys = [entry.pk for entry in late]
    if section.numbering == Section.Numbering.RATING and last <= LAST_RENUMBERED_ROUND:
        numbered = Q(number__isnull=False) | Q(pk__in=late_keys)
        entries = list(section.entries.filter(numbered).select_related("player").order_by("pk"))
        for number, other in enumerate(starting_order(section, entries), start=1):
            other.number = number
        Entry.objects.bulk_update(entries, ["number"])
    else:
        top = section.entries.aggregate(top=Max("number"))["top"] or 0
        for number, entry in enumerate(late, start=top + 1):
            entry.number = number
        Entry.objects.bulk_update(late, ["number"])
    numbers = dict(Entry.objects.filter(pk__in=late_keys).values_list("pk", "number"))
    for entry in late:
        entry.number = numbers[entry.pk]


def _settle_drawn_boards(entry: Entry) -> None:
    section = entry.section
    strategy = formats.of(section)
    if not strategy.drawn_whole:
        return
    boards = {
        board.pk: board
        for board in Pairing.objects.filter(Q(white=entry) | Q(black=entry), black__isnull=False)
    }
    held = holds.held_boards(section)
    rows = [
        (board.pk, board.white_id, board.black_id, board.outcome)
        for board in boards.values()
        if board.pk not in held
    ]
    falling = strategy.withdrawal(section, rows, entry=entry.pk)
    for pk, outcome in falling.items():
        board = boards[pk]
        board.outcome, board.grade = outcome.value, ""
        board.version += 1
        board.save(update_fields=["outcome", "grade", "version"])


def refuse_closed_list(section: Section) -> None:
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    last = last_drafted(section)
    if not last:
        return
    refused = formats.of(section).late_entry(section, drafted=last)
    if refused is not None:
        raise refused


def _locked(actor: Actor, entry_id: int) -> Entry:
    section_id = Entry.objects.filter(pk=entry_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Action.EDIT_ENTRIES, section.event)
    if section.state == Section.State.CLOSED:
        raise WrongState(_("The section is closed."))
    entry = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    entry.section = section
    return entry


def _lock_all_of_player(entry_id: int) -> list[int]:
    """Lock every section that the entry's player is in: what tells people apart is checked in each. Return their keys."""
    player = Player.objects.filter(entries=entry_id).first()
    sections = Entry.objects.filter(player=player).order_by("section_id") if player else Entry.objects.none()
    return [lock_section(pk).pk for pk in sections.values_list("section_id", flat=True)]


def _last_paired_of(entry: Entry) -> int:
    boards = Pairing.objects.filter(Q(white=entry) | Q(black=entry), black__isnull=False)
    if formats.of(entry.section).drawn_whole:
        boards = boards.exclude(
            outcome=Outcome.UNPLAYED
        )  # the table is drawn whole: later boards become forfeits
    return boards.aggregate(last=Max("round__number"))["last"] or 0


def _log_status(actor: Actor, action: AuditAction, entry: Entry, before: dict[str, Any], reason: str) -> None:
    audit.record(
        actor=actor, action=action, section=entry.section, subject=entry, before=before, after=describe(entry),
        reason=reason,
    )  # fmt: skip


def follow_list(section: Section) -> None:
    """The tables follow the list: late entries stand in them with no points, ratings may break ties."""
    jobs.bump(section, public=True)
    if last_public(section):
        jobs.enqueue(section, Job.Kind.STANDINGS, round_number=1)


def check_absence(entry: Entry, round_number: int, kind: str) -> None:
    """Raises BadInput or WrongState where an absence cannot be noted."""
    if kind not in {o.value for o in BYES}:
        raise BadInput(fields={"kind": [_("There is no such kind of absence.")]})
    if not 1 <= round_number <= entry.section.rounds_total:
        raise BadInput(fields={"round_number": [_("There is no such round.")]})
    refused = formats.of(entry.section).absence()
    if refused is not None:
        raise refused
    _refuse_drafted(entry.section, round_number)


def _refuse_drafted(section: Section, round_number: int) -> None:
    if round_number <= last_drafted(section):
        raise WrongState(
            _("Round %(round)s is paired already: discard the draft first, or enter a forfeit."),
            round=round_number,
        )
