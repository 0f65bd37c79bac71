"""Scoresheets: issuing the copies, filing what was written, and what an arbiter notes about a copy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import rules
from games import sheets as reading
from games.models import Copy, Game, Scoresheet, Side, Verdict
from games.slots import (
    Seat,
    acting_side,
    fresh,
    game_at,
    is_arbiter,
    name_of,
    require_arbiter,
    seat_of,
    seats_of,
    with_games,
)
from rules.clock import Mode, recording_waived
from rules.record import record
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, Conflict, NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Round
from tournaments.permissions import Action, require

RESULTS = ("2-0", "1-1", "0-2", "0-0")
LONGEST_GAME = 24 * 3600  # seconds on one clock: more is a slip of the keyboard


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What a form hands in beside the side: the text, and what was declared with it. Times are seconds used."""

    text: str
    submission: str
    form: str = Scoresheet.Form.TYPED
    filename: str = ""
    result: str = ""
    ended_by: str = ""
    white_seconds: int | None = None
    black_seconds: int | None = None
    white_signed: bool = False
    black_signed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """`again` when this submission was filed before: the first answer is given again."""

    sheet: Scoresheet
    verdict: rules.Verdict
    again: bool = False


def file_sheet(
    actor: Actor, pairing_id: int, handed: Handed, *, side: str = "", link: str = "", number: int = 1
) -> Filed:
    """File one copy: a player his own, by personal link or account; an arbiter either. `number` is the game of a match.

    The verdict is computed before the gate is taken. Filing changes no result. Raises BadInput for a text without a
    game or impossible times, Conflict for a submission number used for another copy.
    """
    seat = seat_of(pairing_id, number)
    own = acting_side(actor, seat, side=side, link=link)
    _check(handed)
    sheet = _sheet(own, handed, seat, actor, link=link)
    value = reading.sheet_value(sheet)
    _refuse_own_position(value)
    verdict = rules.validate(value, profile=reading.PROFILE)
    with transaction.atomic():
        lock_section(seat.round.section_id)
        earlier = Scoresheet.objects.filter(submission=handed.submission).first()
        if earlier is not None:
            return _first_answer(earlier, seat, own)
        seat = fresh(seat)
        game = sheet.game = game_for(seat)
        sheet.after_result = seat.outcome != "UNPLAYED"
        sheet.save()
        keep_verdict(sheet, value=value, verdict=verdict)
        copy = copy_for(game, own)
        copy.status, copy.to_complete = Copy.Status.RECEIVED, False
        copy.save()
        audit.record(
            actor=_signed(actor, sheet.filer), action=AuditAction.FILE_SHEET, section=seat.section, subject=game,
            after={"side": own, "number": number, "digest": sheet.digest, "status": verdict.status, "plies": verdict.plies,
                   "text": sheet.text},
        )  # fmt: skip
    return Filed(sheet=sheet, verdict=verdict)


def issue_copies(actor: Actor, round_id: int) -> int:
    """Make the games of a public round and their two copies each (article 4.2). Returns how many games were new."""
    round_ = Round.objects.select_related("section__event").filter(pk=round_id).first()
    if round_ is None:
        raise NotFound
    with transaction.atomic():
        section = lock_section(round_.section_id)
        require(actor, Action.ENTER_RESULTS, section.event)
        if not round_.is_public:
            raise WrongState(_("Round %(round)s is not published yet."), round=round_.number)
        games = Game.objects.bulk_create(
            _game(seat)
            for pairing in with_games(round_.pairings.filter(black__isnull=False), section)
            for seat in seats_of(pairing)
            if seat.is_due and game_at(seat) is None
        )
        Copy.objects.bulk_create(Copy(game=game, side=side) for game in games for side in Side.values)
        if games:
            audit.record(
                actor=actor, action=AuditAction.ISSUE_SHEETS, section=section, subject=round_,
                after={"round": round_.number, "games": len(games)},
            )  # fmt: skip
    return len(games)


def mark_copy(
    actor: Actor,
    pairing_id: int,
    side: str,
    *,
    status: str = "",
    waived_reason: str | None = None,
    number: int = 1,
) -> Copy:
    """An arbiter notes a copy as received on paper or missing, or waives it with a reason ("" takes that back)."""
    if status and status not in Copy.Status.values:
        raise BadInput(fields={"status": [_("There is no such state of a copy.")]})
    seat = seat_of(pairing_id, number)
    if side not in Side.values:
        raise NotFound
    with transaction.atomic():
        lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        copy = copy_for(game, side)
        before = describe(copy)
        if status:
            copy.status = status
        if waived_reason is not None:
            copy.waived_reason = waived_reason.strip()
        copy.save()
        audit.record(
            actor=actor, action=AuditAction.MARK_COPY, section=seat.section, subject=game,
            before=before, after=describe(copy), reason=copy.waived_reason,
        )  # fmt: skip
    return copy


def waive_recording(
    actor: Actor, pairing_id: int, side: str, *, remaining: int, complete: bool = True, number: int = 1
) -> Copy:
    """A player in time trouble need not go on writing (article 10.5); `remaining` seconds on his clock.

    Refused with an increment, and with five minutes or more. `complete`: the arbiter asks for the missed moves after
    the game.
    """
    seat = seat_of(pairing_id, number)
    if side not in Side.values:
        raise NotFound
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        control = reading.control_of(seat.clock or section.time_control)
        if control is None:
            raise WrongState(_("The section's time control is not written in seconds, such as 4800+60."))
        if control.mode is Mode.FISCHER:
            raise WrongState(_("With an increment nobody gets into time trouble (article 10.5.1.2)."))
        if not recording_waived(control, remaining=remaining):
            raise WrongState(_("Recording is waived with less than five minutes left (article 10.5.1.1)."))
        game = game_for(seat)
        refuse_final(game)
        copy = copy_for(game, side)
        copy.recording_waived_at = timezone.now()
        copy.to_complete = complete
        copy.save()
        audit.record(
            actor=actor, action=AuditAction.WAIVE_RECORDING, section=section, subject=game,
            after={"side": side, "remaining": remaining, "to_complete": complete},
        )  # fmt: skip
    return copy


