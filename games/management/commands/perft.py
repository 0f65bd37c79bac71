"""Count the leaves of the move tree: the check that a move generator is right."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

import rules


class Command(BaseCommand):
    help = "Count the sequences of DEPTH moves from a position. Touches no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("fen", metavar="FEN", help="for instance W:W31-50:B1-20")
        parser.add_argument("depth", metavar="DEPTH", type=int, help="number of single moves, 0 or more")
        parser.add_argument(
            "--divide", action="store_true", help="also print the count behind each first move"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        depth: int = options["depth"]
        if depth < 0:
            raise CommandError(f"DEPTH is the number of single moves, 0 or more; not {depth}.", returncode=2)
        try:
            position = rules.Position.from_fen(options["fen"], uncrowned=True)
        except rules.FenError as error:
            raise CommandError(f"FEN: {error}.", returncode=2) from error
        if options["divide"] and depth:
            for move in rules.legal_moves(position):
                count = rules.perft(rules.play(position, move), depth - 1)
                self.stdout.write(f"{move} {move.captured_squares or ''} {count}")
        self.stdout.write(str(rules.perft(position, depth)))
