"""Pair the next round of a tournament report file."""

from tournaments.engine.commands import pair
from tournaments.management.engine_command import EngineCommand


class Command(EngineCommand):
    help = pair.HELP
    command = pair
