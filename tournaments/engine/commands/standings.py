"""Print the standings of a tournament report file."""

from __future__ import annotations

import json
import unicodedata
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from tournaments.engine.commands import Options, Out
from tournaments.engine.commands.files import Fault, add_file, read_report
from tournaments.engine.policies import CHOICE_TEXTS, DEFAULT_POLICY, WORD_TEXTS, TieBreakPolicy
from tournaments.engine.presets import PRESETS, Preset
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


HELP = "Print the standings of a tournament report file (TRF16 or TRF26). Touches no database."


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--after", metavar="N", type=int, help="standings after round N (default: the last)")
    parser.add_argument(
        "--tiebreaks",
        metavar="CODE,...",
        help=f"tie-breaks after points, in order (default: the preset's, or {','.join(ORDER)}). "
        f"Known: {', '.join(TIEBREAKS)}, SOLKOFF_TRUNC_k, CUM_DROP_k",
    )
    parser.add_argument(
        "--preset",
        metavar="CODE",
        help="a ready order with its treatment of byes and forfeits; --tiebreaks changes the order alone. "
        f"Known: {', '.join(PRESETS)}",
    )
    parser.add_argument("--lots", metavar="SEED", type=int, help="the seed from which LOTS are drawn")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run(options: Options, out: Out, err: Out) -> int:
    tournament = read_report(options["file"], encoding=options["encoding"]).tournament
    after = _after(options["after"], tournament)
    asked, lots = options["tiebreaks"], options["lots"]
    preset = _preset(options["preset"])
    policy = preset.policy if preset else DEFAULT_POLICY
    codes = _codes(asked) if asked is not None else _order(preset, with_lots=lots is not None)
    table = compute(tournament, tiebreaks=codes, policy=policy, after_round=after, lot_seed=lots)
    if not options["json"]:
        for line in (*_text(tournament, table), "", *_treatment(policy, preset)):
            out(line)
        return 0
    shown = codes if asked is not None else (*codes, *(code for code in SHOWN if code not in codes))
    more = compute(tournament, tiebreaks=shown, policy=policy, after_round=after)
    treatment = {"preset": preset.code if preset else None, "policy": policy.as_json()}
    out(
        json.dumps(
            {**_data(table, more, shown if preset or asked is not None else SHOWN), **treatment}, indent=1
        )
    )
    return 0


def _preset(code: str | None) -> Preset | None:
    if code is None:
        return None
    if code.strip().upper() not in PRESETS:
        raise Fault(f"--preset {code}: there is no such preset; expected one of {', '.join(PRESETS)}.")
    return PRESETS[code.strip().upper()]


def _order(preset: Preset | None, *, with_lots: bool) -> tuple[str, ...]:
    """The order of the preset; LOTS only where a seed says how they are drawn."""
    if preset is None:
        return ORDER
    return tuple(code for code in preset.tiebreaks if code != LOTS or with_lots)


def _treatment(policy: TieBreakPolicy, preset: Preset | None) -> Iterator[str]:
    """How byes and forfeits were counted, each question with its answer."""
    source = f"preset {preset.code}" if preset else "no preset: the practice of draughts"
    yield f"Byes and forfeits ({source}):"
    for name, question in CHOICE_TEXTS.items():
        value = getattr(policy, name)
        yield f"  {question}: {('yes' if value else 'no') if isinstance(value, bool) else WORD_TEXTS[value]}"


def _after(wanted: int | None, tournament: Tournament) -> int:
    last = len(tournament.rounds)
    if wanted is None:
        return last
    if not 0 <= wanted <= last:
        raise Fault(f"--after {wanted}: the file has rounds 1 to {last}.")
    return wanted


def _codes(text: str) -> tuple[str, ...]:
    try:
        return tuple(find(part).code for part in text.split(",") if part.strip())
    except UnknownTieBreak as error:
        raise Fault(f"--tiebreaks: {error}.") from error


def _rounded(value: Value) -> int | list[int] | None:
    """Means to the nearest whole number, halves up; lists as lists."""
    if isinstance(value, Fraction):
        return (2 * value.numerator + value.denominator) // (2 * value.denominator)
    return list(value) if isinstance(value, tuple) else value


def _data(table: Standings, more: Standings, shown: Sequence[str]) -> dict[str, Any]:
    values = {row.number: row.values for row in more.rows}
    players = {
        str(row.number): {
            "rank": row.rank,
            "points": row.points,
            **{code: _rounded(values[row.number][code]) for code in shown},
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
