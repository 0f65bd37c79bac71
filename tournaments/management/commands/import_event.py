"""manage.py import_event FILE [--as USER]: an event from the JSON that export_event wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from tournaments.management.commands._files import actor_of, add_actor, read_file, refusals
from tournaments.services.event_import import import_event


class Command(BaseCommand):
    help = "Set up an event from the JSON of export_event: everything or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the JSON file, - for standard input")
        add_actor(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        content = read_file(options["file"])
        with refusals():
            done = import_event(actor_of(options["username"]), content, filename=Path(options["file"]).name)
        self.stdout.write(f"{done.event.code} {done.event.name}")
        for told in done.left_out:
            self.stderr.write(_("Left out of the file: %(lines)s") % {"lines": f"{told.what} {told.value}"})
