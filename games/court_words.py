"""What the court says in public, in every language of the site: written once, when it happens."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import AppealDecision, Effect, Incident, Ruling, Side


def in_every_language(words: Callable[[], str]) -> dict[str, str]:
    found = {}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            found[code] = words()
    return found


def where(incident: Incident) -> str:
    return _("Round %(round)s, board %(board)s (%(white)s – %(black)s)") % {
        "round": incident.round_number,
        "board": incident.board,
        "white": incident.white,
        "black": incident.black,
    }


def ruling_notice(ruling: Ruling) -> str:
    return f"{where(ruling.incident)}: {what(ruling)} ({_('art. %(number)s') % {'number': ruling.article}})."


def what(ruling: Ruling) -> str:
    """The effect with the name of whom it meets."""
    label = str(Effect(ruling.effect).label)
    name = ruling.incident.entry_of(ruling.side)
    return f"{name}: {label}" if name is not None and ruling.side in Side.values else label


def decision_notice(decision: AppealDecision) -> str:
    appeal = decision.appeal
    return _("Appeal %(number)s of %(name)s. %(where)s: %(verdict)s.") % {
        "number": appeal.number,
        "name": appeal.appellant,
        "where": where(appeal.ruling.incident),
        "verdict": decision.proposal.get_verdict_display(),
    } + (f" {decision.proposal.text}" if decision.proposal.text else "")
