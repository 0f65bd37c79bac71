from __future__ import annotations

import socket
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models.functions import Now

from tournaments.models import Heartbeat

SILENCE = timedelta(seconds=20)


class Command(BaseCommand):
    help = "Exit code 1 when nothing was heard of a worker of this machine for 20 seconds."

    def handle(self, **_options: Any) -> None:
        name = f"{socket.gethostname()[:48]}:"
        if not Heartbeat.objects.filter(name__startswith=name, at__gte=Now() - SILENCE).exists():
            raise CommandError("no worker of this machine was heard of for 20 seconds")
