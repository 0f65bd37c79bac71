"""A whole event as one JSON document: what is needed to set the same event up on another site.

The form is `draughts-event`, version 2. Rows that point at each other do so by numbers of the document's own: players
and notices are counted from 1 in the document, entries from 1 in their section. Other rooms add parts of their own
(games, the court). Left out on purpose: accounts and roles, which belong to a site; the links by which players enter,
which are secrets; jobs, which are of the moment. The log, when asked for, is a record to read: it is not brought back,
since it tells of acts on the site it was made on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tournaments.documents.ledger import (
    ENTRY_FIELDS,
    EVENT_FIELDS,
    FORMAT,
    GAME_FIELDS,
    MEMBER_FIELDS,
    NOTICE_FIELDS,
    PLAYER_FIELDS,
    ROUND_FIELDS,
    SECTION_FIELDS,
    STANDINGS_FIELDS,
    VERSION,
)
from tournaments.documents.parts import PARTS, References, fields_of, plain_value
from tournaments.formats import match_outcome
from tournaments.models import (
    AuditEntry,
    Entry,
    Event,
    MatchGame,
    Notice,
    Pairing,
    Player,
    Round,
    Section,
    TeamMember,
)


def export_event(event: Event, *, with_log: bool = False) -> dict[str, Any]:
    """The document, of JSON's own types. Drafts and everything unpublished are in it: it is for the desk alone."""
    players = list(Player.objects.filter(event=event).order_by("pk"))
    player_ref = {player.pk: ref for ref, player in enumerate(players, start=1)}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "event": fields_of(event, EVENT_FIELDS),
        "players": [{"id": player_ref[p.pk], **fields_of(p, PLAYER_FIELDS)} for p in players],
        "sections": [_section(s, player_ref) for s in event.sections.order_by("position", "id")],
    }
    refs = _references(event)
    document["notices"] = [_notice(row, refs) for row in _notices(event)]
    for part in PARTS:
        document[part.name] = part.write(event, refs)
    if with_log:
        document["log"] = [_log_line(line) for line in AuditEntry.objects.filter(event=event).order_by("pk")]
    return document


def as_text(document: Mapping[str, Any]) -> str:
    """One member a line, so that two editions can be compared line by line."""
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _references(event: Event) -> References:
    """Entries by their place in the section, boards by round and number; byes have none."""
    entries: dict[int, int] = {}
    last: dict[int, int] = {}
    rows = Entry.objects.filter(section__event=event).order_by("pk").values_list("pk", "section_id")
    for pk, section in rows:
        entries[pk] = last[section] = last.get(section, 0) + 1
    boards = Pairing.objects.filter(round__section__event=event, black__isnull=False)
    return References(
        sections=dict(event.sections.values_list("pk", "code")),
        entries=entries,
        boards={
            pk: {"round": number, "board": board}
            for pk, number, board in boards.values_list("pk", "round__number", "board")
        },
        notices={row.pk: number for number, row in enumerate(_notices(event), start=1)},
    )


def _notices(event: Event) -> list[Notice]:
    return list(event.notices.order_by("pk").select_related("pairing__round__section"))


def _notice(row: Notice, refs: References) -> dict[str, Any]:
    """A notice of a board names the section of the board, which may be another than its own, or none."""
    return {
        **fields_of(row, NOTICE_FIELDS),
        "section": refs.sections.get(row.section_id or 0),
        "board_section": row.pairing.round.section.code
        if row.pairing_id in refs.boards and row.pairing
        else None,
        "board": refs.boards.get(row.pairing_id or 0),
    }


