from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.errors import SiteError
from tournaments.models import Event
from tournaments.services import backups


class Command(BaseCommand):
    help = "Replace the site by a backup, proved first, in one transaction. Stop web and worker before."
    # A site that is to be replaced, or an empty database, need not be of this version.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="prove the file and change nothing")
        parser.add_argument(
            "--replace", action="store_true", help="though there are events on this site already"
        )

    def handle(self, *, file: Path, check: bool, replace: bool, **_options: Any) -> None:
        try:
            manifest = backups.inspect(file)
            if check:
                self.stdout.write(f"{file} is whole, made {manifest.made_at:%Y-%m-%d %H:%M} UTC.")
                return
            if not replace and _has_events():
                raise CommandError("there are events on this site: add --replace, and back up before.")
            backups.restore(file)
        except SiteError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"restored: the site as of {manifest.made_at:%Y-%m-%d %H:%M} UTC.")


def _has_events() -> bool:
    try:
        return bool(Event.objects.exists())
    except Exception:  # no tables yet
        return False
