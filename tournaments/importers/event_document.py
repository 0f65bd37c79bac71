"""The event document read back: rows not yet written, every reference, count and clash already checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.engine import scoring, tiebreaks
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.presets import PRESETS
from tournaments.engine.types import InvalidState, Outcome
from tournaments.exports import event_json as form
from tournaments.importers import match_document
from tournaments.importers.documents import Node, refuse_hidden
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
from tournaments.services.document_parts import PARTS, Rows, Write, values_of

MAX_INT = 2**31 - 1
MAX_BIG_INT = 2**53
_MEAN = re.compile(r"-?[0-9]{1,18}/[1-9][0-9]{0,17}")


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
    """Raises BadInput with path and reason at the first fault."""
    root.only(
        {"format", "version", "event", "players", "sections", "notices", "log", *(p.name for p in PARTS)}
    )
    if root["format"].value != form.FORMAT:
        root["format"].refuse(_("this is no event file: expected “%(format)s”"), format=form.FORMAT)
    version = root["version"].whole(1, MAX_INT)
    if version > form.VERSION:
        root["version"].refuse(
            _("the file was made by a newer program: versions up to %(version)s are read"),
            version=form.VERSION,
        )
    event = _event(root["event"])
    players = _players(root["players"], event)
    sections = [_section(node, event, players) for node in root["sections"].items(limit=500)]
    _refuse_doubles(
        [
            (node["code"], rows.section.code)
            for node, rows in zip(root["sections"].items(), sections, strict=True)
        ]
    )
    if version < 3:
        for part in sections:
            _keep_treatment(part)
    log_lines = sum(1 for _line in root["log"].items(limit=10_000_000)) if "log" in root.members() else 0
    rows = _rows(event, sections)
    notices = _notices(root.get("notices", []), rows)
    return EventRows(
        event=event,
        players=list(players.values()),
        sections=sections,
        notices=notices,
        parts=[part.read(root[part.name], rows) for part in PARTS if part.name in root.members()],
        log_lines=log_lines,
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
        item.only({*form.NOTICE_FIELDS, "section", "board_section", "board"})
        texts = item["texts"]
        for language in texts.members():
            texts[language].text(limit=100_000)
        at_board = item["board_section"].value is not None
        rows.notices[number] = Notice(
            event=rows.event,
            **values_of(item, Notice, form.NOTICE_FIELDS),
            section=None if item["section"].value is None else rows.section(item["section"]),
            pairing=rows.board(item["board"], rows.section(item["board_section"])) if at_board else None,
        )
    return list(rows.notices.values())


def _event(node: Node) -> Event:
    node.only(form.EVENT_FIELDS)
    event = Event(
        **_texts(node, Event, ("code", "name", "name_en", "place", "description", "regulations", "contact")),
        starts_on=node["starts_on"].day_or_none(),
        ends_on=node["ends_on"].day_or_none(),
        state=node["state"].choice(Event.State.values),
        created_at=node["created_at"].time(),
        closed_at=node["closed_at"].time_or_none(),
    )
    # A taken code is no fault of the file: the service gives another one.
    _clean(node, event, leave_out={"created_by"}, unique=False)
    return event


def _texts(node: Node, model: Any, names: tuple[str, ...]) -> dict[str, str]:
    return {
        name: node[name].text(limit=model._meta.get_field(name).max_length or 1_000_000) for name in names
    }


def _clean(node: Node, row: Any, *, leave_out: set[str], unique: bool = True) -> None:
    """The model's own validators, told at the path of the field they refuse."""
    try:
        row.clean_fields(exclude=leave_out)
        if unique:
            row.validate_constraints(exclude=leave_out)
    except ValidationError as error:
        for name, messages in getattr(error, "message_dict", {"": error.messages}).items():
            (node[name] if name in node.members() else node).refuse(" ".join(messages))


