"""Check all pairings of a tournament report file."""

from tournaments.engine.commands import check
from tournaments.management.engine_command import EngineCommand


class Command(EngineCommand):
    help = check.HELP
    command = check
