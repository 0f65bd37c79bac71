"""The list of who is there, over all sections of an event, A-Z or by club."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from tournaments.models import Absence, Entry, Event, Presence, Round, Section, User
from tournaments.permissions import Action, allowed
from tournaments.selectors.public import found_by
from tournaments.wording.names import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry before the next round of its section. `absence` is a bye announced for it."""

    entry: Entry
    section: Section
    round_number: int
    is_present: bool
    absence: Absence | None

    @property
    def is_missing(self) -> bool:
        return not self.is_present and self.absence is None


def next_round(section: Section) -> int | None:
    """The next round that has no boards; None when all are drawn."""
    drawn = (
        section.rounds.exclude(state=Round.State.OPEN).order_by("-number").values_list("number", flat=True)
    )
    number = (drawn.first() or 0) + 1
    return number if number <= section.rounds_total else None


def of_section(section: Section) -> list[Row]:
    """Who may play in the next round: three queries."""
    number = next_round(section)
    if number is None or section.state == Section.State.CLOSED:
        return []
    found = section.entries.filter(status=Entry.Status.ACTIVE).select_related("player")
    seen = set(
        Presence.objects.filter(entry__section=section, round_number=number, made_absent=False).values_list(
            "entry_id", flat=True
        )
    )
    away = {a.entry_id: a for a in Absence.objects.filter(entry__section=section, round_number=number)}
    return [
        Row(
            entry=entry, section=section, round_number=number, is_present=entry.pk in seen,
            absence=away.get(entry.pk),
        )
        for entry in found
    ]  # fmt: skip


def of_event(event: Event) -> list[Row]:
    """All sections in one list, A-Z, Chinese names by their pinyin."""
    rows = [row for section in event.sections.all() for row in of_section(section)]
    return sorted(rows, key=_by_name)


def by_club(rows: Iterable[Row]) -> list[Row]:
    return sorted(
        rows, key=lambda row: (plain(row.entry.player.club or row.entry.player.federation), _by_name(row))
    )


def filtered(rows: Iterable[Row], query: str, *, missing_only: bool = False) -> list[Row]:
    """Those that a typed name or number finds; only the missing ones if asked."""
    return [
        row for row in rows
        if (found_by(row.entry, query) or plain(query) in plain(row.entry.player.club))
        and (row.is_missing or not missing_only)
    ]  # fmt: skip


def _by_name(row: Row) -> tuple[str, int]:
    player = row.entry.player
    return plain(player.latin_name or player.name), row.entry.pk


def of_entry(entry: Entry) -> Row | None:
    """The row of one entry; None where there is no round to come."""
    return next((row for row in of_section(entry.section) if row.entry.pk == entry.pk), None)


def may_mark(user: User | AnonymousUser, event: Event) -> bool:
    """Whether somebody marks others as present: the desk of the event."""
    return allowed(user, Action.ENTER_RESULTS, event)
