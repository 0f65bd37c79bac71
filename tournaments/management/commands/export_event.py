"""manage.py export_event CODE [--out FILE] [--log]: the whole event as JSON."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.exports.event_json import as_text, export_event
from tournaments.management.commands._files import find_event, write_file


class Command(BaseCommand):
    help = "Write a whole event, drafts included, as JSON that import_event reads."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="address code of the event")
        parser.add_argument(
            "--out", metavar="FILE", default="-", help="where to write (default: standard output)"
        )
        parser.add_argument("--log", action="store_true", help="include the log of who did what")

    def handle(self, *args: Any, **options: Any) -> None:
        event = find_event(options["code"])
        write_file(options["out"], as_text(export_event(event, with_log=options["log"])))
        self.stderr.write(f"{event.name}: {event.sections.count()} sections, {event.players.count()} players")
