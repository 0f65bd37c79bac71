"""Rows of the audit log as lines for a reader: the action, the object and the values in words, with the players' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.audit import AuditAction
from tournaments.models import AuditEntry, Entry, Pairing, Role, Round, User
from tournaments.wording.people import shown
from tournaments.wording.values import EMPTY, HIDDEN, entries_in, field_words, object_words, value_words

Items = list[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One row in words. `subject` names the object, or its kind where it is gone."""

    row: AuditEntry
    who: str
    action: str
    subject: str
    before: Items
    after: Items


def lines(rows: Iterable[AuditEntry]) -> list[LogLine]:
    """Return the rows in words, with a few queries for all of them."""
    held = list(rows)
    players = _players(held)
    subjects = _subjects(held)
    return [
        LogLine(
            row=row,
            who=_who(row),
            action=action_words(row.action),
            subject=subjects.get((row.object_type, row.object_id)) or _kind(row),
            before=_items(row, row.before, row.after, players),
            after=_items(row, row.after, row.before, players),
        )
        for row in held
    ]


def action_words(action: str) -> str:
    """Return the words of an action; one that an older release wrote is shown with blanks."""
    return str(AuditAction(action).label) if action in AuditAction.values else action.replace("-", " ")


def _who(row: AuditEntry) -> str:
    if row.actor_name == "system":
        return str(_("the site itself"))
    return row.actor_name or str(_("by personal link"))


def _kind(row: AuditEntry) -> str:
    return object_words(row.object_type) if row.object_type else ""


def _items(row: AuditEntry, state: Any, other: Any, players: Mapping[int, str]) -> Items:
    """Names and values: those that differ from the state on the other side, else all that hold something."""
    if state in EMPTY:
        return []
    if not isinstance(state, Mapping):
        return [("", value_words("outcome", state, kind=row.object_type, players=players))]
    if isinstance(other, Mapping):
        shown = [name for name, value in state.items() if other.get(name, ...) != value]
    else:
        shown = [name for name, value in state.items() if value not in EMPTY]
    return [
        (
            field_words(name, row.object_type),
            value_words(name, state[name], kind=row.object_type, players=players),
        )
        for name in shown
        if name not in HIDDEN
    ]


def _players(rows: Iterable[AuditEntry]) -> dict[int, str]:
    wanted = {pk for row in rows for state in (row.before, row.after) for pk in entries_in("", state)}
    return {
        entry.pk: shown(entry.player)
        for entry in Entry.objects.select_related("player").filter(pk__in=wanted)
    }


def _subjects(rows: list[AuditEntry]) -> dict[tuple[str, int | None], str]:
    """The objects that have a name of their own, in words; one query a kind."""
    wanted: dict[str, set[int]] = {}
    for row in rows:
        if row.object_id is not None:
            wanted.setdefault(row.object_type, set()).add(row.object_id)
    found: dict[tuple[str, int | None], str] = {}
    for kind, describe in _DESCRIBE.items():
        if kind in wanted:
            found |= {(kind, pk): words for pk, words in describe(wanted[kind]).items()}
    return found


def _boards(wanted: set[int]) -> dict[int, str]:
    rows = Pairing.objects.select_related("round", "white__player", "black__player").filter(pk__in=wanted)
    return {row.pk: _board(row) for row in rows}


def _board(row: Pairing) -> str:
    values = {"round": row.round.number, "board": row.board, "white": shown(row.white.player)}
    if row.black is None:
        return str(_("round %(round)s, bye: %(white)s") % values)
    return str(
        _("round %(round)s, board %(board)s: %(white)s – %(black)s")
        % (values | {"black": shown(row.black.player)})
    )


def _rounds(wanted: set[int]) -> dict[int, str]:
    return {
        row.pk: str(_("round %(round)s") % {"round": row.number})
        for row in Round.objects.filter(pk__in=wanted)
    }


def _entries(wanted: set[int]) -> dict[int, str]:
    return {row.pk: shown(row.player) for row in Entry.objects.select_related("player").filter(pk__in=wanted)}


def _roles(wanted: set[int]) -> dict[int, str]:
    rows = Role.objects.select_related("user").filter(pk__in=wanted)
    return {row.pk: f"{row.get_kind_display()}: {row.user}" for row in rows}


def _users(wanted: set[int]) -> dict[int, str]:
    return {row.pk: str(row) for row in User.objects.filter(pk__in=wanted)}


_DESCRIBE = {"pairing": _boards, "round": _rounds, "entry": _entries, "role": _roles, "user": _users}
