"""Pair the next round of a tournament report file."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.engine import swiss
from tournaments.engine.swiss.explain import as_data
from tournaments.engine.types import InvalidState, NoLegalPairing
from tournaments.management.reports import contradiction, ranking, read_report

NO_PAIRING = "NO_VALID_PAIRING"


class Command(BaseCommand):
    help = (
        "Pair the next round of a tournament report file (TRF16 or TRF26) by FIDE Dutch 2026. Prints the number of "
        "boards, then `white black` in board order, 0 for the bye. Exit code 1 and NO_VALID_PAIRING when there is no "
        "legal pairing, 2 for a file that is wrong. Touches no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE.trf", help="the report file, - for standard input")
        parser.add_argument("--explain", action="store_true", help="say for every player why")
        parser.add_argument("--json", action="store_true", help="print JSON instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        report = read_report(options["file"])
        try:
            pairing = swiss.pair_round(report.tournament, order=ranking(report), explain=options["explain"])
        except NoLegalPairing as error:
            self._refuse(error, as_json=options["json"])
        except InvalidState as error:
            raise contradiction(options["file"], error) from error
        else:
            self._print(pairing, as_json=options["json"])

    def _refuse(self, error: NoLegalPairing, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"error": NO_PAIRING, **error.values}, indent=1))
        else:
            self.stdout.write(NO_PAIRING)
            players = error.values.get("players") or ()
            relax = error.values.get("relax") or ()
            if isinstance(players, tuple) and isinstance(relax, tuple):
                self.stderr.write(f"Cannot all be paired: players {', '.join(map(str, players))}.")
                self.stderr.write(f"Would help, one alone: {', '.join(relax) or 'nothing'}.")
        raise SystemExit(1)

    def _print(self, pairing: swiss.RoundPairing, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(_data(pairing), indent=1))
            return
        self.stdout.write(str(len(pairing.boards)))
        for board in pairing.boards:
            self.stdout.write(f"{board.white} {board.black or 0}")
        for number, explanation in sorted(pairing.explanations.items()):
            facts = " ".join(f"{key}={_flat(value)}" for key, value in as_data(explanation).items())
            self.stdout.write(f"# {number}: {facts}")


def _flat(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) if isinstance(value, (dict, list)) else str(value)


def _data(pairing: swiss.RoundPairing) -> dict[str, Any]:
    data: dict[str, Any] = {
        "round": pairing.round,
        "boards": [
            {"board": board.number, "white": board.white, "black": board.black or 0}
            for board in pairing.boards
        ],
        "engine": pairing.engine,
        "digest": pairing.digest,
    }
    if pairing.explanations:
        data["explanations"] = {str(n): as_data(e) for n, e in sorted(pairing.explanations.items())}
    return data
