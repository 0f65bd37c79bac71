"""HTTP caching of public pages and answers (ETag, Vary, no cookies)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language

from tournaments.models import Entry
from tournaments.selectors import public
from tournaments.selectors.public import Ledger
from tournaments.selectors.versions import event_tag, section_tag
from tournaments.wording import categories
from tournaments.wording.sections import acceleration

__all__ = [
    "PAGE_VARY",
    "Filter",
    "event_tag",
    "number_asked",
    "respond",
    "section_context",
    "section_tag",
    "site_digest",
]

PAGE_VARY = ("Accept-Language", "Cookie", "HX-Request")

_GZIP = GZipMiddleware(lambda request: HttpResponse())


def respond(
    request: HttpRequest, *, parts: list[Any], render: Callable[[], HttpResponse], private: bool = False
) -> HttpResponse:
    """Answer 304 when the reader holds what `parts` name; else the rendered page. `private` keeps shared caches out."""
    response = conditional(
        request, [request.get_full_path(), *parts], render, vary=PAGE_VARY, private=private
    )
    # Long tables go over a hall's network a tenth as big; nothing secret of a form is on these pages.
    _GZIP.process_response(request, response)
    return response


def respond_with(request: HttpRequest, response: HttpResponse, *, private: bool = False) -> HttpResponse:
    """Answer with a page already rendered, tagged by its content; 304 when the reader holds it."""
    parts = [request.get_full_path(), response.content]
    return conditional(request, parts, lambda: response, vary=PAGE_VARY, private=private)


def conditional(
    request: HttpRequest,
    parts: Sequence[Any],
    render: Callable[[], HttpResponse],
    *,
    vary: Sequence[str],
    private: bool,
) -> HttpResponse:
    """Answer 304 when the reader holds what `parts` name, else what `render` makes, with the headers of either."""
    text = repr([site_digest(), get_language(), *parts])
    etag = quote_etag(hashlib.sha256(text.encode()).hexdigest()[:32])
    response = get_conditional_response(request, etag=etag) or render()
    if response.status_code in (200, 304):
        response["ETag"] = etag
    patch_vary_headers(response, vary)
    response["Cache-Control"] = "private, no-cache" if private else "public, no-cache"
    return response


@lru_cache(maxsize=1)
def site_digest() -> str:
    """Names the code, texts and looks that a page is made of, so that a new release is never answered with 304."""
    base = Path(settings.BASE_DIR)
    folders = ["templates", "tournaments", "games", "locale"]
    digest = hashlib.sha256(settings.TIME_ZONE.encode())
    for folder in folders:
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in {".html", ".py", ".css", ".js", ".mo", ".svg"}:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def number_asked(query: QueryDict, name: str) -> int | None:
    """A whole number of the query string; None without one. Anything else names no page."""
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a reader asked to see of a list: a name or number, a club, a federation, a category."""

    q: str = ""
    club: str = ""
    federation: str = ""
    category: str = ""

    @classmethod
    def from_query(cls, query: QueryDict) -> Filter:
        return cls(
            q=query.get("q", "").strip(),
            club=query.get("club", "").strip(),
            federation=query.get("fed", "").strip(),
            category=query.get("cat", "").strip(),
        )

    @property
    def is_set(self) -> bool:
        return bool(self.q or self.club or self.federation or self.category)

    @property
    def words(self) -> str:
        """What was asked for but a category, which has a label of its own, as the page tells it."""
        return " · ".join(filter(None, [self.q, self.club, self.federation]))

    def keeps(self, entry: Entry) -> bool:
        person = entry.player
        return (
            (not self.club or person.club == self.club)
            and (not self.federation or person.federation == self.federation)
            and (not self.category or categories.holds(self.category, entry, entry.section.event))
            and (not self.q or public.found_by(entry, self.q))
        )

    def keeps_any(self, *entries: Entry | None) -> bool:
        return any(entry is not None and self.keeps(entry) for entry in entries)


def section_context(book: Ledger, *, tab: str, number: int = 0) -> dict[str, Any]:
    """What every page of a section shows: event, section, its neighbours, its state, its public rounds. One query."""
    return {
        "event": book.section.event,
        "section": book.section,
        "siblings": public.sections_of(book.section.event),
        "status": book.status(),
        "book": book,
        "tab": tab,
        "number": number,
        "number_text": str(number),
        "round": book.round(number),
        "accelerated": acceleration(book.section, number) if number else [],
    }
