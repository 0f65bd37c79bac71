"""Commands that only call those of the engine: the same options, the same lines, the same exit codes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.engine.commands.files import Fault


class EngineCommand(BaseCommand):
    """`command` is a module of `tournaments.engine.commands`."""

    command: ModuleType
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        self.command.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            code = self.command.run(options, self.stdout.write, self.stderr.write)
        except Fault as fault:
            raise CommandError(str(fault), returncode=fault.code) from fault
        if code:
            raise SystemExit(code)
