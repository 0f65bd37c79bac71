"""What the court's pages share: who asks, refusals on a page of their own, refusals told at a form."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

from games.models import Evidence
from games.permissions import acts_of
from games.wording.articles import ARTICLES
from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotFound
from tournaments.models import Event, User
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
            return render(request, "games/court/refused.html", {"refusal": error}, status=error.status)

    return cast("View[P]", page)


def writes_when_read(view: View[P]) -> View[P]:
    """Mark a page that keeps a note of being opened: it is read without the snapshot that refuses writes."""
    view.writes_when_read = True  # type: ignore[attr-defined]
    return view


def desk_page(view: View[P]) -> View[P]:
    """A page for logged-in people, kept by no cache."""
    return never_cache(login_required(show_refusals(view)))


def private_page(view: View[P]) -> View[P]:
    """A page behind a personal link or a log-in: kept by no cache, in no index, named to no other site."""
    inner = never_cache(show_refusals(view))

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = inner(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        # Not "no-referrer": a form sent from such a page would come without the origin that is checked.
        response["Referrer-Policy"] = "same-origin"
        return response

    return cast("View[P]", page)


@contextmanager
def refusals_at(form: BaseForm) -> Iterator[None]:
    """What a service refuses inside the block is told at the form, which keeps what was typed."""
    try:
        yield
    except DomainError as error:
        _tell(form, error)


def _tell(form: BaseForm, error: DomainError) -> None:
    fields = error.values.get("fields", {}) if isinstance(error, BadInput) else {}
    for name, sentences in fields.items():
        for sentence in sentences:
            form.add_error(name if name in form.fields else None, sentence)
    if not fields:
        form.add_error(None, error.message)
    form.refusal = error  # type: ignore[attr-defined]


def answer(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    forms: Sequence[BaseForm] = (),
    refusal: DomainError | None = None,
) -> HttpResponse:
    """The page; its status is that of what was refused, 400 for wrong input, else 200."""
    refused = [error.status for form in forms if (error := getattr(form, "refusal", None))]
    faulty = [400 for form in forms if form.is_bound and form.errors]
    status = refusal.status if refusal else max([*refused, *faulty], default=200)
    return render(request, template, {**context, "refusal": refusal}, status=status)


def served_file(row: Evidence) -> HttpResponse:
    """A party's file: saved and never shown inside the site, whatever is in it."""
    response = HttpResponse(bytes(row.content), content_type=row.media_type)
    response["Content-Disposition"] = content_disposition_header(True, row.filename) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["Cache-Control"] = "private, no-store"
    return response


def event_context(request: HttpRequest, event: Event, *, tab: str = "court") -> dict[str, Any]:
    user = request.user if request.user.is_authenticated else None
    kinds = roles_in(user, event)
    return {
        "event": event,
        "can": desk.permissions(user, event),
        "may": acts_of(user, event),
        "at_desk": bool(kinds - {"COMMITTEE", "PLAYER", "CAPTAIN"}),
        "tab": tab,
        "articles": ARTICLES.values(),
    }


def visible_event(request: HttpRequest, code: str) -> Event:
    """A public event, or a draft in which the reader has a role. Raises Http404."""
    event = public.event_by_code(code)
    hidden = event is None or event.state == Event.State.DRAFT
    known = request.user.is_authenticated if hidden else True
    if event is None or (hidden and not (known and roles_in(cast("User", request.user), event))):
        raise Http404
    return event


def respond_with(request: HttpRequest, response: HttpResponse, *, private: bool = False) -> HttpResponse:
    """The response with an ETag of its content; 304 for a reader who holds it."""
    text = f"{get_language()} {request.get_full_path()} ".encode() + response.content
    etag = quote_etag(hashlib.sha256(text).hexdigest()[:32])
    found = get_conditional_response(request, etag=etag) or response
    if found.status_code in (200, 304):
        found["ETag"] = etag
    patch_vary_headers(found, ["Accept-Language", "Cookie"])
    found["Cache-Control"] = "private, no-cache" if private else "public, no-cache"
    return found
