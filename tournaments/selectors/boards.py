"""The boards of a public round, as halls print them: by board and by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments import formats
from tournaments.engine.types import Colour
from tournaments.models import Entry, Round
from tournaments.selectors.points import Line
from tournaments.selectors.public import Ledger, found_by
from tournaments.wording.names import latin, plain
from tournaments.wording.pairings import board_words
from tournaments.wording.people import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A board with both sides and their points before the round. A bye has no black side."""

    line: Line
    white: Entry
    black: Entry | None
    white_before: int
    black_before: int

    def holds(self, query: str) -> bool:
        return found_by(self.white, query) or (self.black is not None and found_by(self.black, query))


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRow:
    """One player's line of the list by name."""

    entry: Entry
    line: Line
    colour: Colour | None
    opponent: Entry | None
    before: int


def rows(book: Ledger, number: int) -> tuple[list[Row], list[Row], list[Entry]]:
    """(boards in order, byes in order, entries without any line that still take part) of a public round."""
    before = book.points_before(number)
    found = [_row(book, item, before) for item in book.of_round(number)]
    boards = [row for row in found if not row.line.is_bye]
    byes = [row for row in found if row.line.is_bye]
    paired = {pk for item in book.of_round(number) for pk in (item.white, item.black)}
    idle = [
        entry
        for entry in book.entries.values()
        if entry.pk not in paired and _takes_part(entry, number) and not formats.of(book.section).has_bracket
    ]
    return boards, byes, idle


def _row(book: Ledger, item: Line, before: dict[int, int]) -> Row:
    return Row(
        line=item,
        white=book.entries[item.white],
        black=book.entries[item.black] if item.black is not None else None,
        white_before=before[item.white],
        black_before=before[item.black] if item.black is not None else 0,
    )


def _takes_part(entry: Entry, number: int) -> bool:
    gone = entry.withdrawn_after_round is not None and entry.withdrawn_after_round < number
    return entry.number is not None and not gone and entry.first_round <= number


def by_name(book: Ledger, number: int) -> list[NameRow]:
    """Every paired player A-Z; Chinese names by their pinyin."""
    before = book.points_before(number)
    found = []
    for item in book.of_round(number):
        for pk in (item.white, item.black):
            if pk is None:
                continue
            opponent = item.opponent_of(pk)
            found.append(
                NameRow(
                    entry=book.entries[pk],
                    line=item,
                    colour=item.colour_of(pk),
                    opponent=book.entries[opponent] if opponent is not None else None,
                    before=before[pk],
                )
            )
    return sorted(found, key=lambda row: (name_key(row.entry), row.entry.pk))


def name_key(entry: Entry) -> str:
    player = entry.player
    return plain(player.latin_name or latin(player.name) or player.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A board of the engine's proposal, and what became of it."""

    board: int
    white: Entry | None
    black: Entry | None
    is_bye: bool
    kept: bool  # the same two met with the same colours
    white_why: dict[str, Any] | None
    black_why: dict[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Why a round was paired so: the engine's boards against those played, the arbiter's changes, the reasons."""

    round: Round
    proposed: list[Proposed]
    edits: list[dict[str, Any]]
    names: dict[int, str]  # pairing number of that moment -> that number and name

    @property
    def changed(self) -> list[Proposed]:
        return [board for board in self.proposed if not board.kept]


def account(book: Ledger, number: int) -> Account:
    """Of a public round; nothing is computed again."""
    round_ = next(item for item in book.rounds if item.number == number)
    # The engine spoke of the numbers of that moment; late entries may have moved them since.
    by_number = {
        int(then): book.entries[entry] for then, entry in round_.numbers.items() if entry in book.entries
    }
    actual = {
        (book.entries[item.white], book.entries[item.black] if item.black is not None else None)
        for item in book.of_round(number)
    }
    why = round_.explanations if isinstance(round_.explanations, dict) else {}
    proposed = [
        Proposed(
            board=board,
            white=by_number.get(white),
            black=by_number.get(black) if black is not None else None,
            is_bye=black is None,
            kept=(by_number.get(white), by_number.get(black) if black is not None else None) in actual,
            white_why=why.get(str(white)),
            black_why=why.get(str(black)) if black is not None else None,
        )
        for board, white, black in round_.proposal
    ]
    return Account(
        round=round_,
        proposed=proposed,
        edits=list(round_.edits),
        names={number: f"{number} {shown(entry)}" for number, entry in by_number.items()},
    )


def reasons(book: Ledger, round_: Round, line: Line) -> list[str]:
    """Why a board of a public round came about, in sentences; empty where nothing was stored, and for byes asked for."""
    number_of = {entry: int(number) for number, entry in round_.numbers.items()}
    white = number_of.get(line.white)
    black = number_of.get(line.black) if line.black is not None else None
    if not any([w, b] == [white, black] for _board, w, b in round_.proposal):
        by_hand = round_.proposal and line.black is not None
        return [_("The arbiter set this board by hand.")] if by_hand else []
    why = round_.explanations if isinstance(round_.explanations, dict) else {}
    entry_of = {number: entry for entry, number in number_of.items()}

    def naming(number: int) -> str:
        entry = book.entries.get(entry_of.get(number, 0))
        return f"{number} {shown(entry)}" if entry is not None else str(number)

    black_why = why.get(str(black)) if black is not None else None
    return board_words(why.get(str(white)), black_why, naming)
