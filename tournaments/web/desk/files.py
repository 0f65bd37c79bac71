"""Files of an event: what can be taken away, a report file as a new section, an event file as a new event."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.documents.parts import LeftOut
from tournaments.errors import NotAllowed
from tournaments.models import Event, Section
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.services.event_import import import_event
from tournaments.services.submissions import once
from tournaments.services.trf_import import ImportedReport, import_trf
from tournaments.web.desk.events import event_context
from tournaments.web.desk.forms.files import EventFileForm, ReportForm
from tournaments.web.http import actor_of, answer, desk_page, person, refusals_at, sent

LINES_SHOWN = 10


@desk_page
@require_safe
def files(request: HttpRequest, event_id: int) -> HttpResponse:
    event = desk.event_for(actor_of(request), event_id)
    return render(request, "desk/files.html", event_context(request, event, tab="files"))


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, event_id: int) -> HttpResponse:
    event = desk.event_for(actor_of(request), event_id, Action.EDIT_EVENT)
    form = ReportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        with refusals_at(form):
            section = once(actor_of(request), sent(request), lambda: _import_report(request, event_id, form))
            return redirect("desk:section", section.pk)
    context = event_context(request, event, tab="files") | {"form": form}
    return answer(request, "desk/report_import.html", context, forms=[form])


def _import_report(request: HttpRequest, event_id: int, form: ReportForm) -> Section:
    file = form.cleaned_data["file"]
    done = import_trf(
        actor_of(request),
        event_id,
        file.read(),
        filename=file.name,
        name=form.cleaned_data["name"],
        encoding=form.cleaned_data["encoding"],
    )
    _tell(request, done)
    return done.section


def _tell(request: HttpRequest, done: ImportedReport) -> None:
    text = ngettext(
        "The section is made: %(players)s player, %(rounds)s rounds.",
        "The section is made: %(players)s players, %(rounds)s rounds.",
        done.players,
    )
    messages.success(request, text % {"players": done.players, "rounds": done.rounds})
    _tell_left_out(request, done.left_out)


def _tell_left_out(request: HttpRequest, left_out: Sequence[LeftOut]) -> None:
    if left_out:
        shown = "; ".join(f"{item.what}: {item.value}" for item in left_out[:LINES_SHOWN])
        more = " …" if len(left_out) > LINES_SHOWN else ""
        messages.warning(request, _("Left out of the file: %(lines)s") % {"lines": shown + more})


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def event_file(request: HttpRequest) -> HttpResponse:
    if not person(request).is_staff:
        raise NotAllowed
    form = EventFileForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        with refusals_at(form):
            event = once(actor_of(request), sent(request), lambda: _import_event(request, form))
            return redirect("desk:event", event.pk)
    return answer(request, "desk/event_import.html", {"form": form}, forms=[form])


def _import_event(request: HttpRequest, form: EventFileForm) -> Event:
    file = form.cleaned_data["file"]
    done = import_event(actor_of(request), file.read(), filename=file.name)
    messages.success(request, _("The event is set up from the file."))
    _tell_left_out(request, done.left_out)
    return done.event
