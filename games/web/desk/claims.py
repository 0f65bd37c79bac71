"""Draw claims, proposals for broken sheets, and the clock calculator."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import rules
from games.models import Raiser
from games.selectors import meeting
from games.selectors.proposals import propose
from games.selectors.viewer import line_of
from games.services import results
from games.slots import Seat, require_arbiter, seat_of
from games.web.desk import clock as clock_desk
from games.web.desk import forms
from games.web.desk.games import best_moves, stood_form
from games.web.http import seat_address, section_context
from tournaments.errors import BadInput, DomainError
from tournaments.web.http import actor_of, desk_page


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """The desk for draw claims (articles 12.3, 12.5): the moves in, what can be claimed out, and the decision."""
    seat = seat_of(pairing_id, number)
    require_arbiter(actor_of(request), seat)
    found = meeting.met(seat)
    if request.method != "POST":
        form = forms.ClaimForm(
            initial={"moves": " ".join(best_moves(found)), "version": seat.pairing.version}
        )
        return _claim_page(request, seat, form, best_moves(found))
    form = forms.ClaimForm(request.POST)
    if not form.is_valid():
        return _claim_page(request, seat, form, (), status=400)
    data = form.cleaned_data
    if not {"uphold", "refuse"} & set(request.POST):
        return _claim_page(request, seat, form, data["moves"], fen=data["fen"])
    is_own = data["claimant"] == Raiser.ARBITER and "uphold" in request.POST
    if is_own and not data["own_confirmed"]:
        form.add_error(
            "own_confirmed",
            _("By article 12.5 a player claims. Mark this and say why, if you end the game yourself."),
        )
        return _claim_page(request, seat, form, data["moves"], fen=data["fen"], status=400)
    try:
        results.judge_claim(
            actor_of(request),
            pairing_id,
            claimant=data["claimant"],
            moves=data["moves"],
            kind=data["kind"],
            upheld="uphold" in request.POST,
            version=data["version"],
            reason=data["reason"],
            flag_fell=data["flag_fell"],
            number=number,
            fen=data["fen"],
        )
    except DomainError as error:
        return _claim_page(request, seat, form, data["moves"], fen=data["fen"], refusal=error)
    messages.success(request, _("The claim is decided."))
    return redirect(seat_address("desk_game", seat))


def _claim_page(
    request: HttpRequest,
    seat: Seat,
    form: forms.ClaimForm,
    moves: tuple[str, ...],
    *,
    fen: str = "",
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    round_ = seat.round
    try:
        start = results.claimed_from(fen)
    except BadInput as error:
        start, refusal = None, error
    line = line_of(rules.Sheet(moves=tuple(moves), start=start) if start else rules.Sheet(moves=tuple(moves)))
    context = section_context(request, round_.section, number=round_.number) | {
        "seat": seat,
        "pairing": seat.pairing,
        "round": round_,
        "form": form,
        "line": line,
        "counters": line.counters[-1],
        "reached": line.counters[-1].reached(),
        "refusal": refusal,
    }
    return render(request, "games/desk/claim.html", context, status=refusal.status if refusal else status)


@desk_page
@require_safe
def proposals(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """The games most likely behind the sheets, each change named. Nothing is applied."""
    seat = seat_of(pairing_id, number)
    require_arbiter(actor_of(request), seat)
    round_ = seat.round
    found = meeting.met(seat)
    proposed = propose(found.lines)
    context = section_context(request, round_.section, number=round_.number) | {
        "seat": seat,
        "pairing": seat.pairing,
        "round": round_,
        "proposals": proposed,
        "stood": proposed.stood,
        "stood_form": stood_form(found),
    }
    part = "games/desk/_proposals.html" if request.headers.get("HX-Request") else "games/desk/proposals.html"
    return render(request, part, context)


@require_safe
def clock(request: HttpRequest) -> HttpResponse:
    """The clock calculator (articles 8 and 9): open to everybody, it only counts."""
    context: dict[str, Any] = {"parts": clock_desk.parts(request.GET)}
    return render(request, "games/clock.html", context)
