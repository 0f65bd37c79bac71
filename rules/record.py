"""A verdict as plain values for other programs: what `manage.py validate --json` prints."""

from __future__ import annotations

from typing import Any

from rules.sheet import Sheet
from rules.verdict import Problem, Status, Verdict


def record(number: int, sheet: Sheet, verdict: Verdict) -> dict[str, Any]:
    """One game as a JSON object. `number` counts the games of a file from 1; plies count single moves from 1.

    `ply`, `move`, `kind`, `fen_before` are null and the lists empty where there is no problem.
    """
    return {
        "game": number,
        "status": str(verdict.status),
        "plies": verdict.plies,
        **_problem(verdict.problem),
        "remarks": [{"ply": remark.ply, "kind": str(remark.kind)} for remark in verdict.remarks],
        "draws": [{"kind": str(right.kind), "ply": right.ply} for right in verdict.draws],
        "result": verdict.result or _raw_result(sheet),
        "final": str(verdict.final),
        "fen_after": None if verdict.status is Status.OTHER_VARIANT else verdict.final_position.fen(),
        "unsettled": list(verdict.unsettled),
        "accepted": [{"ply": stood.ply, "kind": str(stood.kind)} for stood in verdict.irregularities],
        "disagreements": [{"ply": found.ply, "kind": str(found.kind)} for found in verdict.disagreements],
        "unread": [found._asdict() for found in verdict.unread],
        "variant": verdict.variant,
    }


def _problem(problem: Problem | None) -> dict[str, Any]:
    if problem is None:
        return {
            "ply": None,
            "move_number": None,
            "side": None,
            "move": None,
            "kind": None,
            "articles": [],
            "fen_before": None,
            "legal_moves": [],
            "captures": [],
            "captures_due": 0,
            "captures_made": 0,
        }
    return {
        "ply": problem.ply,
        "move_number": problem.move_number,
        "side": problem.side.name.lower(),
        "move": problem.written,
        "kind": str(problem.kind),
        "articles": list(problem.articles),
        "fen_before": problem.fen_before,
        "legal_moves": list(problem.legal_moves),
        "captures": [{"path": list(choice.path), "takes": list(choice.takes)} for choice in problem.captures],
        "captures_due": problem.captures_due,
        "captures_made": problem.captures_made,
    }


def _raw_result(sheet: Sheet) -> str | None:
    """A declared result in points this game does not know, as written."""
    raw = (sheet.result or "").strip()
    return raw if raw not in ("", "*", "-", "?") else None
