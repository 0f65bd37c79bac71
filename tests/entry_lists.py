"""Entering a list by the two steps that a user takes: upload, then yes."""

from __future__ import annotations

from django.db import transaction

from tournaments.audit import Actor
from tournaments.services.entry_import import Imported, Options, hold_entries, import_entries


def enter_list(
    actor: Actor, section_id: int, *, filename: str, content: bytes, options: Options | None = None
) -> Imported:
    with transaction.atomic():  # a list that is refused is not held either
        draft = hold_entries(actor, section_id, filename=filename, content=content, options=options)
        return import_entries(actor, section_id, draft.pk)
