"""Registrations, fees and requests of a section; who is there before a round, over all sections."""

from __future__ import annotations

from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import DomainError, NotFound
from tournaments.models import AbsenceRequest, Registration, Section
from tournaments.permissions import Action
from tournaments.selectors import check_in as presence
from tournaments.selectors import desk
from tournaments.selectors import registration as selectors
from tournaments.services import absence_requests, check_in
from tournaments.services import registration as services
from tournaments.web.desk.events import event_context
from tournaments.web.desk.forms.registration import TermsForm
from tournaments.web.desk.sections import section_context
from tournaments.web.http import actor_of, answer, desk_page, reason_of, refusals_at
from tournaments.web.numbers import whole_number


@desk_page
@require_safe
def overview(request: HttpRequest, section_id: int) -> HttpResponse:
    return _overview(request, desk.section_for(actor_of(request), section_id))


def _overview(
    request: HttpRequest,
    section: Section,
    *,
    form: forms.BaseForm | None = None,
    refusal: DomainError | None = None,
) -> HttpResponse:
    terms = selectors.terms_of(section)
    form = form or TermsForm(instance=terms)
    address = _root(request) + reverse("public:register", args=[section.event.code, section.code])
    context = section_context(request, section, tab="registration") | {
        "terms": terms,
        "form": form,
        "left": selectors.places_left(section),
        "undecided": selectors.undecided(section),
        "answered": selectors.answered(section),
        "owed": selectors.owed(section),
        "requests": selectors.absence_requests(section),
        "address": address,
        "qr": _qr(address),
    }
    return answer(request, "desk/registration.html", context, forms=[form], refusal=refusal)


@desk_page
@require_POST
def terms(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_EVENT)
    form = TermsForm(request.POST, instance=selectors.terms_of(section))
    if form.is_valid():
        with refusals_at(form):
            services.set_terms(actor_of(request), section_id, form.cleaned_data)
            messages.success(request, _("Saved."))
            return redirect("desk:registration", section_id)
    return _overview(request, section, form=form)


@desk_page
@require_POST
def answer_registration(request: HttpRequest, registration_id: int) -> HttpResponse:
    found = Registration.objects.filter(pk=registration_id).first()
    if found is None:
        raise NotFound
    section = desk.section_for(actor_of(request), found.section_id, Action.EDIT_ENTRIES)
    try:
        if "refuse" in request.POST:
            services.refuse(actor_of(request), registration_id, reason=reason_of(request))
            messages.success(request, _("%(name)s is refused.") % {"name": found.name})
        else:
            done = services.accept(actor_of(request), registration_id, over="over" in request.POST)
            waits = done.state == Registration.State.WAITING
            text = _("%(name)s stands on the waiting list.") if waits else _("%(name)s is entered.")
            messages.success(request, text % {"name": found.name})
    except DomainError as error:
        return _overview(request, section, refusal=error)
    return redirect("desk:registration", section.pk)


@desk_page
@require_POST
def answer_request(request: HttpRequest, request_id: int) -> HttpResponse:
    found = AbsenceRequest.objects.select_related("entry__player").filter(pk=request_id).first()
    if found is None:
        raise NotFound
    section = desk.section_for(actor_of(request), found.entry.section_id, Action.EDIT_ENTRIES)
    try:
        absence_requests.answer(
            actor_of(request), request_id, grant="refuse" not in request.POST, text=reason_of(request)
        )
    except DomainError as error:
        return _overview(request, section, refusal=error)
    messages.success(request, _("Answered."))
    return redirect("desk:registration", section.pk)


@desk_page
@require_POST
def payment(request: HttpRequest, entry_id: int) -> HttpResponse:
    found = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    amount = whole_number(request.POST.get("amount", ""))
    section = desk.section_for(actor_of(request), found.section_id)
    if amount is None:
        return _overview(request, section, refusal=DomainError(_("Give the amount in whole numbers.")))
    try:
        services.note_payment(actor_of(request), entry_id, amount=amount)
    except DomainError as error:
        return _overview(request, section, refusal=error)
    return redirect(reverse("desk:registration", args=[section.pk]) + "#fees")


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def check_in_list(request: HttpRequest, event_id: int) -> HttpResponse:
    """Everybody of the event, A-Z or by club; a tap on a row marks the player as there, or as missing again."""
    event = desk.event_for(actor_of(request), event_id)
    if request.method == "POST":
        return _marked(request, event_id)
    query, order = request.GET.get("q", "").strip(), request.GET.get("by", "")
    everybody = presence.of_event(event)
    rows = presence.filtered(everybody, query, missing_only="missing" in request.GET)
    counts = {
        section.pk: (sum(r.is_missing for r in everybody if r.section.pk == section.pk), section)
        for section in event.sections.all()
        if any(r.section.pk == section.pk for r in everybody)
    }
    code = check_in.hall_code(event)
    context: dict[str, Any] = event_context(request, event, tab="check-in") | {
        "rows": presence.by_club(rows) if order == "club" else rows,
        "query": query,
        "by": order,
        "missing_only": "missing" in request.GET,
        "missing": sum(row.is_missing for row in everybody),
        "total": len(everybody),
        "counts": list(counts.values()),
        "code": code,
    }
    return answer(request, "desk/check_in.html", context)


def _marked(request: HttpRequest, event_id: int) -> HttpResponse:
    entry_id = whole_number(request.POST.get("entry", "").removeprefix("-"))
    if entry_id is None or desk.entry_for(actor_of(request), entry_id).section.event_id != event_id:
        raise NotFound
    check_in.mark(actor_of(request), entry_id, present=not request.POST["entry"].startswith("-"))
    query = request.META.get("QUERY_STRING", "")
    back = reverse("desk:check_in", args=[event_id]) + (f"?{query}" if query else "")
    return redirect(f"{back}#e{entry_id}")


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def check_in_close(request: HttpRequest, section_id: int) -> HttpResponse:
    """Name who would be absent, and make them absent by one press; asked again when over half are missing."""
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
    rows = presence.of_section(section)
    missing = [row for row in rows if row.is_missing]
    refusal: DomainError | None = None
    if request.method == "POST":
        try:
            done = check_in.close(actor_of(request), section_id, sure="sure" in request.POST)
        except DomainError as error:
            refusal = error
        else:
            count = len(done.absent)
            text = ngettext("%(count)s player is absent.", "%(count)s players are absent.", count)
            messages.success(request, text % {"count": count})
            return redirect("desk:section", section_id)
    context = section_context(request, section, tab="entries") | {
        "missing": missing,
        "total": len(rows),
        "number": presence.next_round(section),
        "ask_again": len(missing) * 2 > len(rows),
    }
    return answer(request, "desk/check_in_close.html", context, refusal=refusal)


def _root(request: HttpRequest) -> str:
    return settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"


def _qr(address: str) -> str:
    # segno writes the picture from its own matrix: nothing of the address stands in it as text.
    return mark_safe(segno.make(address, error="m").svg_inline(scale=3, border=2, omitsize=True))
