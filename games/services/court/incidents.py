"""Incidents: what happened at a board, logged in a moment by an arbiter. Never deleted; settled or ruled on."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Against, Asked, Category, Incident, PersonRole, Raiser, Side
from games.permissions import Act, require
from games.services.court.numbers import next_number
from games.services.court.records import propose_loss
from games.services.sheets import game_for
from games.slots import Seat, pairing_of, seat_of, seats_of
from games.wording.articles import ARTICLES
from tournaments import audit, formats
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Entry, Round, Section, TeamMember

MOST_PLIES = 2000


class OpponentOnly(NotAllowed):
    """Articles 7.4, 8.2.3 and 15.1.3 leave it to the opponent."""

    code = "opponent-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an arbiter notes. Of an irregular move: `asked` is what the opponent asks for, `moved_on` whether he has moved
    since; a program may give `ply`, the irregular single move, and `plies_made` by now. `game` is the number of the game
    in a match. Of somebody who is no player of the board: `entry`, in a team with its `member`, or a `person` by name
    and role.
    """

    category: str
    raised_by: str
    game: int = 1
    against: str = ""
    article: str = ""
    ply: int | None = None
    plies_made: int | None = None
    moved_on: bool | None = None
    asked: str = ""
    refused: bool = False
    flag_fell: bool = False
    note: str = ""
    happened_at: dt.datetime | None = None
    submission: str = ""
    entry: int | None = None
    member: int | None = None
    person: str = ""
    person_role: str = ""


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
    pairing = seat.pairing
    white, black = (pairing.white, pairing.black) if of_whole_match else (seat.white_entry, seat.black_entry)
    member = None if of_whole_match else _member_at(seat, report)
    return _write(
        actor, section, report, pairing=pairing, game=None if of_whole_match else game_for(seat), white=white, black=black,
        round_number=pairing.round.number, board=pairing.board, against=report.against, member=member,
        person=str(member or ""),
    )  # fmt: skip


def log_person(actor: Actor, section_id: int, round_number: int, report: Report) -> Incident:
    """Note the conduct of somebody who is named and not a board: a player with a bye or at another board than his own, a
    coach, a captain, a spectator (articles 14.1, 15.1.1).

    What a player does while his own game is on counts in that game. Raises BadInput without a person.
    """
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Act.LOG_INCIDENT, section.event)
        round_ = section.rounds.filter(number=round_number).first()
        if round_ is None or not round_.is_public:
            raise NotFound
        _check(report)
        known = report.submission and Incident.objects.filter(submission=report.submission).first()
        if known:
            if (known.section_id, known.round_number) != (section.pk, round_number):
                raise Conflict(_("Another incident was logged with this submission number."))
            return known
        if report.category not in (Category.CONDUCT, Category.OTHER):
            raise BadInput(fields={"category": [_("This happens at a board: log it there.")]})
        entry, member = _named(section, report)
        own = _own_game(round_, entry, member)
        if own is not None:
            seat, side = own
            return note(
                actor, section, seat, replace(report, against=side, entry=None, member=None, person="")
            )
        name = str(member or entry or report.person.strip())
        if not name:
            raise BadInput(fields={"person": [_("Say who it is.")]})
        return _write(
            actor, section, report, round_number=round_number, board=0, against=Against.PERSON, entry=entry,
            member=member, person=name[:200],
            person_role=PersonRole.PLAYER if entry and not report.person_role else report.person_role,
        )  # fmt: skip


def _write(actor: Actor, section: Section, report: Report, **where: Any) -> Incident:
    """The row, logged; what follows from it without a ruling follows at once."""
    article = report.article or court_rules.ARTICLE[Category(report.category)]
    incident = Incident.objects.create(
        event=section.event, section=section, number=next_number(section.event, "incidents"),
        category=court_rules.category_of(report.category, article), article=article, ply=report.ply,
        plies_made=report.plies_made, moved_on=report.moved_on, asked=report.asked, raised_by=report.raised_by,
        refused=report.refused, flag_fell=report.flag_fell, note=report.note.strip(), submission=report.submission or None,
        happened_at=report.happened_at or timezone.now(), logged_by=actor.user, **where,
    )  # fmt: skip
    audit.record(
        actor=actor, action=AuditAction.LOG_INCIDENT, section=section, subject=incident,
        after={"round": incident.round_number, "board": incident.board, "category": incident.category,
               "article": incident.article, "raised_by": incident.raised_by, "against": incident.against,
               "person": incident.person},
        reason=incident.note[:500],
    )  # fmt: skip
    stands = incident.category == Category.IRREGULAR and incident.asked == Asked.STAND
    if stands or court_rules.right_is_lost(
        incident.category, moved_on=incident.moved_on, ply=incident.ply, plies_made=incident.plies_made
    ):
        accept_move(actor, incident)
    elif incident.refused and incident.category in court_rules.REFUSAL_LOSES and incident.against:
        propose_loss(actor, incident, article="14.4")
    return incident


