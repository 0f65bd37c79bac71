"""From sheets to a result: accepting a score, draws claimed and agreed, and making a result final."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import rules
from games import adjudication
from games import sheets as reading
from games.adjudication import OUTCOME_OF_RESULT, PROVED, Gap
from games.models import DrawOffer, Game, GameRules, Raiser, Result, Side
from games.selectors.completeness import missing_to_finalise
from games.services.sheets import game_for, refuse_final
from games.slots import Seat, fresh, require_arbiter, seat_of
from rules.clock import FlagOutcome, flag_during_claim
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import BadInput, WrongState
from tournaments.gate import lock_section
from tournaments.models import Pairing, Section
from tournaments.permissions import Action, require
from tournaments.services import match_games
from tournaments.services.results import record_outcome

WINNER = {Side.WHITE: "WHITE", Side.BLACK: "BLACK"}
PLAYED = frozenset(OUTCOME_OF_RESULT.values())


class NotAgreed(WrongState):
    """Result and moves do not fit each other, and nobody said why."""

    code = "result-against-moves"


class NotComplete(WrongState):
    """Articles 4 and 10.6 ask for more. `values["gaps"]` lists what."""

    code = "not-complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score to accept: the moves as written, irregular plies that stand, where it comes from; the result in the
    ledger's code, how the game ended, times used; the board's version as the arbiter saw it."""

    moves: Sequence[str]
    outcome: str
    version: int
    accepted: Sequence[int] = ()
    source: str = "ARBITER"
    ended_by: str = ""
    note: str = ""
    white_seconds: int | None = None
    black_seconds: int | None = None


def accept_score(actor: Actor, pairing_id: int, score: Score, *, number: int = 1) -> Game:
    """Accept the moves of a game and its result together (articles 10.4, 10.6, 12).

    The moves must be legal (7.7 excepted). A result that they contradict needs a note with the reason. A draw agreed
    before move 40 is refused, or lost for both, as the section says.
    """
    try:
        return _accept(actor, seat_of(pairing_id, number), score)
    except NotAgreed as refused:
        if refused.code == "early-draw":
            _note_early_draw(actor, seat_of(pairing_id, number), score)
        raise


def _note_early_draw(actor: Actor, seat: Seat, score: Score) -> None:
    """A draw agreed before its time is refused, and that it was tried stays on record (articles 12.4, 14.2.1)."""
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        audit.record(
            actor=actor, action=AuditAction.EARLY_DRAW_REFUSED, section=section, subject=game_for(seat),
            after={"plies": len(score.moves), "round": seat.round.number, "board": seat.pairing.board},
        )  # fmt: skip


def _accept(actor: Actor, seat: Seat, score: Score) -> Game:
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        verdict = _judged(game, score)
        outcome = _settled(section, game, verdict, score)
        before = {"moves": game.moves, "accepted_from": game.accepted_from}
        _write_score(actor, game, score, verdict)
        _close_offer(game, outcome, plies=verdict.plies)
        change_outcome(
            actor,
            game,
            outcome=outcome,
            source=Result.Source.SHEETS,
            reason=score.note,
            version=score.version,
        )
        audit.record(
            actor=actor, action=AuditAction.ACCEPT_SCORE, section=section, subject=game, before=before,
            after={"moves": game.moves, "accepted_from": score.source, "outcome": outcome}, reason=score.note,
        )  # fmt: skip
    return game


def change_outcome(
    actor: Actor, game: Game, *, outcome: str, source: str, reason: str = "", version: int | None = None
) -> Result | None:
    """Set what came of the game, in the ledger and in the chain of results; None when it stands so already.

    Inside the caller's transaction. `version` is the board's version as the actor saw it, its present one by default.
    """
    seat = seat_of(game.pairing_id, game.number)
    if seat.outcome == outcome:
        return None
    set_outcome(
        actor,
        seat,
        outcome=outcome,
        version=seat.pairing.version if version is None else version,
        reason=reason or str(Result.Source(source).label),
    )
    return Result.objects.create(
        game=game,
        outcome=outcome,
        before=seat.outcome,
        source=source,
        reason=reason[:500],
        supersedes=game.results.filter(superseded_by__isnull=True).last(),
        made_by=actor.user,
    )


def set_outcome(
    actor: Actor, seat: Seat, *, outcome: str, version: int, reason: str, grade: str = ""
) -> Pairing:
    """What came of a game, in the ledger: of the board or, in a match, of the one game, and the match follows."""
    if seat.is_of_match:
        return match_games.record_game(
            actor, seat.pairing.pk, number=seat.number, outcome=outcome, version=version, reason=reason
        )
    return record_outcome(
        actor, seat.pairing.pk, outcome=outcome, grade=grade, version=version, reason=reason
    )


