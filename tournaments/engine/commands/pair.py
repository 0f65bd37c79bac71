"""Pair the next round of a tournament report file."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from tournaments.engine import swiss, trf
from tournaments.engine.commands import Options, Out
from tournaments.engine.commands.files import add_file, contradiction, ranking, read_report
from tournaments.engine.swiss.explain import as_data
from tournaments.engine.types import InvalidState, NoLegalPairing

NO_PAIRING = "NO_VALID_PAIRING"


HELP = (
    "Pair the next round of a tournament report file (TRF16 or TRF26) by FIDE Dutch 2026. Prints the number of "
    "boards, then `white black` in board order, 0 for the bye, and the number of the round. Exit code 1 and NO_VALID_PAIRING when there is no "
    "legal pairing, 2 for a file that is wrong. Touches no database."
)


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--explain", action="store_true", help="say for every player why")
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")


def run(options: Options, out: Out, err: Out) -> int:
    report = read_report(options["file"], encoding=options["encoding"])
    try:
        pairing = swiss.pair_round(report.tournament, order=ranking(report), explain=options["explain"])
    except NoLegalPairing as error:
        _refuse(error, out, err, as_json=options["json"])
        return 1
    except InvalidState as error:
        raise contradiction(options["file"], error) from error
    if options["json"]:
        out(json.dumps(_data(pairing), indent=1))
    else:
        _print(pairing, report, out)
    return 0


def _refuse(error: NoLegalPairing, out: Out, err: Out, *, as_json: bool) -> None:
    if as_json:
        out(json.dumps({"error": NO_PAIRING, **error.values}, indent=1))
    else:
        out(NO_PAIRING)
        players = error.values.get("players") or ()
        relax = error.values.get("relax") or ()
        if isinstance(players, tuple) and isinstance(relax, tuple):
            err(f"Cannot all be paired: players {', '.join(map(str, players))}.")
            err(f"Would help, one alone: {', '.join(relax) or 'nothing'}.")


def _print(pairing: swiss.RoundPairing, report: trf.TrfFile, out: Out) -> None:
    """Boards first, as other programs read them; what is said beyond stands in lines that begin with #."""
    out(str(len(pairing.boards)))
    for board in pairing.boards:
        out(f"{board.white} {board.black or 0}")
    for number, explanation in sorted(pairing.explanations.items()):
        facts = " ".join(f"{key}={_flat(value)}" for key, value in as_data(explanation).items())
        out(f"# {number}: {facts}")
    for bye in report.tournament.requested_byes:
        if bye.round == pairing.round:
            out(f"# bye given beforehand: {bye.player} {bye.kind}")
    out(f"# round {pairing.round}")


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
