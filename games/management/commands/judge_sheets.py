"""Verdicts of the present rules version for every stored scoresheet that has none: run it after an update of the rules."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

import rules
from games import sheets as reading
from games.services.sheets import judge_again


class Command(BaseCommand):
    help = "Judge stored scoresheets by the present rules. Earlier verdicts stay beside the new ones."

    def handle(self, **_options: Any) -> None:
        judged, changed = judge_again()
        self.stdout.write(
            f"rules version {rules.VERSION} ({reading.PROFILE}): {judged} sheets judged, {changed} verdicts differ"
        )