def _section(section: Section, player_ref: Mapping[int, int]) -> dict[str, Any]:
    entries = list(section.entries.order_by("pk"))
    ref = {entry.pk: number for number, entry in enumerate(entries, start=1)}
    boards: dict[int, list[dict[str, Any]]] = {}
    members: dict[int, list[TeamMember]] = {}
    for member in TeamMember.objects.filter(entry__section=section).order_by("position"):
        members.setdefault(member.entry_id, []).append(member)
    games: dict[int, list[MatchGame]] = {}
    rows = MatchGame.objects.filter(pairing__round__section=section).select_related("first", "second")
    for game in rows.order_by("number"):
        games.setdefault(game.pairing_id, []).append(game)
    for pairing in Pairing.objects.filter(round__section=section).order_by("board", "pk"):
        own = games.get(pairing.pk, [])
        ruled = match_outcome.differs(section, pairing.outcome, pairing.grade, own)
        board = _board(pairing, ref) | {"ruled": ruled, "games": [_game(game) for game in own]}
        boards.setdefault(pairing.round_id, []).append(board)
    return {
        **fields_of(section, SECTION_FIELDS),
        "entries": [
            {
                "id": ref[e.pk],
                "player": player_ref[e.player_id],
                **fields_of(e, ENTRY_FIELDS),
                "members": [fields_of(m, MEMBER_FIELDS) for m in members.get(e.pk, [])],
            }
            for e in entries
        ],
        "bracket": [ref[pk] for pk in section.bracket if pk in ref],
        "rounds": [_round(r, boards.get(r.pk, []), ref) for r in section.rounds.order_by("number")],
        "virtual_points": with_entries(section.virtual_points, ref),
        **_arrangements(section, ref),
        "standings": [_table(t, ref) for t in section.standings.order_by("after_round", "version")],
    }


def _board(pairing: Pairing, ref: Mapping[int, int]) -> dict[str, Any]:
    return {
        "board": pairing.board,
        "white": ref[pairing.white_id],
        "black": ref[pairing.black_id] if pairing.black_id is not None else None,
        "outcome": pairing.outcome,
        "grade": pairing.grade,
        "advances": pairing.advances,
    }


def _game(game: MatchGame) -> dict[str, Any]:
    """Members of teams by their position in the team."""
    return {
        **fields_of(game, GAME_FIELDS),
        "first": game.first.position if game.first else None,
        "second": game.second.position if game.second else None,
    }


def _round(round_: Round, boards: list[dict[str, Any]], ref: Mapping[int, int]) -> dict[str, Any]:
    return {
        **fields_of(round_, ROUND_FIELDS),
        "numbers": {number: ref.get(entry) for number, entry in round_.numbers.items()},
        "edits": [with_entries(edit, ref) for edit in round_.edits],
        "pairings": boards,
    }


def with_entries(value: Any, ref: Mapping[int, int]) -> Any:
    """An arbiter's change with its "entries" renumbered; an entry that is gone becomes null."""
    if isinstance(value, dict):
        return {
            key: [ref.get(entry) for entry in item]
            if key == "entries" and isinstance(item, list)
            else with_entries(item, ref)
            for key, item in value.items()
        }
    return [with_entries(item, ref) for item in value] if isinstance(value, list) else value


def _arrangements(section: Section, ref: Mapping[int, int]) -> dict[str, Any]:
    absences = section.entries.filter(absences__isnull=False).values_list(
        "pk", "absences__round_number", "absences__kind", "absences__reason"
    )
    return {
        "absences": [
            {"entry": ref[entry], "round": number, "kind": kind, "reason": reason}
            for entry, number, kind, reason in absences.order_by("absences__pk")
        ],
        "forbidden_pairs": [
            {
                "first": ref[pair.first_id],
                "second": ref[pair.second_id],
                "first_round": pair.first_round,
                "last_round": pair.last_round,
                "reason": pair.reason,
            }
            for pair in section.forbidden_pairs.order_by("pk")
        ],
        "adjustments": [
            {
                "entry": ref[item.entry_id],
                "points": item.points,
                "after_round": item.after_round,
                "reason": item.reason,
                "created_at": plain_value(item.created_at),
            }
            for item in section.adjustments.order_by("pk")
        ],
    }


def _table(table: Any, ref: Mapping[int, int]) -> dict[str, Any]:
    rows = [{**row, "entry": ref[row["entry"]]} for row in table.rows if row.get("entry") in ref]
    return {**fields_of(table, STANDINGS_FIELDS), "rows": rows}


def _log_line(line: AuditEntry) -> dict[str, Any]:
    """Without the address: it is personal, and of no use elsewhere."""
    names = ("at", "actor_name", "action", "object_type", "object_id", "before", "after", "reason")
    return fields_of(line, names)
