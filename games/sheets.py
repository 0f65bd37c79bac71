"""From what was handed in to the law's values and back: text, sheet, verdict, score, PDN."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

import rules
from games.models import Game, Scoresheet, Side
from tournaments.encodings import decode, encoding_named
from tournaments.errors import BadInput
from tournaments.selectors import match_games

LARGEST_SHEET = 64 * 1024
PROFILE = rules.Profile.CN
_CONTROL = re.compile(r"\s*(\d{2,5})\s*(?:\+\s*(\d{1,4}))?\s*")
_MINUTES = re.compile(r"\s*(\d{1,3})'\s*(?:\+\s*(\d{1,3})(['\"]))?\s*")


def text_of_file(data: bytes, *, encoding: str = "") -> str:
    """Return the text of an uploaded file. Raises BadInput for what is too long, no text, or of an encoding in doubt."""
    if len(data) > LARGEST_SHEET:
        raise BadInput(_("The file is larger than 64 KB: hand in one game at a time."), code="too-large")
    return decode(data, encoding=encoding_named(encoding)).text


def read_sheet(text: str) -> rules.Sheet:
    """The sheet in a text. Raises BadInput naming the line when no game, or more than one, is in it."""
    if len(text.encode()) > LARGEST_SHEET:
        raise BadInput(_("The text is longer than 64 KB: hand in one game at a time."), code="too-large")
    try:
        file = rules.read_pdn(text)
    except rules.PdnError:
        raise BadInput(
            _("No move was found. Write moves such as 32-28 or 19x23, one after the other."), code="no-moves"
        ) from None
    if len(file.games) > 1:
        raise BadInput(
            _("There are %(count)s games here; the second begins in line %(line)s. Hand in one at a time."),
            code="several-games",
            count=len(file.games),
            line=file.games[1].line,
        )
    sheet = rules.sheet_of(file.games[0])
    if not sheet.moves and sheet.variant is None:
        raise BadInput(
            _("No move was found. Write moves such as 32-28 or 19x23, one after the other."), code="no-moves"
        )
    return sheet


SHORT_GAME = 30 * 60


def is_short(clock: str) -> bool:
    """Whether a game is so short that its times are written m:ss: less than half an hour a player."""
    control = control_of(clock)
    return control is not None and control.base < SHORT_GAME


def control_of(text: str) -> rules.TimeControl | None:
    """`4800+60` or `4800`, seconds, or `80'+1'` and `5'+3"`, minutes; None for what is written in another way."""
    match, minutes = _CONTROL.fullmatch(text), _MINUTES.fullmatch(text)
    if match is not None:
        given, increment = int(match[1]), int(match[2] or 0)
    elif minutes is not None:
        given, increment = 60 * int(minutes[1]), int(minutes[2] or 0) * (60 if minutes[3] == "'" else 1)
    else:
        return None
    if not given:
        return None
    return rules.fischer(given, increment) if increment else rules.sudden(given)


def control_for(game: Game) -> rules.TimeControl | None:
    """The time control of a game: of its stage in a match, else the section's."""
    section = game.pairing.round.section
    return control_of(match_games.clock_of(section, game.stage) or section.time_control)


def sheet_value(row: Scoresheet) -> rules.Sheet:
    """A stored copy as the law reads it: the text, and what the form declared beside it."""
    read = read_sheet(row.text)
    control = control_for(row.game)
    return replace(
        read,
        owner=rules.Side(row.side),
        result=row.result or read.result,
        text_result=_other_result(row.result, read),
        ended_by=rules.Ending(row.ended_by) if row.ended_by else read.ended_by,
        white_seconds=row.white_seconds if row.white_seconds is not None else read.white_seconds,
        black_seconds=row.black_seconds if row.black_seconds is not None else read.black_seconds,
        white_signed=row.white_signed,
        black_signed=row.black_signed,
        time_control=control,
        handed_in=True,
    )


def _other_result(declared: str, read: rules.Sheet) -> str | None:
    """What the text says of the result besides what the form says; the one that differs, when one does."""
    if not declared:
        return read.text_result
    said = [found for found in (read.result, read.text_result) if rules.canonical_result(found) is not None]
    return next((found for found in said if rules.canonical_result(found) != declared), None)


def start_of(game: Game) -> rules.Position:
    return rules.Position.from_fen(game.fen) if game.fen else rules.START


def score_value(game: Game) -> rules.Sheet:
    """The accepted score as a sheet; of an imported game, as its file has it, set-ups included."""
    if game.source and not game.is_accepted:
        return rules.sheet_of(rules.read_pdn(game.source).games[0])
    return rules.Sheet(
        moves=tuple(game.moves),
        start=start_of(game),
        accepted=frozenset(game.accepted_plies),
        white_seconds=game.white_time,
        black_seconds=game.black_time,
    )


def canonical(verdict: rules.Verdict, written: Sequence[str]) -> list[str]:
    """The moves that stand, each in its short form unless that would be ambiguous; irregular ones as written."""
    return [
        rules.write(position, move) if move is not None and move in rules.legal_moves(position) else text
        for position, move, text in zip(verdict.positions, verdict.moves, written, strict=False)
    ]


def side_of(letter: str) -> rules.Side:
    return rules.Side(Side(letter).value)
