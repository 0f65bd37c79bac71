"""A PDN file held while somebody looks at what would come of it, then made an event or thrown away."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from games.pdn_reading import Reading
from games.services.pdn_import import LARGEST_FILE, Report, import_tournament, read_tournament
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotAllowed, NotFound
from tournaments.models import ImportDraft

KIND = "PDN"


def hold_file(
    actor: Actor, *, filename: str, content: bytes, name: str = "", encoding: str = ""
) -> ImportDraft:
    """Keep an uploaded file, once it can be read. Raises BadInput with the line where it cannot."""
    user = _staff(actor)
    if len(content) > LARGEST_FILE:
        raise BadInput(_("The file is larger than 20 MB."), code="too-large")
    read_tournament(content, encoding=encoding)
    with transaction.atomic():
        ImportDraft.objects.filter(user_id=user, kind=KIND).delete()
        return ImportDraft.objects.create(
            user_id=user,
            kind=KIND,
            filename=filename[:200],
            content=content,
            options={"name": name[:200], "encoding": encoding},
        )


def look_at_file(actor: Actor, draft_id: int) -> tuple[ImportDraft, Reading]:
    """The held file and what would come of it."""
    held = _held(actor, draft_id)
    return held, read_tournament(bytes(held.content), encoding=held.options.get("encoding", ""))


def import_file(actor: Actor, draft_id: int) -> Report:
    """Make the held file an event that is not yet public. All of it, or nothing."""
    with transaction.atomic():
        held = _held(actor, draft_id)
        report = import_tournament(
            actor,
            bytes(held.content),
            filename=held.filename,
            name=held.options.get("name", ""),
            encoding=held.options.get("encoding", ""),
        )
        audit.record(
            actor=actor, action=AuditAction.IMPORT_PDN, event=report.event, subject=report.event,
            after={"file": held.filename, "sections": len(report.sections)},
        )  # fmt: skip
        held.delete()
    return report


def drop_file(actor: Actor, draft_id: int) -> None:
    _held(actor, draft_id).delete()


def _staff(actor: Actor) -> int:
    if actor.user is None or not (actor.user.is_staff or actor.user.is_superuser):
        raise NotAllowed
    return actor.user.pk


def _held(actor: Actor, draft_id: int) -> ImportDraft:
    found = ImportDraft.objects.filter(pk=draft_id, kind=KIND, user_id=_staff(actor)).first()
    if found is None:
        raise NotFound
    return found
