"""A scoresheet as a value: what was written, nothing judged yet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from rules.board import START, Position, Side
from rules.clock import TimeControl
from rules.draws import DrawOffer
from rules.layouts import Layout
from rules.signs import DASHES, fold


class Ending(StrEnum):
    """How the game is said to have ended (article 12)."""

    RESIGNATION = "resignation"
    NO_PIECES = "no-pieces"
    BLOCKED = "blocked"
    AGREEMENT = "agreement"
    THREEFOLD = "threefold"
    MOVES_25 = "25"
    MOVES_16 = "16"
    MOVES_5 = "5"
    NO_WIN = "no-win"
    TIME = "time"
    RULING = "ruling"


class Unread(NamedTuple):
    """Text of a sheet that was not understood. `line` and `column` count from 1 in the text handed in; `ply` is the next
    one when it was met, counted from 1. The moves around it may not be all that was written."""

    text: str
    line: int
    column: int
    ply: int


class AsideKind(StrEnum):
    """What text of a sheet is that is no move, and known to be none."""

    HEADER = "header"
    COMMENT = "comment"
    CLOCK = "clock"
    VARIATION = "variation"
    FOOTER = "footer"


class Aside(NamedTuple):
    """Text of a sheet beside its moves, recognised as what it is."""

    kind: AsideKind
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One copy of a scoresheet, or one game of a PDN file.

    `moves` are single moves in order, as written. `start` is where they begin; the side to move there makes ply 1.
    `accepted` are plies (1-based) whose irregular move the opponent let stand (article 7.7): the game goes on from
    what it led to. `setups` are (ply, position): after that many plies the board was set up as given (0: before the
    first), the way PDN records an irregular move that stands; a side instead of a position changes the turn alone.
    `bad_setups` are (ply, text) of those that are no position. `variant` names another game than 100-square draughts,
    which is not judged. `result` is the declared result as written;
    `text_result` a second one (a PDN game may say it twice). `end_mark` is `+` or `=`. Times are seconds used.
    `handed_in` asks what article 10.6 asks of a finished copy: result, both times, both signatures. `layouts` say how
    the moves stood on paper when they had to be put in order (`rules.layouts`). `unread` is text that was not understood,
    `asides` text that is no move: together with the moves they are all that was written.
    """

    moves: tuple[str, ...]
    start: Position = START
    setups: tuple[tuple[int, Position | Side], ...] = ()
    bad_setups: tuple[tuple[int, str], ...] = ()
    variant: str | None = None
    accepted: frozenset[int] = frozenset()
    owner: Side | None = None
    result: str | None = None
    text_result: str | None = None
    end_mark: str | None = None
    ended_by: Ending | None = None
    draw_offers: tuple[DrawOffer, ...] = ()
    time_control: TimeControl | None = None
    white_seconds: int | None = None
    black_seconds: int | None = None
    white_signed: bool | None = None
    black_signed: bool | None = None
    handed_in: bool = False
    layouts: tuple[Layout, ...] = ()
    unread: tuple[Unread, ...] = ()
    asides: tuple[Aside, ...] = ()


RESULTS: dict[str, str] = {
    "2-0": "2-0",
    "1-0": "2-0",
    "1-1": "1-1",
    "1/2-1/2": "1-1",
    "½-½": "1-1",
    "0.5-0.5": "1-1",
    "0,5-0,5": "1-1",
    "0-2": "0-2",
    "0-1": "0-2",
    "0-0": "0-0",
    "2-0F": "2-0",
    "0-2F": "0-2",
    "0-0F": "0-0",
}
"""The spellings of a result and the points they stand for (article 12.6)."""


RESULT_WORDS: dict[str, str] = {
    **dict.fromkeys(
        ("白胜", "白方胜", "白棋胜", "黑负", "黑认输", "黑方认输", "whitewins", "whitewon", "witwint"), "2-0"
    ),
    **dict.fromkeys(
        ("黑胜", "黑方胜", "黑棋胜", "白负", "白认输", "白方认输", "blackwins", "blackwon", "zwartwint"),
        "0-2",
    ),
    **dict.fromkeys(("和", "和棋", "平", "平局", "和局", "draw", "drawn", "remise", "nulle", "nul"), "1-1"),
}
"""Results in words, written without blanks."""


def canonical_result(text: str | None) -> str | None:
    """`2-0`, `1-1`, `0-2` or `0-0` for any spelling of a result; `None` when it is absent, `*`, or none of these."""
    if text is None:
        return None
    compact = "".join(fold(text).split()).translate(_DASHES).upper()
    return RESULTS.get(compact) or RESULT_WORDS.get(compact.casefold())


_DASHES = str.maketrans(dict.fromkeys(DASHES + ":", "-"))
