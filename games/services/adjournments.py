"""Adjournments (article 11): close a game with a sealed move, and take it up again.

The sealed move is encrypted as it comes in and is in no log, no page and no answer until an arbiter opens it at the
resumption, which is logged. Whoever asks before that is told only that a move is sealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import rules
from games import adjudication, encryption, sheets
from games.models import Adjournment, Result, Side
from games.services.results import WINNER, change_outcome
from games.services.sheets import game_for, refuse_final
from games.slots import Seat, acting_side, fresh, is_arbiter, name_of, own_side, require_arbiter, seat_of
from tournaments import audit
from tournaments.audit import Actor, AuditAction, reasons
from tournaments.errors import BadInput, NotAllowed, NotFound, WrongState
from tournaments.gate import lock_section

LONGEST_MOVE = 120
RUNNING = (Adjournment.State.CLOSING, Adjournment.State.SEALED, Adjournment.State.OPENED)


def adjourn(
    actor: Actor,
    pairing_id: int,
    *,
    reason: str,
    moves: Sequence[str] = (),
    fen: str = "",
    white_seconds: int,
    black_seconds: int,
    number: int = 1,
) -> Adjournment:
    """An arbiter stops a game that cannot go on (11.2, 11.3.1): the moves so far, or the position, and times used."""
    if not reason.strip():
        raise BadInput(
            fields={
                "reason": [_("A game is adjourned only when it must be: give the reason (article 11.2).")]
            }
        )
    if white_seconds < 0 or black_seconds < 0:
        raise BadInput(fields={"white_seconds": [_("Times used are 0 or more.")]})
    seat = seat_of(pairing_id, number)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        if game.adjournments.filter(state__in=RUNNING).exists():
            raise WrongState(_("This game is adjourned already."))
        if fresh(seat).outcome != "UNPLAYED":
            raise WrongState(_("This game has a result: there is nothing to adjourn."))
        position = _position(sheets.start_of(game), moves, fen)
        row = Adjournment.objects.create(
            game=game,
            reason=reason.strip()[:300],
            moves=list(moves),
            fen=position.fen(),
            to_move=position.side.value,
            white_seconds=white_seconds,
            black_seconds=black_seconds,
        )
        audit.record(
            actor=actor, action=AuditAction.ADJOURN, section=section, subject=row, reason=reason,
            after={"fen": row.fen, "white_seconds": white_seconds, "black_seconds": black_seconds},
        )  # fmt: skip
    return row


def confirm(actor: Actor, adjournment_id: int, *, side: str = "", link: str = "") -> Adjournment:
    """A player confirms position and times: at the closing (11.3.1), and again at the resumption (11.4.3).

    By link or account for himself; an arbiter notes it for either.
    """
    row, seat = _found(adjournment_id)
    with transaction.atomic():
        lock_section(seat.round.section_id)
        who = acting_side(actor, seat, side=side, link=link)
        row.refresh_from_db()
        if row.state not in (Adjournment.State.CLOSING, Adjournment.State.SEALED):
            raise WrongState(_("There is nothing to confirm now."))
        when = "confirmed_at" if row.state == Adjournment.State.CLOSING else "again_at"
        field = f"{'white' if who == Side.WHITE else 'black'}_{when}"
        if getattr(row, field) is None:
            setattr(row, field, timezone.now())
            row.save(update_fields=[field])
            audit.record(
                actor=_named(actor, name_of(seat, who)), action=AuditAction.CONFIRM_ADJOURNMENT,
                section=seat.section, subject=row, after={"side": who, "state": row.state},
            )  # fmt: skip
    return row


def seal_move(actor: Actor, adjournment_id: int, *, written: str, link: str = "") -> Adjournment:
    """The player to move seals his next move (11.3.3), once. Nobody else can: not even an arbiter for him."""
    row, seat = _found(adjournment_id)
    text = written.strip()
    if not text or len(text) > LONGEST_MOVE:
        raise BadInput(
            fields={"written": [_("Write your next move; a capture with every square it touches.")]}
        )
    with transaction.atomic():
        lock_section(seat.round.section_id)
        who = own_side(actor, seat, link=link)
        if who is None:
            raise NotAllowed if is_arbiter(actor, seat) and not link else NotFound
        row.refresh_from_db()
        if who != row.to_move:
            raise NotAllowed(_("The player whose turn it is seals the move."))
        if row.state != Adjournment.State.CLOSING:
            raise WrongState(_("The envelope is closed."))
        if row.sealed:
            raise WrongState(_("Your move is sealed already: a sealed move is not changed."))
        row.sealed = encryption.seal(text)
        row.sealed_at, row.sealed_by = timezone.now(), name_of(seat, who)
        row.save(update_fields=["sealed", "sealed_at", "sealed_by"])
        audit.record(
            actor=_named(actor, row.sealed_by),
            action=AuditAction.SEAL_MOVE,
            section=seat.section,
            subject=row,
        )
    return row


def close_envelope(
    actor: Actor, adjournment_id: int, *, envelope: str, on_paper: bool = False
) -> Adjournment:
    """The arbiter closes the envelope (11.3.5): both have confirmed, and the move is sealed here or on paper."""
    row, seat = _found(adjournment_id)
    if not envelope.strip():
        raise BadInput(fields={"envelope": [_("Write the number of the envelope.")]})
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.CLOSING:
            raise WrongState(_("The envelope is closed."))
        if row.white_confirmed_at is None or row.black_confirmed_at is None:
            raise WrongState(_("Both players confirm the position and the times first (article 11.3.1)."))
        if not row.sealed and not on_paper:
            raise WrongState(_("No move is sealed yet (article 11.3.3)."))
        row.state = Adjournment.State.SEALED
        row.envelope = envelope.strip()[:40]
        if not row.sealed:
            row.sealed_at, row.sealed_by = timezone.now(), name_of(seat, row.to_move)
        row.save(update_fields=["state", "envelope", "sealed_at", "sealed_by"])
        audit.record(
            actor=actor, action=AuditAction.CLOSE_ENVELOPE, section=section, subject=row,
            after={"envelope": row.envelope, "on_paper": not row.sealed},
        )  # fmt: skip
    return row


def open_envelope(actor: Actor, adjournment_id: int, *, written: str = "") -> Adjournment:
    """At the resumption an arbiter opens the envelope (11.4). `written` is what a paper envelope holds.

    Opening judges nothing: `judge_sealed_move` rules an illegal move lost (11.3.6), `mend_written` puts a slip of the arbiter's
    pen right before that. Several captures with the same squares: see `clarify`.
    """
    row, seat = _found(adjournment_id)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.SEALED:
            raise WrongState(_("There is no closed envelope."))
        if row.white_again_at is None or row.black_again_at is None:
            raise WrongState(
                _("Both players confirm the position and the times again first (article 11.4.3).")
            )
        text = encryption.unseal(row.sealed) if row.sealed else written.strip()[:LONGEST_MOVE]
        if not text:
            raise BadInput(fields={"written": [_("Write the move that the paper envelope holds.")]})
        row.opened_at, row.opened_by = timezone.now(), actor.user
        row.state = Adjournment.State.OPENED
        _read(row, text)
        audit.record(
            actor=actor, action=AuditAction.OPEN_ENVELOPE, section=section, subject=row,
            after={"written": text, "readings": len(readings_of(row)), "state": row.state},
        )  # fmt: skip
    return row


def judge_sealed_move(actor: Actor, adjournment_id: int) -> Adjournment:
    """Rule the game lost by a sealed move that is not legal (11.3.6). Raises WrongState for one that is."""
    row, seat = _found(adjournment_id)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.OPENED or readings_of(row):
            raise WrongState(_("There is no illegal sealed move to judge."))
        row.state = Adjournment.State.LOST
        row.save(update_fields=["state"])
        audit.record(
            actor=actor, action=AuditAction.JUDGE_SEALED_MOVE, section=section, subject=row,
            after={"written": row.written, "state": row.state},
        )  # fmt: skip
        winner = WINNER[Side.BLACK if row.to_move == Side.WHITE else Side.WHITE]
        change_outcome(
            actor, row.game, outcome=winner, source=Result.Source.SEALED_MOVE,
            reason=reasons.coded(reasons.SEALED_MOVE, move=row.written),
        )  # fmt: skip
    return row


def mend_written(actor: Actor, adjournment_id: int, *, written: str, reason: str) -> Adjournment:
    """Put right what an arbiter typed from a paper envelope, with a reason. What was sealed on a phone is never changed."""
    row, seat = _found(adjournment_id)
    text = written.strip()[:LONGEST_MOVE]
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.OPENED or row.sealed:
            raise WrongState(
                _("Only a move typed from a paper envelope can be mended, before the game goes on.")
            )
        if not text or not reason.strip():
            raise BadInput(fields={"reason": [_("Write the move as the paper has it, and the reason.")]})
        before = row.written
        row.played = ""
        _read(row, text)
        audit.record(
            actor=actor, action=AuditAction.MEND_SEALED_MOVE, section=section, subject=row, before={"written": before},
            after={"written": text, "readings": len(readings_of(row))}, reason=reason,
        )  # fmt: skip
    return row


def reopen_envelope(actor: Actor, adjournment_id: int, *, reason: str) -> Adjournment:
    """Take back that the sealed move lost the game, with a reason: the move is looked at again, and judged anew."""
    row, seat = _found(adjournment_id)
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Give the reason.")]})
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.LOST:
            raise WrongState(_("This game was not lost by its sealed move."))
        row.state = Adjournment.State.OPENED
        row.save(update_fields=["state"])
        audit.record(
            actor=actor, action=AuditAction.REOPEN_ENVELOPE, section=section, subject=row, after={"state": row.state},
            reason=reason,
        )  # fmt: skip
        change_outcome(
            actor, row.game, outcome="UNPLAYED", source=Result.Source.SEALED_MOVE, reason=reason.strip()
        )
    return row


def _read(row: Adjournment, text: str) -> None:
    """Keep the move as written and, where it stands for one alone, as it will be played."""
    row.written = text
    fitting = readings_of(row)
    if len(fitting) == 1:
        row.played = rules.write(position_of(row), fitting[0])
    row.save()


def clarify(actor: Actor, adjournment_id: int, *, choice: int) -> Adjournment:
    """The mover says which of the captures that fit he sealed; `choice` counts `readings_of` from 0."""
    row, seat = _found(adjournment_id)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        fitting = readings_of(row)
        if row.state != Adjournment.State.OPENED or row.played:
            raise WrongState(_("There is no sealed move to make clear."))
        if not 0 <= choice < len(fitting):
            raise BadInput(fields={"choice": [_("Choose one of the captures shown.")]})
        row.played = rules.write(position_of(row), fitting[choice])
        row.save(update_fields=["played"])
        audit.record(
            actor=actor,
            action=AuditAction.CLARIFY_MOVE,
            section=section,
            subject=row,
            after={"played": row.played},
        )
    return row


def resume(actor: Actor, adjournment_id: int) -> Adjournment:
    """The sealed move is played and the opponent's clock starts (11.4.4)."""
    row, seat = _found(adjournment_id)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        row.refresh_from_db()
        if row.state != Adjournment.State.OPENED:
            raise WrongState(_("Open the envelope first."))
        if not row.played:
            raise WrongState(_("The mover says first which capture he sealed."))
        row.state, row.resumed_at = Adjournment.State.RESUMED, timezone.now()
        row.save(update_fields=["state", "resumed_at"])
        audit.record(
            actor=actor,
            action=AuditAction.RESUME_GAME,
            section=section,
            subject=row,
            after={"played": row.played},
        )
    return row


