"""Check all pairings of a tournament report file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from tournaments.engine import trf
from tournaments.engine.check import Breach, Difference, RoundCheck, check_tournament
from tournaments.engine.commands import Options, Out
from tournaments.engine.commands.files import add_file, contradiction, ranking, read_report
from tournaments.engine.types import InvalidState

Pairs = Sequence[tuple[int, int]]


HELP = (
    "Replay every round of a tournament report file (TRF16 or TRF26) with FIDE Dutch 2026 and name every difference "
    "and every breach of an absolute rule. Exit code 0 without, 1 with, 2 for a file that is wrong. Touches no "
    "database."
)


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")


def run(options: Options, out: Out, err: Out) -> int:
    report = read_report(options["file"], encoding=options["encoding"])
    order = ranking(report)
    try:
        checks = check_tournament(
            report.tournament, orders=lambda number: order, full_byes=requested_full_byes(report)
        )
    except InvalidState as error:
        raise contradiction(options["file"], error) from error
    if options["json"]:
        out(json.dumps({"rounds": [_data(check) for check in checks]}, indent=1))
    else:
        out("\n".join(_lines(checks)))
    return 0 if all(check.clean for check in checks) else 1


def requested_full_byes(report: trf.TrfFile) -> list[tuple[int, int]]:
    """(player, round) of the full-point byes that the file marks as asked for (F, or a win without opponent)."""
    return [place for place, mark in report.marks.items() if mark.split()[0] == "0000" and mark[-1] in "F+"]


def _lines(checks: Sequence[RoundCheck]) -> Iterator[str]:
    for check in checks:
        for difference in check.differences:
            yield (
                f"round {check.round}: {difference.kind}: the engine says {_pairs(difference.engine)}, "
                f"the file has {_pairs(difference.found)}"
            )
        for breach in check.breaches:
            yield f"round {check.round}: breach of {_breach(breach)}"
    differences = sum(len(check.differences) for check in checks)
    breaches = sum(len(check.breaches) for check in checks)
    yield f"{len(checks)} rounds checked: {differences} differences, {breaches} breaches"


def _pairs(pairs: Pairs) -> str:
    return ", ".join(f"{white}-{black}" for white, black in pairs) or "nothing"


def _breach(breach: Breach) -> str:
    players = ", ".join(map(str, breach.players))
    earlier = f" (since round {breach.earlier})" if breach.earlier else ""
    return f"{breach.rule}: players {players}{earlier}"


def _difference(difference: Difference) -> dict[str, Any]:
    return {
        "kind": str(difference.kind),
        "engine": [list(pair) for pair in difference.engine],
        "file": [list(pair) for pair in difference.found],
    }


def _data(check: RoundCheck) -> dict[str, Any]:
    return {
        "round": check.round,
        "differences": [_difference(difference) for difference in check.differences],
        "breaches": [
            {"rule": str(breach.rule), "players": list(breach.players), "earlier_round": breach.earlier}
            for breach in check.breaches
        ],
    }
