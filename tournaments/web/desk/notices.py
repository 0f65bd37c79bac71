"""The notice board at the desk: post a notice, strike one out."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.errors import DomainError
from tournaments.models import Event
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.services import notices as services
from tournaments.services.submissions import once
from tournaments.web.desk.events import event_context
from tournaments.web.desk.forms.notices import NoticeForm
from tournaments.web.http import actor_of, answer, desk_page, refusals_at, sent


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def board(request: HttpRequest, event_id: int) -> HttpResponse:
    found = desk.event_for(actor_of(request), event_id, Action.POST_NOTICES)
    form = NoticeForm(request.POST or None, event=found)
    if form.is_valid():
        with refusals_at(form):
            values: dict[str, Any] = form.cleaned_data
            once(
                actor_of(request),
                sent(request),
                lambda: services.post_notice(
                    actor_of(request),
                    event_id,
                    text=values["text"],
                    kind=values["kind"],
                    section_id=values["section"],
                ),
            )
            messages.success(request, _("The notice is on the board."))
            return redirect("desk:notices", event_id)
    return _page(request, found, form)


@desk_page
@require_POST
def withdraw(request: HttpRequest, notice_id: int) -> HttpResponse:
    found = desk.notice_for(actor_of(request), notice_id)
    try:
        services.withdraw_notice(actor_of(request), notice_id, reason=request.POST.get("reason", ""))
    except DomainError as error:
        return _page(request, found.event, NoticeForm(event=found.event), refusal=error)
    messages.success(request, _("The notice is struck out."))
    return redirect("desk:notices", found.event_id)


def _page(
    request: HttpRequest, event: Event, form: NoticeForm, *, refusal: DomainError | None = None
) -> HttpResponse:
    context = event_context(request, event, tab="notices")
    context |= {"form": form, "notices": desk.notices(event)}
    return answer(request, "desk/notices.html", context, forms=[form], refusal=refusal)
