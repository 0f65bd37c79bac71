"""A section: what to do next, its options, its end."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments import formats
from tournaments.errors import DomainError
from tournaments.formats.systems import SYSTEMS
from tournaments.models import Section
from tournaments.permissions import Action
from tournaments.selectors import desk, next_step, readiness, repairs
from tournaments.selectors.open_cases import open_cases
from tournaments.selectors.readiness import Before
from tournaments.services import events as services
from tournaments.services import results as result_services
from tournaments.services.submissions import made_before, once
from tournaments.web.desk.events import event_context
from tournaments.web.desk.forms.events import ReasonForm, TypedForm
from tournaments.web.desk.forms.sections import SectionForm
from tournaments.web.http import actor_of, answer, desk_page, person, refusals_at, sent

DELETING_WORD = "DELETE"


def section_context(request: HttpRequest, section: Section, *, tab: str) -> dict[str, Any]:
    return {
        "event": section.event,
        "section": section,
        "can": desk.permissions(person(request), section.event),
        "tab": tab,
    } | repairs_context(section)


def repairs_context(section: Section) -> dict[str, Any]:
    """What a corrected result leaves to settle, and a number of rounds that cannot be: told on every page of the section."""
    found = repairs.of(section)
    return {
        "repairs": found,
        "can_set_right": any(told.kind == "replace" for told in found),
        "rounds_warning": desk.rounds_warning(section),
    }


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, event_id: int) -> HttpResponse:
    event = desk.event_for(actor_of(request), event_id, Action.EDIT_EVENT)
    system = request.GET.get("system", "")
    earlier = made_before(actor_of(request), sent(request))
    if earlier is not None:
        return redirect("desk:section", earlier.pk)
    form = SectionForm(request.POST or None, section=None, system=system)
    if form.is_valid():
        with refusals_at(form):
            made = once(
                actor_of(request),
                sent(request),
                lambda: services.create_section(actor_of(request), event_id, form.values()),
            )
            messages.success(request, _("The section is made. Enter its players next."))
            return redirect("desk:section", made.pk)
    context = event_context(request, event, tab="overview")
    return answer(
        request,
        "desk/section_new.html",
        {**context, "form": form, "systems": SYSTEMS, "system": system},
        forms=[form],
    )


@desk_page
@require_safe
def section(request: HttpRequest, section_id: int) -> HttpResponse:
    return section_page(request, desk.section_for(actor_of(request), section_id))


def section_page(request: HttpRequest, found: Section, *, refusal: DomainError | None = None) -> HttpResponse:
    """The desk of a section; also the page that tells why one of its buttons was refused."""
    context = section_context(request, found, tab="overview")
    step = next_step.of(found)
    context |= {
        "step": step,
        "points": readiness.points(found, Before.PAIRING) if step.kind == next_step.Kind.PAIR else [],
        "rounds": desk.rounds(found),
        "later_rounds": _later_rounds(found),
        "entries_count": found.entries.count(),
        "log": desk.log(found.event).filter(section=found)[:8] if context["can"]["read_audit"] else [],
    }
    return answer(request, "desk/section.html", context, refusal=refusal)


def _later_rounds(found: Section) -> list[int]:
    """Rounds that nobody touched yet: their start can be set all the same. A round robin has none."""
    known = set(found.rounds.values_list("number", flat=True))
    return (
        []
        if not formats.of(found).pairs_each_round
        else [n for n in range(1, found.rounds_total + 1) if n not in known]
    )


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, section_id: int) -> HttpResponse:
    found = desk.section_for(actor_of(request), section_id, Action.EDIT_EVENT)
    form = SectionForm(request.POST or None, section=desk.section_for(actor_of(request), section_id))
    if form.is_valid():
        with refusals_at(form):
            services.update_section(
                actor_of(request),
                section_id,
                form.changed_values(),
                reason=form.cleaned_data.get("reason", ""),
            )
            messages.success(request, _("Saved."))
            return redirect("desk:section", section_id)
    context = section_context(request, found, tab="settings")
    context |= {"form": form, "paired": desk.is_paired(found)}
    return answer(request, "desk/section_settings.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, section_id: int) -> HttpResponse:
    found = desk.section_for(actor_of(request), section_id, Action.EDIT_EVENT)
    form = TypedForm(request.POST or None, expected=DELETING_WORD)
    if form.is_valid():
        with refusals_at(form):
            services.delete_section(actor_of(request), section_id)
            messages.success(request, _("The section %(name)s is deleted.") % {"name": found})
            return redirect("desk:event", found.event_id)
    context = section_context(request, found, tab="settings")
    context |= {"form": form, "entries_count": found.entries.count(), "paired": desk.is_paired(found)}
    return answer(request, "desk/section_delete.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, section_id: int) -> HttpResponse:
    """Final standings; the page says what is missing."""
    found = desk.section_for(actor_of(request), section_id, Action.CLOSE_EVENT)
    refusal = None
    if request.method == "POST":
        try:
            result_services.close_section(
                actor_of(request), section_id, reason=request.POST.get("reason", "")
            )
            messages.success(request, _("The section is closed; its places are final."))
            return redirect("desk:standings", section_id)
        except DomainError as error:
            refusal = error
    context = section_context(request, found, tab="standings")
    context["missing"] = services.missing_results(found)
    context["open_cases"] = open_cases(found)
    context["points"] = readiness.points(found, Before.CLOSING)
    return answer(request, "desk/section_close.html", context, refusal=refusal)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def reopen(request: HttpRequest, section_id: int) -> HttpResponse:
    found = desk.section_for(actor_of(request), section_id, Action.CLOSE_EVENT)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            result_services.reopen_section(actor_of(request), section_id, reason=form.cleaned_data["reason"])
            messages.success(request, _("The section is open again. Close it once it is corrected."))
            return redirect("desk:section", section_id)
    context = section_context(request, found, tab="standings")
    return answer(request, "desk/section_reopen.html", {**context, "form": form}, forms=[form])
