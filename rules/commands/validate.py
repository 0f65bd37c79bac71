"""Judge the games of a file, in codes and articles; the site words them."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import rules
from rules.commands import Fault, Options, Out
from rules.commands.files import read_games
from rules.record import record

NOT_ALL_LEGAL = 1
HELP = (
    'Judge the games of FILE: PDN in any dialect, plain text, or .jsonl with one {"moves": ["32-28", ...]} a line. '
    "Exit code 0: all games are legal; 1: not all are; 2: the file cannot be read."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the file to judge, - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a game, in order")
    parser.add_argument("--encoding", help="override the detected encoding")
    parser.add_argument(
        "--profile",
        choices=[profile.value for profile in rules.Profile],
        default=rules.Profile.CN.value,
        help="whose draw clauses apply",
    )


def run(options: Options, out: Out, err: Out) -> int:
    name: str = options["file"]
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        found = read_games(name, data, encoding=options["encoding"])
    except OSError as error:
        raise Fault(f"{name}: {error.strerror}") from error
    except ValueError as error:
        raise Fault(f"{name}: {error}") from error
    for note in found.notes:
        err(f"{name}: {note}")
    all_legal = True
    for number, sheet in enumerate(found.sheets, 1):
        verdict = rules.validate(sheet, profile=rules.Profile(options["profile"]))
        all_legal = all_legal and verdict.status is rules.Status.LEGAL
        if options["json"]:
            out(json.dumps(record(number, sheet, verdict), ensure_ascii=False))
        else:
            for line in _lines(number, verdict):
                out(line)
    return 0 if all_legal else NOT_ALL_LEGAL


def _lines(number: int, verdict: rules.Verdict) -> Iterator[str]:
    yield f"Game {number}: {verdict.status}, {verdict.plies} legal single moves"
    problem = verdict.problem
    if problem is not None:
        articles = ", ".join(problem.articles)
        yield f"  ply {problem.ply}: {problem.written}: {problem.kind} ({articles})"
        yield f"    {problem.fen_before}"
        if problem.legal_moves:
            yield f"    legal: {', '.join(problem.legal_moves)}"
    for unread in verdict.unread:
        yield f"  unread: {unread._asdict()}"
    for remark in verdict.remarks:
        yield f"  ply {remark.ply}: {remark.kind} ({', '.join(remark.articles)})"
    for right in verdict.draws:
        yield f"  ply {right.ply}: draw claimable: {right.kind} ({', '.join(right.articles)})"
    for found in verdict.disagreements:
        yield f"  ply {found.ply}: {found.kind} ({', '.join(found.articles)})"
    if verdict.final is not rules.Final.OPEN:
        yield f"  {verdict.final}"
