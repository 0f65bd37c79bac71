"""Lists as PDF, in process and on any machine: the type-setter and a font with Chinese come with the program.

Names are data to the type-setter, never markup, so no name can change a page.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import noto_cjk_sans_otc
import typst

PDF_TYPE = "application/pdf"
_TEMPLATE = Path(__file__).with_name("printing.typ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """`width` is the column's share of what the others leave; 0 makes it as wide as its text."""

    title: str
    side: str = "left"  # left, center or right
    width: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A table under a heading, its header repeated on each page."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    new_page: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`lines` stand under the title, `stamp` in the header of each page, `footer` at its foot."""

    title: str
    lines: tuple[str, ...]
    parts: Sequence[Part]
    stamp: str = ""
    footer: str = ""
    landscape: bool = False
    language: str = "zh"


@lru_cache(maxsize=1)
def fonts() -> Any:
    folder = Path(noto_cjk_sans_otc.__file__).parent
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=[str(folder)])


def to_pdf(document: Document) -> bytes:
    found = typst_of(document).compile(format="pdf")
    return bytes(found)


def content_key(document: Document) -> str:
    """Equal for documents that show the same, whenever they are printed: the foot of the page is left out."""
    return hashlib.sha256(json.dumps(_data(replace(document, footer=""))).encode()).hexdigest()


def typst_of(document: Document) -> Any:
    """The type-setter, ready to compile the document or to be asked about it."""
    return typst.Compiler(
        _TEMPLATE.read_bytes(),
        font_paths=fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(_data(document), ensure_ascii=False)},
    )


def _data(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "lines": list(document.lines),
        "stamp": document.stamp,
        "footer": document.footer,
        "landscape": document.landscape,
        "language": document.language,
        "parts": [
            {
                "title": part.title,
                "header": [column.title for column in part.columns],
                "widths": [column.width for column in part.columns],
                "sides": [column.side for column in part.columns],
                "rows": [list(row) for row in part.rows],
                "notes": list(part.notes),
                "new_page": part.new_page,
            }
            for part in document.parts
        ],
    }
