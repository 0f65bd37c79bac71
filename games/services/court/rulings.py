"""Rulings: made, proposed, confirmed, revised, withdrawn. What they do to the ledger happens in the same transaction."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import court_rules
from games.models import Appeal, Category, Effect, Incident, Raiser, Result, Ruling, Side
from games.permissions import Act, allowed, require
from games.services.court import effects
from games.services.court.effects import Measure
from games.services.court.incidents import Report, locked, note
from games.services.court.numbers import next_number
from games.slots import pairing_of, seats_of
from games.wording import court
from games.wording.articles import ARTICLES
from tournaments import audit
from tournaments.audit import Actor
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Notice, Round, Section
from tournaments.selectors.whatif import Change, Warn
from tournaments.services import notices
from tournaments.services.standings import fouls_changed

MOST_SECONDS = 24 * 3600
CLOSED = (Ruling.State.WITHDRAWN, Ruling.State.REVISED, Ruling.State.OVERTURNED, Ruling.State.REFUSED)
BOTH_ABSENT = "WB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What an arbiter orders. Seconds are charged, with a minus restored; `text` gives the reasons."""

    effect: str
    article: str = ""
    side: str = ""
    white_seconds: int = 0
    black_seconds: int = 0
    text: str = ""


def rule(actor: Actor, incident_id: int, order: Order) -> Ruling:
    """Answer an incident. The same order twice is one ruling.

    A disqualification by an arbiter waits for the chief (14.2.5); an expulsion is the chief's alone (14.5). A second
    public warning in one game proposes its loss (14.2.4).
    """
    with transaction.atomic():
        incident = locked(actor, incident_id, Act.RULE)
        if is_decided(incident):
            raise WrongState(
                _("The committee has decided on this ruling: that is final (article 16.2)."), code="decided"
            )
        _check(actor, incident, order)
        same = incident.rulings.filter(effect=order.effect, side=order.side).exclude(state__in=CLOSED).first()
        if same is not None and _asks_the_same(same, order):
            return same
        ruling = _write(actor, incident, order, state=_first_state(actor, incident, order))
        if ruling.is_in_force:
            _enforce(actor, ruling)
    return ruling


def is_decided(incident: Incident) -> bool:
    """Whether the committee has had the last word on what happened there."""
    return Appeal.objects.filter(ruling__incident=incident, state=Appeal.State.DECIDED).exists()


def confirm_ruling(actor: Actor, ruling_id: int) -> Ruling:
    """Put a proposed ruling in force, or as the chief arbiter approve a disqualification. Confirmed twice is once."""
    with transaction.atomic():
        ruling = _locked(actor, ruling_id)
        if ruling.is_in_force:
            return ruling
        if ruling.state not in (Ruling.State.PROPOSED, Ruling.State.AWAITING):
            raise WrongState(_("This ruling does not wait for anybody."))
        if ruling.state == Ruling.State.AWAITING:
            require(actor, Act.APPROVE, ruling.event)
        ruling.state = Ruling.State.IN_FORCE
        ruling.approved_by = actor.user
        _log(actor, "confirm-ruling", ruling)
        _enforce(actor, ruling)
    return ruling


def refuse_ruling(actor: Actor, ruling_id: int, *, reason: str) -> Ruling:
    """Let a proposal or a disqualification that waits come to nothing; it stays on record."""
    with transaction.atomic():
        ruling = _locked(actor, ruling_id)
        if ruling.state not in (Ruling.State.PROPOSED, Ruling.State.AWAITING):
            raise WrongState(_("This ruling does not wait for anybody."))
        if ruling.state == Ruling.State.AWAITING:
            require(actor, Act.APPROVE, ruling.event)
        _need_reason(reason)
        _end(actor, ruling, Ruling.State.REFUSED, reason)
        _log(actor, "refuse-ruling", ruling, reason)
    return ruling


def withdraw_ruling(actor: Actor, ruling_id: int, *, reason: str) -> Ruling:
    """Take a ruling back: what it did is put back, with what followed from it alone."""
    with transaction.atomic():
        ruling = _open(actor, ruling_id)
        _need_reason(reason)
        _take_back(actor, ruling, Ruling.State.WITHDRAWN, reason)
    return ruling


