"""Appeals that wait for the committee, in a sentence each; the ledger asks for it when it pairs, publishes and closes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Appeal
from tournaments.models import Section

OVER = (Appeal.State.REFUSED, Appeal.State.WITHDRAWN, Appeal.State.DECIDED)


def open_appeals(section: Section) -> list[str]:
    rows = Appeal.objects.filter(section=section).exclude(state__in=OVER).order_by("number")
    found = rows.select_related("appellant__player", "ruling__incident")
    return [
        _("Appeal %(number)s of %(name)s, round %(round)s, board %(board)s: %(state)s.")
        % {
            "number": appeal.number,
            "name": appeal.appellant,
            "round": appeal.ruling.incident.round_number,
            "board": appeal.ruling.incident.board,
            "state": appeal.get_state_display(),
        }
        for appeal in found
    ]