def finalise(actor: Actor, pairing_id: int, *, note: str = "", number: int = 1) -> Game:
    """Make the result final (articles 4.2.2, 4.4, 10.6).

    Both copies must be received or waived with a reason. Whatever else is missing needs a note; a player who refuses
    to sign or to write falls under article 14.3.
    """
    seat = seat_of(pairing_id, number)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        outcome = fresh(seat).outcome
        missing = missing_to_finalise(game, outcome=outcome)
        hard = [gap for gap in missing if gap in adjudication.COPIES or gap is Gap.RESULT]
        if hard or (missing and not note.strip()):
            raise NotComplete(
                _("The result cannot be final yet: something is missing."), gaps=[str(gap) for gap in missing]
            )
        game.finalised_at = timezone.now()
        game.finalise_note = note.strip()
        game.save(update_fields=["finalised_at", "finalise_note"])
        audit.record(
            actor=actor, action=AuditAction.FINALISE_RESULT, section=section, subject=game,
            after={"outcome": outcome, "missing": [str(gap) for gap in missing]}, reason=note,
        )  # fmt: skip
    return game


def reopen(actor: Actor, pairing_id: int, *, reason: str, number: int = 1) -> Game:
    """Take a final result back to work on it."""
    if not reason.strip():
        raise BadInput(fields={"reason": [_("Opening a final result again needs a reason.")]})
    seat = seat_of(pairing_id, number)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        if not game.is_final:
            raise WrongState(_("The result is not final."))
        game.finalised_at = None
        game.save(update_fields=["finalised_at"])
        audit.record(
            actor=actor, action=AuditAction.REOPEN_RESULT, section=section, subject=game, reason=reason
        )
    return game


def judge_claim(
    actor: Actor,
    pairing_id: int,
    *,
    claimant: str,
    moves: Sequence[str],
    kind: str,
    upheld: bool,
    version: int,
    reason: str = "",
    flag_fell: bool = False,
    number: int = 1,
    fen: str = "",
) -> rules.Verdict:
    """An arbiter's answer to a draw claim (articles 12.3, 12.5, 8.2.7).

    Upheld, the game is drawn, whether or not the claimant's flag fell meanwhile: the moves must show the draw, or, for
    "neither can win" (12.3.6), the arbiter gives his reason. Refused, the game goes on, or is lost if the flag fell.
    With `fen` the moves go on from that position: for the 16, 5 and 25 moves the whole game need not be known. An arbiter may
    act on his own, with `claimant` A and a reason: the letter of 12.5 leaves it to the players. Nobody's flag counts then.
    """
    if claimant not in (*Side.values, Raiser.ARBITER):
        raise BadInput(fields={"claimant": [_("Say which player claims.")]})
    if claimant == Raiser.ARBITER and upheld and not reason.strip():
        raise BadInput(
            fields={
                "reason": [
                    _("By the letter of article 12.5 a player claims: say why you end the game yourself.")
                ]
            }
        )
    start = claimed_from(fen)
    seat = seat_of(pairing_id, number)
    with transaction.atomic():
        section = lock_section(seat.round.section_id)
        require_arbiter(actor, seat)
        game = game_for(seat)
        refuse_final(game)
        verdict = rules.validate(rules.Sheet(moves=tuple(moves), start=start or reading.start_of(game)))
        if upheld:
            _check_claim(verdict, kind, reason)
        words = reason or kind
        outcome = _outcome_of_claim(claimant, upheld=upheld, flag_fell=flag_fell)
        if outcome:
            change_outcome(
                actor, game, outcome=outcome, source=Result.Source.CLAIM, reason=words, version=version
            )
        audit.record(
            actor=actor, action=AuditAction.JUDGE_CLAIM, section=section, subject=game,
            after={"claimant": claimant, "kind": kind, "upheld": upheld, "flag_fell": flag_fell, "plies": verdict.plies},
            reason=reason,
        )  # fmt: skip
    return verdict


def _outcome_of_claim(claimant: str, *, upheld: bool, flag_fell: bool) -> str:
    """The result that a judged claim brings, "" when the game goes on; a flag that fell meanwhile decides by 8.2.7."""
    if not upheld and not (flag_fell and claimant in Side.values):
        return ""
    if flag_during_claim(claim_upheld=upheld) is FlagOutcome.DRAW:
        return "DRAW"
    return WINNER[Side.BLACK if claimant == Side.WHITE else Side.WHITE]


def claimed_from(fen: str) -> rules.Position | None:
    """The position a claim starts from; None for the start of the game. Raises BadInput."""
    try:
        return rules.Position.from_fen(fen.strip()) if fen.strip() else None
    except rules.FenError as error:
        raise BadInput(fields={"fen": [str(error)]}) from None