def position_of(row: Adjournment) -> rules.Position:
    return rules.Position.from_fen(row.fen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a written move is read: the moves it may stand for, and the board after it where there is one alone."""

    written: str
    moves: tuple[str, ...]
    after: rules.Position | None

    @property
    def is_legal(self) -> bool:
        return bool(self.moves)


def reading_of(row: Adjournment, written: str) -> Reading:
    """How a move would be read, before it is sealed or judged. Nothing is kept."""
    position = position_of(row)
    fitting = adjudication.readings(position, written.strip())
    after = rules.play(position, fitting[0]) if len(fitting) == 1 else None
    return Reading(
        written=written.strip(), moves=tuple(rules.write(position, move) for move in fitting), after=after
    )


def readings_of(row: Adjournment) -> tuple[rules.Move, ...]:
    """The legal moves the opened move may stand for; none before it is opened."""
    return adjudication.readings(position_of(row), row.written) if row.written else ()


def _found(adjournment_id: int) -> tuple[Adjournment, Seat]:
    row = Adjournment.objects.select_related("game").filter(pk=adjournment_id).first()
    if row is None:
        raise NotFound
    return row, seat_of(row.game.pairing_id, row.game.number)


def _position(start: rules.Position, moves: Sequence[str], fen: str) -> rules.Position:
    if moves:
        verdict = rules.validate(rules.Sheet(moves=tuple(moves), start=start))
        if verdict.problem is not None or verdict.unsettled:
            raise BadInput(
                _("The moves so far are not legal from move %(move)s on: give the position instead."),
                code="not-legal",
                move=verdict.problem.move_number if verdict.problem else 0,
            )
        position = verdict.final_position
    else:
        try:
            position = rules.Position.from_fen(fen)
        except rules.FenError as error:
            raise BadInput(fields={"fen": [str(error)]}) from None
    if not rules.has_legal_move(position):
        raise WrongState(_("The side to move has no move: the game is over."))
    return position


def _named(actor: Actor, name: str) -> Actor:
    return actor if actor.user is not None else Actor(address=actor.address, label=name)
