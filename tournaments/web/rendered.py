"""Public pages rendered once: for each version, language and address one packed body that every visitor gets.

A first layer around the whole site. It answers what it holds, and what the reader holds already, without session, user or
template; all it asks of the database is the event's version, and that at most once a second in each process. What it lets
render is rendered for nobody: cookies but the language's, and credentials, are taken off first, so that what is kept cannot
hold anything of a person. Drafts of events are never asked for here: to this layer they do not exist, and the pages behind
it decide who sees them.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.db import Error, close_old_connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request, get_supported_language_variant

from tournaments.selectors import versions
from tournaments.selectors.versions import Versions
from tournaments.turns import alone
from tournaments.web.caching import site_digest

logger = logging.getLogger(__name__)

PREFIX = "/e/"
HOME = "/"
VERSION_PATH = "/-/version.json"
# Anything else in a query makes a page that is not worth keeping, or is there to fill the store.
QUERY = re.compile(
    r"(?:(?:lang=(?:en|zh-hans)|show=(?:all|pairings|standings)|(?:after|part)=[0-9]{1,3})(?:&|$)){1,4}",
    re.ASCII,
)
NAMESPACES = ("public", "download")
KEEP_SECONDS = 60  # a page that tells of the time of day is rendered again after so long
WAIT_SECONDS = 15
MEMORY = 64 * 1024 * 1024  # bytes of bodies that a process keeps at hand
EVENTS_KNOWN = 500
PACKED = re.compile(r"\bgzip\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A rendered page. `headers` are all but those that depend on how it is sent."""

    version: str
    versions: Versions
    body: bytes
    packed: bytes
    headers: tuple[tuple[str, str], ...]
    etag: str
    until: float  # by the clock of the machine

    @property
    def size(self) -> int:
        return len(self.body) + len(self.packed)


class _Memory:
    """The pages this process used last, in bytes at most MEMORY."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._size = 0

    def get(self, key: str) -> Page | None:
        return self._pages.get(key)

    def put(self, key: str, page: Page) -> None:
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._size += page.size
            while self._size > MEMORY:
                self._drop(next(iter(self._pages)))

    def drop(self, key: str) -> None:
        with self._lock:
            self._drop(key)

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._size = 0

    def _drop(self, key: str) -> None:
        before = self._pages.pop(key, None)
        if before is not None:
            self._size -= before.size


_memory = _Memory()
_known: dict[str, tuple[float, Versions]] = {}
_rendering: dict[str, threading.Lock] = {}


def forget() -> None:
    """Empty what this process and the shared store hold."""
    _memory.clear()
    _known.clear()
    caches["pages"].clear()


def versions_now(code: str, *, exact: bool = False) -> Versions | None:
    """The event's versions; not older than PAGES_TRUSTED seconds, or of this moment. None: not for the public."""
    now = time.monotonic()
    known = _known.get(code)
    if not exact and known is not None and now - known[0] < settings.PAGES_TRUSTED:
        return known[1]
    found = versions.of_event(code) if code else versions.of_home()
    if found is None:
        _known.pop(code, None)
        return None
    if len(_known) >= EVENTS_KNOWN:
        _known.clear()
    _known[code] = now, found
    return found


