"""The result of one game of a match: the court's way to it. The match's own outcome follows from its games."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments import formats
from tournaments.audit import Actor
from tournaments.engine.types import Outcome
from tournaments.errors import NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Pairing, Section
from tournaments.services import matches
from tournaments.services.matches import BoardLine


def record_game(
    actor: Actor, pairing_id: int, *, number: int, outcome: str, version: int, reason: str = ""
) -> Pairing:
    """Enter or correct the result of one game, from the side of whoever had White in it; UNPLAYED takes it back.

    `version` is the pairing's, as the writer saw it. The next game of a micro-match may be entered, the last one taken
    back; at a board of a team match both sides must sit.
    """
    section_id = Pairing.objects.filter(pk=pairing_id).values_list("round__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(section_id)
        pairing = Pairing.objects.get(pk=pairing_id)
        if formats.of(section).enters_teams:
            lines = _lines(section, pairing, number, outcome)
            return matches.record_team_match(actor, pairing_id, lines, version=version, reason=reason)
        outcomes = _outcomes(pairing, number, outcome)
        return matches.record_stage_games(actor, pairing_id, outcomes, version=version, reason=reason)


def _lines(section: Section, pairing: Pairing, number: int, outcome: str) -> list[BoardLine]:
    rows = {row.number: row for row in pairing.match_games.all()}
    if not 1 <= number <= section.team_boards:
        raise NotFound
    row = rows.get(number)
    if row is None:
        raise WrongState(_("Enter the line-ups of this match first."), code="no-line-up")
    if row.first_id is None or row.second_id is None:
        raise WrongState(_("Nobody sits at this board: it is lost without play."), code="empty-board")
    row.outcome, row.grade = outcome, ""
    return [
        BoardLine(first=game.first_id, second=game.second_id, outcome=game.outcome, grade=game.grade)
        for _number, game in sorted(rows.items())
    ]


def _outcomes(pairing: Pairing, number: int, outcome: str) -> list[str]:
    found = list(pairing.match_games.order_by("number").values_list("outcome", flat=True))
    while found and found[-1] == Outcome.UNPLAYED:
        found.pop()
    if number < 1 or number > len(found) + 1:
        raise WrongState(
            _("Game %(number)s has its turn after the games before it."), code="not-yet", number=number
        )
    if outcome == Outcome.UNPLAYED and number < len(found):
        raise WrongState(_("Take back the results of the later games first."), code="later-games")
    found[number - 1 :] = [outcome, *found[number:]]
    return [known for known in found if known != Outcome.UNPLAYED]
