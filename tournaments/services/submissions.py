"""Making things once: a form sent twice, by a double click or a network that tried again, makes one thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from django.apps import apps
from django.db import transaction
from django.db.models import Model

from tournaments.audit import Actor
from tournaments.errors import Conflict
from tournaments.models import Submission

LONGEST = 64
M = TypeVar("M", bound=Model)


def once(actor: Actor, number: str, make: Callable[[], M]) -> M:
    """Make something, or return what the same submission number of the same person made before.

    The second of two at the same moment waits for the first. Without a number it is made each time. Raises Conflict for a
    number that somebody else used, or whose thing is gone.
    """
    if not number:
        return make()
    with transaction.atomic():
        row, is_new = Submission.objects.get_or_create(number=number[:LONGEST], defaults={"user": actor.user})
        if not is_new:
            return cast(M, _made(row, actor))
        made = make()
        row.made, row.made_id = made._meta.label, made.pk
        row.save(update_fields=["made", "made_id"])
    return made


def made_before(actor: Actor, number: str) -> Model | None:
    """What the number made for the same person, for forms whose own checks would refuse a second time."""
    row = Submission.objects.filter(number=number[:LONGEST], user=actor.user).first() if number else None
    return _made(row, actor) if row is not None and row.made else None


def _made(row: Submission, actor: Actor) -> Model:
    found: Model | None = None
    if row.made:
        found = apps.get_model(row.made)._default_manager.filter(pk=row.made_id).first()
    if found is None or row.user != actor.user:
        raise Conflict
    return found