def _players(node: Node, event: Event) -> dict[int, Player]:
    players: dict[int, Player] = {}
    for item in node.items():
        item.only({"id", *form.PLAYER_FIELDS})
        ref = _new_ref(item["id"], players)
        texts = tuple(name for name in form.PLAYER_FIELDS if name not in {"birth_year", "rating"})
        players[ref] = Player(
            event=event,
            birth_year=item["birth_year"].whole_or_none(0, 9999),
            rating=item["rating"].whole(0, MAX_INT),
            **_texts(
                item, Player, tuple(name for name in texts if name in item.members() or name not in ADDED)
            ),
        )
        item["name"].text(limit=120, blank=False)
        for name in ("name", "family_name", "latin_name", "club"):
            refuse_hidden(item[name])
        item["sex"].choice(["", "m", "f"])
    return players


def _new_ref(node: Node, known: Mapping[int, Any]) -> int:
    ref = node.whole(1, MAX_INT)
    if ref in known:
        node.refuse(_("the number %(id)s is given twice"), id=ref)
    return ref


def _known_ref(node: Node, known: Mapping[int, Any]) -> Any:
    ref = node.whole(1, MAX_INT)
    if ref not in known:
        node.refuse(_("there is no %(id)s in the document"), id=ref)
    return known[ref]


def _refuse_doubles(found: list[tuple[Node, Any]]) -> None:
    seen: set[Any] = set()
    for node, value in found:
        if value in seen:
            node.refuse(_("%(value)s is given twice"), value=value)
        seen.add(value)


ADDED = frozenset({"family"})  # what older documents do not have
_SECTION_PARTS = frozenset(
    {
        "entries", "rounds", "absences", "forbidden_pairs", "adjustments", "standings", "virtual_points", "bracket",
    }
)  # fmt: skip
_CHOICES: Mapping[str, Any] = {
    "format": Section.Format.values,
    "ranking": Section.Ranking.values,
    "numbering": Section.Numbering.values,
    "withdrawal": Section.Withdrawal.values,
    "state": Section.State.values,
    "initial_colour": ["w", "b"],
    "scheme": tuple(scoring.SCHEMES),
}
_SECTION_TEXTS = ("code", "name", "name_en", "time_control", "preset")
_SECTION_NUMBERS = (
    "position", "rounds_total", "lateness_limit", "appeal_fee", "appeal_deadline", "protect_clubs_rounds",
)  # fmt: skip


def _section(node: Node, event: Event, players: Mapping[int, Player]) -> SectionRows:
    node.only({*form.SECTION_FIELDS, *_SECTION_PARTS})
    section = _section_row(node, event)
    entries = _entries(node["entries"], section, players)
    virtual = _virtual_points(node.get("virtual_points", []), entries)
    members = match_document.members(node["entries"], entries)
    rounds: list[Round] = []
    pairings: list[Pairing] = []
    edits: dict[int, list[Any]] = {}
    games: list[MatchGame] = []
    for item in node["rounds"].items(limit=200):
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
        bracket=match_document.bracket(node.get("bracket", []), entries),
    )


def _virtual_points(node: Node, entries: Mapping[int, Entry]) -> list[dict[str, Any]]:
    found = []
    for item in node.items(limit=20):
        item.only({"points", "first_round", "last_round", "entries"})
        numbers = {name: item[name].whole(0, 999) for name in ("points", "first_round", "last_round")}
        for entry in item["entries"].items():
            _known_ref(entry, entries)
        found.append({**numbers, "entries": item["entries"].json(list)})
    return found


def _section_row(node: Node, event: Event) -> Section:
    section = Section(
        event=event,
        **_texts(node, Section, _SECTION_TEXTS),
        **{name: node[name].whole(0, 32767) for name in _SECTION_NUMBERS if name != "appeal_fee"},
        **{name: node[name].choice(choices) for name, choices in _CHOICES.items()},
        appeal_fee=node["appeal_fee"].whole(0, MAX_INT),
        drop_absent=node["drop_absent"].truth(),
        acceleration=node.get("acceleration", False).truth(),
        **match_document.options(node),
        lots_decide=node["lots_decide"].truth(),
        refunds_withdrawn=node.get("refunds_withdrawn", True).truth(),
        seed=node["seed"].whole(-MAX_BIG_INT, MAX_BIG_INT),
        tiebreaks=node["tiebreaks"].json(list),
        policy=node["policy"].json(dict),
        version=1,
        public_version=1,
    )
    for item in node["tiebreaks"].items(limit=50):
        if not tiebreaks.is_known(item.text(limit=60)):
            item.refuse(_("there is no such tie-break"))
    _check_policy(node["policy"])
    if section.preset:
        node["preset"].choice(tuple(PRESETS))
    _clean(node, section, leave_out={"event"}, unique=False)
    return section


