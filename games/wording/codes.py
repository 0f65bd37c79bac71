"""The court's own codes in words: what is missing, how sheets stand to each other, how a game ended."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.adjudication import Doubt, Gap, Meeting
from rules import Ending

GAPS: dict[str, Promise] = {
    Gap.WHITE_COPY: _("White's scoresheet is neither received nor waived."),
    Gap.BLACK_COPY: _("Black's scoresheet is neither received nor waived."),
    Gap.SCORE: _("No game score is accepted."),
    Gap.RESULT: _("No result is entered."),
    Gap.WHITE_TIME: _("White's time used is missing."),
    Gap.BLACK_TIME: _("Black's time used is missing."),
    Gap.WHITE_SIGNATURE: _("White's signature is missing."),
    Gap.BLACK_SIGNATURE: _("Black's signature is missing."),
    Gap.WHITE_TO_COMPLETE: _("White has to fill in the moves missed in time trouble."),
    Gap.BLACK_TO_COMPLETE: _("Black has to fill in the moves missed in time trouble."),
}

MEETINGS: dict[str, Promise] = {
    Meeting.NONE: _("no scoresheet yet"),
    Meeting.ONE: _("one scoresheet"),
    Meeting.AGREE: _("the scoresheets agree"),
    Meeting.DIFFER: _("the scoresheets differ"),
    Meeting.FAULTY: _("both are wrong in the same way"),
    Meeting.UNREAD: _("a scoresheet was not read completely"),
    Meeting.DECLARED: _("the moves agree, what is declared does not"),
}

DOUBTS: dict[str, Promise] = {
    Doubt.WHITE_MISSING: _("White's scoresheet is not in."),
    Doubt.BLACK_MISSING: _("Black's scoresheet is not in."),
    Doubt.WHITE_FAULTY: _("White's scoresheet is not legal to the end."),
    Doubt.BLACK_FAULTY: _("Black's scoresheet is not legal to the end."),
    Doubt.WHITE_UNREAD: _("Part of White's scoresheet could not be read."),
    Doubt.BLACK_UNREAD: _("Part of Black's scoresheet could not be read."),
    Doubt.MOVES_DIFFER: _("The moves differ."),
    Doubt.RESULTS_DIFFER: _("Different results are declared."),
    Doubt.RESULT_MISSING: _("Nobody declares a result."),
    Doubt.RESULT_AGAINST_FINAL: _("The declared result is not what the last position shows."),
    Doubt.OWN_POSITION: _("A scoresheet begins with a position of its own (article 2.2)."),
    Doubt.EARLY_DRAW: _("A draw before each player has made 40 moves (article 12.4)."),
}

ENDINGS: dict[str, Promise] = {
    Ending.RESIGNATION: _("resignation"),
    Ending.NO_PIECES: _("no pieces left"),
    Ending.BLOCKED: _("no move left"),
    Ending.AGREEMENT: _("draw by agreement"),
    Ending.THREEFOLD: _("same position for the third time"),
    Ending.MOVES_25: _("25 moves with kings only"),
    Ending.MOVES_16: _("16 moves against a lone king"),
    Ending.MOVES_5: _("5 moves against a lone king"),
    Ending.NO_WIN: _("neither can win"),
    Ending.TIME: _("time"),
    Ending.RULING: _("arbiter's ruling"),
}

PLACING: dict[str, Promise] = {
    "no-player": _("a player's name is missing"),
    "same-player": _("both players have the same name"),
    "empty": _("neither a result nor moves"),
    "other-variant": _("another game than draughts on 100 squares"),
    "no-round": _("no round is named: placed in a later one"),
    "round-taken": _("a player has a board in this round already: placed in a later one"),
    "no-result": _("no result that counts: left open"),
    "same-game": _("the same players and moves as game"),
    "unread": _("not understood:"),
    "results-differ": _("the tag and the text give different results:"),
    "illegal-move": _("the moves are legal only up to ply"),
}

CHANGES: dict[str, Promise] = {
    "change-separator": _("the sign between the squares"),
    "change-digit": _("one digit"),
    "change-digits": _("several digits"),
    "change-transposed": _("two digits exchanged"),
    "change-lost-digit": _("a digit is lost"),
    "change-extra-digit": _("a digit too many"),
    "change-exchanged": _("from and to exchanged"),
    "change-path": _("the squares in between"),
    "change-unreadable": _("not readable"),
    "change-replaced": _("another move"),
    "change-missing": _("missing on the sheet"),
    "change-extra": _("no move of the game"),
    "change-twice": _("written twice"),
    "change-swapped": _("written after the next move"),
    "change-reordered": _("exchanged with another move of the same player"),
}

_ALL: dict[str, Promise] = {**GAPS, **MEETINGS, **DOUBTS, **ENDINGS, **PLACING, **CHANGES}


def words(code: str) -> str:
    """The words of a code; a code without words stands for itself."""
    return str(_ALL.get(code, code))
