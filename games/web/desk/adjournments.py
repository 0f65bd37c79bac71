"""Adjournments: the arbiter's page, and the player's own on a phone. A sealed move is shown to nobody before it is opened."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

import rules
from games.models import Adjournment, Side
from games.selectors import filing, meeting
from games.services import adjournments as services
from games.sheets import is_short
from games.slots import Seat, acting_side, require_arbiter, seat_of
from games.web.desk import forms
from games.web.desk.games import best_moves
from games.web.http import seat_address, section_context
from games.web.public.forms import of_pace
from tournaments.audit import Actor
from tournaments.errors import DomainError, NotFound
from tournaments.web.http import actor_of, desk_page, show_refusals
from tournaments.web.numbers import whole_number


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def adjournment(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    seat = seat_of(pairing_id, number)
    require_arbiter(actor_of(request), seat)
    row = filing.running_adjournment(seat)
    if request.method != "POST":
        return _desk_page(request, seat, row)
    if row is not None and _asks_first(request, row):
        return _desk_page(request, seat, row, reading=services.reading_of(row, request.POST["written"]))
    try:
        if "reopen" in request.POST:
            _reopen(request, seat)
            return redirect(seat_address("adjournment", seat))
        form = _adjourn(request, seat) if row is None else _go_on(request, row)
    except DomainError as error:
        return _desk_page(request, seat, row, refusal=error)
    if form is not None:
        return _desk_page(request, seat, row, form=form, status=400)
    messages.success(request, _("Noted."))
    return redirect(seat_address("adjournment", seat))


def _asks_first(request: HttpRequest, row: Adjournment) -> bool:
    """A move typed from paper is shown as it is read, and what would follow, before anything is kept."""
    sent = request.POST
    return "open" in sent and not row.sealed and bool(sent.get("written", "").strip()) and "sure" not in sent


def _reopen(request: HttpRequest, seat: Seat) -> None:
    lost = next((old for old in filing.past_adjournments(seat) if old.state == "LOST"), None)
    if lost is None:
        raise NotFound
    services.reopen_envelope(actor_of(request), lost.pk, reason=request.POST.get("reason", ""))


def _adjourn(request: HttpRequest, seat: Seat) -> forms.AdjournForm | None:
    """Adjourn; the form comes back when it is not filled in rightly."""
    form = forms.AdjournForm(request.POST)
    of_pace(form, is_short=is_short(seat.clock or seat.section.time_control))
    if not form.is_valid():
        return form
    services.adjourn(actor_of(request), seat.pairing.pk, number=seat.number, **form.cleaned_data)
    return None


def _go_on(request: HttpRequest, row: Adjournment) -> forms.EnvelopeForm | None:
    """The next step of a running adjournment, named by the button that was pressed."""
    actor, sent = actor_of(request), request.POST
    if sent.get("confirm") in Side.values:
        services.confirm(actor, row.pk, side=sent["confirm"])
    elif "close" in sent:
        form = forms.EnvelopeForm(sent)
        if not form.is_valid():
            return form
        services.close_envelope(actor, row.pk, **form.cleaned_data)
    elif "open" in sent:
        services.open_envelope(actor, row.pk, written=sent.get("written", ""))
    elif "lost" in sent:
        services.judge_sealed_move(actor, row.pk)
    elif "mend" in sent:
        services.mend_written(actor, row.pk, written=sent.get("written", ""), reason=sent.get("reason", ""))
    elif (choice := whole_number(sent.get("choice", ""))) is not None:
        services.clarify(actor, row.pk, choice=choice)
    elif "resume" in sent:
        services.resume(actor, row.pk)
    else:
        raise NotFound
    return None


def _desk_page(
    request: HttpRequest,
    seat: Seat,
    row: Adjournment | None,
    *,
    form: Any = None,
    reading: services.Reading | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    round_ = seat.round
    adjourn = form if isinstance(form, forms.AdjournForm) else None
    if adjourn is None and request.method == "POST" and row is None:
        adjourn = forms.AdjournForm(request.POST)
    if adjourn is None:
        known = best_moves(meeting.met(seat)) if row is None else ()
        adjourn = forms.AdjournForm(initial={"moves": " ".join(known)})
    of_pace(adjourn, is_short=is_short(seat.clock or seat.section.time_control))
    if row is not None:
        row.refresh_from_db()
    context = section_context(request, round_.section, number=round_.number) | {
        "seat": seat,
        "pairing": seat.pairing,
        "round": round_,
        "row": row,
        "position": services.position_of(row) if row else None,
        "readings": _readings(row) if row else [],
        "reading": reading or (services.reading_of(row, row.written) if row and row.written else None),
        "asks": reading is not None,
        "adjourn_form": adjourn,
        "envelope_form": form if isinstance(form, forms.EnvelopeForm) else forms.EnvelopeForm(),
        "written_form": forms.WrittenForm(),
        "past": filing.past_adjournments(seat),
        "refusal": refusal,
    }
    code = refusal.status if refusal else status
    return render(request, "games/desk/adjournment.html", context, status=code)


def _readings(row: Adjournment) -> list[str]:
    position = services.position_of(row)
    return [rules.write(position, move) for move in services.readings_of(row)]


@csrf_exempt
@never_cache
@show_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def my_adjournment(request: HttpRequest, token: str, number: int, game: int | None = None) -> HttpResponse:
    """A player confirms position and times and, when it is his turn, seals the move. The link is the authority."""
    seat = filing.seat_by_link(token, number, game)
    row = filing.running_adjournment(seat) if seat is not None else None
    if seat is None or row is None:
        raise Http404
    side = acting_side(actor_of(request), seat, link=token)
    refusal: DomainError | None = None
    reading = None
    if "written" in request.POST and "sure" not in request.POST and not row.sealed:
        reading = (
            services.reading_of(row, request.POST["written"]) if request.POST["written"].strip() else None
        )
    if request.method == "POST" and reading is None:
        try:
            _my_step(request, row, token)
            return _unlisted(redirect(request.path))
        except DomainError as error:
            refusal = error
            row.refresh_from_db()
    context = {
        "seat": seat,
        "pairing": seat.pairing,
        "round": seat.round,
        "section": seat.section,
        "event": seat.section.event,
        "row": row,
        "side": side,
        "token": token,
        "position": services.position_of(row),
        "reading": reading,
        "seal_form": forms.SealForm(initial={"written": reading.written if reading else ""}),
        "confirmed": row.white_confirmed_at if side == Side.WHITE else row.black_confirmed_at,
        "again": row.white_again_at if side == Side.WHITE else row.black_again_at,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return _unlisted(render(request, "games/my_adjournment.html", context, status=status))


def _my_step(request: HttpRequest, row: Adjournment, token: str) -> None:
    actor = Actor(address=actor_of(request).address)
    if "written" in request.POST:
        services.seal_move(actor, row.pk, written=request.POST["written"], link=token)
    else:
        services.confirm(actor, row.pk, link=token)


def _unlisted(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response
