"""Judge the games of a file; for people, scripts and other programs. Touches no database."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

import rules
from games.wording.explanations import (
    DISAGREEMENTS,
    DRAWS,
    FINALS,
    REMARKS,
    SIDES,
    STATUSES,
    articles_in_words,
    explain,
    unread_words,
)
from rules.encoding import decode
from rules.record import record

UNREADABLE = 2
NOT_ALL_LEGAL = 1


class _Input(NamedTuple):
    sheets: Iterable[rules.Sheet]
    notes: list[str]


class Command(BaseCommand):
    help = (
        'Judge the games of FILE: PDN in any dialect, plain text, or .jsonl with one {"moves": ["32-28", ...]} a '
        "line. Exit code 0: all games are legal; 1: not all are; 2: the file cannot be read."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file to judge, - for standard input")
        parser.add_argument("--json", action="store_true", help="print one JSON object a game, in order")
        parser.add_argument("--encoding", help="how the file is encoded, when it is found out wrong")
        parser.add_argument(
            "--profile",
            choices=[profile.value for profile in rules.Profile],
            default=rules.Profile.CN.value,
            help="whose draw clauses apply",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name: str = options["file"]
        data = _bytes_of(name)
        try:
            lines = name.endswith(".jsonl") or (name == "-" and _is_jsonl(data))
            found = _jsonl(data) if lines else _pdn(data, options["encoding"])
        except ValueError as error:
            raise CommandError(f"{name}: {error}", returncode=UNREADABLE) from error
        for note in found.notes:
            self.stderr.write(f"{name}: {note}")
        profile = rules.Profile(options["profile"])
        all_legal = True
        for number, sheet in enumerate(found.sheets, 1):
            verdict = rules.validate(sheet, profile=profile)
            all_legal = all_legal and verdict.status is rules.Status.LEGAL
            if options["json"]:
                self.stdout.write(json.dumps(record(number, sheet, verdict), ensure_ascii=False))
            else:
                self.stdout.write("\n".join(_told(number, verdict)))
            self.stdout.flush()
        if not all_legal:
            sys.exit(NOT_ALL_LEGAL)


def _bytes_of(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}", returncode=UNREADABLE) from error


def _pdn(data: bytes, encoding: str | None) -> _Input:
    file = rules.read_pdn(data, encoding=encoding)
    notes = []
    if file.alternatives:
        others = ", ".join(file.alternatives)
        notes.append(
            _("read as %(encoding)s; %(others)s would do as well (choose with --encoding)")
            % {"encoding": file.encoding, "others": others}
        )
    elif file.encoding not in ("ascii", "utf-8", "utf-8-sig"):
        notes.append(_("read as %(encoding)s") % {"encoding": file.encoding})
    notes += [
        _("line %(line)d: %(code)s: %(text)s") % {"line": note.line, "code": note.code, "text": note.text}
        for note in file.notes
    ]
    return _Input((rules.sheet_of(game) for game in file.games), notes)


def _is_jsonl(data: bytes) -> bool:
    """Whether the first line is a JSON object; a PDN comment in braces is none."""
    first = data.removeprefix(codecs.BOM_UTF8).lstrip().partition(b"\n")[0]
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _jsonl(data: bytes) -> _Input:
    sheets = []
    for number, line in enumerate(decode(data).text.split("\n"), 1):
        if line.strip():
            sheets.append(_jsonl_sheet(number, line))
    if not sheets:
        raise ValueError(_("line 1: there is no game in this file"))
    return _Input(sheets, [])


def _jsonl_sheet(number: int, line: str) -> rules.Sheet:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            _("line %(line)d is no JSON: %(error)s") % {"line": number, "error": error}
        ) from error
    moves = entry.get("moves") if isinstance(entry, dict) else None
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError(
            _('line %(line)d: write {"moves": ["32-28", ...]}, the moves as a list of texts')
            % {"line": number}
        )
    fen, result = (_text(number, entry, name) for name in ("fen", "result"))
    start = rules.START
    bad_setups: tuple[tuple[int, str], ...] = ()
    if fen is not None:
        try:
            start = rules.Position.from_fen(fen)
        except rules.FenError:
            bad_setups = ((0, fen),)
    return rules.Sheet(
        moves=tuple(moves),
        start=start,
        bad_setups=bad_setups,
        result=result,
    )


def _text(number: int, entry: dict[str, object], name: str) -> str | None:
    value = entry.get(name)
    if value is None or isinstance(value, str):
        return value
    raise ValueError(
        _("line %(line)d: %(name)s must be a text such as %(example)s")
        % {"line": number, "name": name, "example": {"fen": '"W:W31-50:B1-20"', "result": '"2-0"'}[name]}
    )


def _told(number: int, verdict: rules.Verdict) -> list[str]:
    """A verdict in words."""
    lines = [
        _("Game %(number)d: %(status)s, %(plies)d legal single moves")
        % {"number": number, "status": STATUSES[verdict.status], "plies": verdict.plies}
    ]
    problem = verdict.problem
    if problem is not None:
        where = _("%(number)d. %(side)s, single move %(ply)d: %(written)s") % {
            "number": problem.move_number,
            "side": SIDES[problem.side],
            "ply": problem.ply,
            "written": problem.written,
        }
        lines += [f"  {where}", *(f"    {sentence}" for sentence in explain(problem))]
        lines.append(f"    {problem.fen_before}")
    lines += [f"  {unread_words(found)}" for found in verdict.unread]
    for remark in verdict.remarks:
        lines.append(f"  {remark.ply}: {REMARKS[remark.kind]} ({articles_in_words(remark.articles)})")
    for right in verdict.draws:
        words = _("from single move %(ply)d on a draw could be claimed: %(why)s") % {
            "ply": right.ply,
            "why": DRAWS[right.kind],
        }
        lines.append(f"  {words} ({articles_in_words(right.articles)})")
    for found in verdict.disagreements:
        lines.append(f"  {DISAGREEMENTS[found.kind]} ({articles_in_words(found.articles)})")
    if verdict.final is not rules.Final.OPEN:
        lines.append(f"  {FINALS[verdict.final]}")
    return lines
