"""The likeliest game behind damaged scoresheets, for scripts and other programs."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

import rules
from rules.commands import Fault, Options, Out

SHEETS = ("sheet_white", "sheet_black")
LONGEST_SHEET = 1000


HELP = (
    'Propose the game behind each line of FILE.jsonl: {"sheet_white": [moves as written], "sheet_black": [...]}, '
    "one or both. Nothing is decided by it: an arbiter says yes or no. Exit code 2: a line cannot be read."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.jsonl", help="the file to read, - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(options: Options, out: Out, err: Out) -> int:
    name: str = options["file"]
    for number, line in enumerate(_lines(name), 1):
        if not line.strip():
            continue
        found = rules.reconstruct(_sheets(name, number, line))
        out(_as_json(found) if options["json"] else _as_text(number, found))
    return 0


def _lines(name: str) -> list[str]:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig").split("\n")
    except OSError as error:
        raise Fault(f"{name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Fault(f"{name}: this is not UTF-8 text (byte {error.start})") from error


def _sheets(name: str, number: int, line: str) -> list[list[str]]:
    """The copies of one line; a fault ends the command with the line's number."""

    def refuse(why: str) -> Fault:
        return Fault(f"{name}: line {number}: {why}")

    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise refuse(f"this is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise refuse('expected an object such as {"sheet_white": ["32-28", "19-23"]}')
    sheets = []
    for key in SHEETS:
        moves = value.get(key)
        if moves is None:
            continue
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise refuse(f"{key} must be a list of moves as written")
        if len(moves) > LONGEST_SHEET:
            raise refuse(f"{key} has more than {LONGEST_SHEET} moves")
        sheets.append(moves)
    if not any(sheets):
        raise refuse("no move in sheet_white or sheet_black")
    return sheets


def _as_json(found: rules.Candidates) -> str:
    best = found.best
    changes = [] if best is None else best.changes
    return json.dumps(
        {
            "moves": [] if best is None else list(best.moves),
            "certain": found.certain,
            "certain_up_to_order": found.certain_up_to_order,
            "confidence": found.confidence,
            "proved": list(found.proved),
            "doubtful": list(found.doubtful),
            "likely": list(found.likely),
            "unordered": list(found.unordered),
            "copies": list(found.copies),
            "layouts": [[number, layout.value] for number, layout in found.layouts],
            "changes": [
                {
                    "sheet": change.sheet,
                    "ply": change.ply,
                    "kind": change.kind.value,
                    "written": change.written,
                    "move": change.move,
                }
                for change in changes
            ],
        },
        ensure_ascii=False,
    )


def _as_text(number: int, found: rules.Candidates) -> str:
    best = found.best
    if best is None:
        return f"line {number}: no legal game fits"
    sure = f"confidence {found.confidence}"
    if found.certain or found.certain_up_to_order:
        sure = "certain" if found.certain else "certain up to the order of moves"
    lines = [f"line {number}: {len(best.moves)} plies, {sure}", "  " + " ".join(best.moves)]
    lines += [
        f"  {what}: " + ", ".join(map(str, plies))
        for what, plies in (
            ("doubtful plies", found.doubtful),
            ("plies that rest on one text alone", found.likely),
            ("plies whose order rests on one copy", found.unordered),
        )
        if plies
    ]
    lines += [
        f"  copy {change.sheet + 1}, ply {change.ply}: {change.kind} {change.written or '-'} -> {change.move or '-'}"
        for change in best.changes
    ]
    return "\n".join(lines)
