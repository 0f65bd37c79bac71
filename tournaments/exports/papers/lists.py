"""Papers that are lists: pairings by board and by name, standings, cross table, prize list, entry list to sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_noop as _

from tournaments.exports import lists, results_book
from tournaments.exports.papers.ask import Ask, Block
from tournaments.exports.papers.words import Name, Words
from tournaments.models import OUTCOME_LABELS, PUBLIC_STATES, Entry, Pairing, Round, Section
from tournaments.selectors import crosstable, desk, public, tables
from tournaments.selectors.boards import name_key
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table
from tournaments.wording import categories, tiebreaks
from tournaments.wording.names import latin, plain

WIDE_FROM = 10  # columns of a cross table from which the paper lies on its side
GRID_AT_MOST = 24  # players of a round robin whose cross table has a column for each
PRIZES = 6  # places of a prize list
PRIZES_OF_A_CATEGORY = 3


def column(title: str, *, side: str = "left", width: int = 0) -> dict[str, Any]:
    """`width` is the share of what the other columns leave; 0 makes it as wide as its text."""
    return {"title": title, "side": side, "width": width}


def table(title: str, columns: Sequence[dict[str, Any]], rows: Sequence[Sequence[Any]], **more: Any) -> Block:
    """A cell is text, or a name as a pair."""
    return {
        "type": "table", "title": title, "columns": list(columns), "rows": [list(row) for row in rows], "notes": [],
        "new_page": False, **more,
    }  # fmt: skip


def pairings_of(round_: Round) -> list[Pairing]:
    """Boards in order, then byes and absences. One query."""
    rows = round_.pairings.select_related("white__player", "black__player").order_by("board", "white__number")
    return sorted(rows, key=lambda row: row.black_id is None)


def numbered(words: Words, entry: Entry) -> Name:
    first, second = words.person(entry.player)
    return (f"{entry.number} {first}" if entry.number else first), second


def by_board(ask: Ask) -> list[Block]:
    round_, words = ask.round, ask.words
    book = public.ledger(round_.section)
    before = book.points_before(round_.number)
    scores = {line.board: line.score for line in book.of_round(round_.number)}
    rows, apart = [], []
    for pairing in pairings_of(round_):
        if pairing.black is None:
            first, second = numbered(words, pairing.white)
            why = words(OUTCOME_LABELS[_outcome(pairing)])
            apart.append(f"{' '.join(filter(None, [first, second]))}: {why}")
            continue
        rows.append([
            str(pairing.board), numbered(words, pairing.white), str(before.get(pairing.white_id, 0)), scores.get(pairing.board, "").replace("-", "–"),
            str(before.get(pairing.black.pk, 0)), numbered(words, pairing.black),
        ])  # fmt: skip
    columns = [
        column(words(_("Board")), side="right"), column(words(_("White")), width=1), column(words(_("Pts")), side="right"),
        column(words(_("Result")), side="center"), column(words(_("Pts")), side="right"), column(words(_("Black")), width=1),
    ]  # fmt: skip
    return [table("", columns, rows, notes=apart, large=len(rows) <= 28)]


def _outcome(pairing: Pairing) -> Any:
    return next(code for code in OUTCOME_LABELS if code.value == pairing.outcome)


def by_name(ask: Ask) -> list[Block]:
    """A-Z, Chinese names by their pinyin, two columns a sheet."""
    seats = sorted(desk.seats(ask.round), key=lambda seat: (name_key(seat.entry), seat.entry.pk))
    lines, last = [], ""
    for seat in seats:
        letter = initial(seat.entry)
        lines.append({
            "letter": "" if letter == last else letter, "name": ask.words.person(seat.entry.player), "colour": seat.colour,
            "board": str(seat.board) if seat.opponent else "",
            "why": "" if seat.opponent else ask.words(OUTCOME_LABELS[_outcome(seat.pairing)]),
        })  # fmt: skip
        last = letter
    return [{"type": "names", "lines": lines, "white": ask.words(_("White")), "black": ask.words(_("Black"))}]


def initial(entry: Entry) -> str:
    """The letter under which a name stands in a list A-Z."""
    return name_key(entry)[:1].upper()


def opened(section: Section) -> tuple[Ledger, Table | None]:
    """The public rounds of a section and the table that the public pages show."""
    book = public.ledger(section)
    edition = tables.chosen(tables.editions(section), after=None, standing_round=book.standing_round)
    return book, tables.table(edition, book) if edition is not None else None


def standings(ask: Ask) -> list[Block]:
    _book, found = opened(ask.section)
    return [places(ask.words, found)] if found is not None else []


def places(words: Words, found: Table, **more: Any) -> Block:
    """The table after a round; who shares a place is marked by "="."""
    has_federation = any(row.entry.player.federation for row in found.rows)
    columns = [
        column(words(_("Place")), side="right"), column(words(_("No.")), side="right"), column(words(_("Name")), width=3),
        column(words(_("Club")), width=2), *([column(words(_("Fed."))) ] if has_federation else []),
        column(words(_("Points")), side="right"),
        *(column("\n".join(_short(words, code)), side="right") for code in found.codes),
    ]  # fmt: skip
    rows = [
        [
            place(row), str(row.entry.number or ""), words.person(row.entry.player), row.entry.player.club,
            *([row.entry.player.federation] if has_federation else []), str(row.points),
            *(tiebreaks.value_text(value) for _code, value in row.values),
        ]
        for row in found.rows
    ]  # fmt: skip
    return table(table_title(words, found), columns, rows, notes=_tie_break_notes(words, found), **more)


def table_title(words: Words, found: Table) -> str:
    if found.edition.final:
        return words(_("Final standings"))
    return words(_("Standings after round %(number)s"), number=found.edition.after_round)


def place(row: tables.Row) -> str:
    return f"{row.rank}{'=' if row.shared else ''}" if row.rank else "–"


def _short(words: Words, code: str) -> list[str]:
    return words.said(lambda: tiebreaks.short(code))


def _tie_break_notes(words: Words, found: Table) -> list[str]:
    return [f"{' '.join(_short(words, code))}: {' / '.join(_long(words, code))}" for code in found.codes]


def _long(words: Words, code: str) -> list[str]:
    return words.said(lambda: tiebreaks.name(code))


def cross(ask: Ask) -> list[Block]:
    book, found = opened(ask.section)
    return [cross_table(ask.words, book, found)] if book.rounds else []


def cross_table(words: Words, book: Ledger, found: Table | None, **more: Any) -> Block:
    """Swiss: one column a round; round robin of up to 24: one column an opponent, headed by his place."""
    cross_ = crosstable.cross(book, ranks=results_book.row_order(found))
    is_grid = bool(cross_.columns) and len(cross_.columns) <= GRID_AT_MOST
    heads = (
        [str(n) for n in range(1, len(cross_.columns) + 1)]
        if is_grid
        else [str(r.number) for r in book.rounds]
    )
    rows = []
    for number, row in enumerate(cross_.rows, start=1):
        cells = (
            [_grid_cell(row, at) for at in range(len(heads))] if is_grid else _round_cells(words, book, row)
        )
        rows.append(
            [
                str(row.place or number),
                str(row.entry.number),
                words.person(row.entry.player),
                *cells,
                str(row.points),
            ]
        )
    columns = [
        column(words(_("Place")), side="right"), column(words(_("No.")), side="right"), column(words(_("Name")), width=1),
        *(column(head, side="center") for head in heads), column(words(_("Points")), side="right"),
    ]  # fmt: skip
    return table(
        words(_("Cross table")), columns, rows, small=True, landscape=len(heads) >= WIDE_FROM, **more
    )


def _grid_cell(row: crosstable.Row, at: int) -> str:
    return "×" if at == row.own else " ".join(step.mark for step in row.cells[at] if step.mark)


def _round_cells(words: Words, book: Ledger, row: crosstable.Row) -> list[str]:
    steps = {step.round.number: step for cell in row.cells for step in cell}
    return [_step(words, steps.get(round_.number)) for round_ in book.rounds]


def _step(words: Words, step: Any) -> str:
    if step is None or step.line is None:
        return ""
    return "–" if step.line.is_bye else lists.cross_cell(step)


Prize = tuple[str, list[tables.Row]]


def prizes_of(ask: Ask) -> tuple[Table | None, list[tuple[str, list[tuple[str, Entry, int]]]]]:
    """The table, and who is first, second ... : of all, then of each category that the entries tell of."""
    _book, found = opened(ask.section)
    if found is None:
        return None, []
    placed = [row for row in found.rows if row.rank is not None and not row.is_out]
    groups = [("", [(place(row), row.entry, row.points) for row in placed if (row.rank or 0) <= PRIZES])]
    for key, label in _categories(ask, placed):
        rows = tables.places_among([row for row in placed if categories.holds(key, row.entry, ask.event)])
        first = [
            (f"{rank}{'=' if row.shared else ''}", row.entry, row.points)
            for row, rank in rows
            if rank and rank <= PRIZES_OF_A_CATEGORY
        ]
        groups.append((label, first))
    return found, [(label, rows) for label, rows in groups if rows]


def _categories(ask: Ask, placed: Sequence[tables.Row]) -> list[tuple[str, str]]:
    entries = [row.entry for row in placed]
    each = [ask.words.said_list(lambda: categories.offered(ask.event, entries))]
    labels: dict[str, list[str]] = {}
    for offered in each[0]:
        for key, label in offered:
            labels.setdefault(key, []).append(label)
    return [(key, " ".join(dict.fromkeys(found))) for key, found in labels.items()]


def prizes(ask: Ask) -> list[Block]:
    words = ask.words
    found, groups = prizes_of(ask)
    if found is None:
        return []
    columns = [
        column(words(_("Place")), side="right"), column(words(_("Name")), width=3), column(words(_("Club")), width=2),
        column(words(_("Points")), side="right"), column(words(_("Prize")), width=2), column(words(_("Signature")), width=2),
    ]  # fmt: skip
    blocks = [
        table(label or table_title(words, found), columns,
              [[rank, words.person(e.player), e.player.club, str(points), "", ""] for rank, e, points in rows], tall=True)
        for label, rows in groups
    ]  # fmt: skip
    return [*blocks, signatures(words)]


def signatures(words: Words) -> Block:
    return {
        "type": "signatures", "title": words(_("Signatures")), "date": words(_("Date")), "seal": words(_("Seal")),
        "lines": [words(_("Chief arbiter")), words(_("Arbiter")), words(_("Organizer"))],
    }  # fmt: skip


def entries_to_sign(ask: Ask) -> list[Block]:
    """Of each section, by club or delegation: who plays is confirmed by signature (article 15.2.3)."""
    return [
        *(
            entry_list(ask.words, section, signed=True, new_page=at > 0)
            for at, section in enumerate(ask.sections)
        ),
        signatures(ask.words),
    ]


def entry_list(words: Words, section: Section, *, signed: bool, **more: Any) -> Block:
    is_public = section.rounds.filter(state__in=PUBLIC_STATES).exists()
    entries = list(section.entries.select_related("player"))
    entries.sort(
        key=lambda entry: (plain(latin(entry.player.club) or entry.player.club), name_key(entry), entry.pk)
    )
    columns = [
        column(words(_("No.")), side="right"), column(words(_("Club")), width=2), column(words(_("Name")), width=3),
        column(words(_("Fed."))), column(words(_("Title"))), column(words(_("Rating")), side="right"),
        *([column(words(_("Signature")), width=2)] if signed else []),
    ]  # fmt: skip
    rows, last = [], None
    for count, entry in enumerate(entries, start=1):
        person = entry.player
        rows.append([
            str(entry.number if is_public and entry.number else count), person.club if person.club != last else "",
            words.person(person), person.federation, person.title or person.grade, str(person.rating or ""),
            *([""] if signed else []),
        ])  # fmt: skip
        last = person.club
    return table(words.thing(section), columns, rows, tall=signed, **more)
