"""A scoresheet typed into a form, one move a field: what the fields hold, and the text it makes.

A field left empty between others keeps its place: a dash stands for it. The text is made in PDN's spelling,
with a cross where a move typed without a sign takes something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import rules
from games import sheets
from games.selectors.viewer import Line
from rules.pdn import plain_move

ROWS_AT_FIRST = 30
MOST_PLIES = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One full move of the form: its number, and per side the text and whether it is the first fault."""

    number: int
    white: str
    black: str
    white_fault: bool
    black_fault: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What the law says to the moves typed so far. `line` holds the legal part."""

    moves: tuple[str, ...]
    line: Line

    @property
    def problem(self) -> rules.Problem | None:
        return self.line.verdict.problem

    @property
    def legal_now(self) -> tuple[str, ...]:
        """The moves that could come next, written so that no two are alike."""
        if self.problem is not None:
            return ()
        position = self.line.verdict.final_position
        return tuple(rules.write(position, move) for move in rules.legal_moves(position))


def moves_in(fields: Sequence[str]) -> tuple[str, ...]:
    """The moves of the fields in their order; a field left empty between others keeps its place as a move not written."""
    moves = [text.strip() for text in fields[:MOST_PLIES]]
    while moves and not moves[-1]:
        moves.pop()
    return tuple(moves)


def check(moves: Sequence[str]) -> Check:
    sheet = rules.Sheet(moves=tuple(moves))
    return Check(
        moves=tuple(moves), line=Line(sheet=sheet, verdict=rules.validate(sheet, profile=sheets.PROFILE))
    )


def rows(moves: Sequence[str], *, fault: int = 0, least: int = ROWS_AT_FIRST) -> list[Row]:
    """The rows of the form, eight empty ones at the end. `fault` is the ply (from 1) of the first fault."""
    count = max(least, (len(moves) + 1) // 2 + 8)
    shown = ["" if rules.parse(text).fault == "not-written" else text for text in moves]
    padded = [*shown, *[""] * (2 * count - len(moves))]
    return [
        Row(
            number=n + 1,
            white=padded[2 * n],
            black=padded[2 * n + 1],
            white_fault=fault == 2 * n + 1,
            black_fault=fault == 2 * n + 2,
        )
        for n in range(count)
    ]


def unreadable(moves: Sequence[str]) -> list[int]:
    """The plies (from 1) that are no move at all."""
    return [ply for ply, text in enumerate(moves, 1) if rules.parse(text).fault == "unreadable"]


def text_of(moves: Sequence[str], *, offers: Sequence[int] = ()) -> str:
    """The typed moves as the text of a scoresheet; `offers` are plies behind which the mover offered a draw."""
    found = check(moves).line.verdict.moves
    spelled = [
        _spelled(text, found[index] if index < len(found) else None) + (" (=)" if index + 1 in offers else "")
        for index, text in enumerate(moves)
    ]
    pairs = [
        f"{number}. {' '.join(spelled[2 * number - 2 : 2 * number])}"
        for number in range(1, (len(moves) + 3) // 2)
    ]
    return "\n".join(pairs)


def _spelled(text: str, move: rules.Move | None) -> str:
    read = rules.parse(text)
    if not read.separator and move is not None and move.is_capture:
        return str(move)
    return plain_move(text) + (" a.l." if read.ad_libitum else "")
