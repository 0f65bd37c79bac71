"""What screens in the hall show: lists cut into pages that a screen holds whole, so that nothing scrolls and no name is lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.engine.types import Colour
from tournaments.models import Round, Section
from tournaments.selectors import boards, public, tables
from tournaments.selectors.boards import NameRow, name_key
from tournaments.selectors.points import Line
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table
from tournaments.wording.names import latin, latin_team, plain
from tournaments.wording.people import reads_latin, shown

ROWS = 17  # in a column; legible from 10 m on a picture 2 m wide
LONG_NAME = 14  # letters from which a name is set smaller, a Chinese character counting two


class Kind(StrEnum):
    NAMES = "names"
    CLUBS = "clubs"
    BOARDS = "boards"
    STANDINGS = "standings"


COLUMNS = {Kind.NAMES: 4, Kind.CLUBS: 4, Kind.BOARDS: 2, Kind.STANDINGS: 3}
LABELS = {
    Kind.NAMES: gettext_lazy("Pairings by name"),
    Kind.CLUBS: gettext_lazy("Pairings by club"),
    Kind.BOARDS: gettext_lazy("Pairings by board"),
    Kind.STANDINGS: gettext_lazy("Standings"),
}
USUAL = (Kind.NAMES, Kind.BOARDS, Kind.STANDINGS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line. What a list does not have is ""; `is_head` is the name of a club above its players."""

    mark: str = ""
    name: str = ""
    colour: str = ""
    number: str = ""
    second: str = ""  # the other name of a board
    score: str = ""
    club: str = ""
    is_head: bool = False

    @property
    def is_long(self) -> bool:
        return _width(self.name) > LONG_NAME

    @property
    def is_second_long(self) -> bool:
        return _width(self.second) > LONG_NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class Slide:
    """A page of a list. `range` says from where to where it goes."""

    kind: Kind
    section: Section
    items: Sequence[Item]
    range: str
    round: Round | None = None
    after_round: int = 0
    is_final: bool = False
    is_provisional: bool = False
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    slides: list[Slide] = field(default_factory=list)
    waiting: list[Section] = field(default_factory=list)  # sections with nothing to show yet

    @property
    def seconds(self) -> int:
        """How long a page stays: a whole turn within a minute, a page between 5 and 15 seconds."""
        return max(5, min(15, 60 // max(len(self.slides), 1)))


def hall(sections: Iterable[Section], kinds: Sequence[Kind]) -> Hall:
    found = Hall()
    for section in sections:
        slides = _of_section(section, kinds)
        found.slides.extend(slides)
        if not slides:
            found.waiting.append(section)
    return found


def _of_section(section: Section, kinds: Sequence[Kind]) -> list[Slide]:
    book = public.ledger(section)
    if not book.rounds:
        return []
    found: list[Slide] = []
    for kind in kinds:
        if kind is Kind.STANDINGS:
            found += _standings(book)
        else:
            found += _of_round(book, kind)
    return found


def _of_round(book: Ledger, kind: Kind) -> list[Slide]:
    number = book.current_round
    make = {Kind.NAMES: _names, Kind.CLUBS: _clubs, Kind.BOARDS: _boards}[kind]
    return [
        Slide(kind=kind, section=book.section, items=items, range=_range(kind, items), round=book.round(number))
        for items in _pages(make(book, number), ROWS * COLUMNS[kind])
    ]  # fmt: skip


def _pages(items: list[Item], size: int) -> list[list[Item]]:
    return [items[first : first + size] for first in range(0, len(items), size)]


def _names(book: Ledger, number: int) -> list[Item]:
    found, last = [], ""
    for row in boards.by_name(book, number):
        letter = name_key(row.entry)[:1].upper()
        found.append(_seat(row, mark="" if letter == last else letter))
        last = letter
    return found


def _clubs(book: Ledger, number: int) -> list[Item]:
    """By club, its players A-Z under it; those without one at the end."""
    rows = sorted(boards.by_name(book, number), key=lambda row: _club_key(row.entry.player.club))
    found, last = [], None
    for row in rows:
        club = row.entry.player.club
        if club != last:
            found.append(Item(name=_club(club) or _("no club"), is_head=True))
        found.append(_seat(row))
        last = club
    return found


def _club(club: str) -> str:
    """As this reader reads it."""
    return (latin_team(club) if reads_latin() else "") or club


def _club_key(club: str) -> tuple[bool, str, str]:
    return not club, plain(latin(club) or club), club


def _seat(row: NameRow, *, mark: str = "") -> Item:
    name = shown(row.entry.player)
    if row.opponent is None:
        return Item(mark=mark, name=name, number=_("bye") if row.line.is_bye else "")
    return Item(
        mark=mark, name=name, colour="w" if row.colour is Colour.WHITE else "b", number=str(row.line.board)
    )


def _boards(book: Ledger, number: int) -> list[Item]:
    rows, byes, _idle = boards.rows(book, number)
    found = [
        Item(
            number=str(row.line.board), name=shown(row.white.player), score=_score(row.line),
            second=shown(row.black.player) if row.black else "",
        )
        for row in rows
    ]  # fmt: skip
    return [*found, *(Item(name=shown(row.white.player), second=_("bye")) for row in byes)]


def _score(line: Line) -> str:
    return line.score.replace("-", "–")


def _standings(book: Ledger) -> list[Slide]:
    """Nothing before the first result: a table of zeros tells nobody anything."""
    number = book.standing_round
    if not number or not any(tally.results for tally in book.tallies):
        return []
    edition = tables.chosen(tables.editions(book.section), after=None, standing_round=number)
    table = tables.table(edition, book) if edition is not None else None
    if table is None:
        return []
    results, boards_ = book.results_behind(table.edition.after_round)
    return [
        Slide(
            kind=Kind.STANDINGS, section=book.section, items=items, range=_range(Kind.STANDINGS, items),
            after_round=table.edition.after_round, is_final=table.edition.final,
            is_provisional=results < boards_, missing=boards_ - results,
        )
        for items in _pages(_places(table), ROWS * COLUMNS[Kind.STANDINGS])
    ]  # fmt: skip


def _places(table: Table) -> list[Item]:
    return [
        Item(
            mark=f"{row.rank}{'=' if row.shared else ''}" if row.rank else "–", name=shown(row.entry.player),
            number=str(row.points), club=_club(row.entry.player.club) or row.entry.player.federation,
        )
        for row in table.rows
    ]  # fmt: skip


def _range(kind: Kind, items: Sequence[Item]) -> str:
    """From where to where a page goes: names, boards or places."""
    if kind is Kind.BOARDS:
        ends = [item.number for item in items if item.number]
    elif kind is Kind.STANDINGS:
        ends = [item.mark.rstrip("=") for item in items if item.mark != "–"]
    elif kind is Kind.CLUBS:
        ends = [item.name for item in items if item.is_head] or [items[0].name]
    else:
        ends = [_short(item.name) for item in items]
    if not ends:
        return ""
    return ends[0] if ends[0] == ends[-1] else f"{ends[0]} – {ends[-1]}"


def _short(name: str) -> str:
    """The first word of a name in Latin letters; of a Chinese one the family name with its letter."""
    reading = latin(name)
    if reads_latin() or not reading:
        return name.split()[0] if name.split() else name
    return f"{name[0]} {reading[:1]}"


def _width(text: str) -> int:
    return sum(2 if "\u2e80" <= character <= "\u9fff" else 1 for character in text)
