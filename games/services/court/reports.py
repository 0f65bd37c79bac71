"""The chief arbiter's report and the organizer's answer to its proposals (articles 15.2.22 and 15.2.23)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import ArbiterReport
from games.permissions import Act, require
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, WrongState
from tournaments.gate import lock_event

LONGEST = 20_000


def write_report(actor: Actor, event_id: int, *, remarks: str, proposals: str, version: int) -> ArbiterReport:
    """Keep the chief arbiter's words; `version` is the one he read.

    Raises NotFound or NotAllowed for others, BadInput for endless texts, WrongState when somebody wrote meanwhile.
    """
    with transaction.atomic():
        report = _hold(actor, event_id, Act.WRITE_REPORT, version)
        _check(remarks=remarks, proposals=proposals)
        report.remarks, report.proposals = remarks.strip(), proposals.strip()
        report.written_by, report.written_at = actor.user, timezone.now()
        return _save(actor, report, AuditAction.WRITE_REPORT)


def answer_report(actor: Actor, event_id: int, *, feedback: str, version: int) -> ArbiterReport:
    """Keep what the organizer says of the proposals. Raises as `write_report`, and WrongState before there is a report."""
    with transaction.atomic():
        report = _hold(actor, event_id, Act.ANSWER_REPORT, version)
        _check(feedback=feedback)
        if report.written_at is None:
            raise WrongState(_("The chief arbiter has not written the report yet."), code="no-report")
        report.feedback, report.feedback_by, report.feedback_at = feedback.strip(), actor.user, timezone.now()
        return _save(actor, report, AuditAction.ANSWER_REPORT)


def _hold(actor: Actor, event_id: int, act: Act, version: int) -> ArbiterReport:
    event = lock_event(event_id)
    require(actor, act, event)
    report, _made = ArbiterReport.objects.get_or_create(event=event)
    if report.version != version:
        raise WrongState(
            _("Somebody else has written meanwhile: read it and send yours again."), code="stale"
        )
    return report


def _check(**texts: str) -> None:
    faults = {
        name: [_("At most %(number)s characters.") % {"number": LONGEST}]
        for name, text in texts.items()
        if len(text) > LONGEST
    }
    if faults:
        raise BadInput(fields=faults)


def _save(actor: Actor, report: ArbiterReport, action: AuditAction) -> ArbiterReport:
    report.version += 1
    report.save()
    audit.record(actor=actor, action=action, event=report.event, subject=report)
    return report