def set_game_rules(actor: Actor, section_id: int, *, early_draw: str, sheets: str) -> GameRules:
    """Choose what a section does with early draws and with the players' sheets."""
    with transaction.atomic():
        section = lock_section(section_id)
        require(actor, Action.EDIT_EVENT, section.event)
        if early_draw not in GameRules.EarlyDraw.values or sheets not in GameRules.Sheets.values:
            raise BadInput(fields={"early_draw": [_("Choose one of the values offered.")]})
        row, _created = GameRules.objects.update_or_create(
            section=section, defaults={"early_draw": early_draw, "sheets": sheets}
        )
        audit.record(
            actor=actor, action=AuditAction.SET_GAME_RULES, section=section, subject=row,
            after={"early_draw": early_draw, "sheets": sheets},
        )  # fmt: skip
    return row


def game_rules(section: Section) -> GameRules:
    return GameRules.objects.filter(section=section).first() or GameRules(section=section)


def _judged(game: Game, score: Score) -> rules.Verdict:
    sheet = rules.Sheet(
        moves=tuple(score.moves), start=reading.start_of(game), accepted=frozenset(score.accepted)
    )
    if not sheet.moves:
        raise BadInput(fields={"moves": [_("A game score has at least one move.")]})
    verdict = rules.validate(sheet, profile=reading.PROFILE)
    if verdict.problem is not None:
        raise BadInput(
            _(
                "Move %(move)s (%(written)s) is not legal: correct it, or mark it as accepted by the opponent (7.7)."
            ),
            code="not-legal",
            move=verdict.problem.move_number,
            written=verdict.problem.written,
            ply=verdict.problem.ply,
            kind=str(verdict.problem.kind),
        )
    return verdict


def _settled(section: Section, game: Game, verdict: rules.Verdict, score: Score) -> str:
    """The outcome to record. Raises NotAgreed where result and moves differ and no note says why."""
    note = score.note.strip()
    proved = PROVED[verdict.final]
    if proved is not None and score.outcome != proved and not note:
        raise NotAgreed(_("The last position shows another result. Say why this one stands."))
    if score.outcome not in PLAYED and not note:
        raise NotAgreed(_("A game with moves is no forfeit. Say why this result stands."))
    if score.outcome == "DRAW" and adjudication.is_early_draw(verdict):
        agreed = game.draw_offers.filter(state=DrawOffer.State.ACCEPTED, ply=verdict.plies)
        return score.outcome if agreed.exists() else _early(section, score)
    claimed = score.ended_by in {kind.value for kind in rules.DrawKind}
    if claimed and score.ended_by not in {right.kind.value for right in verdict.draws} and not note:
        raise NotAgreed(_("The moves do not show the draw that is claimed. Say why it stands."))
    return score.outcome


def _early(section: Section, score: Score) -> str:
    if score.ended_by == rules.Ending.NO_WIN and score.note.strip():
        return score.outcome  # the arbiter's own ruling (article 12.3.6)
    policy = game_rules(section).early_draw
    if policy == GameRules.EarlyDraw.ALLOW:
        return score.outcome
    if policy == GameRules.EarlyDraw.BOTH_LOSE:
        return "BOTH_LOSE"
    raise NotAgreed(
        _("A draw cannot be agreed before each player has made 40 moves (article 12.4)."), code="early-draw"
    )


def _write_score(actor: Actor, game: Game, score: Score, verdict: rules.Verdict) -> None:
    game.moves = reading.canonical(verdict, score.moves)
    game.accepted_plies = sorted(score.accepted)
    game.white_time, game.black_time = score.white_seconds, score.black_seconds
    game.accepted_at, game.accepted_by = timezone.now(), actor.user
    game.accepted_from = score.source[:12]
    game.accept_note = score.note.strip()[:500]
    game.save()


def _close_offer(game: Game, outcome: str, *, plies: int) -> None:
    """An offer still open when the score is accepted: agreed where the game ended drawn at it, else refused (12.4)."""
    for offer in game.draw_offers.filter(state=DrawOffer.State.OPEN):
        agreed = outcome == "DRAW" and offer.ply == plies
        offer.state = DrawOffer.State.ACCEPTED if agreed else DrawOffer.State.REFUSED
        offer.save(update_fields=["state"])


def _check_claim(verdict: rules.Verdict, kind: str, reason: str) -> None:
    if kind == rules.Ending.NO_WIN:
        if not reason.strip():
            raise BadInput(
                fields={"reason": [_("That neither can win is the arbiter's ruling: give the reason.")]}
            )
        return
    if verdict.problem is not None:
        raise NotAgreed(_("The moves are not legal as far as they are given."))
    shown = verdict.counters[-1].reached()
    if kind not in {draw.value for draw in shown}:
        raise NotAgreed(_("The last position does not show this draw."), code="claim-unfounded")
