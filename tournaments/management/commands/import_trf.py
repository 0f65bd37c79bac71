"""manage.py import_trf FILE --event CODE [--name NAME] [--section CODE] [--as USER]: a report file as a new section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.management.commands._files import (
    actor_of,
    add_actor,
    add_encoding,
    find_event,
    read_file,
    refusals,
)
from tournaments.services.trf_import import import_trf


class Command(BaseCommand):
    help = "Enter a tournament report file (TRF) as a new section of an event: everything or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the report file, - for standard input")
        parser.add_argument("--event", required=True, metavar="CODE", help="address code of the event")
        parser.add_argument("--name", default="", help="name of the section (default: the name in the file)")
        parser.add_argument("--section", default="", metavar="CODE", help="address code of the new section")
        add_encoding(parser)
        add_actor(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        content = read_file(options["file"])
        event = find_event(options["event"])
        with refusals():
            done = import_trf(
                actor_of(options["username"]),
                event.pk,
                content,
                filename=Path(options["file"]).name,
                name=options["name"],
                code=options["section"],
                encoding=options["encoding"],
            )
        self.stdout.write(
            f"{event.code}/{done.section.code} {done.section.name}: {done.players} players, {done.rounds} rounds, "
            f"{done.pairings} boards and byes"
        )
        for item in done.left_out:
            self.stderr.write(f"not placed: {item.what}: {item.value}")
