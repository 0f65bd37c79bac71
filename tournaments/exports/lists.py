"""The lists of a section as sheets: players, boards of a round, results, standings, cross table.

They are made from what the public pages are made from, so a list shows published rounds only and the same points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import pgettext

from tournaments.engine.types import Outcome
from tournaments.exports.sheets import Cell, Sheet
from tournaments.models import OUTCOME_LABELS, Entry
from tournaments.selectors import boards, crosstable, people, tables
from tournaments.selectors.people import Step
from tournaments.selectors.points import Line
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table
from tournaments.wording import tiebreaks


def players(book: Ledger) -> Sheet:
    """Headed with words that the reading of entry lists knows, so the list can be entered again elsewhere."""
    entries = people.listed(book)
    return Sheet(
        name=pgettext("file", "Players"),
        header=(
            pgettext("column", "pairing number"),
            pgettext("column", "seed number"),
            pgettext("column", "name"),
            pgettext("column", "name in Latin letters"),
            pgettext("column", "sex"),
            pgettext("column", "year of birth"),
            pgettext("column", "federation"),
            pgettext("column", "club or delegation"),
            pgettext("column", "rating"),
            pgettext("column", "title"),
            pgettext("column", "grade"),
            pgettext("column", "FMJD number"),
            pgettext("column", "status"),
        ),
        rows=tuple(_player(entry) for entry in entries),
    )


def _player(entry: Entry) -> tuple[Cell, ...]:
    person = entry.player
    return (
        entry.number,
        entry.seed_number,
        person.name,
        person.latin_name,
        person.get_sex_display() if person.sex else "",
        person.birth_year,
        person.federation,
        person.club,
        person.rating or None,
        person.title,
        person.grade,
        person.fmjd_id,
        "" if entry.status == Entry.Status.ACTIVE else entry.get_status_display(),
    )


def _pairings_header() -> tuple[str, ...]:
    return (
        pgettext("column", "board"),
        pgettext("column", "White: number"),
        pgettext("column", "White"),
        pgettext("column", "White: club"),
        pgettext("column", "White: rating"),
        pgettext("column", "White: points before"),
        pgettext("column", "White: points"),
        pgettext("column", "Black: points"),
        pgettext("column", "Black: number"),
        pgettext("column", "Black"),
        pgettext("column", "Black: club"),
        pgettext("column", "Black: rating"),
        pgettext("column", "Black: points before"),
        pgettext("column", "result"),
    )


def pairings(book: Ledger, number: int) -> Sheet:
    """The boards of a public round with what is known of their results; byes and absences follow the boards."""
    rows, byes, idle = boards.rows(book, number)
    return Sheet(
        name=pgettext("file", "Round %(number)s") % {"number": number},
        header=_pairings_header(),
        rows=(
            *(_board(row) for row in rows),
            *(_board(row) for row in byes),
            *(
                (
                    None,
                    e.number,
                    e.player.name,
                    e.player.club,
                    e.player.rating or None,
                    *[None] * 8,
                    pgettext("column", "not paired"),
                )
                for e in idle
            ),
        ),
    )


def _board(row: boards.Row) -> tuple[Cell, ...]:
    line, has_points = row.line, row.line.has_result and row.line.outcome is not Outcome.VOID
    black: tuple[Cell, ...] = (None,) * 5
    if row.black is not None:
        person = row.black.player
        black = (row.black.number, person.name, person.club, person.rating or None, row.black_before)
    white = row.white.player
    return (
        line.board or None,
        row.white.number,
        white.name,
        white.club,
        white.rating or None,
        row.white_before,
        line.white_points if has_points else None,
        line.black_points if has_points and row.black is not None else None,
        *black,
        outcome_text(line),
    )


def outcome_text(line: Line) -> str:
    """In words: a score such as 1-1 would turn into a date in a spreadsheet."""
    return "" if line.outcome is Outcome.UNPLAYED else str(OUTCOME_LABELS[line.outcome])


def results(book: Ledger) -> Sheet:
    """All public rounds, one line a board."""
    rows: list[tuple[Cell, ...]] = []
    for round_ in book.rounds:
        rows += [(round_.number, *row) for row in pairings(book, round_.number).rows]
    return Sheet(
        name=pgettext("file", "Results"),
        header=(pgettext("column", "round"), *_pairings_header()),
        rows=tuple(rows),
    )


def standings(table: Table, *, is_narrow: bool = False) -> Sheet:
    """The table after a round: place, player, points, then the tie-breaks in their order, by their short names if narrow."""
    return Sheet(
        name=pgettext("file", "Standings after round %(number)s") % {"number": table.edition.after_round},
        header=(
            pgettext("column", "place"),
            pgettext("column", "pairing number"),
            pgettext("column", "name"),
            pgettext("column", "club or delegation"),
            pgettext("column", "federation"),
            pgettext("column", "rating"),
            pgettext("column", "points"),
            pgettext("column", "of these by rulings"),
            *((tiebreaks.short if is_narrow else tiebreaks.name)(code) for code in table.codes),
            pgettext("column", "status"),
        ),
        rows=tuple(_place(row) for row in table.rows),
    )


def _place(row: tables.Row) -> tuple[Cell, ...]:
    person = row.entry.player
    return (
        row.rank,
        row.entry.number,
        person.name,
        person.club,
        person.federation,
        person.rating or None,
        row.points,
        row.adjustment or None,
        *(tiebreak_cell(value) for _code, value in row.values),
        row.entry.get_status_display() if row.is_out else "",
    )


def tiebreak_cell(value: Any) -> Cell:
    """As stored: a whole number, "p/q" for a mean, a list of numbers compared one after the other."""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, str) and "/" in value:
        return Fraction(value)
    return value if isinstance(value, int | str) or value is None else str(value)


def cross(book: Ledger, ranks: dict[int, int]) -> Sheet:
    """Swiss: one column a round; round robin: one column an opponent."""
    found = crosstable.cross(book, ranks=ranks)
    if found.columns:
        heads: Sequence[str] = [f"{entry.number} {entry.player.name}" for entry in found.columns]
    else:
        heads = [pgettext("file", "Round %(number)s") % {"number": round_.number} for round_ in book.rounds]
    return Sheet(
        name=pgettext("file", "Cross table"),
        header=(
            pgettext("column", "place"), pgettext("column", "pairing number"), pgettext("column", "name"), pgettext("column", "club or delegation"),
            *heads, pgettext("column", "points"),
        ),
        rows=tuple(_cross_row(row, is_grid=bool(found.columns)) for row in found.rows),
    )  # fmt: skip


def _cross_row(row: crosstable.Row, *, is_grid: bool) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for column, steps in enumerate(row.cells):
        if is_grid and column == row.own:
            cells.append("×")
        elif is_grid:
            cells.append(_one_or_text([step.mark for step in steps if step.mark]))
        else:
            cells.append(cross_cell(steps[0]))
    return (row.place, row.entry.number, row.entry.player.name, row.entry.player.club, *cells, row.points)


def _one_or_text(marks: list[str]) -> Cell:
    if len(marks) == 1 and marks[0].isdecimal():
        return int(marks[0])
    return " ".join(marks)


def cross_cell(step: Step) -> str:
    """Opponent's number, colour, points taken: 12w2, 3b0; + and - for forfeits; byes in words."""
    if step.line is None:
        return ""
    if step.line.is_bye:
        return str(OUTCOME_LABELS[step.line.outcome])
    number = step.opponent.number if step.opponent is not None else ""
    colour = step.colour.value if step.colour is not None else ""
    return f"{number}{colour}{step.mark}"
