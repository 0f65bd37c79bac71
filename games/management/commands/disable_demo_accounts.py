from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.demo.event import open_accounts
from tournaments.audit import SYSTEM
from tournaments.services.accounts import switch_off


class Command(BaseCommand):
    help = "Switch off the accounts of the demo that still have the password everybody knows."

    def handle(self, **_options: Any) -> None:
        for user in open_accounts():
            switch_off(SYSTEM, user.pk)
            self.stdout.write(f"switched off: {user.username}")
