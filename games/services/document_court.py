"""The court of an event in its document: incidents, rulings, and of each appeal what anybody may know.

Grounds, evidence, statements, panel and votes stay on the site where the case was heard, with who made a ruling: they
belong to its accounts. A case that is not over goes on there, and is not taken over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Appeal, AppealDecision, CourtCounter, Game, Incident, Proposal, Ruling, Subject
from games.services.court import finality
from games.wording.articles import ARTICLES
from tournaments.documents.kinds import ABSENT, TRUTH, choice, known_text, many, of_model, record, text, whole
from tournaments.documents.ledger import BOARD, BOUND, CODE, REF, ROUND_NUMBER
from tournaments.documents.parts import (
    LeftOut,
    Node,
    Part,
    References,
    Rows,
    Write,
    fields_of,
    only_once,
)
from tournaments.models import OUTCOME_LABELS, Entry, Event, Section, TeamMember

INCIDENT_FIELDS = (
    "number", "category", "article", "ply", "plies_made", "raised_by", "against", "refused", "flag_fell", "note", "settled",
    "happened_at", "logged_at", "moved_on", "asked", "person", "person_role",
)  # fmt: skip
ADDED = frozenset({"moved_on", "asked", "person", "person_role"})  # what older documents do not have
RULING_FIELDS = (
    "number", "article", "effect", "side", "white_seconds", "black_seconds", "values", "text", "state", "made_at",
    "in_force_at", "ended_at", "ended_reason", "subject",
)  # fmt: skip
APPEAL_FIELDS = ("number", "kind", "article", "state", "reasons", "filed_at", "closed_at")
DECISION_FIELDS = ("decided_at", "is_joined", "ended_at")
OVER = (Appeal.State.DECIDED, Appeal.State.REFUSED, Appeal.State.WITHDRAWN)
GONE = 0  # no row has this key: what speaks of a board that is gone says so
HIGHEST_NUMBER = 1_000_000  # the numbers go on from there
OUTCOME = choice([str(code.value) for code in OUTCOME_LABELS])
ARTICLE = known_text(12, ARTICLES.__contains__, gettext_lazy("There is no such article."))
NUMBER = whole(1, HIGHEST_NUMBER)
ENTRY = REF | None
_GAME = record("GameOfBoard", {"number": whole(1, 32767), "attempt": whole(1, 32767)}) | None
_MEMBER = record("MemberOfEntry", {"entry": ENTRY, "position": ROUND_NUMBER}) | None
_BOARD = BOARD | None
_CHANGE = record(
    "ChangedResult",
    {
        "pairing": _BOARD,
        "number": (whole(1, 32767) | None, ABSENT),
        "before": OUTCOME,
        "after": OUTCOME,
        "grade": text(12),
    },
)
_DEPARTURE = record(
    "Departure",
    {
        "entry": ENTRY,
        "status": choice(Entry.Status.values),
        "withdrawn_after_round": BOUND | None,
        "boards": many(_CHANGE, 1000),
    },
)
_ADJUSTED = record("AdjustedPoints", {"entry": ENTRY, "points": whole(-999, 999), "after_round": BOUND})
APPLIED = record(
    "Applied",
    {
        "outcome": (_CHANGE, ABSENT),
        "colours": (_BOARD, ABSENT),
        "game": (_GAME, ABSENT),
        "departure": (_DEPARTURE, ABSENT),
        "adjustments": (many(_ADJUSTED, 1000), ABSENT),
        "exchange": (many(ENTRY, 2), ABSENT),
        "member": (_MEMBER, ABSENT),
    },
)
COURT = record(
    "Court",
    {
        "incidents": many(
            record(
                "Incident",
                {
                    **of_model(Incident, INCIDENT_FIELDS, added=ADDED, number=NUMBER, article=ARTICLE),
                    "section": CODE,
                    "round": ROUND_NUMBER,
                    "board": whole(0, 32767),
                    "pairing": _BOARD,
                    "game": _GAME,
                    "white": ENTRY,
                    "black": ENTRY,
                    "entry": (ENTRY, None),
                    "member": (_MEMBER, None),
                },
            )
        ),
        "rulings": many(
            record(
                "Ruling",
                {
                    **of_model(Ruling, RULING_FIELDS, number=NUMBER, article=ARTICLE),
                    "incident": REF,
                    "supersedes": REF | None,
                    "follows": REF | None,
                    "decided_in": (NUMBER | None, None),
                    "notice": REF | None,
                    "applied": APPLIED,
                },
            )
        ),
        "appeals": many(
            record(
                "Appeal",
                {
                    **of_model(
                        Appeal, APPEAL_FIELDS, number=NUMBER, article=ARTICLE, reasons=many(text(40), 20)
                    ),
                    "ruling": REF,
                    "appellant": REF,
                    "opponent": ENTRY,
                    "joined_to": (NUMBER | None, None),
                    "revises": (NUMBER | None, None),
                    "decision": record(
                        "Decision",
                        {
                            **of_model(Proposal, ("verdict", "text")),
                            **of_model(AppealDecision, ("decided_at", "ended_at"), added={"ended_at"}),
                            "is_joined": (TRUTH, ABSENT),
                            "notice": REF | None,
                        },
                    )
                    | None,
                },
            )
        ),
    },
)


def write_court(event: Event, refs: References) -> dict[str, Any]:
    incidents = event.incidents.select_related("game", "section", "member").order_by("number")
    rulings = event.rulings.select_related("incident", "supersedes", "follows", "decided_in").order_by(
        "number"
    )
    appeals = event.appeals.select_related("ruling", "decision__proposal", "joined_to", "revises").order_by(
        "number"
    )
    games = Game.objects.filter(pairing__round__section__event=event).in_bulk()
    return {
        "incidents": [_incident(row, refs) for row in incidents],
        "rulings": [_ruling(row, refs, games) for row in rulings],
        "appeals": [_appeal(row, refs) for row in appeals],
    }


def _incident(row: Incident, refs: References) -> dict[str, Any]:
    return {
        **fields_of(row, INCIDENT_FIELDS),
        "section": row.section.code,
        "round": row.round_number,
        "board": row.board,
        "pairing": refs.boards.get(row.pairing_id or GONE),
        "game": _game_out(row.game if row.game and row.game.pairing_id == row.pairing_id else None),
        "white": refs.entries.get(row.white_id or GONE),
        "black": refs.entries.get(row.black_id or GONE),
        "entry": refs.entries.get(row.entry_id or GONE),
        "member": _member_out(row.member, refs),
    }


def _member_out(member: TeamMember | None, refs: References) -> dict[str, Any] | None:
    """A player of a team: the entry, and the place in it."""
    return (
        None if member is None else {"entry": refs.entries.get(member.entry_id), "position": member.position}
    )


def _ruling(row: Ruling, refs: References, games: Mapping[int, Game]) -> dict[str, Any]:
    return {
        **fields_of(row, RULING_FIELDS),
        "incident": row.incident.number,
        "supersedes": row.supersedes.number if row.supersedes else None,
        "follows": row.follows.number if row.follows else None,
        "decided_in": row.decided_in.number if row.decided_in else None,
        "notice": refs.notices.get(row.notice_id or GONE),
        "applied": _applied_out(row.applied, refs, games),
    }


def _appeal(row: Appeal, refs: References) -> dict[str, Any]:
    decision = getattr(row, "decision", None)
    return {
        **fields_of(row, APPEAL_FIELDS),
        "ruling": row.ruling.number,
        "joined_to": row.joined_to.number if row.joined_to else None,
        "revises": row.revises.number if row.revises else None,
        "appellant": refs.entries.get(row.appellant_id),
        "opponent": refs.entries.get(row.opponent_id or GONE),
        "decision": decision
        and {
            **fields_of(decision.proposal, ("verdict", "text")),
            **fields_of(decision, DECISION_FIELDS),
            "notice": refs.notices.get(decision.notice_id or GONE),
        },
    }


def _applied_out(told: Mapping[str, Any], refs: References, games: Mapping[int, Game]) -> dict[str, Any]:
    """What a ruling changed, which taking it back needs: its keys as the document names the rows."""
    found = dict(told)
    if "outcome" in told:
        found["outcome"] = _change_out(told["outcome"], refs)
    if "colours" in told:
        found["colours"] = refs.boards.get(told["colours"])
    if "game" in told:
        found["game"] = _game_out(games.get(told["game"]))
    if "departure" in told:
        gone = told["departure"]
        boards = [_change_out(board, refs) for board in gone["boards"]]
        found["departure"] = {**gone, "entry": refs.entries.get(gone["entry"]), "boards": boards}
    if "member" in told:
        found["member"] = _member_out(TeamMember.objects.filter(pk=told["member"]).first(), refs)
    if "adjustments" in told:
        found["adjustments"] = [{**a, "entry": refs.entries.get(a["entry"])} for a in told["adjustments"]]
    if "exchange" in told:
        found["exchange"] = [refs.entries.get(entry) for entry in told["exchange"]]
    return found


def _game_out(game: Game | None) -> dict[str, int] | None:
    """A game of a board that is named beside it: its number, and which attempt."""
    return None if game is None else {"number": game.number, "attempt": game.attempt}


def _change_out(change: Mapping[str, Any], refs: References) -> dict[str, Any]:
    return {**change, "pairing": refs.boards.get(change["pairing"])}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRows:
    ruling: Ruling
    supersedes: int | None
    follows: int | None
    decided_in: int | None
    applied: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """The earlier cases that an appeal names: the one it is joined to, and the one it takes up again."""

    joined_to: int | None = None
    revises: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtRows:
    """The court not yet written, by number."""

    rows: Rows
    incidents: dict[int, Incident] = field(default_factory=dict)
    members: dict[int, Node] = field(default_factory=dict)  # of incidents
    rulings: dict[int, RulingRows] = field(default_factory=dict)
    appeals: dict[int, tuple[Appeal, Node]] = field(default_factory=dict)
    cited: dict[int, Cited] = field(default_factory=dict)  # by appeals
    decided: dict[int, int] = field(
        default_factory=dict
    )  # ruling -> the case whose decision on it is in force
    left_out: list[LeftOut] = field(default_factory=list)


def read_court(node: Node, rows: Rows) -> Write:
    found = CourtRows(rows=rows)
    for item in node["incidents"].items():
        incident = _read_incident(item, rows)
        found.members[incident.number] = item["member"]
        _new(item, incident.number, found.incidents)
        found.incidents[incident.number] = incident
    for item in node["rulings"].items():
        one = _read_ruling(item, found)
        _new(item, one.ruling.number, found.rulings)
        found.rulings[one.ruling.number] = one
    _once_superseded(node["rulings"], found)
    for item in node["appeals"].items():
        _read_appeal(item, found)
    return lambda: _write(found)


def _once_superseded(node: Node, found: CourtRows) -> None:
    again = [
        (item["supersedes"], one.supersedes)
        for item, one in zip(node.items(), found.rulings.values(), strict=True)
    ]
    again = [(item, number) for item, number in again if number is not None]
    only_once([item for item, _number in again], [number for _item, number in again])


def _new(node: Node, number: int, known: Mapping[int, Any]) -> None:
    if number in known:
        node["number"].refuse(_("is given twice"))


def _numbered(node: Node, known: Mapping[int, Any]) -> Any:
    number = node.value
    if number not in known:
        node.refuse(_("there is no %(id)s in the document"), id=number)
    return known[number]


def _read_incident(node: Node, rows: Rows) -> Incident:
    section = rows.section(node["section"])
    pairing = rows.board_or_none(node["pairing"], section)
    return Incident(
        event=rows.event,
        section=section,
        **node.values(INCIDENT_FIELDS),
        round_number=node["round"].value,
        board=node["board"].value,
        pairing=pairing,
        game=None if pairing is None else _game(node["game"], node["pairing"], section.code, rows),
        white=rows.entry_or_none(node["white"], section),
        black=rows.entry_or_none(node["black"], section),
        entry=rows.entry_or_none(node["entry"], section),
    )


def _member_in(node: Node, section: Section, rows: Rows) -> TeamMember | None:
    """The row of a player of a team, once it is written; before that it only checks."""
    if node.value is None:
        return None
    entry, position = rows.entry_or_none(node["entry"], section), node["position"].value
    if entry is None or entry.pk is None:
        return None
    return TeamMember.objects.filter(entry=entry, position=position).first()


def _game(node: Node, board: Node, section: str, rows: Rows) -> Game | None:
    found: Game | None = None
    name = _game_name(node)
    if name is not None:
        key = (section, board["round"].value, board["board"].value, *name)
        found = rows.others.get("games", {}).get(key)
        if found is None:
            node.refuse(_("there is no %(id)s in the document"), id=name[0])
    return found


def _game_name(node: Node) -> tuple[int, int] | None:
    """Number and attempt; None where no game is named."""
    if node.value is None:
        return None
    return node["number"].value, node["attempt"].value


def _read_ruling(node: Node, found: CourtRows) -> RulingRows:
    incident: Incident = _numbered(node["incident"], found.incidents)
    ruling = Ruling(
        event=found.rows.event,
        incident=incident,
        **node.values(RULING_FIELDS),
        notice=found.rows.notice_or_none(node["notice"]),
    )
    older: dict[str, int | None] = {name: node[name].value for name in ("supersedes", "follows")}
    for name, number in older.items():
        if number is not None:
            _numbered(node[name], found.rulings)
    _applied_in(node["applied"], incident, found.rows)
    return RulingRows(ruling=ruling, **older, decided_in=node["decided_in"].value, applied=node["applied"])


def _applied_in(node: Node, incident: Incident, rows: Rows) -> dict[str, Any]:
    """The keys of the rows that the document names. Before these are written it only checks."""
    section, found = incident.section, dict[str, Any]()
    if node.has("outcome"):
        found["outcome"] = _change_in(node["outcome"], incident, rows)
    if node.has("colours"):
        board = rows.board_or_none(node["colours"], section)
        found["colours"] = board.pk if board else GONE
    if node.has("game"):
        game = _game_of(node["game"], incident, rows)
        found["game"] = game.pk if game else GONE
    if node.has("departure"):
        gone = node["departure"]
        entry = rows.entry_or_none(gone["entry"], section)
        found["departure"] = {
            "entry": entry.pk if entry else GONE,
            **gone.values(("status", "withdrawn_after_round")),
            "boards": [_change_in(board, incident, rows) for board in gone["boards"].items()],
        }
    if node.has("member"):
        member = _member_in(node["member"], section, rows)
        found["member"] = member.pk if member else GONE
    if node.has("adjustments"):
        found["adjustments"] = [_adjustment_in(item, incident, rows) for item in node["adjustments"].items()]
    if node.has("exchange"):
        seats = [rows.entry_or_none(item, section) for item in node["exchange"].items()]
        found["exchange"] = [entry.pk if entry else GONE for entry in seats]
    return found


def _change_in(node: Node, incident: Incident, rows: Rows) -> dict[str, Any]:
    board = rows.board_or_none(node["pairing"], incident.section)
    number = node.values(("number",)) if node.has("number") else {}
    return {
        "pairing": board.pk if board else GONE, **number, **node.values(("before", "after", "grade")),
    }  # fmt: skip


def _adjustment_in(node: Node, incident: Incident, rows: Rows) -> dict[str, Any]:
    entry = rows.entry_or_none(node["entry"], incident.section)
    return {"entry": entry.pk if entry else GONE, **node.values(("points", "after_round"))}


def _game_of(node: Node, incident: Incident, rows: Rows) -> Game | None:
    name, pairing = _game_name(node), incident.pairing
    if name is None or pairing is None:
        return None
    key = (incident.section.code, pairing.round.number, pairing.board, *name)
    found: Game | None = rows.others.get("games", {}).get(key)
    return found


def _read_appeal(node: Node, found: CourtRows) -> None:
    ruling: Ruling = _numbered(node["ruling"], found.rulings).ruling
    section = ruling.incident.section
    appeal = Appeal(
        event=found.rows.event,
        section=section,
        ruling=ruling,
        **node.values(APPEAL_FIELDS),
        appellant=found.rows.entry(node["appellant"], section),
        opponent=found.rows.entry_or_none(node["opponent"], section),
        deadline_minutes=section.appeal_deadline,
        fee=0,
        fee_state=Appeal.Fee.NONE,
    )
    _new(node, appeal.number, found.appeals)
    found.cited[appeal.number] = Cited(
        joined_to=_cited(node, "joined_to", appeal, found), revises=_cited(node, "revises", appeal, found)
    )
    if (appeal.state == Appeal.State.DECIDED) != (node["decision"].value is not None):
        node["decision"].refuse(_("a case has a decision when it is decided, and only then"))
    if appeal.state == Appeal.State.DECIDED:
        _decision(node["decision"], appeal, found)
    if appeal.state not in OVER:
        found.left_out.append(LeftOut(what=_("appeal that is not over yet"), value=str(appeal.number)))
    found.appeals[appeal.number] = (appeal, node["decision"])


def _cited(node: Node, name: str, appeal: Appeal, found: CourtRows) -> int | None:
    """The number of an earlier case on the same ruling; None where none is named."""
    number: int | None = node[name].value
    if number is None:
        return None
    earlier, _node = _numbered(node[name], found.appeals)
    if earlier.ruling is not appeal.ruling:
        node[name].refuse(_("is a case about another ruling"))
    return number


def _decision(node: Node, appeal: Appeal, found: CourtRows) -> tuple[Proposal, AppealDecision]:
    proposal = Proposal(
        appeal=appeal,
        **node.values(("verdict", "text")),
        proposed_at=node["decided_at"].value,
    )
    given = [name for name in DECISION_FIELDS if node.has(name)]
    decision = AppealDecision(
        appeal=appeal,
        proposal=proposal,
        ruling=appeal.ruling,
        **node.values(given),
        notice=found.rows.notice_or_none(node["notice"]),
    )
    if not decision.is_joined and decision.ended_at is None:
        _once_decided(node, decision, found, is_told="is_joined" in given)
    return proposal, decision


def _once_decided(node: Node, decision: AppealDecision, found: CourtRows, *, is_told: bool) -> None:
    """One ruling has one decision in force; documents that do not tell which have the later ones joined to the first."""
    appeal = decision.appeal
    if found.decided.setdefault(appeal.ruling.number, appeal.number) == appeal.number:
        return
    if is_told:
        node.refuse(_("there is another decision on this ruling"))
    decision.is_joined = True


def _write(found: CourtRows) -> list[LeftOut]:
    for number, incident in found.incidents.items():
        incident.member = _member_in(found.members[number], incident.section, found.rows)
    Incident.objects.bulk_create(found.incidents.values())
    for one in found.rulings.values():
        ruling = one.ruling
        ruling.supersedes = found.rulings[one.supersedes].ruling if one.supersedes else None
        ruling.follows = found.rulings[one.follows].ruling if one.follows else None
        ruling.applied = _applied_in(one.applied, ruling.incident, found.rows)
        ruling.save(force_insert=True)
    _write_appeals(found)
    _hold_again(found)
    if found.incidents:
        CourtCounter.objects.create(
            event=found.rows.event,
            incidents=max(found.incidents),
            rulings=max(found.rulings, default=0),
            appeals=max(found.appeals, default=0),
        )
    return found.left_out


def _write_appeals(found: CourtRows) -> None:
    for number, (appeal, node) in found.appeals.items():
        if appeal.state not in OVER:
            continue
        cited = found.cited[number]
        appeal.joined_to, appeal.revises = _over(cited.joined_to, found), _over(cited.revises, found)
        appeal.submission = f"imported-{uuid4().hex}"
        appeal.save(force_insert=True)
        if appeal.state == Appeal.State.DECIDED:
            proposal, decision = _decision(node, appeal, found)
            proposal.save(force_insert=True)
            decision.save(force_insert=True)


def _over(number: int | None, found: CourtRows) -> Appeal | None:
    """The case of that number, where it is over and so brought along."""
    appeal, _node = found.appeals.get(number or GONE, (None, None))
    return appeal if appeal is not None and appeal.state in OVER else None


def _hold_again(found: CourtRows) -> None:
    """What rulings and decisions set stays here as it did where they were made."""
    decided = {
        appeal.ruling.number for appeal, _node in found.appeals.values() if hasattr(appeal, "decision")
    }
    for one in found.rulings.values():
        ruling = one.ruling
        ruling.decided_in = _over(one.decided_in, found)
        if ruling.decided_in is not None:
            ruling.save(update_fields=["decided_in"])
        is_of_an_arbiter = ruling.subject == Subject.RULING and ruling.decided_in is None
        if ruling.is_in_force and is_of_an_arbiter and ruling.number not in decided:
            finality.hold_ruled(ruling)
    for appeal, _node in found.appeals.values():
        decision: AppealDecision | None = getattr(appeal, "decision", None)
        if decision is None or decision.is_joined or decision.ended_at is not None:
            continue
        ordered = {n for n, one in found.rulings.items() if one.decided_in == appeal.number}
        ruled = [one for n, one in found.rulings.items() if n in ordered or one.follows in ordered]
        done = [one.ruling.applied for one in ruled if one.ruling.is_in_force]
        lifted = appeal.ruling if appeal.ruling.state == Ruling.State.OVERTURNED else None
        finality.hold_decided(appeal, overturned=lifted, done=done)


PART = Part(name="court", schema=COURT, write=write_court, read=read_court)
