from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.errors import SiteError
from tournaments.management.commands._files import actor_of, add_actor, refusals
from tournaments.models import Event
from tournaments.services import backups
from tournaments.services.event_import import import_event


class Command(BaseCommand):
    help = "Replace the site by a backup, proved first, in one transaction. Stop web and worker before."
    # A site that is to be replaced, or an empty database, need not be of this version.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="prove the file and change nothing")
        parser.add_argument(
            "--event",
            metavar="CODE",
            default="",
            help="bring back this one event, beside what is there; needs --as",
        )
        add_actor(parser)
        parser.add_argument(
            "--replace", action="store_true", help="though there are events on this site already"
        )

    def handle(
        self, *, file: Path, check: bool, replace: bool, event: str, username: str, **_options: Any
    ) -> None:
        if event:
            self._restore_event(file, event, username)
            return
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

    def _restore_event(self, file: Path, code: str, username: str) -> None:
        if not username:
            raise CommandError("say whose event it becomes: --as USER.")
        with refusals():
            made = import_event(actor_of(username), backups.event_document(file, code), filename=file.name)
        self.stdout.write(f"restored: {made.event.name}, at the address {made.event.code}.")
        for part in made.left_out:
            self.stdout.write(f"left out: {part.what} {part.value}")


def _has_events() -> bool:
    try:
        return bool(Event.objects.exists())
    except Exception:  # no tables yet
        return False
