"""Judge the games of a file; for people, scripts and other programs. Touches no database."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

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
from rules.commands.files import Note, UnreadableGames, read_games
from rules.record import record

UNREADABLE = 2
NOT_ALL_LEGAL = 1


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
            found = read_games(name, data, encoding=options["encoding"])
        except UnreadableGames as error:
            raise CommandError(f"{name}: {_worded(error.note)}", returncode=UNREADABLE) from error
        except ValueError as error:
            raise CommandError(f"{name}: {error}", returncode=UNREADABLE) from error
        for note in found.notes:
            self.stderr.write(f"{name}: {_worded(note)}")
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


def _worded(note: Note) -> str:
    sentences = {
        "encoding": _("read as %(encoding)s"),
        "encoding-doubtful": _("read as %(encoding)s; %(others)s would do as well (choose with --encoding)"),
        "note": _("line %(line)d: %(code)s: %(text)s"),
        "no-game": _("line 1: there is no game in this file"),
        "no-json": _("line %(line)d is no JSON: %(error)s"),
        "no-moves": _('line %(line)d: write {"moves": ["32-28", ...]}, the moves as a list of texts'),
        "no-text": _("line %(line)d: %(name)s must be a text such as %(example)s"),
    }
    return sentences[note.code] % note.values


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
