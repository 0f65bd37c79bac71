"""Papers for the hall and the file, set as PDF in process: what is on each, by kind.

All text goes to the type-setter as data, never as markup, so no name can change a page.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf
import typst
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournaments.exports.papers import book, cards, lists
from tournaments.exports.papers.ask import Ask, Block
from tournaments.exports.papers.words import code_image
from tournaments.exports.printing import fonts
from tournaments.models import Paper

_TEMPLATE = Path(__file__).with_name("papers.typ")

_BLOCKS: dict[str, Callable[[Ask], list[Block]]] = {
    Paper.Kind.BOARDS: lists.by_board,
    Paper.Kind.NAMES: lists.by_name,
    Paper.Kind.SLIPS: cards.slips,
    Paper.Kind.MATCHES: cards.match_sheets,
    Paper.Kind.TENTS: cards.tents,
    Paper.Kind.STANDINGS: lists.standings,
    Paper.Kind.CROSS: lists.cross,
    Paper.Kind.PRIZES: lists.prizes,
    Paper.Kind.CERTIFICATES: cards.certificates,
    Paper.Kind.NUMBERS: cards.numbers,
    Paper.Kind.ENTRIES: lists.entries_to_sign,
    Paper.Kind.BADGES: cards.badges,
    Paper.Kind.POSTER: cards.poster,
    Paper.Kind.BOOK: book.book,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    content: bytes
    pages: int


def document(paper: Paper) -> dict[str, Any]:
    """What is on the paper, as data for the type-setter. Raises BadInput where there is nothing to print any more."""
    ask = Ask.of(paper)
    words = ask.words
    title = words(Paper.Kind(paper.kind).label)
    about = [words.thing(ask.event)]
    if ask.of_round is not None:
        about.append(cards.round_title(words, ask.round))
    elif ask.of_section is not None:
        about.append(words.thing(ask.section))
    is_draft = ask.of_round is not None and not ask.round.is_public
    return {
        "title": title,
        "about": " · ".join(about),
        "lines": [" · ".join(filter(None, [ask.event.place, cards.days(ask.event)]))],
        "draft": words(_("DRAFT, not published")) if is_draft else "",
        "language": words.main[:2],
        "code": code_image(_address(ask)),
        "footer": f"{words(_('printed'))} {cards.moment(timezone.now())}",
        "blocks": _BLOCKS[paper.kind](ask),
    }


def _address(ask: Ask) -> str:
    if ask.of_round is not None:
        return ask.link("public:round", ask.event.code, ask.section.code, ask.round.number)
    if ask.of_section is not None:
        return ask.link("public:section", ask.event.code, ask.section.code)
    return ask.link("public:event", ask.event.code)


def set_type(data: dict[str, Any]) -> Made:
    compiler = typst.Compiler(
        _TEMPLATE.read_bytes(), font_paths=fonts(), ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )  # fmt: skip
    content = compiler.compile(format="pdf")
    assert isinstance(content, bytes)  # a PDF is one file
    return Made(content=content, pages=_pages(content))


def _pages(content: bytes) -> int:
    with pikepdf.open(io.BytesIO(content)) as found:
        return len(found.pages)
