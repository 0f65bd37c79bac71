"""The event document read back: rows not yet written, every reference, count and clash already checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.documents.ledger import (
    ENTRY_FIELDS,
    EVENT_FIELDS,
    FORMAT,
    NOTICE_FIELDS,
    PLAYER_FIELDS,
    ROUND_FIELDS,
    SECTION_FIELDS,
    STANDINGS_FIELDS,
    VERSION,
    document_model,
)
from tournaments.documents.parsing import Node, refuse_hidden
from tournaments.documents.parts import PARTS, Rows, Write
from tournaments.importers import match_document
from tournaments.importers.identity import Named, People
from tournaments.models import (
    BYE_CODES,
    Absence,
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    MatchGame,
    Notice,
    Pairing,
    Player,
    Round,
    Section,
    Standings,
    TeamMember,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRows:
    """Unsaved rows of one section, already pointing at each other."""

    section: Section
    entries: Mapping[int, Entry]  # by their number in the document
    rounds: list[Round]
    pairings: list[Pairing]
    absences: list[Absence]
    forbidden_pairs: list[ForbiddenPair]
    adjustments: list[Adjustment]
    standings: list[Standings]
    edits: Mapping[int, list[Any]]  # round number -> the arbiter's changes, entries by document number
    virtual_points: list[dict[str, Any]]
    members: list[TeamMember]
    games: list[MatchGame]
    bracket: list[int]  # entries by document number


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRows:
    event: Event
    players: list[Player]
    sections: list[SectionRows]
    notices: list[Notice]
    parts: list[Write]  # of other rooms, to be called when all the rest is written
    log_lines: int


def read_event(root: Node) -> EventRows:
    """Return the rows of a document. Raises BadInput with path and reason at the first fault."""
    _check_version(root)
    root = root.checked(document_model())
    event = _event(root["event"])
    players = _players(root["players"], event)
    sections = [_section(node, event, players) for node in root["sections"].items()]
    _refuse_doubles([(node["code"], node["code"].value) for node in root["sections"].items()])
    if root["version"].value < 3:
        for part in sections:
            _keep_treatment(part)
    rows = _rows(event, sections)
    notices = _notices(root["notices"], rows)
    return EventRows(
        event=event,
        players=list(players.values()),
        sections=sections,
        notices=notices,
        parts=[part.read(root[part.name], rows) for part in PARTS if root.has(part.name)],
        log_lines=len(root["log"].value),
    )


def _check_version(root: Node) -> None:
    """Refuse other files and later versions by name, before their members are found to be unknown."""
    if root["format"].value != FORMAT:
        root["format"].refuse(_("this is no event file: expected “%(format)s”"), format=FORMAT)
    version = root["version"].value
    if isinstance(version, int) and version > VERSION:
        root["version"].refuse(
            _("the file was made by a newer program: versions up to %(version)s are read"), version=VERSION
        )


_FORFEITS_CHANGED = frozenset(
    {
        "FMJD_SWISS", "FMJD_SWISS_RATING", "CN_ROUND_ROBIN", "FMJD_ROUND_ROBIN", "XIANGQI_2011_ROUND_ROBIN",
        "KNDB_ROUND_ROBIN",
    }
)  # fmt: skip


def _keep_treatment(part: SectionRows) -> None:
    """In older documents the presets of round robins and of FMJD left forfeits out of the sums over opponents."""
    if part.section.preset in _FORFEITS_CHANGED and part.pairings:
        for policy in (part.section.policy, *(table.policy for table in part.standings)):
            policy.setdefault("forfeits_in_solkoff", False)


def _rows(event: Event, sections: list[SectionRows]) -> Rows:
    return Rows(
        event=event,
        sections={part.section.code: part.section for part in sections},
        entries={(part.section.code, ref): e for part in sections for ref, e in part.entries.items()},
        boards={
            (part.section.code, pairing.round.number, pairing.board): pairing
            for part in sections
            for pairing in part.pairings
            if pairing.black is not None
        },
    )


def _notices(node: Node, rows: Rows) -> list[Notice]:
    for number, item in enumerate(node.items(), start=1):
        at_board = item["board_section"].value is not None
        if at_board and item["board"].value is None:
            item["board"].refuse(_("there is no such board in the document"))
        rows.notices[number] = Notice(
            event=rows.event,
            **item.values(NOTICE_FIELDS),
            section=None if item["section"].value is None else rows.section(item["section"]),
            pairing=rows.board(item["board"], rows.section(item["board_section"])) if at_board else None,
        )
    return list(rows.notices.values())


def _event(node: Node) -> Event:
    event = Event(**node.values(EVENT_FIELDS))
    # A taken code is no fault of the file: the service gives another one.
    _clean(node, event, leave_out={"created_by"}, unique=False)
    return event


def _clean(node: Node, row: Any, *, leave_out: set[str], unique: bool = True) -> None:
    """The model's own validators, told at the path of the field they refuse."""
    try:
        row.clean_fields(exclude=leave_out)
        if unique:
            row.validate_constraints(exclude=leave_out)
    except ValidationError as error:
        for name, messages in getattr(error, "message_dict", {"": error.messages}).items():
            place = node[name] if node.has(name) else node
            place.refuse(" ".join(messages))


