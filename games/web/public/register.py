"""What everybody may know of the court: the register of appeals and rulings, without private data."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.selectors import court_cases
from games.web.court.forms import PrecedentFilter
from tournaments.models import Event
from tournaments.web.caching import respond_with
from tournaments.web.http import visible_event


@require_safe
def register(request: HttpRequest, code: str) -> HttpResponse:
    event = visible_event(request, code)
    form = PrecedentFilter(request.GET or None)
    chosen = form.cleaned_data if form.is_bound and form.is_valid() else {}
    article = (chosen.get("article") or "").split()[:1]
    context = {
        "event": event,
        "form": form,
        "cases": court_cases.register(event, article="".join(article), kind=chosen.get("category", "")),
        "rulings": court_cases.public_rulings(event),
    }
    page = render(request, "games/court/register.html", context)
    return respond_with(request, page, private=event.state == Event.State.DRAFT)


@require_safe
def case(request: HttpRequest, code: str, number: int) -> HttpResponse:
    event = visible_event(request, code)
    found = next((c for c in court_cases.register(event) if c.number == number), None)
    if found is None:
        raise Http404
    page = render(request, "games/court/public_case.html", {"event": event, "case": found})
    return respond_with(request, page, private=event.state == Event.State.DRAFT)
