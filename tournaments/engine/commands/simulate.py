"""Make a random tournament and print it as a report file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from tournaments.engine import trf
from tournaments.engine.commands import Options, Out
from tournaments.engine.commands.files import Fault
from tournaments.engine.simulate import Simulation, simulate

_PERCENT = ("draws", "forfeits", "absences", "withdrawals", "late", "favourite")
_DEFAULT = Simulation(players=1, rounds=0)


HELP = (
    "Make a random tournament, the same for the same seed, and print it as TRF26. Chances are percentages. "
    "Touches no database."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7, help="rounds to play")
    parser.add_argument(
        "--rounds-total", type=int, default=0, help="rounds announced (default: those played)"
    )
    parser.add_argument("--seed", type=int, default=0)
    for name in _PERCENT:
        parser.add_argument(f"--{name}", type=int, default=getattr(_DEFAULT, name), metavar="PERCENT")
    parser.add_argument("--clubs", type=int, default=0, help="clubs whose members do not meet")
    parser.add_argument("--protected-rounds", type=int, default=0, help="for this many rounds (0: all)")
    parser.add_argument(
        "--unpaired", action="store_true", help="throw pairs together instead of using the engine"
    )
    parser.add_argument("--output", metavar="FILE.trf", help="write here instead of printing")


def run(options: Options, out: Out, err: Out) -> int:
    for name in _PERCENT:
        if not 0 <= options[name] <= 100:
            raise Fault(f"--{name} {options[name]}: expected a percentage, 0 to 100.")
    if options["players"] < 1 or options["rounds"] < 0:
        raise Fault("--players must be at least 1 and --rounds not negative.")
    spec = Simulation(
        players=options["players"],
        rounds=options["rounds"],
        rounds_total=options["rounds_total"],
        seed=options["seed"],
        clubs=options["clubs"],
        protected_rounds=options["protected_rounds"],
        paired=not options["unpaired"],
        **{name: options[name] for name in _PERCENT},
    )
    text = trf.write(trf.TrfFile(tournament=simulate(spec)))
    if options["output"]:
        Path(options["output"]).write_text(text, encoding="utf-8", newline="")
    else:
        out(text)
    return 0