def _players(node: Node, event: Event) -> dict[int, Player]:
    players: dict[int, Player] = {}
    for item in node.items():
        ref = _new_ref(item["id"], players)
        for name in ("name", "family_name", "latin_name", "club"):
            refuse_hidden(item[name])
        players[ref] = Player(event=event, **item.values(PLAYER_FIELDS))
    return players


def _new_ref(node: Node, known: Mapping[int, Any]) -> int:
    ref: int = node.value
    if ref in known:
        node.refuse(_("the number %(id)s is given twice"), id=ref)
    return ref


def _known_ref(node: Node, known: Mapping[int, Any]) -> Any:
    ref = node.value
    if ref not in known:
        node.refuse(_("there is no %(id)s in the document"), id=ref)
    return known[ref]


def _refuse_doubles(found: list[tuple[Node, Any]]) -> None:
    seen: set[Any] = set()
    for node, value in found:
        if value in seen:
            node.refuse(_("%(value)s is given twice"), value=value)
        seen.add(value)


def _section(node: Node, event: Event, players: Mapping[int, Player]) -> SectionRows:
    section = _section_row(node, event)
    entries = _entries(node["entries"], section, players)
    virtual = _virtual_points(node["virtual_points"], entries)
    members = match_document.members(node["entries"], entries)
    rounds: list[Round] = []
    pairings: list[Pairing] = []
    edits: dict[int, list[Any]] = {}
    games: list[MatchGame] = []
    for item in node["rounds"].items():
        round_, boards = _round(item, section, entries)
        games += match_document.games(item["pairings"], boards, members)
        edits[round_.number] = list(_edits(item["edits"], entries))
        rounds.append(round_)
        pairings += boards
    _refuse_doubles([(item["number"], item["number"].value) for item in node["rounds"].items()])
    return SectionRows(
        section=section,
        entries=entries,
        rounds=rounds,
        pairings=pairings,
        absences=_absences(node["absences"], entries),
        forbidden_pairs=[_forbidden_pair(item, section, entries) for item in node["forbidden_pairs"].items()],
        adjustments=[_adjustment(item, section, entries) for item in node["adjustments"].items()],
        standings=_standings(node["standings"], section, entries),
        edits=edits,
        virtual_points=virtual,
        members=list(members.values()),
        games=games,
        bracket=match_document.bracket(node["bracket"], entries),
    )


def _virtual_points(node: Node, entries: Mapping[int, Entry]) -> list[dict[str, Any]]:
    for item in node.items():
        for entry in item["entries"].items():
            _known_ref(entry, entries)
    return list(node.value)


def _section_row(node: Node, event: Event) -> Section:
    match_document.check_own(node)
    section = Section(event=event, version=1, public_version=1, **node.values(SECTION_FIELDS))
    _clean(node, section, leave_out={"event"}, unique=False)
    return section


def _entries(node: Node, section: Section, players: Mapping[int, Player]) -> dict[int, Entry]:
    entries: dict[int, Entry] = {}
    for item in node.items():
        ref = _new_ref(item["id"], entries)
        player = _known_ref(item["player"], players)
        entries[ref] = Entry(section=section, player=player, **item.values(ENTRY_FIELDS))
    _refuse_doubles([(item["player"], item["player"].value) for item in node.items()])
    numbered = [item["number"] for item in node.items() if item["number"].value is not None]
    _refuse_doubles([(item, item.value) for item in numbered])
    seeded = [item["seed_number"] for item in node.items() if item["seed_number"].value]
    _refuse_doubles([(item, item.value) for item in seeded])
    _refuse_person_twice(node, entries)
    return entries


def _refuse_person_twice(node: Node, entries: Mapping[int, Entry]) -> None:
    seen: People[Named] = People()
    for item, entry in zip(node.items(), entries.values(), strict=True):
        player = entry.player
        person = Named(name=player.name, birth_year=player.birth_year, fmjd_id=player.fmjd_id)
        if seen.find(person) is not None:
            item["player"].refuse(_("%(name)s is in the section twice"), name=person.name)
        seen.add(person)


