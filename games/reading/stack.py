"""Many pages at once: which belong to which copy of which game, what is doubled, what nobody can place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from games.reading import pictures
from games.reading.code import Code
from games.reading.faults import Fault, Unreadable
from games.reading.joining import Reading, join
from games.reading.page import Page, WrittenCell, read_page


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A page of a file, numbered from 1: read, or with what is wrong."""

    file: str
    number: int
    page: Page | None = None
    fault: Fault | None = None
    doubled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The pages of one copy in order. `code` is that of page 1, without its page; None where the form shows no code."""

    code: Code | None
    pages: tuple[PageRead, ...]

    @property
    def cells(self) -> tuple[WrittenCell, ...]:
        return tuple(cell for read in self.pages if read.page is not None for cell in read.page.cells)


def read_file(name: str, content: bytes, *, read: Callable[[bytes], Page] = read_page) -> Iterator[PageRead]:
    """The pages of a picture file or a PDF, one after the other. Nothing is raised for what cannot be read."""
    for number, picture in enumerate(pictures.pages_of(content), 1):
        if isinstance(picture, Fault):
            yield PageRead(file=name, number=number, fault=picture)
            continue
        try:
            page = read(picture)
        except Unreadable as error:
            yield PageRead(file=name, number=number, fault=error.fault)
            continue
        yield PageRead(file=name, number=number, page=page, fault=None if page.code else Fault.NO_CODE)


def copies_of(reads: Iterable[PageRead]) -> tuple[list[PageRead], list[Copy]]:
    """The pages with those marked that were there before, and the copies of what was read. A page without a code is a copy
    of its own."""
    marked: list[PageRead] = []
    known: dict[Code, list[PageRead]] = {}
    alone: list[Copy] = []
    for read in reads:
        if read.page is None:
            marked.append(read)
            continue
        code = read.page.code
        if code is None:
            marked.append(read)
            alone.append(Copy(code=None, pages=(read,)))
            continue
        mine = known.setdefault(replace(code, page=1, signature=""), [])
        if any(other.page is not None and other.page.code == code for other in mine):
            marked.append(replace(read, doubled=True))
            continue
        marked.append(read)
        mine.append(read)
    found = [Copy(code=code, pages=tuple(sorted(pages, key=_page_number))) for code, pages in known.items()]
    return marked, [*found, *alone]


def of_one_game(copies: Iterable[Copy]) -> list[tuple[Copy, ...]]:
    """The copies game by game, White's before Black's."""
    games: dict[object, list[Copy]] = {}
    for copy in copies:
        key: object = replace(copy.code, side="W") if copy.code else id(copy)
        games.setdefault(key, []).append(copy)
    return [
        tuple(sorted(found, key=lambda c: c.code is not None and c.code.side == "B"))
        for found in games.values()
    ]


def reading_of(copies: Iterable[Copy]) -> Reading:
    """The game behind one or two copies."""
    return join([copy.cells for copy in copies])


def _page_number(read: PageRead) -> int:
    return read.page.code.page if read.page is not None and read.page.code is not None else 1
