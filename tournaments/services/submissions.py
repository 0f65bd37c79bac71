"""Making things once: a form sent twice, by a double click or a network that tried again, makes one thing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from django.apps import apps
from django.db import transaction
from django.db.models import Model
from django.utils.translation import gettext as _

from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict
from tournaments.models import Submission

LONGEST = 64
PLACE = 200
M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What was sent: the sender's own number, the address it went to, and a digest of its content."""

    number: str
    place: str
    content: str = ""


def once(actor: Actor, sent: Sent, make: Callable[[], M]) -> M:
    """Make something, or return what the same person made when the same was sent before.

    The second of two at the same moment waits for the first. Without a number it is made each time. Raises Conflict for a
    number that was used for something else, elsewhere or by somebody else, or whose thing is gone, and BadInput for one
    that is too long.
    """
    if not sent.number:
        return make()
    if len(sent.number) > LONGEST or "\x00" in sent.number:
        raise BadInput(fields={"submission": [_("A submission number has 1 to 64 characters.")]})
    with transaction.atomic():
        row, is_new = Submission.objects.get_or_create(
            number=sent.number,
            defaults={"user": actor.user, "place": sent.place[:PLACE], "content": sent.content},
        )
        if not is_new:
            return cast(M, _made(row, actor, sent))
        made = make()
        row.made, row.made_id = made._meta.label, made.pk
        row.save(update_fields=["made", "made_id"])
    return made


def made_before(actor: Actor, sent: Sent) -> Model | None:
    """What the number made for the same person, for forms whose own checks would refuse a second time."""
    if not sent.number or len(sent.number) > LONGEST or "\x00" in sent.number:
        return None
    row = Submission.objects.filter(number=sent.number, user=actor.user).first()
    return _made(row, actor, sent) if row is not None and row.made else None


def _made(row: Submission, actor: Actor, sent: Sent) -> Model:
    found: Model | None = None
    if row.made:
        found = apps.get_model(row.made)._default_manager.filter(pk=row.made_id).first()
    is_same = row.place in ("", sent.place[:PLACE]) and row.content in ("", sent.content)
    if found is None or row.user != actor.user or not is_same:
        raise Conflict(
            _("This form was sent before, with other content. Load it again."), code="submission-used"
        )
    return found
