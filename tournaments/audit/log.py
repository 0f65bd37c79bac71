"""Writing the log of who did what. Rows are added in the transaction of the change they tell of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec

from django.db import models

from tournaments.audit.actions import AuditAction
from tournaments.models import AuditEntry, Event, Section, User

P = ParamSpec("P")


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


def record_all(rows: Iterable[AuditEntry]) -> None:
    """Write rows made with `entry`, in order, in one statement."""
    AuditEntry.objects.bulk_create(rows)


def entry(
    *,
    actor: Actor,
    action: AuditAction,
    event: Event | None = None,
    section: Section | None = None,
    subject: models.Model | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditEntry:
    """A row that is not written yet."""
    return AuditEntry(
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


def _written(make: Callable[P, AuditEntry]) -> Callable[P, AuditEntry]:
    @wraps(make)
    def record(*args: P.args, **kwargs: P.kwargs) -> AuditEntry:
        row = make(*args, **kwargs)
        row.save(force_insert=True)
        return row

    return record


record = _written(entry)  # writes the row at once
