"""Decisions of arbiters that no ruling was written for, as they are appealed against (articles 13.1.5, 16.1).

What was decided is written down as a ruling when the first appeal comes: who decided, when, and what it did. Until then no
public ruling is listed for it. From there on the case goes its way like any other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import (
    Adjournment,
    Against,
    Category,
    Effect,
    Game,
    Incident,
    PersonRole,
    Raiser,
    Result,
    Ruling,
    Subject,
)
from games.services.court import finality
from games.services.court.numbers import next_number
from games.slots import Seat, seats_of
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, WrongState
from tournaments.models import PUBLIC_STATES, Adjustment, AuditEntry, Entry, Pairing, Round, Section, User
from tournaments.services import holds

ARTICLE = {
    Subject.RESULT: "12.1", Subject.CLAIM: "12.5", Subject.SEALED: "11.3.6", Subject.POINTS: "15.2.15",
    Subject.REFUSAL: "15.2.12", Subject.PAIRING: "15.2.18", Subject.OTHER: "15.2.15",
}  # fmt: skip
NEED_WORDS = frozenset({Subject.REFUSAL, Subject.OTHER})
LONGEST_WORDS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Contested:
    """What is appealed against: in which round and, in a match, which game; `words` say what no record shows."""

    subject: str
    round_number: int
    number: int = 1
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """The decision as the records show it."""

    at: dt.datetime
    by: User | None = None
    effect: str = Effect.NONE
    applied: dict[str, Any] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    note: str = ""


def check(contested: Contested) -> None:
    """Raises BadInput for what cannot be named so."""
    if contested.subject not in ARTICLE:
        raise BadInput(fields={"subject": [_("Choose one of the values offered.")]})
    words = contested.words.strip()
    if contested.subject in NEED_WORDS and not words:
        raise BadInput(fields={"words": [_("Say which decision, in your own words.")]})
    if len(words) > LONGEST_WORDS:
        raise BadInput(
            fields={"words": [_("Write it down, at most %(count)s letters.") % {"count": LONGEST_WORDS}]}
        )


def ruling_for(actor: Actor, section: Section, entry: Entry, contested: Contested) -> Ruling:
    """The decision as a ruling, inside the caller's gate; the same decision appealed against twice is one ruling.

    Raises WrongState where no such decision is on record.
    """
    place = _place(section, entry, contested)
    subject = Subject(contested.subject)
    known = _known(place, entry, contested)
    if known is not None:
        return known
    found = LOOK[subject](entry, place, contested)
    incident = Incident.objects.create(
        event=section.event, section=section, number=next_number(section.event, "incidents"),
        round_number=place.round.number, category=Category.OTHER, article=ARTICLE[subject], settled=Incident.Settled.RULED,
        note=(contested.words.strip() or found.note)[:LONGEST_WORDS], happened_at=found.at, logged_by=actor.user,
        **_whose(entry, place),
    )  # fmt: skip
    ruling = Ruling.objects.create(
        event=section.event, incident=incident, number=next_number(section.event, "rulings"), subject=subject,
        article=ARTICLE[subject], effect=found.effect, values=found.values, applied=found.applied, text=found.note[:1000],
        state=Ruling.State.IN_FORCE, made_by=found.by, made_at=found.at, in_force_at=found.at,
    )  # fmt: skip
    audit.record(
        actor=actor, action=AuditAction.WRITE_DOWN_DECISION, section=section, subject=ruling,
        after={"number": ruling.number, "subject": str(subject), "round": incident.round_number, "board": incident.board},
        reason=incident.note[:500],
    )  # fmt: skip
    return ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where it was decided: a round and, where the player has one there, his board."""

    round: Round
    pairing: Pairing | None = None
    seat: Seat | None = None

    def board(self) -> tuple[Pairing, Seat]:
        """Raises BadInput for what is decided at a board only."""
        if self.pairing is None or self.seat is None:
            raise BadInput(fields={"round_number": [_("This player has no board in that round.")]})
        return self.pairing, self.seat