def _check_policy(node: Node) -> None:
    try:
        TieBreakPolicy.from_json(node.json(dict))
    except InvalidState as error:
        node.refuse(_("there is no such choice: %(name)s"), name=error.values.get("field"))


def _entries(node: Node, section: Section, players: Mapping[int, Player]) -> dict[int, Entry]:
    entries: dict[int, Entry] = {}
    for item in node.items():
        item.only({"id", "player", "members", *form.ENTRY_FIELDS})
        ref = _new_ref(item["id"], entries)
        entries[ref] = Entry(
            section=section,
            player=_known_ref(item["player"], players),
            number=item["number"].whole_or_none(1, MAX_INT),
            seed_number=item["seed_number"].whole_or_none(0, MAX_INT),
            lot_number=item["lot_number"].whole_or_none(0, MAX_INT),
            first_round=item["first_round"].whole(0, 999),
            status=item["status"].choice(Entry.Status.values),
            withdrawn_after_round=item["withdrawn_after_round"].whole_or_none(0, 999),
            created_at=item["created_at"].time(),
            group=item.get("group", None).whole_or_none(1, 999),
        )
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
    node.only({*form.ROUND_FIELDS, "numbers", "edits", "pairings"})
    round_ = Round(
        section=section,
        number=node["number"].whole(1, 999),
        state=node["state"].choice(Round.State.values),
        starts_at=node["starts_at"].time_or_none(),
        clocks_started_at=node.get("clocks_started_at", None).time_or_none(),
        all_here_at=node.get("all_here_at", None).time_or_none(),
        published_at=node["published_at"].time_or_none(),
        engine=node["engine"].text(limit=60),
        canonical_input=node["canonical_input"].text(limit=20_000_000),
        digest=node["digest"].text(limit=64),
        proposal=node["proposal"].json(list),
        explanations=node["explanations"].json(dict),
        numbers=_numbers(node["numbers"], entries),
    )
    if round_.state == Round.State.OPEN and node["pairings"].value:
        node["pairings"].refuse(_("a round that is not paired has no boards"))
    _check_proposal(node["proposal"], numbers={int(number) for number in round_.numbers})
    boards = [_pairing(item, round_, entries) for item in node["pairings"].items()]
    _refuse_double_seats(node["pairings"])
    return round_, boards


def _numbers(node: Node, entries: Mapping[int, Entry]) -> dict[str, int]:
    """Pairing numbers when the round was paired, with the entry's document number; null for an entry that is gone."""
    found = {}
    for number in node.members():
        if not number.isascii() or not number.isdigit() or len(number) > 9:
            node.refuse(_("there is no pairing number %(number)s"), number=number)
        if node[number].value is not None:
            _known_ref(node[number], entries)
            found[number] = node[number].value
    return found


def _check_proposal(node: Node, *, numbers: Collection[int]) -> None:
    """The engine's boards: number, White's and Black's pairing number, null for a bye."""
    for board in node.items():
        parts = list(board.items(limit=3))
        if len(parts) != 3:
            board.refuse(_("expected board, White and Black"))
        parts[0].whole(0, MAX_INT)
        for seat in parts[1:] if parts[2].value is not None else parts[1:2]:
            if seat.whole(1, MAX_INT) not in numbers:
                seat.refuse(_("there is no pairing number %(number)s"), number=seat.value)


def _pairing(node: Node, round_: Round, entries: Mapping[int, Entry]) -> Pairing:
    node.only({"board", "white", "black", "outcome", "grade", "advances", "ruled", "games"})
    white = _known_ref(node["white"], entries)
    black = None if node["black"].value is None else _known_ref(node["black"], entries)
    outcome = node["outcome"].choice([o.value for o in Outcome])
    if (black is None) != (outcome in BYE_CODES):
        node["outcome"].refuse(_("a bye has no opponent, and only a bye has none"))
    grade = node["grade"].text(limit=12)
    scheme = round_.section.result_scheme
    if grade and (grade not in scheme.grades or scheme.grades[grade].outcome.value != outcome):
        node["grade"].refuse(_("the result scheme has no such result"))
    return Pairing(
        round=round_,
        board=node["board"].whole(0, 32767),
        white=white,
        black=black,
        outcome=outcome,
        grade=grade,
        advances=node.get("advances", "").choice(["", "w", "b"]),
    )


