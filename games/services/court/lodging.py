"""Other ways to an appeal: against a decision that no ruling was written for, and on a sheet of paper (articles 13.1.5, 16.1)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Appeal, Ruling
from games.permissions import Act, require
from games.services.court import appeals, cases
from games.services.court import contested as decisions_without_ruling
from games.services.court.appeals import Filing, Paper
from games.services.court.cases import Acting
from games.services.court.contested import Contested
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotFound
from tournaments.gate import lock_section
from tournaments.models import Entry, Section


def contest(
    actor: Actor, section_id: int, contested: Contested, filing: Filing, *, link: str = "", entry_id: int = 0
) -> Appeal:
    """File a case against a decision that no ruling was written for; otherwise as `file_appeal`."""
    decisions_without_ruling.check(contested)
    appeals.check(filing)
    with transaction.atomic():
        section = lock_section(section_id)
        known = Appeal.objects.filter(submission=filing.submission).first()
        mine = section.entries.select_related("player").filter(cases.entry_of(link, entry_id))
        acting = cases.acts_for(actor, mine, section.event, link=link)
        if acting is None or (known is not None and known.appellant_id != acting.entry.pk):
            raise NotFound
        if known is not None:
            return known
        ruling = decisions_without_ruling.ruling_for(actor, section, acting.entry, contested)
        ruling.incident.section = section
        appeals.refuse_settled(ruling, acting)
        return appeals.write(actor, section, ruling, filing, acting)


def log_paper(
    actor: Actor,
    entry_id: int,
    filing: Filing,
    paper: Paper,
    *,
    ruling_id: int | None,
    contested: Contested | None,
) -> Appeal:
    """Log an appeal handed in on paper for a player: a member of the committee, the organizer, or an arbiter.

    It counts from when it was received. Against a ruling, or with `contested` against another decision.
    """  # fmt: skip
    appeals.check(filing)
    _check_paper(paper)
    entry = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(entry.section_id)
        require(actor, Act.LOG_APPEAL, section.event)
        known = Appeal.objects.filter(submission=filing.submission, appellant=entry).first()
        if known is not None:
            return known
        if Appeal.objects.filter(submission=filing.submission).exists():
            raise BadInput(fields={"submission": [_("Load the form again.")]})
        acting = Acting(entry=entry, by_captain=bool(paper.captain), name=paper.captain or str(entry))
        ruling = _on_paper(actor, section, entry, ruling_id, contested)
        appeals.refuse_settled(ruling, acting)
        return appeals.write(actor, section, ruling, filing, acting, paper=paper)


def _on_paper(
    actor: Actor, section: Section, entry: Entry, ruling_id: int | None, contested: Contested | None
) -> Ruling:
    if ruling_id is None and contested is not None:
        decisions_without_ruling.check(contested)
        ruling = decisions_without_ruling.ruling_for(actor, section, entry, contested)
    else:
        rows = Ruling.objects.select_related(
            "incident__white__player", "incident__black__player", "incident__entry__player"
        )
        found = rows.filter(pk=ruling_id or 0, incident__section=section).first()
        if found is None or entry not in found.incident.parties():
            raise BadInput(fields={"ruling": [_("Choose a ruling at a board of this player.")]})
        ruling = found
    ruling.event = section.event
    ruling.incident.section = section
    return ruling


def _check_paper(paper: Paper) -> None:
    faults = {}
    if paper.received_at > timezone.now():
        faults["received_at"] = [_("This time is still to come.")]
    if not paper.received_by.strip() or len(paper.received_by) > 200:
        faults["received_by"] = [_("Say who received it.")]
    if len(paper.captain) > 200:
        faults["captain"] = [_("The name is too long.")]
    if faults:
        raise BadInput(fields=faults)