def game_for(seat: Seat) -> Game:
    """The game as it is played now, made with its copies when it is first needed. The caller holds the gate."""
    rows = Game.objects.filter(pairing=seat.pairing, number=seat.number)
    game = rows.order_by("attempt").last()
    if game is None:
        game = _game(seat)
        game.save()
        Copy.objects.bulk_create(Copy(game=game, side=side) for side in Side.values)
    game.pairing = seat.pairing
    return game


def copy_for(game: Game, side: str) -> Copy:
    return Copy.objects.get_or_create(game=game, side=side)[0]


def refuse_final(game: Game) -> None:
    if game.is_final:
        raise WrongState(_("The result is final. Open it again first, with a reason."), code="final")


def keep_verdict(sheet: Scoresheet, *, value: rules.Sheet, verdict: rules.Verdict) -> Verdict:
    """The verdict of the present rules version beside its sheet."""
    kept, _created = Verdict.objects.get_or_create(
        sheet=sheet,
        rules_version=rules.VERSION,
        profile=verdict.profile,
        defaults={"status": verdict.status, "plies": verdict.plies, "record": record(1, value, verdict)},
    )
    return kept


def judge_again() -> tuple[int, int]:
    """Judge every sheet without a verdict of the present rules version. Returns how many, and how many came out otherwise.

    Adds verdicts only; results and scores stay as they were accepted.
    """
    present = Verdict.objects.filter(rules_version=rules.VERSION, profile=reading.PROFILE)
    judged = changed = 0
    for sheet in (
        Scoresheet.objects.select_related("game__pairing__round__section")
        .exclude(pk__in=present.values("sheet_id"))
        .order_by("pk")
        .iterator()
    ):
        before = sheet.verdicts.order_by("-pk").first()
        value = reading.sheet_value(sheet)
        kept = keep_verdict(sheet, value=value, verdict=rules.validate(value, profile=reading.PROFILE))
        judged += 1
        changed += before is not None and (before.status, before.plies) != (kept.status, kept.plies)
    return judged, changed


def describe(copy: Copy) -> dict[str, object]:
    return {"side": copy.side, "status": copy.status, "waived_reason": copy.waived_reason}


def _refuse_own_position(value: rules.Sheet) -> None:
    """A game of a tournament begins with the start position (article 2.2); a sheet that says otherwise is no sheet of it."""
    set_up = any(ply == 0 for ply, _ in (*value.setups, *value.bad_setups))
    if value.start != rules.START or set_up:
        raise BadInput(
            _("The game begins with the start position (article 2.2): leave the FEN out."),
            code="own-position",
        )


def _check(handed: Handed) -> None:
    faults: dict[str, list[str]] = {}
    if not handed.submission or len(handed.submission) > 64:
        faults["submission"] = [_("A submission number has 1 to 64 characters.")]
    if handed.result and handed.result not in RESULTS:
        faults["result"] = [_("Write the result as 2-0, 1-1 or 0-2.")]
    if handed.ended_by and handed.ended_by not in set(rules.Ending):
        faults["ended_by"] = [_("There is no such ending of a game.")]
    for name in ("white_seconds", "black_seconds"):
        used = getattr(handed, name)
        if used is not None and not 0 <= used <= LONGEST_GAME:
            faults[name] = [_("The time used is 0 to 24 hours.")]
    if faults:
        raise BadInput(fields=faults)


def _game(seat: Seat) -> Game:
    """The row to write, not saved."""
    return Game(pairing=seat.pairing, number=seat.number, stage=seat.pace or Game.Stage.CLASSICAL)


def _first_answer(earlier: Scoresheet, seat: Seat, side: Side) -> Filed:
    known = (earlier.game.pairing_id, earlier.game.number, earlier.side)
    if known != (seat.pairing.pk, seat.number, side):
        raise Conflict(_("This submission number was used for another scoresheet."), code="submission-used")
    verdict = rules.validate(reading.sheet_value(earlier), profile=reading.PROFILE)
    return Filed(sheet=earlier, verdict=verdict, again=True)


def _sheet(side: Side, handed: Handed, seat: Seat, actor: Actor, *, link: str) -> Scoresheet:
    """The row to write, not saved. A player signs for himself only."""
    by_arbiter = not link and is_arbiter(actor, seat)
    return Scoresheet(
        game=_game(seat),
        side=side,
        submission=handed.submission,
        text=handed.text,
        digest=hashlib.sha256(handed.text.encode()).hexdigest(),
        form=handed.form,
        filename=handed.filename[:200],
        result=handed.result,
        ended_by=handed.ended_by,
        white_seconds=handed.white_seconds,
        black_seconds=handed.black_seconds,
        white_signed=handed.white_signed and (by_arbiter or side == Side.WHITE),
        black_signed=handed.black_signed and (by_arbiter or side == Side.BLACK),
        filed_by=None if link else actor.user,
        filer=actor.name if by_arbiter else name_of(seat, side),
    )


def _signed(actor: Actor, name: str) -> Actor:
    return actor if actor.user is not None else Actor(address=actor.address, label=name)
