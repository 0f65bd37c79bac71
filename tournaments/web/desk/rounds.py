"""A round at the desk: when it starts, what waits, what to print."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.models import Round
from tournaments.permissions import Action
from tournaments.selectors import desk, grid
from tournaments.services import rounds as services
from tournaments.web.desk.forms.rounds import RoundStartForm
from tournaments.web.desk.sections import section_context
from tournaments.web.http import actor_of, answer, desk_page, refusals_at


def round_context(request: HttpRequest, round_: Round) -> dict[str, Any]:
    context = section_context(request, round_.section, tab="rounds")
    context |= {"round": round_, "number": round_.number, "rounds": desk.rounds(round_.section)}
    return context


@desk_page
@require_safe
def round_page(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    return _page(request, desk.round_for(actor_of(request), section_id, number))


@desk_page
@require_POST
def start(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    round_ = desk.round_for(actor_of(request), section_id, number, Action.PUBLISH)
    form = RoundStartForm(request.POST)
    if form.is_valid():
        with refusals_at(form):
            services.set_round_start(
                actor_of(request), section_id, number=number, starts_at=form.cleaned_data["starts_at"]
            )
            messages.success(request, _("Saved."))
            return redirect("desk:round", section_id, number)
    return _page(request, round_, form=form)


def _page(request: HttpRequest, round_: Round, *, form: RoundStartForm | None = None) -> HttpResponse:
    form = form or RoundStartForm(initial={"starts_at": round_.starts_at})
    rows = grid.rows(round_) if round_.is_public else []
    limit = round_.section.lateness_limit
    context = round_context(request, round_) | {
        "form": form,
        "waiting": [row for row in rows if not row.has_result],
        "boards": len(rows),
        "entered": sum(row.has_result for row in rows),
        "forfeit_at": round_.starts_at + timedelta(minutes=limit) if round_.starts_at else None,
    }
    return answer(request, "desk/round.html", context, forms=[form])
