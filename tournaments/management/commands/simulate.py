"""Make a random tournament and print it as a report file."""

from tournaments.engine.commands import simulate
from tournaments.management.engine_command import EngineCommand


class Command(EngineCommand):
    help = simulate.HELP
    command = simulate
