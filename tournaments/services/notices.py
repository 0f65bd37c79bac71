"""The notice board (article 15.2.4): posting a notice and taking one back. Nothing posted is ever deleted."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.models import Event, Notice, Pairing, Section
from tournaments.permissions import Action, require

LONGEST = 4000
BY_HAND = (Notice.Kind.NOTICE, Notice.Kind.REGULATIONS)


def post_notice(
    actor: Actor, event_id: int, *, text: str, kind: str = Notice.Kind.NOTICE, section_id: int | None = None
) -> Notice:
    """Put an official's own words on the board, for the event or one of its sections."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, Action.POST_NOTICES, event)
    if kind not in BY_HAND:
        raise BadInput(fields={"kind": [_("Choose one of the values offered.")]})
    if not text.strip() or len(text) > LONGEST:
        raise BadInput(
            fields={"text": [_("Write the notice, at most %(count)s letters.") % {"count": LONGEST}]}
        )
    section = event.sections.filter(pk=section_id).first() if section_id else None
    if section_id and section is None:
        raise NotFound
    with transaction.atomic():
        return put_up(
            actor, event=event, section=section, kind=kind, texts={get_language() or "": text.strip()}
        )


def put_up(
    actor: Actor,
    *,
    event: Event,
    kind: str,
    texts: Mapping[str, str],
    section: Section | None = None,
    pairing: Pairing | None = None,
) -> Notice:
    """Write a notice inside the transaction of what it tells of. The caller has checked the right to."""
    notice = Notice.objects.create(
        event=event, section=section, pairing=pairing, kind=kind, texts=dict(texts), posted_by=actor.user
    )
    _count_up(event)
    audit.record(
        actor=actor, action=AuditAction.POST_NOTICE, event=event, section=section, subject=notice,
        after={"kind": kind, "texts": dict(texts)},
    )  # fmt: skip
    return notice


def withdraw_notice(actor: Actor, notice_id: int, *, reason: str) -> Notice:
    """Strike a notice out; it stays readable as withdrawn. Those of rulings and decisions follow these alone."""
    notice = Notice.objects.select_related("event", "section").filter(pk=notice_id).first()
    if notice is None:
        raise NotFound
    require(actor, Action.POST_NOTICES, notice.event)
    if notice.kind not in BY_HAND:
        raise WrongState(_("This notice tells of a ruling: withdraw the ruling."))
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Withdrawing a notice needs a reason.")]})
    with transaction.atomic():
        take_down(actor, notice, reason=reason)
    return notice


def take_down(actor: Actor, notice: Notice, *, reason: str) -> None:
    """Strike out inside the transaction of the caller, who has checked the right to."""
    now = timezone.now()
    if not Notice.objects.filter(pk=notice.pk, withdrawn_at__isnull=True).update(withdrawn_at=now):
        return
    notice.withdrawn_at = now
    _count_up(notice.event)
    audit.record(
        actor=actor, action=AuditAction.WITHDRAW_NOTICE, event=notice.event, section=notice.section, subject=notice,
        before={"kind": notice.kind, "texts": notice.texts}, reason=reason,
    )  # fmt: skip


def words_of(notice: Notice) -> str:
    """The notice in the reader's language, else in the one it was written in."""
    language = get_language() or ""
    texts: dict[str, str] = notice.texts
    for code in (language, settings.LANGUAGE_CODE):
        if code in texts:
            return texts[code]
    return next(iter(texts.values()), "")


def _count_up(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(notices_version=F("notices_version") + 1)
