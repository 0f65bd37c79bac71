"""The page of papers: what can be printed now, in which language, and the files as they become ready."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournaments.errors import DomainError
from tournaments.exports.printing import PDF_TYPE
from tournaments.models import Event, Job, Paper
from tournaments.selectors import desk, papers
from tournaments.selectors.drafts import refusal_of
from tournaments.services import papers as services
from tournaments.web.desk.events import event_context
from tournaments.web.http import actor_of, answer, desk_page
from tournaments.web.numbers import whole_number

WAITS_LONG = timedelta(seconds=15)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def shelf(request: HttpRequest, event_id: int) -> HttpResponse:
    """Every paper of the event. POST asks for one: `paper` is kind, section and round with colons between."""
    event = desk.event_for(actor_of(request), event_id)
    refusal = None
    if request.method == "POST":
        kind, section, number = [*request.POST.get("paper", "").split(":"), "", "", ""][:3]
        try:
            paper = services.order_paper(
                actor_of(request), event_id, kind=kind, section_id=whole_number(section), round_number=whole_number(number),
                language=request.POST.get("language", Paper.Language.BOTH), address=_address_asked(request),
            )  # fmt: skip
            return redirect("desk:paper", paper.pk)
        except DomainError as error:
            refusal = error
    return answer(request, "desk/papers.html", _context(request, event), refusal=refusal)


def _address_asked(request: HttpRequest) -> str:
    chosen = request.POST.get("address", "")
    return request.POST.get("other_address", "") if chosen == "other" else chosen


def _context(request: HttpRequest, event: Event) -> dict[str, object]:
    language, address = papers.last_choice(event)
    host, _colon, _port = (
        request.get_host().rpartition(":") if ":" in request.get_host() else (request.get_host(), "", "")
    )
    offered = services.addresses(scheme=request.scheme or "http", host=host, port=request.get_port())
    if address and address not in offered:
        offered = [address, *offered]
    return event_context(request, event, tab="papers") | {
        "of_event": papers.of_event(event),
        "of_sections": papers.of_sections(event),
        "made": papers.made(event),
        "languages": Paper.Language.choices,
        "language": request.POST.get("language") or language or Paper.Language.BOTH,
        "addresses": offered,
        "address": request.POST.get("address", address or next(iter(offered), "")),
        "other_address": request.POST.get("other_address", ""),
        "is_local": services.is_of_this_machine(host),
    }


@desk_page
@require_safe
def paper(request: HttpRequest, paper_id: int) -> HttpResponse:
    """One paper: how far it is, then the file."""
    found = papers.paper_for(actor_of(request), paper_id)
    part = request.htmx and not request.htmx.boosted  # type: ignore[attr-defined]
    if part and not found.job.is_active:
        return HttpResponseClientRedirect(reverse("desk:paper", args=[found.pk]))
    context = event_context(request, found.event, tab="papers") | {
        "paper": found,
        "job": found.job,
        "failure": refusal_of(found.job) if found.job.state == Job.State.FAILED else "",
        "stuck": found.job.state == Job.State.QUEUED and timezone.now() - found.job.created_at > WAITS_LONG,
        "is_current": found.job.state != Job.State.DONE or services.is_current(found),
    }
    return render(request, "desk/_paper_job.html" if part else "desk/paper.html", context)


@desk_page
@require_safe
def paper_file(request: HttpRequest, paper_id: int) -> HttpResponse:
    """The PDF, to look at; ?save=1 to keep."""
    found = papers.paper_for(actor_of(request), paper_id, with_content=True)
    if found.content is None:
        raise Http404
    how = "attachment" if request.GET.get("save") == "1" else "inline"
    name = (
        f"{found.event.code}-{found.kind.lower()}{f'-{found.round_number}' if found.round_number else ''}.pdf"
    )
    return HttpResponse(
        bytes(found.content),
        content_type=PDF_TYPE,
        headers={"Content-Disposition": f'{how}; filename="{name}"'},
    )
