"""Lateness: who forfeits when the limit has passed, when the clocks were started, when the round has begun for all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Category, Effect, Raiser, Ruling, Side
from games.permissions import Act, require
from games.selectors.lateness import ensure_late
from games.services.court.incidents import Report, note
from games.services.court.orders import Order
from games.services.court.records import write_ruling
from games.services.court.rulings import put_in_force
from games.slots import pairing_of, seats_of
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Round, Section

BOTH_ABSENT = "WB"


def rule_lateness(
    actor: Actor, round_id: int, missing: Mapping[int, str], *, at: dt.datetime | None = None
) -> list[Ruling]:
    """Forfeit the boards of a round where a player is later than the limit (articles 8.3.2, 8.3.3): all or none.

    `missing` says by pairing who is absent: W, B, or WB for both. Before the limit has passed it is refused.
    """
    with transaction.atomic():
        section, round_ = _locked(actor, round_id)
        ensure_late(section, round_, now=at or timezone.now())
        return [_late(actor, section, round_, pk, who) for pk, who in missing.items()]


def start_clocks(actor: Actor, round_id: int) -> Round:
    """An arbiter in the hall starts the clocks (9.1, 15.2.8). Pressed twice, the first time counts."""
    with transaction.atomic():
        section, round_ = _locked(actor, round_id)
        if round_.clocks_started_at is None:
            round_.clocks_started_at = timezone.now()
            round_.save(update_fields=["clocks_started_at"])
            _log(actor, AuditAction.START_CLOCKS, section, round_)
    return round_


def close_late_list(actor: Actor, round_id: int) -> Round:
    """The round has begun for all: nobody is late any more, and the list ends."""
    with transaction.atomic():
        section, round_ = _locked(actor, round_id)
        if round_.all_here_at is None:
            round_.all_here_at = timezone.now()
            round_.save(update_fields=["all_here_at"])
            _log(actor, AuditAction.ALL_HERE, section, round_)
    return round_


def _late(actor: Actor, section: Section, round_: Round, pairing_id: int, who: str) -> Ruling:
    pairing = pairing_of(pairing_id)
    if pairing.round_id != round_.pk or who not in (*Side.values, BOTH_ABSENT):
        raise NotFound
    if pairing.outcome != "UNPLAYED":
        raise WrongState(_("Board %(board)s has a result already."), board=pairing.board)
    both = who == BOTH_ABSENT
    report = Report(
        category=Category.LATENESS, raised_by=Raiser.ARBITER, against="" if both else who,
        article="8.3.3" if both else "8.3.2",
    )  # fmt: skip
    seat = seats_of(pairing)[0]
    incident = note(actor, section, seat, report, of_whole_match=seat.is_of_match)
    effect = Effect.BOTH_FORFEIT if both else Effect.FORFEIT
    order = Order(effect=effect, article=report.article, side=report.against)
    ruling = write_ruling(actor, incident, order, state=Ruling.State.IN_FORCE)
    put_in_force(actor, ruling)
    return ruling


def _locked(actor: Actor, round_id: int) -> tuple[Section, Round]:
    section_id = Round.objects.filter(pk=round_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Act.RULE, section.event)
    round_ = section.rounds.get(pk=round_id)
    if not round_.is_public:
        raise WrongState(_("Round %(round)s is not published yet."), round=round_.number)
    return section, round_


def _log(actor: Actor, action: AuditAction, section: Section, round_: Round) -> None:
    audit.record(actor=actor, action=action, section=section, subject=round_, after={"round": round_.number})
