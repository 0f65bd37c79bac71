"""Pages that anybody may open. Each reads a fixed number of queries and writes nothing, not even a cookie."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.public_page import event_tag, respond, section_tag
from tournaments.selectors import public
from tournaments.selectors.public import Period


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    found = public.events()
    today = timezone.localdate()

    def page() -> HttpResponse:
        shown = public.matching(found, query)
        groups = {
            period.name: [e for e in shown if public.period_of(e, today) is period] for period in Period
        }
        context = {"groups": groups, "query": query, "found": len(shown), "total": len(found)}
        return render(request, "public/home.html", context)

    tags = [(event_tag(event), [section_tag(s) for s in event.sections.all()]) for event in found]
    return respond(request, parts=[today, tags], render=page)
