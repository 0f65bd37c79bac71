"""Print the standings of a tournament report file."""

from __future__ import annotations

import json
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.engine import trf
from tournaments.engine.presets import PRESETS
from tournaments.engine.standings import Standings, StandingsRow, compute
from tournaments.engine.tiebreak_metrics import Value
from tournaments.engine.tiebreaks import LOTS, TIEBREAKS, UnknownTieBreak, find
from tournaments.engine.types import Tournament

ORDER = tuple(code for code in PRESETS["CN_SWISS"].tiebreaks if code != LOTS)
SHOWN = (
    "SOLKOFF",
    "SOLKOFF_TRUNC_1",
    "SOLKOFF_TRUNC_2",
    "SOLKOFF_TRUNC_3",
    "SOLKOFF_MEDIAN",
    "SB",
    "WINS",
    "CUM",
    "games_black",
    "wins_black",
    "ARO",
)


class Command(BaseCommand):
    help = "Print the standings of a tournament report file (TRF16 or TRF26). Touches no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.trf", help="the report file, - for standard input")
        parser.add_argument(
            "--after", metavar="N", type=int, help="standings after round N (default: the last)"
        )
        parser.add_argument(
            "--tiebreaks",
            metavar="CODE,...",
            help=f"tie-breaks after points, in order (default: {','.join(ORDER)}). "
            f"Known: {', '.join(TIEBREAKS)}, SOLKOFF_TRUNC_k, CUM_DROP_k",
        )
        parser.add_argument("--lots", metavar="SEED", type=int, help="the seed from which LOTS are drawn")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = _tournament(options["file"])
        after = _after(options["after"], tournament)
        asked: str | None = options["tiebreaks"]
        codes = _codes(asked) if asked is not None else ORDER
        table = compute(tournament, tiebreaks=codes, after_round=after, lot_seed=options["lots"])
        if not options["json"]:
            self.stdout.write("\n".join(_text(tournament, table)))
            return
        more = table if asked is not None else compute(tournament, tiebreaks=SHOWN, after_round=after)
        self.stdout.write(json.dumps(_data(table, more), indent=1))


def _tournament(name: str) -> Tournament:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror or error}.", returncode=2) from error
    try:
        return trf.read(trf.decode(data)).tournament
    except trf.TrfError as error:
        raise CommandError(f"{name}: {error}.", returncode=2) from error


def _after(wanted: int | None, tournament: Tournament) -> int:
    last = len(tournament.rounds)
    if wanted is None:
        return last
    if not 0 <= wanted <= last:
        raise CommandError(f"--after {wanted}: the file has rounds 1 to {last}.", returncode=2)
    return wanted


def _codes(text: str) -> tuple[str, ...]:
    try:
        return tuple(find(part).code for part in text.split(",") if part.strip())
    except UnknownTieBreak as error:
        raise CommandError(f"--tiebreaks: {error}.", returncode=2) from error


def _rounded(value: Value) -> int | list[int] | None:
    """Means to the nearest whole number, halves up; lists as lists."""
    if isinstance(value, Fraction):
        return (2 * value.numerator + value.denominator) // (2 * value.denominator)
    return list(value) if isinstance(value, tuple) else value


def _data(table: Standings, more: Standings) -> dict[str, Any]:
    values = {row.number: row.values for row in more.rows}
    players = {
        str(row.number): {
            "rank": row.rank,
            "points": row.points,
            **{code: _rounded(value) for code, value in values[row.number].items()},
        }
        for row in sorted(table.rows, key=lambda row: row.number)
    }
    return {"players": players}


def _text(tournament: Tournament, table: Standings) -> list[str]:
    names = {player.number: player.name for player in tournament.players}
    head = ["place", "no.", "name", "points", *table.codes]
    lines = [head, *(_cells(row, names[row.number]) for row in table.rows)]
    widths = [max(_width(line[column]) for line in lines) for column in range(len(head))]
    title = f"{tournament.name or 'Tournament'}: standings after round {table.after_round}"
    return [title, "", *(_aligned(line, widths) for line in lines)]


def _cells(row: StandingsRow, name: str) -> list[str]:
    place = str(row.rank) if not row.shared else f"{row.rank}-{row.rank_to}"
    return [place, str(row.number), name, str(row.points), *(_cell(value) for value in row.values.values())]


def _cell(value: Value) -> str:
    rounded = _rounded(value)
    if rounded is None:
        return "-"
    return "/".join(str(part) for part in rounded) if isinstance(rounded, list) else str(rounded)


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _aligned(cells: list[str], widths: list[int]) -> str:
    parts = []
    for column, (text, width) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (width - _width(text))
        parts.append(text + blanks if column == 2 else blanks + text)
    return "  ".join(parts).rstrip()
