"""Incidents: what happened at a board, logged in a moment by an arbiter. Never deleted; settled or ruled on."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Category, Incident, Raiser, Side
from games.permissions import Act, require
from games.services.court.numbers import next_number
from games.services.sheets import game_for
from games.slots import Seat, seat_of
from games.wording.articles import ARTICLES
from tournaments import audit
from tournaments.audit import Actor
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Section

MOST_PLIES = 2000


class OpponentOnly(NotAllowed):
    """Articles 7.4, 8.2.3 and 15.1.3 leave it to the opponent."""

    code = "opponent-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an arbiter notes. `ply` is the irregular single move, `plies_made` how many are made by now, `game` the number
    of the game in a match.
    """

    category: str
    raised_by: str
    game: int = 1
    against: str = ""
    article: str = ""
    ply: int | None = None
    plies_made: int | None = None
    refused: bool = False
    flag_fell: bool = False
    note: str = ""
    happened_at: dt.datetime | None = None
    submission: str = ""


def log_incident(actor: Actor, pairing_id: int, report: Report) -> Incident:
    """Note an incident at a board of a public round. A repeated submission gives the first answer again.

    Raises OpponentOnly where the articles leave it to the opponent, WrongState for a complaint that comes too late.
    """
    seat = seat_of(pairing_id, report.game)
    require(actor, Act.LOG_INCIDENT, seat.section.event)
    _check(report)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        known = report.submission and Incident.objects.filter(submission=report.submission).first()
        if known:
            if known.pairing_id != seat.pairing.pk:
                raise Conflict(_("Another incident was logged with this submission number."))
            return known
        if not seat.round.is_public:
            raise WrongState(_("Round %(round)s is not published yet."), round=seat.round.number)
        return note(actor, section, seat, report)


def note(
    actor: Actor, section: Section, seat: Seat, report: Report, *, of_whole_match: bool = False
) -> Incident:
    """Write the incident inside the caller's gate; a refusal to put it right proposes the loss of the game.

    `of_whole_match`: it speaks of no single game of the match.
    """
    from games.services.court.rulings import propose_loss  # rulings need incidents

    pairing = seat.pairing
    white, black = (pairing.white, pairing.black) if of_whole_match else (seat.white_entry, seat.black_entry)
    incident = Incident.objects.create(
        event=section.event, section=section, pairing=pairing, game=None if of_whole_match else game_for(seat),
        white=white, black=black,
        number=next_number(section.event, "incidents"), round_number=pairing.round.number, board=pairing.board,
        category=report.category, article=report.article or court_rules.ARTICLE[Category(report.category)],
        ply=report.ply, plies_made=report.plies_made, raised_by=report.raised_by, against=report.against,
        refused=report.refused, flag_fell=report.flag_fell, note=report.note.strip(),
        submission=report.submission or None, happened_at=report.happened_at or timezone.now(), logged_by=actor.user,
    )  # fmt: skip
    audit.record(
        actor=actor, action="log-incident", section=section, subject=incident,
        after={"round": incident.round_number, "board": incident.board, "category": incident.category,
               "article": incident.article, "raised_by": incident.raised_by, "against": incident.against},
        reason=incident.note[:500],
    )  # fmt: skip
    if court_rules.right_is_lost(incident.category, ply=incident.ply, plies_made=incident.plies_made):
        _let_stand(actor, incident)
    elif incident.refused and incident.category in court_rules.REFUSAL_LOSES and incident.against:
        propose_loss(actor, incident, article="14.4")
    return incident


def let_stand(actor: Actor, incident_id: int, *, plies_made: int | None = None) -> Incident:
    """The opponent lets an irregular move stand, by word or by moving on (articles 7.4, 7.7)."""
    with transaction.atomic():
        incident = locked(actor, incident_id, Act.LOG_INCIDENT)
        if incident.category != Category.IRREGULAR:
            raise WrongState(_("Only an irregular move can be let stand (article 7.4)."))
        if incident.settled:
            raise WrongState(_("This incident is settled already."))
        incident.plies_made = plies_made or incident.plies_made
        _let_stand(actor, incident)
    return incident


def note_refusal(actor: Actor, incident_id: int) -> Incident:
    """The player refuses to put it right, or does so in part (7.8, 14.3, 14.4): the loss of the game is proposed."""
    from games.services.court.rulings import propose_loss

    with transaction.atomic():
        incident = locked(actor, incident_id, Act.LOG_INCIDENT)
        if incident.category not in court_rules.REFUSAL_LOSES or incident.against not in Side.values:
            raise WrongState(_("Nothing is asked of a player here that he could refuse."))
        if incident.settled == Incident.Settled.ACCEPTED:
            raise WrongState(_("The move was let stand: nothing is left to put right (article 7.7)."))
        incident.refused = True
        incident.save(update_fields=["refused"])
        propose_loss(actor, incident, article="14.4")
    return incident


def locked(actor: Actor, incident_id: int, act: Act) -> Incident:
    """The incident inside its section's gate, for whoever may do this."""
    section_id = Incident.objects.filter(pk=incident_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, act, section.event)
    incident = Incident.objects.select_related("game", "white__player", "black__player").get(pk=incident_id)
    incident.section, incident.event = section, section.event
    return incident


def _let_stand(actor: Actor, incident: Incident) -> None:
    incident.settled = Incident.Settled.ACCEPTED
    incident.save(update_fields=["settled", "plies_made"])
    game = incident.game
    if game is not None and incident.ply and incident.ply not in game.accepted_plies:
        game.accepted_plies = sorted([*game.accepted_plies, incident.ply])
        game.save(update_fields=["accepted_plies"])
    audit.record(
        actor=actor, action="settle-incident", section=incident.section, subject=incident,
        after={"settled": incident.settled, "ply": incident.ply}, reason="7.7",
    )  # fmt: skip


def _check(report: Report) -> None:
    faults: dict[str, list[str]] = {}
    if report.category not in Category.values:
        raise BadInput(fields={"category": [_("Choose what happened.")]})
    if report.raised_by not in Raiser.values:
        faults["raised_by"] = [_("Say who raised it.")]
    if report.against not in (*Side.values, ""):
        faults["against"] = [_("Choose a player of the board.")]
    if report.article and report.article not in ARTICLES:
        faults["article"] = [_("There is no such article.")]
    for name, value in (("ply", report.ply), ("plies_made", report.plies_made)):
        if value is not None and not 1 <= value <= MOST_PLIES:
            faults[name] = [_("A number of single moves from 1 on.")]
    if report.happened_at is not None and report.happened_at > timezone.now():
        faults["happened_at"] = [_("This time is still to come.")]
    if faults:
        raise BadInput(fields=faults)
    if not court_rules.may_raise(report.category, report.raised_by, report.against):
        raise OpponentOnly(
            _(
                "The opponent alone may raise this (articles 7.4, 8.2.3, 15.1.3): say who raised it against whom."
            )
        )
    if report.category == Category.CLOCK_SIGNAL and report.flag_fell:
        raise WrongState(
            _("Objections to the clock's signals are heard before the flag falls only (article 8.2.5)."),
            code="too-late",
        )
