"""The likeliest game behind damaged scoresheets, for scripts and other programs. Touches no database."""

from games.management.rules_command import RulesCommand
from rules.commands import reconstruct


class Command(RulesCommand):
    help = reconstruct.HELP
    command = reconstruct
