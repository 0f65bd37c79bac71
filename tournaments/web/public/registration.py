"""Registering for a section, the sender's page by the personal link, and a player's requests and check-in."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import NotFound
from tournaments.models import Entry, Registration
from tournaments.selectors import check_in as present
from tournaments.selectors import people
from tournaments.selectors import registration as selectors
from tournaments.services import absence_requests, check_in
from tournaments.services import registration as services
from tournaments.web.http import actor_of, answer, private_page, refusals_at, require_visible, visible_section
from tournaments.web.numbers import whole_number
from tournaments.web.public.forms import AbsenceRequestForm, HallCodeForm, RegistrationForm
from tournaments.web.throttling import may_send


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    """The form, then what was typed to be confirmed, then the sender's own page."""
    section = visible_section(request, code, section_code)
    terms = selectors.terms_of(section)
    context = {
        "section": section,
        "event": section.event,
        "terms": terms,
        "left": selectors.places_left(section),
    }
    if not services.takes_registrations(section):
        return render(request, "public/register_closed.html", context)
    initial = {"submission": secrets.token_urlsafe(16)}
    form = RegistrationForm(request.POST or None, initial=initial)
    if not form.is_valid() or "change" in request.POST:
        return answer(request, "public/register.html", {**context, "form": form}, forms=[form])
    if "confirm" not in request.POST:
        return render(request, "public/register_confirm.html", {**context, "form": form})
    if not may_send(request):
        form.add_error(None, _("Too many requests. Wait a minute and try again."))
        return render(request, "public/register.html", {**context, "form": form}, status=429)
    with refusals_at(form):
        made = services.register(
            actor_of(request), section.pk, form.values(), submission=form.cleaned_data["submission"]
        )
        return redirect("public:my", made.link)
    return answer(request, "public/register.html", {**context, "form": form}, forms=[form])


def sent(request: HttpRequest, found: Registration) -> HttpResponse:
    """How a registration stands, for whoever holds its link."""
    require_visible(request, found.section.event)
    context = {
        "registration": found,
        "section": found.section,
        "event": found.section.event,
        "terms": selectors.terms_of(found.section),
        "place": selectors.waiting_place(found),
    }
    return render(request, "public/registration_sent.html", context)


@private_page
@require_POST
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    found = selectors.by_link(token)
    require_visible(request, found.section.event if found else None)
    services.withdraw(actor_of(request), token)
    messages.success(request, _("Your registration is withdrawn."))
    return redirect("public:my", token)


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def absence(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a bye or an absence, and read the answer."""
    found = _entry(request, token)
    actor = actor_of(request)
    if "take-back" in request.POST:
        number = whole_number(request.POST["take-back"])
        if number is None:
            raise NotFound
        absence_requests.take_back(actor, token, number)
        messages.success(request, _("The request is taken back."))
        return redirect(request.path)
    form = AbsenceRequestForm(request.POST or None, section=found.section)
    if form.is_valid():
        with refusals_at(form):
            absence_requests.ask(actor, token, **form.values())
            messages.success(request, _("It is sent. The answer will stand here."))
            return redirect(request.path)
    context = {
        "token": token,
        "entry": found,
        "section": found.section,
        "event": found.section.event,
        "form": form,
        "requests": found.absence_requests.order_by("-sent_at"),
        "absences": found.absences.order_by("round_number"),
    }
    return answer(request, "public/my_absence.html", context, forms=[form])


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def here(request: HttpRequest, token: str) -> HttpResponse:
    """A player says in the hall that he is there, with the code shown in the hall; an arbiter who scans needs none."""
    found = _entry(request, token)
    form = HallCodeForm(
        request.POST if request.method == "POST" else None, initial={"code": request.GET.get("code", "")}
    )
    desk = present.may_mark(request.user, found.section.event)
    if request.method == "POST" and desk:
        check_in.mark(actor_of(request), found.pk, present="missing" not in request.POST)
        return redirect(request.path)
    if form.is_valid() and not desk:
        if not may_send(request):
            form.add_error(None, _("Too many requests. Wait a minute and try again."))
        else:
            with refusals_at(form):
                check_in.mark_self(token, code=form.cleaned_data["code"])
                return redirect(request.path)
    context = {
        "token": token,
        "entry": found,
        "section": found.section,
        "event": found.section.event,
        "form": form,
        "row": present.of_entry(found),
        "is_desk": desk,
    }
    return answer(request, "public/my_here.html", context, forms=[form])


def _entry(request: HttpRequest, token: str) -> Entry:
    """The entry whose own link it is: of a team the team's, not a player's."""
    found = people.entry_by_link(token)
    require_visible(request, found.section.event if found else None)
    if found is None or found.link != token:
        raise Http404
    return found
