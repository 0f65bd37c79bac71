"""Kinds of fault and the articles behind them.

Every kind is a code; the words for it, in any language, live with the templates. Article numbers are those of the
Chinese rules of 100-square draughts, as `chapter.clause`; numbers of the FMJD Annex 1 carry the prefix `FMJD`.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """Why a written move is not a legal one."""

    UNREADABLE = "unreadable"
    NOT_WRITTEN = "not-written"
    NO_SUCH_SQUARE = "no-such-square"
    SAME_SQUARE = "same-square"
    EMPTY_SQUARE = "empty-square"
    OPPONENT_PIECE = "opponent-piece"
    TWO_IN_A_ROW = "two-in-a-row"
    TAKEN_BACK = "taken-back"
    OCCUPIED = "occupied"
    MAN_BACKWARDS = "man-backwards"
    TOO_FAR = "too-far"
    MAN_OFF_LINE = "man-off-line"
    KING_OFF_LINE = "king-off-line"
    KING_BLOCKED = "king-blocked"
    CAPTURE_MANDATORY = "capture-mandatory"
    NOT_MAXIMAL = "not-maximal"
    STOPPED_EARLY = "stopped-early"
    OWN_JUMP = "own-jump"
    JUMPED_TWICE = "jumped-twice"
    CAPTURE_IMPOSSIBLE = "capture-impossible"
    PATH_IMPOSSIBLE = "path-impossible"
    GAME_OVER = "game-over"
    TOO_AMBIGUOUS = "too-ambiguous"
    BAD_START = "bad-start"
    BAD_SETUP = "bad-setup"


ARTICLES: dict[Kind, tuple[str, ...]] = {
    Kind.UNREADABLE: ("10.2", "10.3.1"),
    Kind.NOT_WRITTEN: ("10.2", "10.3.1"),
    Kind.NO_SUCH_SQUARE: ("1.1.6", "10.2.1"),
    Kind.SAME_SQUARE: ("5.4", "10.2.1"),
    Kind.EMPTY_SQUARE: ("10.2.1",),
    Kind.OPPONENT_PIECE: ("7.4.5",),
    Kind.TWO_IN_A_ROW: ("5.3", "7.4.1"),
    Kind.TAKEN_BACK: ("7.4.4",),
    Kind.OCCUPIED: ("5.4", "5.9"),
    Kind.MAN_BACKWARDS: ("5.4", "7.4.2"),
    Kind.TOO_FAR: ("5.4",),
    Kind.MAN_OFF_LINE: ("5.4", "7.4.2"),
    Kind.KING_OFF_LINE: ("5.9",),
    Kind.KING_BLOCKED: ("5.9", "7.4.2"),
    Kind.CAPTURE_MANDATORY: ("6.2", "6.3", "7.4.6"),
    Kind.NOT_MAXIMAL: ("6.12", "7.4.8"),
    Kind.STOPPED_EARLY: ("6.5", "6.6", "7.4.9"),
    Kind.OWN_JUMP: ("6.7",),
    Kind.JUMPED_TWICE: ("6.8", "7.4.8"),
    Kind.CAPTURE_IMPOSSIBLE: ("6.2", "6.3", "7.4.2"),
    Kind.PATH_IMPOSSIBLE: ("6.5", "6.6", "7.4.2"),
    Kind.GAME_OVER: ("12.1", "12.2.2", "12.2.3"),
    Kind.TOO_AMBIGUOUS: ("10.2.1", "10.2.3"),
    Kind.BAD_START: ("2.2", "7.2"),
    Kind.BAD_SETUP: ("7.2",),
}
"""The articles each kind offends against, the rule of play before the irregularity of article 7.4."""


class RemarkKind(StrEnum):
    """What a sheet shows that does not make a move illegal."""

    WRONG_SEPARATOR = "wrong-separator"
    AMBIGUOUS = "ambiguous"
    AD_LIBITUM = "ad-libitum"
    ACCEPTED = "accepted-irregular"
    POSITION_SET = "position-set"
    CAPTURED_LEFT = "captured-left-standing"
    UNCAPTURED_REMOVED = "uncaptured-removed"
    OWN_REMOVED = "own-removed"
    LOOKS_LIKE_RESULT = "looks-like-result"
    LETTER_FOR_DIGIT = "letter-for-digit"
    CAPTURED_NAMED = "captured-named"
    COLUMNS_EXCHANGED = "columns-exchanged"
    COLUMNS_BELOW = "columns-one-below-the-other"
    WHITE_ONLY = "white-moves-only"
    BLACK_ONLY = "black-moves-only"
    TURNED = "numbered-from-the-other-side"
    WHITE_TURNED = "white-moves-numbered-from-the-other-side"
    BLACK_TURNED = "black-moves-numbered-from-the-other-side"


REMARK_ARTICLES: dict[RemarkKind, tuple[str, ...]] = {
    RemarkKind.WRONG_SEPARATOR: ("10.2.2", "10.2.3"),
    RemarkKind.AMBIGUOUS: ("6.13", "10.2.1"),
    RemarkKind.AD_LIBITUM: ("10.2.6",),
    RemarkKind.ACCEPTED: ("7.7",),
    RemarkKind.POSITION_SET: ("7.2", "7.7"),
    RemarkKind.CAPTURED_LEFT: ("7.4.11",),
    RemarkKind.UNCAPTURED_REMOVED: ("7.4.12",),
    RemarkKind.OWN_REMOVED: ("7.4.14",),
    RemarkKind.LOOKS_LIKE_RESULT: ("10.6",),
    RemarkKind.LETTER_FOR_DIGIT: ("10.2.1",),
    RemarkKind.CAPTURED_NAMED: ("10.2.3",),
    RemarkKind.COLUMNS_EXCHANGED: ("10.3.1",),
    RemarkKind.COLUMNS_BELOW: ("10.3.1",),
    RemarkKind.WHITE_ONLY: ("10.3.1",),
    RemarkKind.BLACK_ONLY: ("10.3.1",),
    RemarkKind.TURNED: ("10.2.1",),
    RemarkKind.WHITE_TURNED: ("10.2.1",),
    RemarkKind.BLACK_TURNED: ("10.2.1",),
}


class DisagreementKind(StrEnum):
    """Where what a sheet declares does not fit its moves."""

    RESULT_AGAINST_FINAL = "result-against-final"
    RESULTS_DIFFER = "results-differ"
    END_MARK_AGAINST_RESULT = "end-mark-against-result"
    END_MARK_EARLY = "end-mark-early"
    DRAW_BEFORE_40 = "draw-before-move-40"
    OFFER_TOO_EARLY = "offer-too-early"
    OFFER_REPEATED = "offer-repeated"
    OFFER_NOT_AFTER_OWN_MOVE = "offer-not-after-own-move"
    CLAIM_UNFOUNDED = "claim-unfounded"
    ENDING_UNFOUNDED = "ending-unfounded"
    TIME_EXCEEDED = "time-exceeded"
    TIME_MISSING = "time-missing"
    RESULT_MISSING = "result-missing"
    SIGNATURE_MISSING = "signature-missing"


DISAGREEMENT_ARTICLES: dict[DisagreementKind, tuple[str, ...]] = {
    DisagreementKind.RESULT_AGAINST_FINAL: ("12.2.2", "12.2.3"),
    DisagreementKind.RESULTS_DIFFER: ("10.6",),
    DisagreementKind.END_MARK_AGAINST_RESULT: ("10.2.4", "10.2.5"),
    DisagreementKind.END_MARK_EARLY: ("10.2.4", "10.2.5"),
    DisagreementKind.DRAW_BEFORE_40: ("12.4",),
    DisagreementKind.OFFER_TOO_EARLY: ("12.4",),
    DisagreementKind.OFFER_REPEATED: ("12.4",),
    DisagreementKind.OFFER_NOT_AFTER_OWN_MOVE: ("12.4",),
    DisagreementKind.CLAIM_UNFOUNDED: ("12.3", "12.5"),
    DisagreementKind.ENDING_UNFOUNDED: ("12.2.2", "12.2.3"),
    DisagreementKind.TIME_EXCEEDED: ("8.1.1", "8.2.6"),
    DisagreementKind.TIME_MISSING: ("10.6",),
    DisagreementKind.RESULT_MISSING: ("10.6",),
    DisagreementKind.SIGNATURE_MISSING: ("10.6",),
}


IRREGULARITIES: dict[str, tuple[str, ...]] = {
    "7.4.1": (Kind.TWO_IN_A_ROW,),
    "7.4.2": (
        Kind.MAN_BACKWARDS,
        Kind.TOO_FAR,
        Kind.MAN_OFF_LINE,
        Kind.KING_OFF_LINE,
        Kind.KING_BLOCKED,
        Kind.OCCUPIED,
        Kind.OWN_JUMP,
        Kind.CAPTURE_IMPOSSIBLE,
        Kind.PATH_IMPOSSIBLE,
    ),
    "7.4.3": (),
    "7.4.4": (Kind.TAKEN_BACK,),
    "7.4.5": (Kind.OPPONENT_PIECE,),
    "7.4.6": (Kind.CAPTURE_MANDATORY,),
    "7.4.7": (),
    "7.4.8": (Kind.NOT_MAXIMAL, Kind.JUMPED_TWICE),
    "7.4.9": (Kind.STOPPED_EARLY,),
    "7.4.10": (),
    "7.4.11": (RemarkKind.CAPTURED_LEFT,),
    "7.4.12": (RemarkKind.UNCAPTURED_REMOVED,),
    "7.4.13": (),
    "7.4.14": (RemarkKind.OWN_REMOVED,),
    "7.4.15": (),
}
"""The fifteen irregularities an opponent may accept (article 7.7) and the kinds by which the moves of a sheet show
them; an empty tuple is one that only a witness can report."""
