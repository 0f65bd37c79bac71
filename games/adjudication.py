"""What two scoresheets and the rulings make of a game, and what is still asked for before its result is final.

Pure: sheets, verdicts and rulings in, a decision out; nobody is asked and nothing is written. A decision proposes:
an arbiter accepts. Refuses to judge moves (that is the law's) and to count points (that is the ledger's).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules import (
    START,
    DisagreementKind,
    DrawOffer,
    Ending,
    Position,
    Sheet,
    Side,
    Status,
    Verdict,
    may_agree,
    parse,
)
from rules.board import BIT
from rules.draws import OfferFault, offer_faults
from rules.moves import Move, legal_moves
from rules.notation import routes_taken

OUTCOME_OF_RESULT = {"2-0": "WHITE", "1-1": "DRAW", "0-2": "BLACK", "0-0": "BOTH_LOSE"}
"""The ledger's code of a result in points (article 12.6)."""
RESULT_OF_OUTCOME = {
    "WHITE": "2-0", "DRAW": "1-1", "BLACK": "0-2", "BOTH_LOSE": "0-0",
    "WHITE_FORFEITS": "0-2F", "BLACK_FORFEITS": "2-0F", "BOTH_FORFEIT": "0-0F",
}  # fmt: skip
"""How an outcome is written on a scoresheet and in PDN; a forfeit carries F, so that it is told from a played game."""
PROVED = {"white-wins": "WHITE", "black-wins": "BLACK", "open": None}


class Meeting(StrEnum):
    """How the two copies stand to each other."""

    NONE = "none"
    ONE = "one"
    AGREE = "agree"
    DIFFER = "differ"
    FAULTY = "faulty"
    UNREAD = "unread"
    DECLARED = "declared"
    """The moves agree, what is declared beside them does not."""


class Doubt(StrEnum):
    """Why a decision proposes no outcome, or one that an arbiter should look at twice."""

    WHITE_MISSING = "white-missing"
    BLACK_MISSING = "black-missing"
    WHITE_FAULTY = "white-faulty"
    BLACK_FAULTY = "black-faulty"
    WHITE_UNREAD = "white-unread"
    BLACK_UNREAD = "black-unread"
    MOVES_DIFFER = "moves-differ"
    RESULTS_DIFFER = "results-differ"
    RESULT_MISSING = "result-missing"
    RESULT_AGAINST_FINAL = "result-against-final"
    EARLY_DRAW = "early-draw"
    OWN_POSITION = "own-position"


DIFFERENCES = frozenset({Doubt.RESULTS_DIFFER, Doubt.RESULT_AGAINST_FINAL, Doubt.OWN_POSITION})
"""Doubts that are a difference although the moves agree: two results, or a position that the game does not begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """An outcome set by somebody with the power to: it stands above what the sheets say. `outcome` is a ledger code."""

    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What follows from the sheets. `outcome` is a ledger code or None; `side` is whose sheet the score comes from,
    None when there is none to propose; `differs_at` the first ply (from 1) that the copies give differently."""

    meeting: Meeting
    outcome: str | None
    side: Side | None
    differs_at: int | None
    doubts: tuple[Doubt, ...]
    ruled: bool = False

    @property
    def is_clear(self) -> bool:
        """Both copies are legal, tell the same game and declare the same result."""
        return self.meeting is Meeting.AGREE and self.outcome is not None and not self.doubts


_SOUND = frozenset({Status.LEGAL, Status.AMBIGUOUS})