def _place(section: Section, entry: Entry, contested: Contested) -> _Place:
    round_ = section.rounds.filter(number=contested.round_number, state__in=PUBLIC_STATES).first()
    if round_ is None:
        raise BadInput(fields={"round_number": [_("This player has no board in that round.")]})
    round_.section = section
    boards = Pairing.objects.select_related("white__player", "black__player")
    pairing = boards.filter(Q(white=entry) | Q(black=entry), round=round_).first()
    if pairing is None:
        return _Place(round=round_)
    pairing.round = round_
    return _Place(round=round_, pairing=pairing, seat=_seat(pairing, contested.number))


def _whose(entry: Entry, place: _Place) -> dict[str, Any]:
    """The board of the incident with its players; without one the player, by name."""
    pairing, seat = place.pairing, place.seat
    if pairing is None or seat is None:
        return {
            "board": 0, "raised_by": Raiser.ARBITER, "against": Against.PERSON, "entry": entry, "person": str(entry)[:200],
            "person_role": PersonRole.PLAYER,
        }  # fmt: skip
    game = Game.objects.filter(pairing=pairing, number=seat.number).order_by("attempt").last()
    return {
        "pairing": pairing, "game": game if seat.is_of_match else None, "white": seat.white_entry, "black": seat.black_entry,
        "board": pairing.board, "raised_by": Raiser.WHITE if entry.pk == seat.white_entry.pk else Raiser.BLACK, "against": "",
    }  # fmt: skip


def _seat(pairing: Pairing, number: int) -> Seat:
    if pairing.black_id is None:
        return Seat(
            pairing=pairing, number=1, white=pairing.white, black=None, white_entry=pairing.white,
            black_entry=pairing.white, outcome=pairing.outcome,
        )  # fmt: skip
    found = next((seat for seat in seats_of(pairing) if seat.number == number), None)
    if found is None:
        raise BadInput(fields={"number": [_("There is no such game at this board.")]})
    return found


def _known(place: _Place, entry: Entry, contested: Contested) -> Ruling | None:
    """What is under appeal already. Of words, and of a player's points, each has his own."""
    rows = Ruling.objects.filter(
        subject=contested.subject, incident__section=place.round.section, incident__round_number=place.round.number,
        incident__pairing=place.pairing, state=Ruling.State.IN_FORCE,
    )  # fmt: skip
    if place.pairing is None:
        rows = rows.filter(incident__entry=entry)
    if contested.subject in NEED_WORDS:
        rows = rows.filter(incident__note=contested.words.strip())
    if contested.subject == Subject.POINTS:
        rows = rows.filter(values__entry=entry.pk)
    found = [ruling for ruling in rows.select_related("incident__game") if finality.is_under_appeal(ruling)]
    of_game = [r for r in found if r.incident.game is None or r.incident.game.number == contested.number]
    return of_game[0] if of_game else None


def _result(_entry: Entry, place: _Place, _contested: Contested) -> _Found:
    pairing, seat = place.board()
    if seat.outcome == "UNPLAYED":
        raise WrongState(_("This board has no result yet."), code="no-decision")
    _refuse_ruled(pairing)
    last = _last_entered(pairing)
    before = (last.before or {}).get("outcome", "UNPLAYED") if last and last.before else "UNPLAYED"
    game = Game.objects.filter(pairing=pairing, number=seat.number).order_by("attempt").last()
    chain = game.results.order_by("-pk").first() if game is not None else None
    if seat.is_of_match:
        before = chain.before if chain is not None else "UNPLAYED"
    change = {
        "pairing": pairing.pk, "number": seat.number if seat.is_of_match else None, "before": before, "grade": "",
        "after": seat.outcome,
    }  # fmt: skip
    by = chain.made_by if chain is not None and chain.outcome == seat.outcome else None
    return _Found(
        at=last.at if last else timezone.now(),
        by=by or (last.actor if last else None),
        effect=Effect.RESULT,
        applied={"outcome": change},
        values={"outcome": seat.outcome},
        note=last.reason if last else "",
    )


