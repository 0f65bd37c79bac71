"""Count the leaves of the move tree: the check that a move generator is right."""

from games.management.rules_command import RulesCommand
from rules.commands import perft


class Command(RulesCommand):
    help = perft.HELP
    command = perft
