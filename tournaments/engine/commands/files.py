"""What the commands on report files share: reading one, or saying with exit code 2 what is wrong and where."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from tournaments.engine import trf
from tournaments.engine.types import InvalidState

WRONG_FILE = 2


class Fault(Exception):
    """A command cannot do what it is asked for: the sentence for the user, and the exit code."""

    def __init__(self, sentence: str, *, code: int = WRONG_FILE) -> None:
        super().__init__(sentence)
        self.code = code


def add_file(parser: ArgumentParser) -> None:
    """Add the arguments that name a report file and its encoding."""
    parser.add_argument("file", metavar="FILE.trf", help="the report file, - for standard input")
    parser.add_argument(
        "--encoding", default="", help="encoding of the file when it is not Unicode, such as gb18030"
    )


def read_report(name: str, *, encoding: str = "") -> trf.TrfFile:
    """The report file `name`, "-" for standard input. Raises Fault if it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Fault(f"{name}: {error.strerror or error}.") from error
    try:
        return trf.read(trf.decode(data, encoding=encoding))
    except trf.TrfError as error:
        raise Fault(f"{name}: {error}.") from error


def ranking(report: trf.TrfFile) -> Sequence[int] | None:
    """The ranking order the file asks for: its places, or None for its numbers."""
    if not report.rank_order:
        return None
    numbers = [player.number for player in report.tournament.players]
    last = len(numbers) + 1
    return sorted(numbers, key=lambda number: (report.ranks.get(number, last), number))


def contradiction(name: str, error: InvalidState) -> Fault:
    """An inconsistent tournament as the fault of a command."""
    values = dict(error.values)
    why = str(values.pop("why", error.code)).replace("-", " ")
    where = ", ".join(f"{key} {value}" for key, value in values.items())
    return Fault(f"{name}: {where}: {why}." if where else f"{name}: {why}.")
