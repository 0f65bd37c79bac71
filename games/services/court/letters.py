"""Questions to the arbiter and letters to the organizing committee, and their answers (articles 13.1.3, 13.1.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Letter
from games.permissions import ANSWERED_BY, require
from games.services.court import cases
from games.services.court.numbers import next_number
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Entry, Section
from tournaments.selectors import people

LONGEST = 4000
MOST_WAITING = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What somebody wrote: `submission` is a number of the sender's own; sent twice, it is one letter."""

    kind: str
    text: str
    submission: str


def send_letter(actor: Actor, section_id: int, draft: Draft, *, link: str = "", entry_id: int = 0) -> Letter:
    """Keep what a player writes: himself by link or account, or through his captain. It never stops a game.

    Raises NotFound for others, BadInput for an empty or endless text, WrongState while too many wait for an answer.
    """
    _check(draft)
    with transaction.atomic():
        section = lock_section(section_id)
        known = Letter.objects.filter(submission=draft.submission).first()
        acting = cases.acts_for(actor, _entries(section, link, entry_id), section.event, link=link)
        if acting is None or (known is not None and known.entry_id != acting.entry.pk):
            raise NotFound
        if known is not None:
            return known
        waiting = Letter.objects.filter(entry=acting.entry, answered_at__isnull=True).count()
        if waiting >= MOST_WAITING:
            raise WrongState(
                _("%(number)s of your letters wait for an answer: write again when one is answered."),
                code="too-many-letters",
                number=waiting,
            )
        letter = Letter.objects.create(
            event=section.event, section=section, entry=acting.entry, kind=draft.kind, text=draft.text.strip(),
            number=next_number(section.event, "letters"), sender=acting.name[:200], sent_by=actor.user,
            member=people.member_by_link(acting.entry, link) if link else None, submission=draft.submission,
        )  # fmt: skip
        _log(actor if actor.user else Actor(label=acting.name, address=actor.address), letter, section)
        return letter


def answer_letter(actor: Actor, letter_id: int, *, text: str) -> Letter:
    """Answer once: an arbiter a question, the organizer a letter to the committee. A closed event can still answer.

    Raises NotFound or NotAllowed for others, BadInput for an empty text, WrongState for another answer than the one given.
    """
    text = text.strip()
    section_id = Letter.objects.filter(pk=letter_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        letter = Letter.objects.select_related("entry__player").get(pk=letter_id)
        require(actor, ANSWERED_BY[Letter.Kind(letter.kind)], section.event)
        if not text or len(text) > LONGEST:
            raise BadInput(fields={"answer": [_too_long() if text else _("Write the answer.")]})
        if letter.answer == text:
            return letter
        if letter.is_answered:
            raise WrongState(_("This letter is answered already."), code="answered")
        letter.answer, letter.answered_by, letter.answered_at = text, actor.user, timezone.now()
        letter.save(update_fields=["answer", "answered_by", "answered_at"])
        _log(actor, letter, section)
        return letter


def mark_answers_read(letters: Iterable[Letter]) -> None:
    """The sender has opened the page where the answers stand."""
    unread = [row.pk for row in letters if row.is_answered and row.answer_read_at is None]
    if unread:
        Letter.objects.filter(pk__in=unread).update(answer_read_at=timezone.now())


def _check(draft: Draft) -> None:
    faults: dict[str, Any] = {}
    if draft.kind not in Letter.Kind.values:
        faults["kind"] = [_("Choose to whom you write.")]
    if not draft.text.strip():
        faults["text"] = [_("Write what you want to ask or say.")]
    elif len(draft.text) > LONGEST:
        faults["text"] = [_too_long()]
    if not draft.submission or len(draft.submission) > 64:
        faults["submission"] = [_("Load the form again.")]
    if faults:
        raise BadInput(fields=faults)


def _too_long() -> str:
    return _("At most %(number)s characters.") % {"number": LONGEST}


def _entries(section: Section, link: str, entry_id: int) -> list[Entry]:
    rows = section.entries.select_related("player")
    return list(rows.filter(cases.entry_of(link, entry_id)))


def _log(actor: Actor, letter: Letter, section: Section) -> None:
    """The log says that it was written and answered, not what: that is between the two."""
    action = AuditAction.ANSWER_LETTER if letter.is_answered else AuditAction.SEND_LETTER
    audit.record(
        actor=actor, action=action, section=section, subject=letter,
        after={"number": letter.number, "kind": letter.kind, "entry": str(letter.entry)},
    )  # fmt: skip
