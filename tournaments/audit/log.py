"""Writing the log of who did what. Rows are added in the transaction of the change they tell of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import models

from tournaments.models import AuditEntry, Event, Section, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Whoever asks: a user with an address, or (user None) the site itself, or whom `label` names.

    `authority` names the ruling or decision that is carried out. The court's service sets it once it has checked the
    right to rule; no page ever does.
    """

    user: User | None = None
    address: str = ""
    label: str = ""
    authority: str = ""

    @property
    def name(self) -> str:
        return str(self.user) if self.user else self.label


SYSTEM = Actor(label="system")


def record(
    *,
    actor: Actor,
    action: str,
    event: Event | None = None,
    section: Section | None = None,
    subject: models.Model | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditEntry:
    return AuditEntry.objects.create(
        actor=actor.user,
        actor_name=actor.name,
        address=actor.address,
        action=action,
        event=event or (section.event if section else None),
        section=section,
        object_type=subject._meta.model_name or "" if subject else "",
        object_id=subject.pk if subject else None,
        before=before,
        after=after,
        reason=reason,
    )