def _sealed(entry: Entry, place: _Place, contested: Contested) -> _Found:
    pairing, seat = place.board()
    rows = Adjournment.objects.filter(game__pairing=pairing, game__number=seat.number)
    row = rows.exclude(opened_at__isnull=True).order_by("-pk").first()
    if row is None or row.opened_at is None:
        raise WrongState(_("No sealed move was opened in this game."), code="no-decision")
    if Result.objects.filter(game=row.game, source=Result.Source.SEALED_MOVE).exists():
        lost = _result(entry, place, contested)
        return _Found(
            at=row.opened_at, by=row.opened_by, effect=lost.effect, applied=lost.applied, values=lost.values, note=row.written
        )  # fmt: skip
    return _Found(at=row.opened_at, by=row.opened_by, note=row.written)


def _claim(_entry: Entry, place: _Place, _contested: Contested) -> _Found:
    pairing, seat = place.board()
    games = Game.objects.filter(pairing=pairing, number=seat.number).values_list("pk", flat=True)
    rows = AuditEntry.objects.filter(
        action=AuditAction.JUDGE_CLAIM, object_type="game", object_id__in=list(games)
    )
    row = rows.order_by("-pk").first()
    if row is None or (row.after or {}).get("upheld"):
        raise WrongState(_("No draw claim was refused in this game."), code="no-decision")
    return _Found(at=row.at, by=row.actor, note=row.reason)


def _points(entry: Entry, _where: _Place, contested: Contested) -> _Found:
    row = Adjustment.objects.filter(entry=entry, after_round=contested.round_number).order_by("-pk").first()
    if row is None:
        raise WrongState(_("No points were given to this player or taken in that round."), code="no-decision")
    logged = (
        AuditEntry.objects.filter(action=AuditAction.ADJUST_SCORE, object_type="adjustment", object_id=row.pk)
        .order_by("-pk")
        .first()
    )
    given = {"entry": entry.pk, "points": row.points, "after_round": row.after_round}
    return _Found(
        at=row.created_at,
        by=logged.actor if logged else None,
        effect=Effect.POINTS,
        applied={"adjustments": [given]},
        values={"entry": entry.pk, "points": row.points},
        note=row.reason,
    )


def _pairing(_entry: Entry, place: _Place, _contested: Contested) -> _Found:
    logged = (
        AuditEntry.objects.filter(
            action=AuditAction.PUBLISH_ROUND, object_type="round", object_id=place.round.pk
        )
        .order_by("-pk")
        .first()
    )
    at = place.round.published_at or timezone.now()
    return _Found(at=at, by=logged.actor if logged else None)


def _in_words(_entry: Entry, _where: _Place, _contested: Contested) -> _Found:
    return _Found(at=timezone.now())


def _refuse_ruled(pairing: Pairing) -> None:
    """Where a ruling or a decision set the result, that is what there is to appeal against, or nothing is."""
    for hold in holds.what_is_held(pairing.round.section):
        if hold.pairing_id != pairing.pk or hold.kind != "RESULT":
            continue
        if hold.is_final:
            raise WrongState(
                _("The committee has decided on this ruling: its decision is final (article 16.2)."),
                code="final",
            )
        if not hold.case.startswith("A"):
            raise WrongState(
                _("Ruling %(number)s set this result: appeal against the ruling."), code="ruled", number=hold.case[1:]
            )  # fmt: skip


def _last_entered(pairing: Pairing) -> AuditEntry | None:
    rows = AuditEntry.objects.filter(
        action=AuditAction.RECORD_OUTCOME, object_type="pairing", object_id=pairing.pk
    )
    return rows.select_related("actor").order_by("-pk").first()


LOOK: dict[Subject, Callable[[Entry, _Place, Contested], _Found]] = {
    Subject.RESULT: _result, Subject.CLAIM: _claim, Subject.SEALED: _sealed, Subject.POINTS: _points,
    Subject.REFUSAL: _in_words, Subject.PAIRING: _pairing, Subject.OTHER: _in_words,
}  # fmt: skip
