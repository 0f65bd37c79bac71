"""Files of a case: a party's evidence, and the photograph of an appeal on paper."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Appeal, Evidence, Party
from games.permissions import Act, require
from games.services.court import cases
from games.services.court.appeals import STILL_OPEN
from games.services.court.files import clean_name, made_harmless
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, NotFound, WrongState

MOST_FILES = 10


def add_paper(actor: Actor, appeal_id: int, *, filename: str, content: bytes) -> Evidence:
    """The photograph of the sheet of an appeal that was handed in on paper, kept as the appellant's."""
    given = hashlib.sha256(content).hexdigest()
    content, media_type = made_harmless(content)
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        require(actor, Act.LOG_APPEAL, appeal.event)
        if not appeal.on_paper:
            raise WrongState(_("This appeal was not handed in on paper."))
        return _keep(
            actor, appeal, Party.APPELLANT, filename, content, media_type, given=given, filer=actor.name
        )


def add_evidence(actor: Actor, appeal_id: int, *, filename: str, content: bytes, link: str = "") -> Evidence:
    """Keep a file of a party: an image or a PDF, told by its bytes, written anew, within the limits.

    The same file twice is kept once. The log holds the check sum of the file as it came too.
    """
    given = hashlib.sha256(content).hexdigest()
    content, media_type = made_harmless(content)
    with transaction.atomic():
        appeal = cases.hold(appeal_id)
        acting = cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event, link=link)
        if acting is None:
            raise NotFound
        party = cases.party_of(appeal, acting.entry)
        return _keep(actor, appeal, party, filename, content, media_type, given=given, filer=acting.name)


def _keep(
    actor: Actor,
    appeal: Appeal,
    party: str,
    filename: str,
    content: bytes,
    media_type: str,
    *,
    given: str,
    filer: str,
) -> Evidence:
    digest = hashlib.sha256(content).hexdigest()
    known = appeal.evidence.filter(party=party, digest=digest).first()
    if known is not None:
        return known
    cases.need(appeal, *STILL_OPEN)
    if appeal.evidence.filter(party=party).count() >= MOST_FILES:
        raise BadInput(fields={"files": [_("At most %(count)s files a party.") % {"count": MOST_FILES}]})
    row = Evidence.objects.create(
        appeal=appeal, party=party, filename=clean_name(filename, media_type), media_type=media_type,
        size=len(content), digest=digest, content=content, filer=filer,
    )  # fmt: skip
    cases.log(
        actor, AuditAction.ADD_EVIDENCE, appeal, file=row.filename, digest=digest, given=given, party=party
    )
    return row
