from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.errors import SiteError
from tournaments.services import backups


class Command(BaseCommand):
    help = "Write the whole site into one file: database, files and keys. The site may run meanwhile."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="default: backup-DATE-TIME.zip in this folder")

    def handle(self, *, file: Path | None, **_options: Any) -> None:
        try:
            done = backups.back_up(file or Path(f"backup-{datetime.now(UTC):%Y%m%d-%H%M%S}.zip"))
            backups.inspect(done)
        except (SiteError, OSError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{done}: {done.stat().st_size} bytes. It holds the site's keys: keep it where no one else reads it."
        )