def decide(
    sheets: Mapping[Side, Sheet], verdicts: Mapping[Side, Verdict], rulings: Sequence[Ruling] = ()
) -> Decision:
    """Propose a score and an outcome (articles 10.4, 10.6, 12.2 to 12.6).

    `sheets` and `verdicts` hold the latest copy of each side that has one; `rulings` in order, the last one counts.
    Never raises.
    """
    doubts = _missing(sheets) + _faults(verdicts)
    differs_at = first_difference(verdicts)
    meeting = _meeting(verdicts, differs_at)
    if meeting is Meeting.DIFFER:
        doubts.append(Doubt.MOVES_DIFFER)
    side = _better(verdicts)
    outcome, about_result = _outcome(verdicts, side)
    doubts += about_result
    if outcome == "DRAW" and side is not None and _is_early(sheets[side], verdicts[side]):
        doubts.append(Doubt.EARLY_DRAW)
    if any(sheet.start != START for sheet in sheets.values()):
        doubts.append(Doubt.OWN_POSITION)
    if meeting is Meeting.AGREE and DIFFERENCES & set(doubts):
        meeting = Meeting.DECLARED
    if rulings:
        outcome = rulings[-1].outcome
    return Decision(
        meeting=meeting,
        outcome=outcome,
        side=side,
        differs_at=differs_at,
        doubts=tuple(doubts),
        ruled=bool(rulings),
    )


def first_difference(verdicts: Mapping[Side, Verdict]) -> int | None:
    """The first ply (from 1) where two legal prefixes part, or where one ends before the other; None when they do not."""
    if len(verdicts) < 2:
        return None
    white, black = verdicts[Side.WHITE], verdicts[Side.BLACK]
    for ply, (one, other) in enumerate(zip(white.positions, black.positions, strict=False)):
        if one != other:
            return ply
    shorter = min(white.plies, black.plies)
    if white.plies != black.plies or (white.problem is None) != (black.problem is None):
        return shorter + 1
    return None


def _missing(sheets: Mapping[Side, Sheet]) -> list[Doubt]:
    found = []
    if Side.WHITE not in sheets:
        found.append(Doubt.WHITE_MISSING)
    if Side.BLACK not in sheets:
        found.append(Doubt.BLACK_MISSING)
    return found


def _faults(verdicts: Mapping[Side, Verdict]) -> list[Doubt]:
    named = {Side.WHITE: Doubt.WHITE_FAULTY, Side.BLACK: Doubt.BLACK_FAULTY}
    unread = {Side.WHITE: Doubt.WHITE_UNREAD, Side.BLACK: Doubt.BLACK_UNREAD}
    found = []
    for side in Side:
        if side in verdicts and verdicts[side].unread:
            found.append(unread[side])
        if side in verdicts and verdicts[side].status not in {*_SOUND, Status.UNREAD}:
            found.append(named[side])
    return found


def _meeting(verdicts: Mapping[Side, Verdict], differs_at: int | None) -> Meeting:
    if not verdicts:
        return Meeting.NONE
    if any(verdict.unread for verdict in verdicts.values()):
        return Meeting.UNREAD
    if len(verdicts) == 1:
        return Meeting.ONE
    if differs_at is not None:
        return Meeting.DIFFER
    faulty = any(verdict.status not in _SOUND for verdict in verdicts.values())
    return Meeting.FAULTY if faulty else Meeting.AGREE


def _better(verdicts: Mapping[Side, Verdict]) -> Side | None:
    """The side whose copy is sound and goes furthest; White's of two alike."""
    sound = [side for side in Side if side in verdicts and verdicts[side].status in _SOUND]
    return max(sound, key=lambda side: verdicts[side].plies) if sound else None


def _outcome(verdicts: Mapping[Side, Verdict], side: Side | None) -> tuple[str | None, list[Doubt]]:
    declared = {verdict.result for verdict in verdicts.values() if verdict.result is not None}
    proved = PROVED[verdicts[side].final] if side is not None else None
    doubts = []
    if len(declared) > 1:
        return proved, [Doubt.RESULTS_DIFFER]
    said = OUTCOME_OF_RESULT[declared.pop()] if declared else None
    kinds = {found.kind for verdict in verdicts.values() for found in verdict.disagreements}
    if DisagreementKind.RESULTS_DIFFER in kinds:
        doubts.append(Doubt.RESULTS_DIFFER)
    if said is None and proved is None and verdicts:
        doubts.append(Doubt.RESULT_MISSING)
    if said is not None and proved is not None and said != proved:
        doubts.append(Doubt.RESULT_AGAINST_FINAL)
    return said or proved, doubts


