"""The words for what the law finds: one sentence a code, in the reader's language.

`rules` gives codes and values only; pages, commands and print-outs take their sentences from here.
"""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules import DisagreementKind, DrawKind, Final, Kind, Problem, RemarkKind, Side, Status, Unread

KINDS: dict[Kind, Promise] = {
    Kind.UNREADABLE: gettext_lazy(
        "This cannot be read as a move: write two squares, such as 32-28 or 19x23."
    ),
    Kind.NOT_WRITTEN: gettext_lazy("This move is not written."),
    Kind.NO_SUCH_SQUARE: gettext_lazy("There is no such square: squares are numbered from 1 to 50."),
    Kind.SAME_SQUARE: gettext_lazy("The move ends where it began."),
    Kind.EMPTY_SQUARE: gettext_lazy("Nothing stands on the square the move starts from."),
    Kind.OPPONENT_PIECE: gettext_lazy("The piece moved belongs to the opponent."),
    Kind.TWO_IN_A_ROW: gettext_lazy(
        "The same player moves twice in a row, or the move in between is not written."
    ),
    Kind.TAKEN_BACK: gettext_lazy("The move just made is taken back."),
    Kind.OCCUPIED: gettext_lazy("The square the move goes to is occupied."),
    Kind.MAN_BACKWARDS: gettext_lazy("A man moves forward only."),
    Kind.TOO_FAR: gettext_lazy("A man moves one square only."),
    Kind.MAN_OFF_LINE: gettext_lazy("A man moves diagonally to the next row."),
    Kind.KING_OFF_LINE: gettext_lazy("A king moves along a diagonal; the two squares share none."),
    Kind.KING_BLOCKED: gettext_lazy("A piece stands in the king's way."),
    Kind.CAPTURE_MANDATORY: gettext_lazy("A capture is possible, so a capture must be made."),
    Kind.NOT_MAXIMAL: gettext_lazy("Another capture takes more pieces: the greatest number must be taken."),
    Kind.STOPPED_EARLY: gettext_lazy("The capture goes on: the piece stopped before all pieces were taken."),
    Kind.OWN_JUMP: gettext_lazy("A piece of one's own may not be jumped."),
    Kind.JUMPED_TWICE: gettext_lazy("The same piece may not be jumped twice."),
    Kind.CAPTURE_IMPOSSIBLE: gettext_lazy("No piece can be taken that way."),
    Kind.PATH_IMPOSSIBLE: gettext_lazy("The squares in between fit no capture of this piece."),
    Kind.GAME_OVER: gettext_lazy("The game was over: the side to move has no piece or no move left."),
    Kind.TOO_AMBIGUOUS: gettext_lazy(
        "The captures so far can be read in too many ways: write every square of them."
    ),
    Kind.BAD_START: gettext_lazy("The start position is no position of this game."),
    Kind.BAD_SETUP: gettext_lazy("The position set up during the game is no position of this game."),
}

REMARKS: dict[RemarkKind, Promise] = {
    RemarkKind.WRONG_SEPARATOR: gettext_lazy(
        "A quiet move is written with a hyphen, a capture with a cross."
    ),
    RemarkKind.AMBIGUOUS: gettext_lazy("Several captures fit what is written."),
    RemarkKind.AD_LIBITUM: gettext_lazy("Marked a.l.: several captures with the same result."),
    RemarkKind.ACCEPTED: gettext_lazy("An irregular move that the opponent let stand."),
    RemarkKind.POSITION_SET: gettext_lazy("The board was set up anew here."),
    RemarkKind.CAPTURED_LEFT: gettext_lazy("A captured piece was left on the board."),
    RemarkKind.UNCAPTURED_REMOVED: gettext_lazy("A piece that was not jumped was removed."),
    RemarkKind.OWN_REMOVED: gettext_lazy("A piece of one's own was removed."),
    RemarkKind.LETTER_FOR_DIGIT: gettext_lazy("A letter is read as the digit it looks like."),
    RemarkKind.CAPTURED_NAMED: gettext_lazy("The capture names the piece taken, not the square it ends on."),
    RemarkKind.COLUMNS_EXCHANGED: gettext_lazy("White's and Black's columns are exchanged on this sheet."),
    RemarkKind.COLUMNS_BELOW: gettext_lazy(
        "The moves of one side stand below those of the other on this sheet."
    ),
    RemarkKind.WHITE_ONLY: gettext_lazy("Only White's moves are written on this sheet."),
    RemarkKind.BLACK_ONLY: gettext_lazy("Only Black's moves are written on this sheet."),
    RemarkKind.TURNED: gettext_lazy("The squares on this sheet are numbered from the other side."),
    RemarkKind.WHITE_TURNED: gettext_lazy("White's moves on this sheet are numbered from the other side."),
    RemarkKind.BLACK_TURNED: gettext_lazy("Black's moves on this sheet are numbered from the other side."),
    RemarkKind.LOOKS_LIKE_RESULT: gettext_lazy("This repeats the declared result; it may be no move."),
}

