"""The games of an event in its document: scores, copies, scoresheets, results of the court, draw offers, adjournments.

Sealed moves stay where they were sealed: the key that opens them is the site's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.utils.translation import gettext as _

import rules
from games import sheets as reading
from games.models import (
    Adjournment,
    Copy,
    DrawOffer,
    Game,
    GameRules,
    Result,
    Scoresheet,
    Verdict,
)
from games.selectors.interrupted import RUNNING
from tournaments.documents.kinds import TRUTH, by_name, choice, many, of_model, record, text, whole
from tournaments.documents.ledger import BOARD, CODE
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
from tournaments.errors import BadInput
from tournaments.models import OUTCOME_LABELS, Event

RULES_FIELDS = ("early_draw", "sheets")
GAME_FIELDS = (
    "number", "attempt", "stage", "fen", "moves", "accepted_plies", "tags", "source", "white_time", "black_time", "accepted_at",
    "accepted_from", "accept_note", "finalised_at", "finalise_note",
)  # fmt: skip
COPY_FIELDS = ("side", "status", "waived_reason", "recording_waived_at", "to_complete")
SHEET_FIELDS = (
    "side", "text", "digest", "form", "filename", "result", "ended_by", "white_seconds", "black_seconds", "white_signed",
    "black_signed", "after_result", "filed_at", "filer",
)  # fmt: skip
VERDICT_FIELDS = ("rules_version", "profile", "status", "plies", "record", "made_at")
RESULT_FIELDS = ("outcome", "before", "source", "reason", "made_at")
OFFER_FIELDS = ("side", "ply", "state", "made_at", "reason")
ADJOURNMENT_FIELDS = (
    "state", "reason", "moves", "fen", "to_move", "white_seconds", "black_seconds", "envelope", "sealed_at", "sealed_by",
    "white_confirmed_at", "black_confirmed_at", "white_again_at", "black_again_at", "opened_at", "written", "played",
    "made_at", "resumed_at",
)  # fmt: skip
_LISTS = {
    "copies": (Copy, COPY_FIELDS),
    "draw_offers": (DrawOffer, OFFER_FIELDS),
}
HIGHEST_NUMBER = 1000  # of a game in its match, and of an attempt at it: the next one counts on
OUTCOME = choice([str(code.value) for code in OUTCOME_LABELS])
MOVES = many(text(120), 4000)

RULES = record("GameRules", {"section": CODE, **of_model(GameRules, RULES_FIELDS)})
SHEET = record(
    "Scoresheet",
    {
        **of_model(Scoresheet, SHEET_FIELDS),
        "verdicts": many(record("Verdict", of_model(Verdict, VERDICT_FIELDS)), 100),
    },
)
GAME = record(
    "Game",
    {
        "section": CODE,
        "board": BOARD,
        "replaces": whole(1, 32767) | None,
        **of_model(
            Game, GAME_FIELDS, number=whole(1, HIGHEST_NUMBER), attempt=whole(1, HIGHEST_NUMBER), moves=MOVES,
            accepted_plies=many(whole(1, 32767)), tags=by_name(text(10_000)),
        ),
        "copies": many(record("Copy", of_model(Copy, COPY_FIELDS)), 1000),
        "draw_offers": many(record("DrawOffer", of_model(DrawOffer, OFFER_FIELDS, added={"reason"})), 1000),
        "sheets": many(SHEET, 1000),
        "results": many(
            record(
                "Result",
                {
                    **of_model(Result, RESULT_FIELDS, outcome=OUTCOME, before=OUTCOME),
                    "supersedes": whole(1, 1000) | None,
                },
            ),
            1000,
        ),
        "adjournments": many(
            record(
                "Adjournment",
                {**of_model(Adjournment, ADJOURNMENT_FIELDS, moves=MOVES), "sealed_here": TRUTH},
            ),
            1000,
        ),
    },
)  # fmt: skip
GameKey = tuple[str, int, int, int, int]
"""Section, round, board, number and attempt."""


def write_rules(event: Event, refs: References) -> list[dict[str, Any]]:
    rows = GameRules.objects.filter(section__event=event).order_by("section__position", "section_id")
    return [{"section": refs.sections[row.section_id], **fields_of(row, RULES_FIELDS)} for row in rows]


def read_rules(node: Node, rows: Rows) -> Write:
    found = []
    for item in node.items():
        found.append(GameRules(section=rows.section(item["section"]), **item.values(RULES_FIELDS)))
    only_once(list(node.items()), [row.section.code for row in found])

    def write() -> list[LeftOut]:
        GameRules.objects.bulk_create(found)
        return []

    return write


def write_games(event: Event, refs: References) -> list[dict[str, Any]]:
    rows = (
        Game.objects.filter(pairing__round__section__event=event)
        .select_related("pairing__round__section", "replaces")
        .prefetch_related("copies", "sheets__verdicts", "results", "draw_offers", "adjournments")
        .order_by(
            "pairing__round__section__position",
            "pairing__round__section_id",
            "pairing__round__number",
            "pairing__board",
            "number",
            "attempt",
        )
    )
    return [_game(row, refs) for row in rows]


def _game(row: Game, refs: References) -> dict[str, Any]:
    results = sorted(row.results.all(), key=lambda result: result.pk)
    place = {result.pk: number for number, result in enumerate(results, start=1)}
    return {
        "section": row.pairing.round.section.code,
        "board": refs.boards[row.pairing_id],
        "replaces": row.replaces.attempt if row.replaces else None,
        **fields_of(row, GAME_FIELDS),
        **{
            name: [fields_of(part, names) for part in _in_order(getattr(row, name))]
            for name, (_model, names) in _LISTS.items()
        },
        "sheets": [
            {
                **fields_of(sheet, SHEET_FIELDS),
                "verdicts": [fields_of(v, VERDICT_FIELDS) for v in _in_order(sheet.verdicts)],
            }
            for sheet in _in_order(row.sheets)
        ],
        "results": [
            {**fields_of(result, RESULT_FIELDS), "supersedes": place.get(result.supersedes_id or 0)}
            for result in results
        ],
        "adjournments": [
            {**fields_of(part, ADJOURNMENT_FIELDS), "sealed_here": bool(part.sealed)}
            for part in _in_order(row.adjournments)
        ],
    }


def _in_order(rows: Any) -> list[Any]:
    return sorted(rows.all(), key=lambda row: row.pk)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRows:
    """One game with what belongs to it, not yet written."""

    game: Game
    replaces: int | None
    copies: list[Copy] = field(default_factory=list)
    draw_offers: list[DrawOffer] = field(default_factory=list)
    sheets: list[tuple[Scoresheet, list[Verdict]]] = field(default_factory=list)
    results: list[tuple[Result, int | None]] = field(default_factory=list)
    adjournments: list[Adjournment] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def read_games(node: Node, rows: Rows) -> Write:
    found = [_read_game(item, rows) for item in node.items()]
    only_once(list(node.items()), [_key(one.game) for one in found])
    known = {_key(one.game): one.game for one in found}
    for item, one in zip(node.items(), found, strict=True):
        if one.replaces is not None and (*_key(one.game)[:4], one.replaces) not in known:
            item["replaces"].refuse(_("there is no %(id)s in the document"), id=one.replaces)
    rows.others["games"] = known
    return lambda: _write(found, known)


def _key(game: Game) -> GameKey:
    round_ = game.pairing.round
    return round_.section.code, round_.number, game.pairing.board, game.number, game.attempt


def _read_game(node: Node, rows: Rows) -> GameRows:
    pairing = rows.board(node["board"], rows.section(node["section"]))
    game = Game(pairing=pairing, **node.values(GAME_FIELDS))
    _check_score(node, game)
    one = GameRows(game=game, replaces=node["replaces"].value)
    for name, (model, names) in _LISTS.items():
        getattr(one, name).extend(model(game=game, **item.values(names)) for item in node[name].items())
    only_once(list(node["copies"].items()), [copy.side for copy in one.copies])
    one.sheets.extend(_sheet(item, game) for item in node["sheets"].items())
    one.results.extend(_result(item, game, place) for place, item in enumerate(node["results"].items(), 1))
    _once_superseded(node["results"], [older for _row, older in one.results])
    for item in node["adjournments"].items():
        row = Adjournment(game=game, **item.values(ADJOURNMENT_FIELDS))
        _check_fen(item["fen"], row.fen)
        one.adjournments.append(row)
        if item["sealed_here"].value and row.opened_at is None:
            one.left_out.append(LeftOut(what=_("sealed move"), value="/".join(map(str, _key(game)[:3]))))
    _one_running(node["draw_offers"], [row.state == DrawOffer.State.OPEN for row in one.draw_offers])
    _one_running(node["adjournments"], [row.state in RUNNING for row in one.adjournments])
    return one


def _one_running(node: Node, running: list[bool]) -> None:
    if sum(running) > 1:
        node.refuse(_("only one of them can be open"))


def _check_score(node: Node, game: Game) -> None:
    if game.fen:
        _check_fen(node["fen"], game.fen)
    if game.source:
        _check(node["source"], lambda: rules.read_pdn(game.source).games[0])


def _check_fen(node: Node, fen: str) -> None:
    _check(node, lambda: rules.Position.from_fen(fen))


def _check(node: Node, readable: Callable[[], object]) -> None:
    """What the pages will read must be such as the law can read. Told where it stands."""
    try:
        readable()
    except BadInput as error:
        node.refuse("%(detail)s", detail=error.message)
    except (ValueError, IndexError) as error:
        node.refuse("%(detail)s", detail=str(error))


def _sheet(node: Node, game: Game) -> tuple[Scoresheet, list[Verdict]]:
    sheet = Scoresheet(game=game, submission="", **node.values(SHEET_FIELDS))
    if hashlib.sha256(sheet.text.encode()).hexdigest() != sheet.digest:
        node["digest"].refuse(_("does not fit the text of the sheet"))
    _check(node["text"], lambda: reading.read_sheet(sheet.text))
    verdicts = [Verdict(sheet=sheet, **item.values(VERDICT_FIELDS)) for item in node["verdicts"].items()]
    only_once(list(node["verdicts"].items()), [(v.rules_version, v.profile) for v in verdicts])
    return sheet, verdicts


def _result(node: Node, game: Game, place: int) -> tuple[Result, int | None]:
    older: int | None = node["supersedes"].value
    if older is not None and older >= place:
        node["supersedes"].refuse(_("a result supersedes an earlier one"))
    return Result(game=game, **node.values(RESULT_FIELDS)), older


def _once_superseded(node: Node, older: list[int | None]) -> None:
    again = [(item["supersedes"], place) for item, place in zip(node.items(), older, strict=True) if place]
    only_once([item for item, _place in again], [place for _item, place in again])


def _write(found: list[GameRows], known: dict[GameKey, Game]) -> list[LeftOut]:
    Game.objects.bulk_create([one.game for one in found])
    for one in found:
        if one.replaces is not None:
            one.game.replaces = known[(*_key(one.game)[:4], one.replaces)]
            one.game.save(update_fields=["replaces"])
    Copy.objects.bulk_create([row for one in found for row in one.copies])
    DrawOffer.objects.bulk_create([row for one in found for row in one.draw_offers])
    Adjournment.objects.bulk_create([row for one in found for row in one.adjournments])
    sheets = [row for one in found for row, _verdicts in one.sheets]
    for sheet in sheets:
        sheet.submission = f"imported-{uuid4().hex}"
    Scoresheet.objects.bulk_create(sheets)
    Verdict.objects.bulk_create([row for one in found for _s, verdicts in one.sheets for row in verdicts])
    for one in found:
        _write_results([row for row, _older in one.results], [older for _row, older in one.results])
    return [told for one in found for told in one.left_out]


def _write_results(results: list[Result], older: list[int | None]) -> None:
    """One after the other: a result is never changed, and names the one it supersedes from the beginning."""
    for row, place in zip(results, older, strict=True):
        row.supersedes = results[place - 1] if place else None
        row.save(force_insert=True)


PARTS = (
    Part(name="game_rules", schema=many(RULES), write=write_rules, read=read_rules),
    Part(name="games", schema=many(GAME), write=write_games, read=read_games),
)
