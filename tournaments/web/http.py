"""What every page of the desk shares: who asks, refusals told where the button was, and pages for role holders only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotAllowed, NotFound
from tournaments.models import User

REASON_LENGTH = 300

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def actor_of(request: HttpRequest) -> Actor:
    """Whoever sent the request, with the address it came from."""
    user = request.user if request.user.is_authenticated else None
    return Actor(user=user, address=request.META.get("REMOTE_ADDR") or "")


def person(request: HttpRequest) -> User:
    """The logged-in user of a desk page."""
    return cast(User, request.user)


def reason_of(request: HttpRequest) -> str:
    """The reason typed beside a button that has no form of its own, cut to what the log holds."""
    return request.POST.get("reason", "").replace("\x00", "").strip()[:REASON_LENGTH]


def desk_page(view: View[P]) -> View[P]:
    """A page for logged-in people. What a service refuses, and the page did not tell itself, becomes a page of its own."""

    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except DomainError as error:
            return render(request, "desk/refused.html", {"refusal": error}, status=error.status)

    guarded = login_required(page)

    @wraps(view)
    def entrance(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated and not User.objects.exists():
            return redirect("desk:setup")  # nobody could log in yet
        return guarded(request, *args, **kwargs)

    return cast("View[P]", never_cache(entrance))


@contextmanager
def refusals_at(form: BaseForm) -> Iterator[None]:
    """What a service refuses inside the block is told at the form, which keeps what was typed."""
    try:
        yield
    except DomainError as error:
        tell(form, error)


def tell(form: BaseForm, error: DomainError) -> None:
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
    """200 for forms that wait to be filled, 400 for wrong input, else the status of what a service refused."""
    refusals = [error.status for form in forms if (error := getattr(form, "refusal", None))]
    faulty = [400 for form in forms if form.is_bound and form.errors]
    return max([*refusals, *faulty], default=200)


def answer(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    forms: Sequence[BaseForm] = (),
    refusal: DomainError | None = None,
) -> HttpResponse:
    """The page with its forms; `refusal` is what a button without a form of its own was refused."""
    status = refusal.status if refusal else status_of(*forms)
    return render(request, template, {**context, "refusal": refusal}, status=status)
