"""Commands that only call those of the rules: the same options, the same lines, the same exit codes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rules.commands import Fault


class RulesCommand(BaseCommand):
    """`command` is a module of `rules.commands`."""

    command: ModuleType
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        self.command.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        def out(text: str) -> None:
            self.stdout.write(text)
            self.stdout.flush()

        try:
            code = self.command.run(options, out, self.stderr.write)
        except Fault as fault:
            raise CommandError(str(fault), returncode=fault.code) from fault
        if code:
            raise SystemExit(code)