DISAGREEMENTS: dict[DisagreementKind, Promise] = {
    DisagreementKind.RESULT_AGAINST_FINAL: gettext_lazy(
        "The declared result is not what the final position proves."
    ),
    DisagreementKind.RESULTS_DIFFER: gettext_lazy("Two different results are declared."),
    DisagreementKind.END_MARK_AGAINST_RESULT: gettext_lazy("The end mark does not fit the result."),
    DisagreementKind.END_MARK_EARLY: gettext_lazy("An end mark stands before the last move."),
    DisagreementKind.DRAW_BEFORE_40: gettext_lazy("A draw was agreed before each player had made 40 moves."),
    DisagreementKind.OFFER_TOO_EARLY: gettext_lazy(
        "A draw was offered before each player had made 40 moves."
    ),
    DisagreementKind.OFFER_REPEATED: gettext_lazy(
        "A refused draw offer was repeated before the opponent made one."
    ),
    DisagreementKind.OFFER_NOT_AFTER_OWN_MOVE: gettext_lazy("A draw is offered after one's own move."),
    DisagreementKind.CLAIM_UNFOUNDED: gettext_lazy("The moves do not show the draw that is claimed."),
    DisagreementKind.ENDING_UNFOUNDED: gettext_lazy("The moves do not end the way that is declared."),
    DisagreementKind.TIME_EXCEEDED: gettext_lazy("More time was used than there was."),
    DisagreementKind.TIME_MISSING: gettext_lazy("The time used is missing."),
    DisagreementKind.RESULT_MISSING: gettext_lazy("The result is missing."),
    DisagreementKind.SIGNATURE_MISSING: gettext_lazy("A signature is missing."),
}

DRAWS: dict[DrawKind, Promise] = {
    DrawKind.THREEFOLD: gettext_lazy("the same position for the third time"),
    DrawKind.MOVES_25: gettext_lazy("25 moves each with kings only and no capture"),
    DrawKind.MOVES_16: gettext_lazy("16 moves each with three pieces against a lone king"),
    DrawKind.MOVES_5: gettext_lazy("5 moves each with one or two pieces against a lone king"),
}

STATUSES: dict[Status, Promise] = {
    Status.LEGAL: gettext_lazy("legal"),
    Status.UNREAD: gettext_lazy("not read completely"),
    Status.ILLEGAL: gettext_lazy("not legal"),
    Status.AMBIGUOUS: gettext_lazy("ambiguous"),
    Status.NO_MOVES: gettext_lazy("no moves"),
    Status.OTHER_VARIANT: gettext_lazy("another variant"),
}

FINALS: dict[Final, Promise] = {
    Final.WHITE_WINS: gettext_lazy("White has won: Black has no move left."),
    Final.BLACK_WINS: gettext_lazy("Black has won: White has no move left."),
    Final.OPEN: gettext_lazy("The final position proves no result."),
}

SIDES: dict[Side, Promise] = {Side.WHITE: gettext_lazy("White"), Side.BLACK: gettext_lazy("Black")}


def unread_words(found: Unread) -> str:
    """Which text was not understood, and where it stands."""
    return _("Not understood: “%(text)s” (line %(line)d, column %(column)d, before ply %(ply)d).") % {
        "text": found.text,
        "line": found.line,
        "column": found.column,
        "ply": found.ply,
    }


def articles_in_words(articles: tuple[str, ...]) -> str:
    """`art. 6.12, 7.4.8`, or nothing."""
    return _("art. %(articles)s") % {"articles": ", ".join(articles)} if articles else ""


def explain(problem: Problem) -> list[str]:
    """What is wrong, and what would have been right: a few sentences, the fault first."""
    sentences = [f"{KINDS[problem.kind]} ({articles_in_words(problem.articles)})"]
    if problem.captures_due:
        sentences.append(
            ngettext(
                "%(count)d piece must be taken.", "%(count)d pieces must be taken.", problem.captures_due
            )
            % {"count": problem.captures_due}
        )
    if problem.captures_made:
        sentences.append(
            ngettext(
                "The written move takes %(count)d.",
                "The written move takes %(count)d.",
                problem.captures_made,
            )
            % {"count": problem.captures_made}
        )
    if problem.legal_moves:
        sentences.append(_("Legal here: %(moves)s") % {"moves": ", ".join(_shown(problem))})
    return sentences


def _shown(problem: Problem) -> list[str]:
    """The legal moves; captures with every square and what they take."""
    if not problem.captures:
        return list(problem.legal_moves)
    shown = [
        f"{'x'.join(map(str, choice.path))} ({', '.join(map(str, choice.takes))})"
        for choice in problem.captures
    ]
    hidden = len(problem.legal_moves) - len(shown)
    return [*shown, f"+{hidden}"] if hidden else shown
