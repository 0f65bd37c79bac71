"""My events; the desk of one event: its settings, its officials, its log, its end."""

from __future__ import annotations

from typing import Any

from django.conf import settings as site
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.errors import DomainError, NotAllowed, NotFound
from tournaments.models import Event
from tournaments.permissions import Action
from tournaments.selectors import desk, log_lines, next_step
from tournaments.services import events as services
from tournaments.services.submissions import made_before, once
from tournaments.web.desk.accounts import with_language
from tournaments.web.desk.forms.events import AuditFilter, EventForm, TypedForm
from tournaments.web.desk.forms.people import OfficialForm
from tournaments.web.http import actor_of, answer, desk_page, person, refusals_at, sent
from tournaments.web.numbers import whole_number

LOG_PAGE = 50
CLOSING_WORD = "CLOSE"


def event_context(request: HttpRequest, event: Event, *, tab: str) -> dict[str, Any]:
    return {
        "event": event,
        "sections": list(event.sections.all()),
        "can": desk.permissions(person(request), event),
        "tab": tab,
    }


@desk_page
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    user = person(request)
    events = desk.events_of(user)
    if not events and desk.is_of_committee(user):
        return redirect(reverse("games:my_courts") + "?waiting=1")  # a committee member lands on his cases
    known = desk.still_open(site.DEMO_ACCOUNTS) if user.is_staff and site.DEMO_ACCOUNTS else []
    response = render(request, "desk/home.html", {"events": events, "demo_accounts": known})
    chosen = request.COOKIES.get(site.LANGUAGE_COOKIE_NAME)
    if user.language and not chosen and "lang" not in request.GET:
        return with_language(redirect("desk:home"), user.language)
    return response


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    if not person(request).is_staff:
        raise NotAllowed
    earlier = made_before(actor_of(request), sent(request))
    if earlier is not None:
        return redirect("desk:event", earlier.pk)
    form = EventForm(request.POST or None)
    if form.is_valid():
        with refusals_at(form):
            made = once(
                actor_of(request),
                sent(request),
                lambda: services.create_event(actor_of(request), form.values()),
            )
            messages.success(request, _("The event is made. Only its officials see it until you show it."))
            return redirect("desk:event", made.pk)
    return answer(request, "desk/event_new.html", {"form": form}, forms=[form])


@desk_page
@require_safe
def event(request: HttpRequest, event_id: int) -> HttpResponse:
    return _event_page(request, desk.event_for(actor_of(request), event_id))


def _event_page(request: HttpRequest, found: Event, *, refusal: DomainError | None = None) -> HttpResponse:
    context = event_context(request, found, tab="overview")
    context["steps"] = [(section, next_step.of(section)) for section in context["sections"]]
    return answer(request, "desk/event.html", context, refusal=refusal)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, event_id: int) -> HttpResponse:
    found = desk.event_for(actor_of(request), event_id, Action.EDIT_EVENT)
    form = EventForm(request.POST or None, instance=Event.objects.get(pk=found.pk))
    if form.is_valid():
        with refusals_at(form):
            services.update_event(actor_of(request), event_id, form.values())
            messages.success(request, _("Saved."))
            return redirect("desk:event", event_id)
    context = event_context(request, found, tab="settings")
    return answer(request, "desk/event_settings.html", {**context, "form": form}, forms=[form])


@desk_page
@require_POST
def show(request: HttpRequest, event_id: int) -> HttpResponse:
    """Before the public, or back from it."""
    public = request.POST.get("public") == "yes"
    try:
        services.show_event(actor_of(request), event_id, public=public)
    except DomainError as error:
        return _event_page(request, desk.event_for(actor_of(request), event_id), refusal=error)
    messages.success(
        request, _("Everybody can see the event now.") if public else _("The event is hidden now.")
    )
    return redirect("desk:event", event_id)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def officials(request: HttpRequest, event_id: int) -> HttpResponse:
    found = desk.event_for(actor_of(request), event_id, Action.EDIT_ROLES)
    form = OfficialForm(request.POST or None)
    if form.is_valid():
        values = form.cleaned_data
        with refusals_at(form):
            role = once(
                actor_of(request),
                sent(request),
                lambda: services.assign_role(
                    actor_of(request), event_id, username=values["username"], kind=values["kind"],
                    password=values["password"], full_name=values["full_name"], delegation=values["delegation"],
                ),
            )  # fmt: skip
            messages.success(
                request,
                _("%(name)s is now: %(role)s.") % {"name": role.user, "role": role.get_kind_display()},
            )
            return redirect("desk:officials", event_id)
    return _officials_page(request, found, form)


def _officials_page(
    request: HttpRequest, found: Event, form: OfficialForm, *, refusal: DomainError | None = None
) -> HttpResponse:
    context = event_context(request, found, tab="officials")
    context |= {"form": form, "roles": desk.officials(found)}
    return answer(request, "desk/officials.html", context, forms=[form], refusal=refusal)


@desk_page
@require_POST
def remove_official(request: HttpRequest, role_id: int) -> HttpResponse:
    event_id = desk.event_of_role(role_id)
    if event_id is None:
        raise NotFound
    found = desk.event_for(actor_of(request), event_id, Action.EDIT_ROLES)
    try:
        services.remove_role(actor_of(request), role_id)
    except DomainError as error:
        return _officials_page(request, found, OfficialForm(), refusal=error)
    messages.success(request, _("The role is taken away."))
    return redirect("desk:officials", event_id)


@desk_page
@require_safe
def log(request: HttpRequest, event_id: int) -> HttpResponse:
    """Who did what, when and why, with the state before and after."""
    found = desk.event_for(actor_of(request), event_id, Action.READ_AUDIT)
    form = AuditFilter(request.GET, **desk.log_choices(found))
    chosen = form.cleaned_data if form.is_valid() else {}
    rows = desk.log(
        found, object_id=whole_number(request.GET.get("id", "")),
        action=chosen.get("action", ""), person=chosen.get("person", ""), subject=chosen.get("subject", ""),
    )  # fmt: skip
    page = Paginator(rows, LOG_PAGE).get_page(request.GET.get("page"))
    context = event_context(request, found, tab="log")
    return render(
        request,
        "desk/log.html",
        {**context, "form": form, "page": page, "lines": log_lines.lines(page.object_list)},
    )


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, event_id: int) -> HttpResponse:
    found = desk.event_for(actor_of(request), event_id, Action.CLOSE_EVENT)
    form = TypedForm(request.POST or None, expected=CLOSING_WORD)
    if form.is_valid():
        with refusals_at(form):
            services.close_event(actor_of(request), event_id)
            messages.success(request, _("The event is closed. Its pages stay public."))
            return redirect("desk:event", event_id)
    context = event_context(request, found, tab="overview")
    open_sections = [s for s in context["sections"] if s.state != s.State.CLOSED]
    return answer(
        request,
        "desk/event_close.html",
        {**context, "form": form, "open_sections": open_sections},
        forms=[form],
    )
