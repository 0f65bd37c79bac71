"""When the lateness limit of a round has passed (articles 8.3, 9.1, 9.2)."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from tournaments.errors import WrongState
from tournaments.models import Round, Section


def lateness_ends(section: Section, round_: Round) -> dt.datetime | None:
    """Whoever comes after this moment has lost; who comes at it plays. Counted from the scheduled start (9.2) or, where
    none is set, from when an arbiter started the clocks.
    """
    start = round_.starts_at or round_.clocks_started_at
    return None if start is None else start + dt.timedelta(minutes=section.lateness_limit)


def ensure_late(section: Section, round_: Round, *, now: dt.datetime) -> None:
    """Raises WrongState while nobody can be later than the limit: the start is not known, or the limit has not passed."""
    limit = lateness_ends(section, round_)
    if limit is None:
        raise WrongState(
            _("The start of the round is not set: set it, or start the clocks."), code="no-start"
        )
    if now <= limit:
        raise WrongState(_("The lateness limit has not passed yet."), code="too-early")