def revise_ruling(actor: Actor, ruling_id: int, order: Order) -> Ruling:
    """Replace a ruling by another on the same incident; the old one stays readable as revised."""
    with transaction.atomic():
        old = _open(actor, ruling_id)
        incident = locked(actor, old.incident_id, Act.RULE)
        _check(actor, incident, order)
        _need_reason(order.text)
        _take_back(actor, old, Ruling.State.REVISED, order.text)
        ruling = _write(actor, incident, order, state=_first_state(actor, incident, order), supersedes=old)
        if ruling.is_in_force:
            _enforce(actor, ruling)
    return ruling


def propose_loss(actor: Actor, incident: Incident, *, article: str, follows: Ruling | None = None) -> Ruling:
    """Propose that the player loses the game; one click confirms. Inside the caller's gate."""
    open_one = incident.rulings.filter(
        effect=Effect.GAME_LOST,
        side=incident.against,
        state__in=[Ruling.State.PROPOSED, Ruling.State.IN_FORCE],
    ).first()
    side = follows.side if follows else incident.against
    if open_one is not None and follows is None:
        return open_one
    order = Order(effect=Effect.GAME_LOST, article=article, side=side)
    ruling = _write(actor, incident, order, state=Ruling.State.PROPOSED, follows=follows)
    _log(actor, "propose-ruling", ruling)
    return ruling


def rule_lateness(
    actor: Actor, round_id: int, missing: Mapping[int, str], *, at: dt.datetime | None = None
) -> list[Ruling]:
    """Forfeit the boards of a round where a player is later than the limit (articles 8.3.2, 8.3.3): all or none.

    `missing` says by pairing who is absent: W, B, or WB for both. Before the limit has passed it is refused.
    """
    found = Round.objects.select_related("section__event").filter(pk=round_id).first()
    if found is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(found.section_id)
        require(actor, Act.RULE, section.event)
        now = at or timezone.now()
        limit = lateness_ends(section, found)
        if limit is None:
            raise WrongState(_("The start of the round is not set: set it first."), code="no-start")
        if now <= limit:
            raise WrongState(_("The lateness limit has not passed yet."), code="too-early")
        return [_late(actor, section, found, pk, who) for pk, who in missing.items()]


def lateness_ends(section: Section, round_: Round) -> dt.datetime | None:
    """Whoever comes after this moment has lost; who comes at it plays. Counted from the scheduled start (9.2)."""
    if round_.starts_at is None:
        return None
    return round_.starts_at + dt.timedelta(minutes=section.lateness_limit)


def warnings_in_game(incident: Incident, side: str) -> int:
    """Public warnings in force against one side in the incident's game; they end with the game (14.2.4)."""
    if incident.game_id is None:
        return 0
    return Ruling.objects.filter(
        effect=Effect.WARNING, side=side, state=Ruling.State.IN_FORCE, incident__game=incident.game
    ).count()


def overturn(actor: Actor, ruling: Ruling, *, authority: str, reason: str) -> None:
    """The committee takes the ruling back, inside the transaction of its decision, which answers the incident."""
    if not ruling.is_in_force:
        return
    _take_back(
        actor, ruling, Ruling.State.OVERTURNED, reason, authority=authority, source=Result.Source.APPEAL
    )
    if ruling.incident.settled == Incident.Settled.OPEN:
        ruling.incident.settled = Incident.Settled.RULED
        ruling.incident.save(update_fields=["settled"])


def measure_of(ruling: Ruling | Order) -> Measure:
    return Measure(
        effect=ruling.effect,
        side=ruling.side,
        white_seconds=ruling.white_seconds,
        black_seconds=ruling.black_seconds,
    )


def changes_of(incident: Incident, order: Order) -> list[Change]:
    """What the order would change in the ledger and in the count of warnings; for what-if questions."""
    changes = effects.foresee(incident, [measure_of(order)])
    warned = incident.entry_of(order.side) if order.effect == Effect.WARNING else None
    return [*changes, Warn(entry=warned.pk, count=1)] if warned is not None else changes


def changes_back(ruling: Ruling) -> list[Change]:
    """What taking the ruling back would change."""
    changes = effects.foresee(ruling.incident, [], undo=ruling.applied)
    warned = ruling.incident.entry_of(ruling.side) if ruling.effect == Effect.WARNING else None
    return [*changes, Warn(entry=warned.pk, count=-1)] if warned is not None else changes