def _refuse_double_seats(node: Node) -> None:
    """One board an entry, one entry a seat, one number a board."""
    seats = [
        seat for item in node.items() for seat in (item["white"], item["black"]) if seat.value is not None
    ]
    _refuse_doubles([(seat, seat.value) for seat in seats])
    numbered = [item["board"] for item in node.items() if item["board"].value > 0]
    _refuse_doubles([(item, item.value) for item in numbered])


def _edits(node: Node, entries: Mapping[int, Entry]) -> list[Any]:
    node.json(list)
    for item in node.items():
        item["verb"].text(limit=40)
        item["reason"].text(limit=1000)
        for name in item["names"].items() if "names" in item.members() else ():
            name.text(limit=200)
        for ref in _named_entries(item.value):
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
    absences = []
    for item in node.items():
        item.only({"entry", "round", "kind", "reason"})
        absences.append(
            Absence(
                entry=_known_ref(item["entry"], entries),
                round_number=item["round"].whole(1, 999),
                kind=item["kind"].choice(BYE_CODES),
                reason=item["reason"].text(limit=200),
            )
        )
    _refuse_doubles([(item, (item["entry"].value, item["round"].value)) for item in node.items()])
    return absences


def _forbidden_pair(node: Node, section: Section, entries: Mapping[int, Entry]) -> ForbiddenPair:
    node.only({"first", "second", "first_round", "last_round", "reason"})
    first, second = _known_ref(node["first"], entries), _known_ref(node["second"], entries)
    if first is second:
        node["second"].refuse(_("the same player twice"))
    return ForbiddenPair(
        section=section,
        first=first,
        second=second,
        first_round=node["first_round"].whole(0, 999),
        last_round=node["last_round"].whole(0, 999),
        reason=node["reason"].text(limit=200),
    )


def _adjustment(node: Node, section: Section, entries: Mapping[int, Entry]) -> Adjustment:
    node.only({"entry", "points", "after_round", "reason", "created_at"})
    return Adjustment(
        section=section,
        entry=_known_ref(node["entry"], entries),
        points=node["points"].whole(-32768, 32767),
        after_round=node["after_round"].whole(0, 999),
        reason=node["reason"].text(limit=300),
        created_at=node["created_at"].time(),
    )


def _standings(node: Node, section: Section, entries: Mapping[int, Entry]) -> list[Standings]:
    tables = []
    for item in node.items(limit=1000):
        item.only({*form.STANDINGS_FIELDS, "rows"})
        _check_policy(item["policy"])
        for code in item["tiebreaks"].items(limit=50):
            code.text(limit=60)
        for row in item["rows"].items():
            _check_place(row, entries)
        tables.append(
            Standings(
                section=section,
                after_round=item["after_round"].whole(0, 999),
                version=1,
                final=item["final"].truth(),
                tiebreaks=item["tiebreaks"].json(list),
                policy=item["policy"].json(dict),
                lot_seed=item["lot_seed"].whole_or_none(-MAX_BIG_INT, MAX_BIG_INT),
                computed_at=item["computed_at"].time(),
                rows=item["rows"].json(list),
            )
        )
    _refuse_doubles([(item["after_round"], item["after_round"].value) for item in node.items()])
    return tables


def _check_place(row: Node, entries: Mapping[int, Entry]) -> None:
    _known_ref(row["entry"], entries)
    for name in ("rank", "points"):
        row[name].whole(-MAX_INT, MAX_INT)
    for code in row["values"].members():
        value = row["values"][code]
        if isinstance(value.value, str):
            if not _MEAN.fullmatch(value.value):
                value.refuse(_("is no value of a tie-break"))
        elif isinstance(value.value, list):
            for item in value.items(limit=1000):
                item.whole(-MAX_INT, MAX_INT)
        else:
            value.whole_or_none(-MAX_INT, MAX_INT)
