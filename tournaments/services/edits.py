"""The arbiter's changes to what was drawn: kept with the round beside the engine's boards, and in the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.models import Entry, Round


def keep_edit(
    actor: Actor,
    round_: Round,
    *,
    action: AuditAction,
    verb: str,
    involved: Sequence[int],
    reason: str,
    warnings: Sequence[dict[str, Any]] = (),
) -> None:
    """Append one change to the round, with who made it and why; inside the gate of the caller."""
    names = dict(Entry.objects.filter(pk__in=involved).values_list("pk", "player__name"))
    edit = {
        "verb": verb,
        "entries": list(involved),
        "names": [names[pk] for pk in involved],
        "reason": reason,
        "by": actor.name,
        "at": timezone.now().isoformat(),
        "warnings": list(warnings),
    }
    round_.edits = [*round_.edits, edit]
    round_.save(update_fields=["edits"])
    audit.record(
        actor=actor, action=action, section=round_.section, subject=round_, after=edit, reason=reason
    )