def check_order(actor: Actor, incident: Incident, order: Order) -> None:
    """Raises what ruling so would raise; for what-if questions."""
    _check(actor, incident, order)


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
    ruling = _write(actor, incident, order, state=Ruling.State.IN_FORCE)
    _enforce(actor, ruling)
    return ruling


def _check(actor: Actor, incident: Incident, order: Order) -> None:
    if order.effect not in court_rules.EFFECTS[Category(incident.category)]:
        raise BadInput(fields={"effect": [_("This does not follow from such an incident.")]})
    if order.article and order.article not in ARTICLES:
        raise BadInput(fields={"article": [_("There is no such article.")]})
    if order.effect in court_rules.ONE_SIDE and order.side not in Side.values:
        raise BadInput(fields={"side": [_("Say whom it meets.")]})
    if order.effect not in court_rules.ONE_SIDE and order.side not in (*Side.values, ""):
        raise BadInput(fields={"side": [_("Choose a player of the board.")]})
    _check_time(order)
    if order.effect in court_rules.OF_THE_CHIEF and not allowed(actor.user, Act.APPROVE, incident.event):
        raise NotAllowed(_("Expulsion is for the chief arbiter alone (article 14.5)."))
    if order.effect == Effect.RECTIFY and incident.settled == Incident.Settled.ACCEPTED:
        raise WrongState(_("The right to have it put right is lost (article 7.7)."), code="right-lost")
    lost = order.effect == Effect.GAME_LOST
    if lost and not court_rules.loss_is_open(incident.category, refused=incident.refused):
        raise WrongState(
            _(
                "The game is lost only when the player refuses to put it right, or it cannot be (14.3, 14.4): note that first."
            ),
            code="not-refused",
        )


def _check_time(order: Order) -> None:
    seconds = {name: getattr(order, name) for name in ("white_seconds", "black_seconds")}
    if order.effect == Effect.TIME and not any(seconds.values()):
        raise BadInput(fields={"white_seconds": [_("Enter the seconds to charge or to restore.")]})
    too_many = [name for name, value in seconds.items() if abs(value) > MOST_SECONDS]
    if too_many:
        raise BadInput(fields={name: [_("That is more than a day.")] for name in too_many})


def _first_state(actor: Actor, incident: Incident, order: Order) -> str:
    waits = order.effect in court_rules.APPROVED_BY_THE_CHIEF
    if waits and not allowed(actor.user, Act.APPROVE, incident.event):
        return Ruling.State.AWAITING
    return Ruling.State.IN_FORCE


def _asks_the_same(ruling: Ruling, order: Order) -> bool:
    return (ruling.white_seconds, ruling.black_seconds) == (order.white_seconds, order.black_seconds)


def _write(actor: Actor, incident: Incident, order: Order, *, state: str, **links: Any) -> Ruling:
    ruling = Ruling.objects.create(
        event=incident.event, incident=incident, number=next_number(incident.event, "rulings"),
        article=order.article or incident.article, effect=order.effect, side=order.side,
        white_seconds=order.white_seconds, black_seconds=order.black_seconds, text=order.text.strip()[:1000],
        state=state, made_by=actor.user, **links,
    )  # fmt: skip
    if state != Ruling.State.PROPOSED:
        _log(actor, "rule", ruling)
    return ruling


def _enforce(actor: Actor, ruling: Ruling) -> None:
    incident = ruling.incident
    ruling.in_force_at = timezone.now()
    ruling.applied = effects.apply(
        actor, incident, [measure_of(ruling)], source=Result.Source.RULING, authority=str(ruling),
        reason=_reason(ruling),
    )  # fmt: skip
    if ruling.effect in court_rules.PUBLIC:
        kind = Notice.Kind.WARNING if ruling.effect == Effect.WARNING else Notice.Kind.RULING
        ruling.notice = notices.put_up(
            actor, event=ruling.event, section=incident.section, pairing=incident.pairing, kind=kind,
            texts=court.in_every_language(lambda: court.ruling_notice(ruling)),
        )  # fmt: skip
    ruling.save()
    if incident.settled != Incident.Settled.ACCEPTED:
        incident.settled = Incident.Settled.RULED
        incident.save(update_fields=["settled"])
    if ruling.effect == Effect.WARNING:
        fouls_changed(incident.section, round_number=incident.round_number)
        _count_warnings(actor, ruling)


