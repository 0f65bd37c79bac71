"""Print the standings of a tournament report file."""

from tournaments.engine.commands import standings
from tournaments.management.engine_command import EngineCommand


class Command(EngineCommand):
    help = standings.HELP
    command = standings
