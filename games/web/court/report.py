"""The arbiter's report: its figures, the chief arbiter's words, and what becomes of his proposals."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.forms import BaseForm, model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import ArbiterReport
from games.permissions import Act, allowed
from games.selectors import court as selectors
from games.selectors.report import report_of
from games.services.court import reports
from games.web.court.forms import FeedbackForm, ReportForm
from games.web.court.support import event_context
from tournaments.audit import Actor
from tournaments.models import Event
from tournaments.web.http import actor_of, answer, desk_page, refusals_at


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, event_id: int) -> HttpResponse:
    """Show the report, ready for the printer; the chief arbiter writes it, the organizer answers."""
    actor = actor_of(request)
    event = selectors.event_for(actor, event_id, Act.READ_REPORT)
    forms: dict[str, BaseForm] = {}
    if request.method == "POST":
        name, form, save = _posted(request)
        if form.is_valid():
            with refusals_at(form):
                save(actor, event_id, **form.cleaned_data)
                messages.success(request, _("Saved."))
                return redirect("games:report", event_id)
        forms[name] = form
    found = report_of(event)
    for form in forms.values():
        # Whoever reads what was written meanwhile, below, may send his words again.
        form.data = {**form.data.dict(), "version": found.words.version}  # type: ignore[attr-defined]
    forms = _open_forms(actor, event, found.words) | forms
    context = event_context(request, event, tab="report") | {"report": found} | forms
    return answer(request, "games/court/report.html", context, forms=list(forms.values()))


def _posted(request: HttpRequest) -> tuple[str, BaseForm, Callable[..., ArbiterReport]]:
    if request.POST.get("part") == "feedback":
        return "feedback_form", FeedbackForm(request.POST), reports.answer_report
    return "report_form", ReportForm(request.POST), reports.write_report


def _open_forms(actor: Actor, event: Event, words: ArbiterReport) -> dict[str, BaseForm]:
    found: dict[str, BaseForm] = {}
    initial = model_to_dict(words)
    if allowed(actor.user, Act.WRITE_REPORT, event):
        found["report_form"] = ReportForm(initial=initial)
    if allowed(actor.user, Act.ANSWER_REPORT, event) and words.written_at:
        found["feedback_form"] = FeedbackForm(initial=initial)
    return found