def _is_early(sheet: Sheet, verdict: Verdict) -> bool:
    return sheet.ended_by in (None, Ending.AGREEMENT) and is_early_draw(verdict)


def is_early_draw(verdict: Verdict) -> bool:
    """Whether a draw after these moves can only be one agreed before both players made forty (article 12.4)."""
    return not may_agree(verdict.plies) and not verdict.draws


class Gap(StrEnum):
    """What articles 4 and 10.6 ask for before a result is final, and is not there."""

    WHITE_COPY = "white-copy"
    BLACK_COPY = "black-copy"
    SCORE = "score"
    RESULT = "result"
    WHITE_TIME = "white-time"
    BLACK_TIME = "black-time"
    WHITE_SIGNATURE = "white-signature"
    BLACK_SIGNATURE = "black-signature"
    WHITE_TO_COMPLETE = "white-to-complete"
    BLACK_TO_COMPLETE = "black-to-complete"


COPIES = frozenset({Gap.WHITE_COPY, Gap.BLACK_COPY})


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyState:
    """One copy: received or waived; what it bears; times in seconds used."""

    received: bool = False
    waived: bool = False
    to_complete: bool = False
    white_seconds: int | None = None
    black_seconds: int | None = None
    white_signed: bool = False
    black_signed: bool = False


def gaps(*, white: CopyState, black: CopyState, has_score: bool, has_result: bool) -> tuple[Gap, ...]:
    """What is missing before a result can be final, in the order it is asked for (articles 4.2.2, 4.4, 10.5.2, 10.6).

    A waived copy need not be there nor be signed by its owner; with both waived no score and no times are asked for.
    """
    both = (white, black)
    all_waived = white.waived and black.waived
    checks = {
        Gap.WHITE_COPY: white.received or white.waived,
        Gap.BLACK_COPY: black.received or black.waived,
        Gap.SCORE: has_score or all_waived,
        Gap.RESULT: has_result,
        Gap.WHITE_TIME: any(copy.white_seconds is not None for copy in both) or all_waived,
        Gap.BLACK_TIME: any(copy.black_seconds is not None for copy in both) or all_waived,
        Gap.WHITE_SIGNATURE: any(copy.white_signed for copy in both) or white.waived,
        Gap.BLACK_SIGNATURE: any(copy.black_signed for copy in both) or black.waived,
        Gap.WHITE_TO_COMPLETE: not white.to_complete or white.waived,
        Gap.BLACK_TO_COMPLETE: not black.to_complete or black.waived,
    }
    return tuple(gap for gap, met in checks.items() if not met)


def offer_refused(
    offers: Sequence[DrawOffer], offer: DrawOffer, *, first: Side = Side.WHITE
) -> tuple[OfferFault, ...]:
    """What article 12.4 says against an offer, given the earlier ones; empty when it may be made."""
    return tuple(fault for found, fault in offer_faults([*offers, offer], first=first) if found == offer)


def readings(before: Position, written: str) -> tuple[Move, ...]:
    """The legal moves that a written move may stand for: none, one, or several captures with the same squares.

    For a sealed move (article 11.3.6): none loses the game, several ask the mover which is meant.
    """
    read = parse(written)
    if read.fault is not None:
        return ()
    fitting = [
        move
        for move in legal_moves(before)
        if move.origin == read.origin and move.destination == read.destination
    ]
    if len(read.path) == 2:
        return tuple(fitting)
    taken = routes_taken(before, BIT[read.origin], read.path)
    bits = {capture for _origin, _to, capture in taken}
    return tuple(move for move in fitting if move.captured in bits)
