"""manage.py export_trf CODE SECTION [--out FILE] [--dialect TRF26|TRF16]: a section as a report file."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournaments.engine.trf import Dialect
from tournaments.exports.trf_io import export_trf
from tournaments.management.commands._files import find_event, find_section, refusals, write_file


class Command(BaseCommand):
    help = "Write a section as a tournament report file (TRF)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="address code of the event")
        parser.add_argument("section", help="address code of the section")
        parser.add_argument(
            "--out", metavar="FILE", default="-", help="where to write (default: standard output)"
        )
        parser.add_argument("--dialect", choices=[d.value for d in Dialect], default=Dialect.TRF26.value)

    def handle(self, *args: Any, **options: Any) -> None:
        section = find_section(find_event(options["code"]), options["section"])
        with refusals():
            report = export_trf(section, dialect=Dialect(options["dialect"]))
        write_file(options["out"], report.text)
        for loss in report.losses:
            place = ", ".join(
                text
                for text in (
                    f"player {loss.player}" if loss.player is not None else "",
                    f"round {loss.round}" if loss.round is not None else "",
                )
                if text
            )
            self.stderr.write(
                f"not in the file: {loss.what} {loss.value} {f'({place})' if place else ''}".rstrip()
            )
