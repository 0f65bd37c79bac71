"""What is filed at the boards of a section and belongs to no table of the ledger: it is never lost with a pairing.

The ledger knows no scoresheets and no rulings. Whoever does names a source here when the program starts.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from tournaments.engine.types import Outcome
from tournaments.errors import WrongState
from tournaments.models import MatchGame, Pairing, Section

Source = Callable[[Section], set[int | None]]
"""Asked with a section: the pairings at which something is filed; None for something whose board is gone."""

SOURCES: list[Source] = []


class FiledAlready(WrongState):
    """Something filed would be lost. `values["boards"]` tells where: round and board of each pairing."""

    code = "filed"


def found_in(section: Section) -> set[int | None]:
    """Pairings with anything filed, the results of single games of a match among them."""
    games = MatchGame.objects.filter(pairing__round__section=section).exclude(outcome=Outcome.UNPLAYED)
    entered = games.filter(Q(first__isnull=True, second__isnull=True) | _sat_down())
    return {pk for source in SOURCES for pk in source(section)} | set(
        entered.values_list("pairing_id", flat=True)
    )


def refuse_loss(section: Section, pairings: QuerySet[Pairing]) -> None:
    """Raises FiledAlready, naming the boards, where something is filed at one of these pairings."""
    rows = pairings.filter(pk__in=[pk for pk in found_in(section) if pk is not None])
    boards = list(rows.order_by("round__number", "board").values_list("round__number", "board"))
    if not boards:
        return
    raise FiledAlready(
        _(
            "Scoresheets, rulings, adjournments or results of games are filed here, and nothing of it may be lost: %(where)s. "
            "These boards stay as they are."
        ),
        where=", ".join(
            _("round %(round)s, board %(board)s") % {"round": number, "board": board}
            for number, board in boards
        ),
        boards=[{"round": number, "board": board} for number, board in boards],
    )


def _sat_down() -> Q:
    """An empty board is a forfeit by the line-up alone: nobody entered it."""
    return Q(first__isnull=False, second__isnull=False)