def _member_at(seat: Seat, report: Report) -> TeamMember | None:
    """Who sits at a board of a team match; where no line-up says so, whom the report names."""
    if not formats.of(seat.section).enters_teams or report.against not in Side.values:
        return None
    sitting = seat.person(report.against)
    if isinstance(sitting, TeamMember):
        return sitting
    found = TeamMember.objects.filter(entry=seat.entry(report.against), pk=report.member or 0).first()
    if found is None:
        raise BadInput(fields={"member": [_("No line-up is entered at this board: say who it is.")]})
    return found


def _named(section: Section, report: Report) -> tuple[Entry | None, TeamMember | None]:
    """The player of the section whom a report names. Raises BadInput where there is none such."""
    entry = section.entries.select_related("player").filter(pk=report.entry or 0).first()
    member = TeamMember.objects.filter(entry__section=section, pk=report.member or 0).first()
    if (report.entry and entry is None) or (report.member and member is None):
        raise BadInput(fields={"entry": [_("This player is not of the section.")]})
    return (member.entry, member) if member is not None else (entry, None)


def _own_game(round_: Round, entry: Entry | None, member: TeamMember | None) -> tuple[Seat, str] | None:
    """The game that the player has in this round, and his side in it; None with a bye, and for the team as a whole."""
    if entry is None or (formats.of(round_.section).enters_teams and member is None):
        return None
    boards = round_.pairings.filter(Q(white=entry) | Q(black=entry), black__isnull=False)
    for pairing in boards:
        seats = seats_of(pairing_of(pairing.pk))
        due = [seat for seat in seats if seat.is_due] or seats
        for seat in due if formats.of(round_.section).enters_teams else due[-1:]:
            for side in Side:
                if seat.person(side) == (member or entry):
                    return seat, side
    return None


def let_stand(actor: Actor, incident_id: int, *, plies_made: int | None = None) -> Incident:
    """The opponent lets an irregular move stand, by word or by moving on (articles 7.4, 7.7)."""
    with transaction.atomic():
        incident = locked(actor, incident_id, Act.LOG_INCIDENT)
        if incident.category != Category.IRREGULAR:
            raise WrongState(_("Only an irregular move can be let stand (article 7.4)."))
        if incident.settled:
            raise WrongState(_("This incident is settled already."))
        incident.plies_made = plies_made or incident.plies_made
        accept_move(actor, incident)
    return incident


def note_refusal(actor: Actor, incident_id: int) -> Incident:
    """The player refuses to put it right, or does so in part (7.8, 14.3, 14.4): the loss of the game is proposed."""
    with transaction.atomic():
        incident = locked(actor, incident_id, Act.LOG_INCIDENT)
        if incident.category not in court_rules.REFUSAL_LOSES or incident.against not in Side.values:
            raise WrongState(_("Nothing is asked of a player here that he could refuse."))
        if incident.settled == Incident.Settled.ACCEPTED:
            raise WrongState(_("The move was let stand: nothing is left to put right (article 7.7)."))
        incident.refused, incident.asked = (
            True,
            Asked.RECTIFY if incident.category == Category.IRREGULAR else "",
        )
        incident.save(update_fields=["refused", "asked"])
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


def accept_move(actor: Actor, incident: Incident) -> None:
    """The irregular move stands (7.7), and the game score will hold it. Inside the caller's gate."""
    incident.settled = Incident.Settled.ACCEPTED
    if incident.category == Category.IRREGULAR:
        incident.asked = Asked.STAND
    incident.save(update_fields=["settled", "asked", "plies_made"])
    game = incident.game
    if game is not None and incident.ply and incident.ply not in game.accepted_plies:
        game.accepted_plies = sorted([*game.accepted_plies, incident.ply])
        game.save(update_fields=["accepted_plies"])
    audit.record(
        actor=actor, action=AuditAction.SETTLE_INCIDENT, section=incident.section, subject=incident,
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
    if report.asked not in (*Asked.values, ""):
        faults["asked"] = [_("Say what the opponent asks for.")]
    if report.person_role not in (*PersonRole.values, ""):
        faults["person_role"] = [_("Choose one of the values offered.")]
    if report.article and report.article not in ARTICLES:
        faults["article"] = [_("There is no such article.")]
    for name, value in (("ply", report.ply), ("plies_made", report.plies_made)):
        if value is not None and not 1 <= value <= MOST_PLIES:
            faults[name] = [_("A number of single moves from 1 on.")]
    if report.happened_at is not None and report.happened_at > timezone.now():
        faults["happened_at"] = [_("This time is still to come.")]
    if faults:
        raise BadInput(fields=faults)
    category = court_rules.category_of(report.category, report.article)
    if not court_rules.may_raise(category, report.raised_by, report.against):
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