class RenderedPages:
    """The first layer around the site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        is_kept = path.startswith(PREFIX) or path == HOME
        if request.method != "GET" or not is_kept or not settings.PAGES_KEPT:
            return self.get_response(request)
        meta = request.META
        if meta.get("QUERY_STRING") and not QUERY.fullmatch(meta["QUERY_STRING"]):
            return self.get_response(request)
        code, _slash, rest = path[len(PREFIX) :].partition("/")  # of the home page all are empty
        section = rest.partition("/")[0] or None
        found = self._versions(request, code)
        if found is None:
            return self.get_response(request)
        if rest == VERSION_PATH[1:]:
            return answer_version(request, found)
        version = found.of(None if section == "-" else section)
        if version is None:
            return self.get_response(request)
        key = _key(request)
        if code:
            request.page_version = version  # type: ignore[attr-defined]  # for `follow`, which names it in the page
        page = _fresh(key, version)
        if page is not None:
            return _answer(request.META, page)
        asked = dict(request.META)  # what is rendered is rendered without them
        made = self._render(request, key, version, found)
        return made if isinstance(made, HttpResponseBase) else _answer(asked, made)

    def _versions(self, request: HttpRequest, code: str) -> Versions | None:
        # Whoever has logged in sees his own change at once.
        exact = settings.SESSION_COOKIE_NAME in request.META.get("HTTP_COOKIE", "")
        try:
            return versions_now(code, exact=exact)
        except (Error, ValueError):
            close_old_connections()
            return None

    def _render(
        self, request: HttpRequest, key: str, version: str, found: Versions
    ) -> Page | HttpResponseBase:
        """Render, or have it from whoever is rendering it just now: the last page if it may still be shown, else the new."""
        if not _is_for_everybody(request.path_info):
            return self.get_response(request)
        last = _memory.get(key) or _stored(key)
        usable = last is not None and found.still_shows(last.versions)
        here = _rendering.setdefault(key, threading.Lock())
        if not here.acquire(timeout=0 if usable else WAIT_SECONDS):
            return last if usable and last is not None else self.get_response(_for_nobody(request))
        try:
            page = _fresh(key, version)
            if page is not None:
                return page
            with alone(f"page {key}", wait=not usable) as mine:
                if not mine and usable and last is not None:
                    return last
                return _fresh(key, version) or self._rendered(request, key, version, found)
        finally:
            here.release()
            _rendering.pop(key, None)

    def _rendered(
        self, request: HttpRequest, key: str, version: str, found: Versions
    ) -> Page | HttpResponseBase:
        response = self.get_response(_for_nobody(request))
        if not _may_be_kept(response):
            _drop(key)
            return response
        assert isinstance(response, HttpResponse)
        body = response.content
        left_out = {"content-length", "etag", "content-encoding", "vary", "x-request-id"}
        page = Page(
            version=version,
            versions=found,
            body=body,
            packed=gzip.compress(body, compresslevel=6, mtime=0),
            headers=tuple((name, value) for name, value in response.items() if name.lower() not in left_out),
            etag=hashlib.sha256(body).hexdigest()[:32],
            until=time.time() + KEEP_SECONDS,
        )
        _memory.put(key, page)
        try:
            caches["pages"].set(key, page, timeout=2 * KEEP_SECONDS)
        except Exception:
            logger.warning("a page could not be stored for the other processes", exc_info=True)
        return page


def _key(request: HttpRequest) -> str:
    meta = request.META
    asked = "&".join(sorted(meta.get("QUERY_STRING", "").split("&")))
    host = meta.get("HTTP_HOST") or meta.get("SERVER_NAME", "")
    return _digest(f"{request.scheme} {host} {request.path_info}?{asked} {language(request)}")


@lru_cache(maxsize=20_000)
def _digest(text: str) -> str:
    return hashlib.sha256(f"{text} {site_digest()}".encode()).hexdigest()


def language(request: HttpRequest) -> str:
    """The language that the page will be in: `?lang=`, the cookie of the switch, what the browser asks for."""
    query = request.META.get("QUERY_STRING", "")
    if "lang=" in query:
        asked = request.GET.get("lang", "").lower()
        if asked in dict(settings.LANGUAGES):
            return asked
    cookie = ""
    if settings.LANGUAGE_COOKIE_NAME in request.META.get("HTTP_COOKIE", ""):
        cookie = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return _language(cookie, request.META.get("HTTP_ACCEPT_LANGUAGE", ""))


@lru_cache(maxsize=2000)
def _language(cookie: str, accepted: str) -> str:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    if cookie:
        request.COOKIES[settings.LANGUAGE_COOKIE_NAME] = cookie
    return get_supported_language_variant(get_language_from_request(request))


def _stored(key: str) -> Page | None:
    try:
        page: Page | None = caches["pages"].get(key)
    except Exception:
        logger.warning("the store of pages cannot be read", exc_info=True)
        return None
    if page is not None:
        _memory.put(key, page)
    return page


def _fresh(key: str, version: str) -> Page | None:
    now = time.time()
    for found in (_memory.get, _stored):
        page = found(key)
        if page is not None and page.version == version and page.until > now:
            return page
    return None


def _drop(key: str) -> None:
    """What is not there any more, or no longer for everybody, is held by nobody."""
    _memory.drop(key)
    try:
        caches["pages"].delete(key)
    except Exception:
        logger.warning("the store of pages cannot be written", exc_info=True)


@lru_cache(maxsize=20_000)
def _is_for_everybody(path: str) -> bool:
    try:
        return resolve(path).namespace in NAMESPACES
    except Resolver404:
        return False


def _for_nobody(request: HttpRequest) -> HttpRequest:
    """The request without what could make the page a person's: only the chosen language stays."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    for name in ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_RANGE",
                 "HTTP_ACCEPT_ENCODING", "HTTP_HX_REQUEST", "REMOTE_USER"):  # fmt: skip
        request.META.pop(name, None)
    request.__dict__.pop("COOKIES", None)
    request.__dict__.pop("headers", None)
    if chosen in dict(settings.LANGUAGES):
        request.META["HTTP_COOKIE"] = f"{settings.LANGUAGE_COOKIE_NAME}={chosen}"
    return request


def _may_be_kept(response: HttpResponseBase) -> bool:
    return (
        response.status_code == 200
        and isinstance(response, HttpResponse)
        and not response.cookies
        and not response.has_header("Set-Cookie")
        and response.get("Cache-Control", "").startswith("public")
    )


def _answer(meta: Mapping[str, Any], page: Page) -> HttpResponse:
    if page.etag in meta.get("HTTP_IF_NONE_MATCH", ""):
        response: HttpResponse = HttpResponseNotModified()
    elif PACKED.search(meta.get("HTTP_ACCEPT_ENCODING", "")):
        response = HttpResponse(page.packed, headers=dict(page.headers))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(page.packed))
    else:
        response = HttpResponse(page.body, headers=dict(page.headers))
        response.headers["Content-Length"] = str(len(page.body))
    response.headers["ETag"] = f'W/"{page.etag}"'
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    response.headers["Cache-Control"] = "public, no-cache"
    return response


def answer_version(request: HttpRequest, found: Versions) -> HttpResponse:
    """A few bytes that name the state of the event's pages; nothing at all for who has them."""
    etag = f'"{found.whole}"'
    if etag in request.META.get("HTTP_IF_NONE_MATCH", ""):
        response: HttpResponse = HttpResponseNotModified()
    else:
        parts = ",".join(f'"{code}":"{version}"' for code, version in found.sections.items())
        body = f'{{"event":"{found.whole}","sections":{{{parts}}}}}'
        response = HttpResponse(body, content_type="application/json")
        response.headers["Content-Length"] = str(len(body.encode()))
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, no-cache"
    return response
