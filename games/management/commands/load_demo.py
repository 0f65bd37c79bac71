from __future__ import annotations

from django.core.management.base import BaseCommand

from games.demo import event as demo


class Command(BaseCommand):
    help = (
        "Load a demo event that is half played, with an account for each role. A second run changes nothing."
    )

    def handle(self, **_options: object) -> None:
        demo.load()
        self.stdout.write(demo.log_ins())
