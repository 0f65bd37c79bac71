"""Count the leaves of the move tree: the check that a move generator is right."""

from __future__ import annotations

from argparse import ArgumentParser

import rules
from rules.commands import Fault, Options, Out

HELP = "Count the sequences of DEPTH moves from a position."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("fen", metavar="FEN", help="for instance W:W31-50:B1-20")
    parser.add_argument("depth", metavar="DEPTH", type=int, help="number of single moves, 0 or more")
    parser.add_argument("--divide", action="store_true", help="also print the count behind each first move")


def run(options: Options, out: Out, err: Out) -> int:
    depth: int = options["depth"]
    if depth < 0:
        raise Fault(f"DEPTH is the number of single moves, 0 or more; not {depth}.")
    try:
        position = rules.Position.from_fen(options["fen"], uncrowned=True)
    except rules.FenError as error:
        raise Fault(f"FEN: {error}.") from error
    if options["divide"] and depth:
        for move in rules.legal_moves(position):
            count = rules.perft(rules.play(position, move), depth - 1)
            out(f"{move} {move.captured_squares or ''} {count}")
    out(str(rules.perft(position, depth)))
    return 0
