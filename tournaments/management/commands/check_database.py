from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.errors import SiteError
from tournaments.services import backups


class Command(BaseCommand):
    help = "Refuse, with exit code 1, a database that a newer version of the site has used."

    def handle(self, **_options: Any) -> None:
        try:
            backups.refuse_newer_database()
        except SiteError as error:
            raise CommandError(str(error)) from None