def _round(node: Node, section: Section, entries: Mapping[int, Entry]) -> tuple[Round, list[Pairing]]:
    numbers = _numbers(node["numbers"], entries)
    round_ = Round(section=section, numbers=numbers, **node.values(ROUND_FIELDS))
    if round_.state == Round.State.OPEN and node["pairings"].value:
        node["pairings"].refuse(_("a round that is not paired has no boards"))
    _check_proposal(node["proposal"], numbers={int(number) for number in round_.numbers})
    boards = [_pairing(item, round_, entries) for item in node["pairings"].items()]
    _refuse_double_seats(node["pairings"])
    return round_, boards


def _numbers(node: Node, entries: Mapping[int, Entry]) -> dict[str, int]:
    """Pairing numbers when the round was paired, with the entry's document number; null for an entry that is gone."""
    found = {}
    for number, entry in node.value.items():
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            node.refuse(_("there is no pairing number %(number)s"), number=number)
        if entry is not None:
            _known_ref(node[number], entries)
            found[number] = entry
    return found


def _check_proposal(node: Node, *, numbers: Collection[int]) -> None:
    """The engine's boards: number, White's and Black's pairing number, null for a bye."""
    for board in node.items():
        parts = list(board.items())
        if len(parts) != 3 or parts[0].value is None:
            board.refuse(_("expected board, White and Black"))
        for seat in parts[1:] if parts[2].value is not None else parts[1:2]:
            if seat.value not in numbers:
                seat.refuse(_("there is no pairing number %(number)s"), number=seat.value)


def _pairing(node: Node, round_: Round, entries: Mapping[int, Entry]) -> Pairing:
    white = _known_ref(node["white"], entries)
    black = None if node["black"].value is None else _known_ref(node["black"], entries)
    outcome, grade = node["outcome"].value, node["grade"].value
    if (black is None) != (outcome in BYE_CODES):
        node["outcome"].refuse(_("a bye has no opponent, and only a bye has none"))
    scheme = round_.section.result_scheme
    if grade and (grade not in scheme.grades or scheme.grades[grade].outcome.value != outcome):
        node["grade"].refuse(_("the result scheme has no such result"))
    names = ("board", "outcome", "grade", "advances")
    return Pairing(round=round_, white=white, black=black, **node.values(names))


def _refuse_double_seats(node: Node) -> None:
    """One board an entry, one entry a seat, one number a board."""
    seats = [
        seat for item in node.items() for seat in (item["white"], item["black"]) if seat.value is not None
    ]
    _refuse_doubles([(seat, seat.value) for seat in seats])
    numbered = [item["board"] for item in node.items() if item["board"].value > 0]
    _refuse_doubles([(item, item.value) for item in numbered])


def _edits(node: Node, entries: Mapping[int, Entry]) -> list[Any]:
    for ref in _named_entries(node.value):
        if ref is not None and (not isinstance(ref, int) or ref not in entries):
            node.refuse(_("there is no %(id)s in the document"), id=ref)
    return list(node.value)


def _named_entries(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [ref for item in value for ref in _named_entries(item)]
    if not isinstance(value, dict):
        return []
    own = value.get("entries")
    return (own if isinstance(own, list) else []) + [
        ref for key, item in value.items() if key != "entries" for ref in _named_entries(item)
    ]


def _absences(node: Node, entries: Mapping[int, Entry]) -> list[Absence]:
    absences = [
        Absence(
            entry=_known_ref(item["entry"], entries),
            round_number=item["round"].value,
            **item.values(("kind", "reason")),
        )
        for item in node.items()
    ]
    _refuse_doubles([(item, (item["entry"].value, item["round"].value)) for item in node.items()])
    return absences


def _forbidden_pair(node: Node, section: Section, entries: Mapping[int, Entry]) -> ForbiddenPair:
    first, second = _known_ref(node["first"], entries), _known_ref(node["second"], entries)
    if first is second:
        node["second"].refuse(_("the same player twice"))
    names = ("first_round", "last_round", "reason")
    return ForbiddenPair(section=section, first=first, second=second, **node.values(names))


def _adjustment(node: Node, section: Section, entries: Mapping[int, Entry]) -> Adjustment:
    names = ("points", "after_round", "reason", "created_at")
    return Adjustment(section=section, entry=_known_ref(node["entry"], entries), **node.values(names))


def _standings(node: Node, section: Section, entries: Mapping[int, Entry]) -> list[Standings]:
    tables = []
    for item in node.items():
        for row in item["rows"].items():
            _known_ref(row["entry"], entries)
        tables.append(
            Standings(section=section, version=1, rows=item["rows"].value, **item.values(STANDINGS_FIELDS))
        )
    _refuse_doubles([(item["after_round"], item["after_round"].value) for item in node.items()])
    return tables
