"""A PDN file to placed games: which tournament it is, who played whom, and what is wrong with the moves.

Needs no database and no settings, so that a file from outside can be read in a process of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

import rules
from games.pdn_grouping import Header, Plan, Remark, place
from tournaments.encodings import Encoding, decode
from tournaments.errors import BadInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A file read and placed; nothing is written. `faults` name games whose moves break off, by game number."""

    plan: Plan
    games: tuple[rules.PdnGame, ...]
    sheets: tuple[rules.Sheet, ...]
    faults: tuple[Remark, ...]
    encoding: Encoding
    damaged: int = 0  # bytes that are not of the encoding


def read_placed(data: bytes, *, encoding: Encoding | None = None) -> Reading:
    """Read and place a file.

    Raises BadInput, with the line, for a file that holds no game of this board, or whose encoding is in doubt.
    """
    decoded = decode(data, encoding=encoding)
    try:
        file = rules.read_pdn(decoded.text)
    except rules.PdnError as error:
        raise BadInput(_("This is no PDN file: %(detail)s"), code="no-pdn", detail=str(error)) from None
    sheets = tuple(rules.sheet_of(game) for game in file.games)
    headers = [
        _header(index, game, sheet)
        for index, (game, sheet) in enumerate(zip(file.games, sheets, strict=True), start=1)
        if sheet.variant is None
    ]
    others = [
        Remark(game=index, line=game.line, kind="other-variant", detail=str(sheet.variant))
        for index, (game, sheet) in enumerate(zip(file.games, sheets, strict=True), start=1)
        if sheet.variant is not None
    ]
    plan = place(headers)
    plan = Plan(
        sections=tuple(s for s in plan.sections if s.boards),
        not_placed=tuple(sorted([*plan.not_placed, *others], key=lambda remark: remark.game)),
        remarks=plan.remarks,
    )
    if not plan.sections:
        raise BadInput(
            _("No game of this file can be placed: a game needs two players, and a result or moves."),
            code="no-games",
        )
    return Reading(
        plan=plan,
        games=file.games,
        sheets=sheets,
        faults=_faults(file.games, sheets),
        encoding=decoded.encoding,
        damaged=decoded.damaged,
    )


def _header(index: int, game: rules.PdnGame, sheet: rules.Sheet) -> Header:
    return Header(
        index=index,
        line=game.line,
        event=game.tag("Event") or "",
        white=game.tag("White") or "",
        black=game.tag("Black") or "",
        round=game.tag("Round") or "",
        result=_result(sheet),
        moves=sheet.moves,
        white_rating=_rating(game.tag("WhiteRating")),
        black_rating=_rating(game.tag("BlackRating")),
    )


def _result(sheet: rules.Sheet) -> str:
    """The tag's result; the one at the end of the text where the tag says nothing."""
    tag = (sheet.result or "").strip()
    return (sheet.text_result or "") if tag in {"", "*", "?"} else tag


def _rating(text: str | None) -> int:
    digits = (text or "").strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 4 else 0


def _faults(games: tuple[rules.PdnGame, ...], sheets: tuple[rules.Sheet, ...]) -> tuple[Remark, ...]:
    found = []
    for index, (game, sheet) in enumerate(zip(games, sheets, strict=True), start=1):
        if sheet.variant is not None:
            continue
        verdict = rules.validate(sheet)
        problem = verdict.problem
        for unread in verdict.unread[:1]:
            found.append(Remark(game=index, line=unread.line, kind="unread", detail=unread.text[:60]))
        tag, text = (rules.canonical_result(said) for said in (sheet.result, sheet.text_result))
        if None not in (tag, text) and tag != text:
            detail = f"{sheet.result} / {sheet.text_result}"
            found.append(Remark(game=index, line=game.line, kind="results-differ", detail=detail))
        if problem is not None:
            detail = f"{problem.ply}: {problem.written} ({problem.kind})"
            found.append(Remark(game=index, line=game.line, kind="illegal-move", detail=detail))
    return tuple(found)