def _count_warnings(actor: Actor, ruling: Ruling) -> None:
    incident = ruling.incident
    if warnings_in_game(incident, ruling.side) < court_rules.WARNINGS_LOSE:
        return
    standing = Ruling.objects.filter(
        incident__game=incident.game, effect=Effect.GAME_LOST, side=ruling.side,
        state__in=[Ruling.State.PROPOSED, Ruling.State.IN_FORCE],
    )  # fmt: skip
    if not standing.exists():
        propose_loss(actor, incident, article="14.2.4", follows=ruling)


def _take_back(
    actor: Actor,
    ruling: Ruling,
    state: str,
    reason: str,
    *,
    authority: str = "",
    source: str = Result.Source.RULING,
) -> None:
    was_warning = ruling.is_in_force and ruling.effect == Effect.WARNING
    if ruling.is_in_force:
        effects.put_back(
            actor,
            ruling.incident,
            ruling.applied,
            source=source,
            authority=authority or str(ruling),
            reason=reason,
        )
        if ruling.notice is not None:
            notices.take_down(actor, ruling.notice, reason=reason)
    _end(actor, ruling, state, reason)
    if was_warning:
        fouls_changed(ruling.incident.section, round_number=ruling.incident.round_number)
    _log(actor, "withdraw-ruling", ruling, reason)
    incident = ruling.incident
    if (
        incident.settled == Incident.Settled.RULED
        and not incident.rulings.filter(state=Ruling.State.IN_FORCE).exists()
    ):
        incident.settled = Incident.Settled.OPEN
        incident.save(update_fields=["settled"])
    if was_warning and warnings_in_game(incident, ruling.side) < court_rules.WARNINGS_LOSE:
        _drop_consequences(actor, ruling, reason, authority=authority, source=source)


def _drop_consequences(actor: Actor, warning: Ruling, reason: str, *, authority: str, source: str) -> None:
    """The loss by two warnings falls with one of them (14.2.4)."""
    losses = Ruling.objects.filter(
        incident__game=warning.incident.game, side=warning.side, follows__effect=Effect.WARNING,
        state__in=[Ruling.State.PROPOSED, Ruling.State.IN_FORCE],
    ).select_related("incident", "event", "notice")  # fmt: skip
    for loss in losses:
        _take_back(actor, loss, Ruling.State.WITHDRAWN, reason, authority=authority, source=source)


def _end(actor: Actor, ruling: Ruling, state: str, reason: str) -> None:
    ruling.state = state
    ruling.ended_at = timezone.now()
    ruling.ended_by = actor.user
    ruling.ended_reason = reason.strip()[:500]
    ruling.save(update_fields=["state", "ended_at", "ended_by", "ended_reason"])


def _locked(actor: Actor, ruling_id: int) -> Ruling:
    section_id = Ruling.objects.filter(pk=ruling_id).values_list("incident__section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    require(actor, Act.RULE, section.event)
    ruling = Ruling.objects.select_related("incident__white__player", "incident__black__player").get(
        pk=ruling_id
    )
    ruling.event = ruling.incident.event = section.event
    ruling.incident.section = section
    return ruling


def _open(actor: Actor, ruling_id: int) -> Ruling:
    """A ruling that can still be taken back by arbiters."""
    ruling = _locked(actor, ruling_id)
    if ruling.state not in (Ruling.State.IN_FORCE, Ruling.State.AWAITING):
        raise WrongState(_("This ruling is not in force."))
    if ruling.effect in effects.OUT and ruling.is_in_force:
        require(actor, Act.APPROVE, ruling.event)
    if ruling.appeals.filter(state=Appeal.State.DECIDED).exists():
        raise WrongState(
            _("The committee has decided on this ruling: that is final (article 16.2)."), code="decided"
        )
    return ruling


def _reason(ruling: Ruling) -> str:
    words = _("art. %(number)s") % {"number": ruling.article}
    return f"{words}: {ruling.get_effect_display()}. {ruling.text}".strip()[:300]


def _need_reason(reason: str) -> None:
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason.")], "text": [_("Give the reason.")]})


def _log(actor: Actor, action: str, ruling: Ruling, reason: str = "") -> None:
    audit.record(
        actor=actor, action=action, section=ruling.incident.section, subject=ruling,
        after={"number": ruling.number, "effect": ruling.effect, "side": ruling.side, "article": ruling.article,
               "state": ruling.state, "round": ruling.incident.round_number, "board": ruling.incident.board},
        reason=(reason or ruling.text)[:500],
    )  # fmt: skip
