"""Measure the reader on one's own sheets: `measure_reader FOLDER`.

In the folder each picture of a sheet has beside it a file of the same name ending in .txt or .pdn with the moves that were
played. Pictures whose names are alike up to `-white` and `-black` are the two copies of one game and read together too.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import rules
from games.reading.joining import Reading
from games.reading.stack import Copy, copies_of, read_file, reading_of

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".pdf"}
_SIDE = re.compile(r"-(white|black)$")


class Command(BaseCommand):
    help = __doc__ or ""
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *, folder: Path, **_options: Any) -> None:
        pictures = sorted(p for p in folder.glob("*") if p.suffix.lower() in PICTURES)
        if not pictures:
            raise CommandError(f"{folder}: no picture (JPEG, PNG, WebP or PDF) is there.")
        total: Counter[str] = Counter()
        games: dict[str, list[tuple[Copy, tuple[str, ...]]]] = defaultdict(list)
        began = time.process_time()
        for picture in pictures:
            self._one(picture, total, games)
        for both in games.values():
            if len(both) == 2:
                _count(total, "two", reading_of([copy for copy, _ in both]), both[0][1])
        self._tell(total, time.process_time() - began)

    def _one(
        self, picture: Path, total: Counter[str], games: dict[str, list[tuple[Copy, tuple[str, ...]]]]
    ) -> None:
        truth = _truth(picture)
        _, copies = copies_of(reads := list(read_file(picture.name, picture.read_bytes())))
        total["pages"] += len(reads)
        faults = [read.fault.value for read in reads if read.fault]
        if truth is None:
            self.stdout.write(
                f"{picture.name}: no file with its moves ({picture.stem}.txt or .pdn); left out"
            )
            return
        if len(copies) != 1:
            total["one unread"] += 1
            self.stdout.write(f"{picture.name}: not read ({', '.join(faults) or 'several sheets'})")
            return
        reading = reading_of(copies)
        _count(total, "one", reading, truth)
        games[_SIDE.sub("", picture.stem)].append((copies[0], truth))
        exact = (
            "exact" if reading.moves == truth else f"differs at ply {_first_difference(reading.moves, truth)}"
        )
        self.stdout.write(f"{picture.name}: {exact}, {len(reading.doubtful)} doubtful")

    def _tell(self, total: Counter[str], seconds: float) -> None:
        for kind, words in (("one", "one picture"), ("two", "both copies")):
            read = total[f"{kind} read"]
            self.stdout.write(
                f"{words}: {total[f'{kind} exact']} of {read} exact, {total[f'{kind} certain']} certain, "
                f"{total[f'{kind} certain wrong']} certain and wrong, {total[f'{kind} undoubted wrong']} wrong plies not "
                f"doubted, {total[f'{kind} unread']} not read"
            )
        self.stdout.write(
            f"{total['pages']} pages, {seconds / max(total['pages'], 1):.1f} s of the processor a page"
        )


def _truth(picture: Path) -> tuple[str, ...] | None:
    """The moves as the rules write them. Raises CommandError for a file that is no legal game."""
    file = next((f for e in (".txt", ".pdn") if (f := picture.with_suffix(e)).exists()), None)
    if file is None:
        return None
    sheet = rules.sheet_of(rules.read_pdn(file.read_bytes()).games[0])
    verdict = rules.validate(sheet)
    moves = []
    for position, move in zip(verdict.positions, verdict.moves, strict=False):
        if move is None:
            break
        moves.append(rules.write(position, move))
    if len(moves) != len(sheet.moves):
        raise CommandError(f"{file.name}: move {len(moves) // 2 + 1} is not legal.")
    return tuple(moves)


def _count(total: Counter[str], kind: str, reading: Reading, truth: tuple[str, ...]) -> None:
    exact = reading.moves == truth
    total[f"{kind} read"] += 1
    total[f"{kind} exact"] += exact
    total[f"{kind} certain"] += reading.certain
    total[f"{kind} certain wrong"] += reading.certain and not exact
    total[f"{kind} undoubted wrong"] += sum(
        not ply.doubtful and ply.move != true for ply, true in zip(reading.plies, truth, strict=False)
    )


def _first_difference(found: tuple[str, ...], truth: tuple[str, ...]) -> int:
    alike = next(
        (n for n, (a, b) in enumerate(zip(found, truth, strict=False)) if a != b), min(len(found), len(truth))
    )
    return alike + 1
