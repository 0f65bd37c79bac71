from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.documents.ledger import json_schema


class Command(BaseCommand):
    help = "Print the JSON Schema of event documents (docs/event-document.schema.json is made from it)."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(json.dumps(json_schema(), ensure_ascii=False, indent=1))
