"""Read photographed or scanned scoresheets, without a database: `read_sheet FILE... [--json]`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.reading.code import Code
from games.reading.joining import Reading
from games.reading.stack import Copy, PageRead, copies_of, of_one_game, read_file, reading_of


class Command(BaseCommand):
    help = "Read pictures (JPEG, PNG, WebP) or PDF files of scanned pages of the form; nothing is stored."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument(
            "--json", action="store_true", help="one JSON object: pages, and games of both copies"
        )

    def handle(self, *, files: list[Path], json: bool, **_options: Any) -> None:
        pages, copies = copies_of(read for file in files for read in _read(file))
        readings = {id(copy): reading_of([copy]) for copy in copies}
        found = {
            "pages": [_page(read, copies, readings) for read in pages],
            "games": [
                _game(both, reading_of(both) if len(both) > 1 else readings[id(both[0])])
                for both in of_one_game(copies)
            ],
        }
        self.stdout.write(_as_json(found) if json else _as_text(found))


def _read(file: Path) -> list[PageRead]:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from None
    return list(read_file(str(file), content))


def _page(read: PageRead, copies: list[Copy], readings: dict[int, Reading]) -> dict[str, Any]:
    """A page with the moves of the copy that it belongs to."""
    told: dict[str, Any] = {
        "file": read.file,
        "page": read.number,
        "code": _code(read.page.code) if read.page else None,
        "fault": "doubled" if read.doubled else read.fault.value if read.fault else None,
    }
    copy = next((copy for copy in copies if read in copy.pages), None)
    if copy is None or read.page is None:
        return told | {
            "moves": [],
            "certain": False,
            "certain_up_to_order": False,
            "doubtful": [],
            "plies": [],
        }
    return (
        told | {"cells": len(read.page.cells), "struck": list(read.page.struck)} | _said(readings[id(copy)])
    )


def _game(copies: tuple[Copy, ...], reading: Reading) -> dict[str, Any]:
    code = copies[0].code
    return {
        "code": f"{code.event}/{code.section}:{code.round}:{code.board}.{code.game}" if code else None,
        "copies": "".join(copy.code.side for copy in copies if copy.code),
        **_said(reading),
    }


def _said(reading: Reading) -> dict[str, Any]:
    return {
        "moves": list(reading.moves),
        "certain": reading.certain,
        "certain_up_to_order": reading.certain_up_to_order,
        "confidence": reading.confidence,
        "doubtful": list(reading.doubtful),
        "plies": [
            {
                "move": ply.move,
                "probability": ply.probability,
                "options": [list(option) for option in ply.options],
            }
            for ply in reading.plies
        ],
    }


def _code(code: Code | None) -> str | None:
    return code.text if code else None


def _as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1)


def _as_text(found: dict[str, Any]) -> str:
    lines = []
    for page in found["pages"]:
        lines.append(f"{page['file']} page {page['page']}: {page['fault'] or page['code']}")
    for game in found["games"]:
        doubts = ", ".join(map(str, game["doubtful"])) or "none"
        said = (
            "certain"
            if game["certain"]
            else "certain but for the order"
            if game["certain_up_to_order"]
            else "not certain"
        )
        lines.append(
            f"{game['code'] or 'no code'} ({game['copies'] or '-'}): {said}; doubtful plies: {doubts}"
        )
        lines.append(" ".join(game["moves"]))
    return "\n".join(lines)
