"""What the pages of the court share: who asks, refusals told on a page, public sections, the envelope of answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

from games.slots import Seat
from tournaments.audit import Actor
from tournaments.errors import DomainError
from tournaments.models import Event, Section
from tournaments.permissions import roles_in
from tournaments.selectors import desk, public

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def actor_of(request: HttpRequest) -> Actor:
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=request.META.get("REMOTE_ADDR") or "")


def show_refusals(view: View[P]) -> View[P]:
    """What a service refuses, and the page did not tell itself, becomes a page of its own."""

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except DomainError as error:
            return render(request, "games/refused.html", {"refusal": error}, status=error.status)

    return cast("View[P]", page)


def desk_page(view: View[P]) -> View[P]:
    """A page for logged-in people, never kept by a cache."""
    return never_cache(login_required(show_refusals(view)))


def visible_section(request: HttpRequest, code: str, section_code: str) -> Section:
    """A section of a public event, or of a draft in which the reader has a role. Raises Http404."""
    found = public.section_by_code(code, section_code)
    hidden = found is None or found.event.state == Event.State.DRAFT
    user = request.user  # asked in both cases, so that not even the headers tell a draft from nothing
    known = user.is_authenticated if hidden else True
    if found is None or (hidden and not (known and roles_in(user, found.event))):
        raise Http404
    return found


def answer(request: HttpRequest, response: HttpResponse, *, private: bool = False) -> HttpResponse:
    """The response with an ETag of its content; 304 for a reader who holds it."""
    text = f"{get_language()} {request.get_full_path()} ".encode() + response.content
    etag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    found = get_conditional_response(request, etag=etag) or response
    if found.status_code in (200, 304):
        found["ETag"] = etag
    patch_vary_headers(found, ["Accept-Language", "Cookie", "HX-Request"])
    found["Cache-Control"] = "private, no-cache" if private else "public, no-cache"
    return found


def seat_address(name: str, seat: Seat, *rest: str) -> str:
    """The address of a page about one game."""
    return reverse(f"games:{name}", args=[*seat.args, *rest])


def section_context(request: HttpRequest, section: Section, *, number: int | None = None) -> dict[str, Any]:
    """What the templates of the desk ask of every page of a section."""
    user = request.user if request.user.is_authenticated else None
    context: dict[str, Any] = {
        "event": section.event,
        "section": section,
        "can": desk.permissions(user, section.event),
        "tab": "rounds" if number else "games",
    }
    return context | ({"number": number} if number else {})
