"""What the commands on report files share: reading one, or saying with exit code 2 what is wrong and where."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandError

from tournaments.engine import trf
from tournaments.engine.types import InvalidState

WRONG_FILE = 2


def read_report(name: str) -> trf.TrfFile:
    """The report file `name`, "-" for standard input. CommandError with return code 2 if it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror or error}.", returncode=WRONG_FILE) from error
    try:
        return trf.read(trf.decode(data))
    except trf.TrfError as error:
        raise CommandError(f"{name}: {error}.", returncode=WRONG_FILE) from error


def ranking(report: trf.TrfFile) -> Sequence[int] | None:
    """The ranking order the file asks for: its places, or None for its numbers."""
    if not report.rank_order:
        return None
    numbers = [player.number for player in report.tournament.players]
    last = len(numbers) + 1
    return sorted(numbers, key=lambda number: (report.ranks.get(number, last), number))


def contradiction(name: str, error: InvalidState) -> CommandError:
    """An inconsistent tournament as the error of a command, with return code 2."""
    values = dict(error.values)
    why = str(values.pop("why", error.code)).replace("-", " ")
    where = ", ".join(f"{key} {value}" for key, value in values.items())
    return CommandError(f"{name}: {where}: {why}." if where else f"{name}: {why}.", returncode=WRONG_FILE)
