"""`python -m rules validate|reconstruct|perft`: the commands on games, without Django."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TextIO

from rules.commands import Fault, Out

COMMANDS = ("validate", "reconstruct", "perft")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Only the module of that command is imported."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = ArgumentParser(
        prog="python -m rules",
        description="The rules of international draughts: judge games, repair scoresheets, count moves.",
    )
    parser.add_argument("command", choices=COMMANDS)
    if not given or given[0] not in COMMANDS:
        parser.parse_args(given)
    command: ModuleType = import_module(f"rules.commands.{given[0]}")
    options = ArgumentParser(prog=f"{parser.prog} {given[0]}", description=command.HELP)
    command.add_arguments(options)
    try:
        return int(command.run(vars(options.parse_args(given[1:])), _line(sys.stdout), _line(sys.stderr)))
    except Fault as fault:
        print(fault, file=sys.stderr)
        return fault.code
    except BrokenPipeError:  # whoever reads the lines has enough of them
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _line(stream: TextIO) -> Out:
    def write(text: str) -> None:
        print(text, end="" if text.endswith("\n") else "\n", file=stream)

    return write


if __name__ == "__main__":
    sys.exit(main())
