"""The one door of HTTP, for pages and the REST API of both apps: who asks, who may see, and how refusals are shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from rest_framework.request import Request

from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, SiteError
from tournaments.models import Event, Section, User
from tournaments.permissions import sees
from tournaments.selectors import public
from tournaments.services.submissions import Sent

REASON_LENGTH = 300

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def actor_of(request: HttpRequest | Request) -> Actor:
    """Return whoever sent the request, with the address it came from."""
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=request.META.get("REMOTE_ADDR") or "")


def person(request: HttpRequest) -> User:
    """Return the logged-in user of a desk page."""
    return cast(User, request.user)


def sent(request: HttpRequest | Request) -> Sent:
    """Return what a form or a program sent, with its own number: a hidden field of forms, a header of programs."""
    if isinstance(request, Request):
        number, values = request.headers.get("Idempotency-Key", ""), request.data
    else:
        number = request.POST.get("submission", "")
        values = {**dict(request.POST.lists()), **request.FILES.dict()} if number else {}
    return Sent(number=number, place=request.path, content=_digest(values) if number else "")


# A digest of a password would be something to guess it by.
NOT_CONTENT = frozenset({"csrfmiddlewaretoken", "submission", "password", "repeated"})


def _digest(values: Any) -> str:
    """Equal for the same fields and files, in whatever order."""
    if isinstance(values, QueryDict):
        values = dict(values.lists())
    if isinstance(values, dict):
        values = {name: value for name, value in values.items() if name not in NOT_CONTENT}
    return sha256(json.dumps(values, sort_keys=True, default=_of_file).encode()).hexdigest()


def _of_file(file: Any) -> str:
    if not hasattr(file, "read"):
        return str(file)
    digest = sha256(file.read()).hexdigest()
    file.seek(0)
    return digest


def reason_of(request: HttpRequest) -> str:
    """Return the reason typed beside a button that has no form of its own, cut to what the log holds."""
    return request.POST.get("reason", "").replace("\x00", "").strip()[:REASON_LENGTH]


def require_visible(request: HttpRequest, event: Event | None) -> Event:
    """Return the event if it is public or the reader has a role in it. A draft answers exactly as what does not exist.

    Raises Http404.
    """
    if event is not None and event.state != Event.State.DRAFT:
        return event
    # Asked in both cases, so that not even the headers tell a draft from nothing.
    known = request.user.is_authenticated
    if event is None or not known or not sees(request.user, event):
        raise Http404
    return event


def visible_event(request: HttpRequest, code: str) -> Event:
    """Return the event at the address. Raises Http404."""
    return require_visible(request, public.event_by_code(code))


def visible_section(request: HttpRequest, code: str, section_code: str) -> Section:
    """Return the section at the address. Raises Http404."""
    found = public.section_by_code(code, section_code)
    require_visible(request, found.event if found else None)
    assert found is not None  # require_visible raises for None
    return found


def show_refusals(view: View[P], *, template: str = "refused.html") -> View[P]:
    """Turn what a service refuses, and the page did not show itself, into a page of its own."""

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except SiteError as error:
            return render(request, template, {"refusal": error}, status=error.status)

    return cast("View[P]", page)


def desk_page(view: View[P]) -> View[P]:
    """Make a page for logged-in people, kept by no cache."""
    guarded = login_required(show_refusals(view, template="desk/refused.html"))

    @wraps(view)
    def entrance(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated and not User.objects.exists():
            return redirect("desk:setup")  # nobody could log in yet
        return guarded(request, *args, **kwargs)

    return cast("View[P]", never_cache(entrance))


def private_page(view: View[P]) -> View[P]:
    """Make a page behind a personal link or a log-in: kept by no cache, in no index, named to no other site."""
    inner = never_cache(show_refusals(view))

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = inner(request, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        # Not "no-referrer": a form sent from such a page would come without the origin that is checked.
        response["Referrer-Policy"] = "same-origin"
        return response

    return cast("View[P]", page)


def writes_when_read(view: View[P]) -> View[P]:
    """Mark a page that keeps a note of being opened: it is read without the snapshot that refuses writes."""
    view.writes_when_read = True  # type: ignore[attr-defined]
    return view


@contextmanager
def refusals_at(form: BaseForm) -> Iterator[None]:
    """Show what a service refuses inside the block at the form, which keeps what was typed."""
    try:
        yield
    except DomainError as error:
        show_at(form, error)


def show_at(form: BaseForm, error: DomainError) -> None:
    """Add the error to the fields it names, or to the form as a whole."""
    fields: Mapping[str, Sequence[str]] = (
        error.values.get("fields", {}) if isinstance(error, BadInput) else {}
    )
    for name, sentences in fields.items():
        at_field = name in form.fields
        for sentence in sentences:
            text = sentence if at_field or name == "__all__" else f"{name}: {sentence}"
            form.add_error(name if at_field else None, text)
    if not fields:
        form.add_error(None, error.message)
    form.refusal = error  # type: ignore[attr-defined]


def status_of(*forms: BaseForm) -> int:
    """Return 200 for forms that wait to be filled, 400 for wrong input, else the status of what a service refused."""
    refusals = [error.status for form in forms if (error := getattr(form, "refusal", None))]
    faulty = [400 for form in forms if form.is_bound and form.errors]
    return max([*refusals, *faulty], default=200)


def answer(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    forms: Sequence[BaseForm] = (),
    refusal: SiteError | None = None,
) -> HttpResponse:
    """Render the page with its forms; `refusal` is what a button without a form of its own was refused."""
    status = refusal.status if refusal else status_of(*forms)
    return render(request, template, {**context, "refusal": refusal}, status=status)
