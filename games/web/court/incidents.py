"""The arbiters' pages: what waits, the boards of a round, logging an incident, ruling on it, lateness, precedents."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import court_rules
from games.models import Effect, Incident, Ruling, Side
from games.permissions import Act, require
from games.selectors import court as selectors
from games.selectors import court_cases
from games.services.court import incidents, orders, rulings
from games.services.court import lateness as late_players
from games.services.court.orders import Order
from games.slots import Seat, seat_of, seats_of
from games.web.court.forms import (
    IncidentForm,
    IrregularForm,
    OrderForm,
    PenaltyForm,
    PersonForm,
    PrecedentFilter,
)
from games.web.court.support import event_context
from games.wording import articles as articles_texts
from games.wording.articles import ARTICLES
from tournaments.audit import Actor
from tournaments.errors import BadInput, DomainError, NotFound
from tournaments.models import Event, Round, Section
from tournaments.selectors import whatif
from tournaments.selectors.whatif import Change
from tournaments.web.http import actor_of, answer, desk_page, refusals_at
from tournaments.web.numbers import whole_number


@desk_page
@require_safe
def court(request: HttpRequest, event_id: int) -> HttpResponse:
    """What waits for somebody, the rounds in play, the cases and the latest rulings."""
    event = selectors.event_for(actor_of(request), event_id)
    return _court(request, event)


def _court(request: HttpRequest, event: Event, *, refusal: DomainError | None = None) -> HttpResponse:
    context = event_context(request, event)
    may = context["may"]
    cases = list(court_cases.cases_of(event)) if may["read_cases"] else []
    context |= {
        "waiting": selectors.waiting(event),
        "incidents": selectors.open_incidents(event),
        "rulings": selectors.recent_rulings(event),
        "rounds": selectors.rounds_in_play(event),
        "late": selectors.late_rounds(event) if may["rule"] else [],
        "lists_due": selectors.entry_lists_due(event) if may["rule"] else [],
        "cases": cases,
        "docket": court_cases.docket(cases),
        "lacks_assistant": selectors.lacks_assistant(event),
    }
    return answer(request, "games/court/court.html", context, refusal=refusal)


@desk_page
@require_safe
def boards(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Every board of a round, two taps from an incident."""
    round_ = selectors.round_for(actor_of(request), section_id, number, Act.READ_COURT)
    return _boards(request, round_)


def _boards(request: HttpRequest, round_: Round, *, refusal: DomainError | None = None) -> HttpResponse:
    context = event_context(request, round_.section.event) | {
        "section": round_.section,
        "round": round_,
        "number": round_.number,
        "rows": selectors.board_rows(round_),
        "late": selectors.late_list(round_),
    }
    return answer(request, "games/court/boards.html", context, refusal=refusal)


@desk_page
@require_POST
def clocks(request: HttpRequest, section_id: int, number: int, verb: str) -> HttpResponse:
    """An arbiter in the hall starts the clocks, or says that the round has begun for all."""
    actor = actor_of(request)
    round_ = selectors.round_for(actor, section_id, number, Act.RULE)
    steps = {"start": late_players.start_clocks, "all-here": late_players.close_late_list}
    if verb not in steps:
        raise NotFound
    steps[verb](actor, round_.pk)
    return redirect("games:court_boards", section_id, number)


@desk_page
@require_POST
def lateness(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """One board by its button, or all that are marked."""
    actor = actor_of(request)
    round_ = selectors.round_for(actor, section_id, number, Act.RULE)
    only = request.POST.get("only", "")
    missing: dict[int, str] = {}
    if only:
        named, _colon, who = only.partition(":")
        pk = whole_number(named)
        missing = {} if pk is None else {pk: who}
    else:
        for name in request.POST:
            pk, absent = whole_number(name.removeprefix("late-")), request.POST.get(name, "")
            if name.startswith("late-") and pk is not None and absent:
                missing[pk] = absent
    if missing and "confirm" not in request.POST:
        return _ask_once(request, round_, missing)
    try:
        made = late_players.rule_lateness(actor, round_.pk, missing)
    except DomainError as error:
        return _boards(request, round_, refusal=error)
    messages.success(
        request,
        ngettext("%(count)s board is forfeited.", "%(count)s boards are forfeited.", len(made))
        % {"count": len(made)},
    )
    return redirect("games:court_boards", section_id, number)


def _ask_once(request: HttpRequest, round_: Round, missing: dict[int, str]) -> HttpResponse:
    """Whom the forfeits would meet, before they are ruled."""
    boards = {board.pk: board for board in round_.pairings.select_related("white__player", "black__player")}
    chosen = [(boards[pk], who) for pk, who in missing.items() if pk in boards and boards[pk].black_id]
    context = event_context(request, round_.section.event) | {
        "round": round_,
        "section": round_.section,
        "chosen": chosen,
    }
    return answer(request, "games/court/lateness.html", context)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def board(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """One board, of a match one game: log an incident, and see what was logged and ruled at it."""
    actor = actor_of(request)
    seat = seat_of(pairing_id, number)
    event = seat.section.event
    require(actor, Act.LOG_INCIDENT, event)
    if not seat.round.is_public:
        raise NotFound
    form = IncidentForm(request.POST or None, seat=seat, initial={"submission": secrets.token_urlsafe(12)})
    if form.is_valid():
        with refusals_at(form):
            incident = incidents.log_incident(actor, pairing_id, replace(form.report(), game=number))
            messages.success(request, _("Incident %(number)s is logged.") % {"number": incident.number})
            return redirect("games:incident", incident.pk)
    return _board(request, seat, form)


def _board(
    request: HttpRequest, seat: Seat, form: IncidentForm, *, refusal: DomainError | None = None
) -> HttpResponse:
    context = event_context(request, seat.section.event) | {
        "section": seat.section,
        "seat": seat,
        "siblings": seats_of(seat.pairing) if seat.is_of_match else [],
        "pairing": seat.pairing,
        "form": form,
        "incidents": selectors.of_board(seat.pairing),
        "penalties": court_rules.FOUR_PENALTIES,
        "irregular_by": [(side, seat.person(side) or seat.entry(side)) for side in Side],
        "answers": IrregularForm.ANSWERS,
        "token": secrets.token_urlsafe(12),
        "sides": [(side, seat.person(side)) for side in Side],
        "chosen": _chosen_penalty(request, seat),
        "breaches": [a for a in ARTICLES.values() if a.number.startswith("14.1.")],
    }
    return answer(request, "games/court/board.html", context, forms=[form], refusal=refusal)


def _chosen_penalty(request: HttpRequest, seat: Seat) -> dict[str, object] | None:
    """Who and what, as the address has it: the article is the next tap."""
    side, effect = request.GET.get("side", ""), request.GET.get("effect", "")
    if side not in Side.values or effect not in court_rules.FOUR_PENALTIES:
        return None
    person = seat.person(side) or seat.entry(side)
    submission = secrets.token_urlsafe(12)
    return {
        "side": side,
        "effect": effect,
        "label": Effect(effect).label,
        "person": person,
        "submission": submission,
    }


@desk_page
@require_POST
def penalty(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """A penalty for a breach of order, logged and ruled at once: who, what and the article are chosen."""
    actor = actor_of(request)
    seat = seat_of(pairing_id, number)
    require(actor, Act.RULE, seat.section.event)
    form = PenaltyForm(request.POST)
    if not form.is_valid():
        raise BadInput
    try:
        made = rulings.rule_at_once(actor, pairing_id, replace(form.report(), game=number), form.order())
    except DomainError as error:
        return _board(request, seat, IncidentForm(seat=seat), refusal=error)
    messages.success(request, _told(made))
    return redirect("games:incident", made.incident_id)


@desk_page
@require_POST
def irregular(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """An irregular move with the opponent's answer, logged and ruled at once: whose move and which answer are chosen."""
    actor = actor_of(request)
    seat = seat_of(pairing_id, number)
    require(actor, Act.RULE, seat.section.event)
    form = IrregularForm(request.POST)
    if not form.is_valid():
        raise BadInput
    try:
        report = replace(form.report(), game=number)
        made = rulings.answer_irregular(actor, pairing_id, report, answer=form.cleaned_data["answer"])
    except DomainError as error:
        return _board(request, seat, IncidentForm(seat=seat), refusal=error)
    messages.success(request, _("Incident %(number)s is logged.") % {"number": made.number})
    return redirect("games:incident", made.pk)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """The conduct of somebody who is named without a board (articles 14.1, 15.1.1)."""
    actor = actor_of(request)
    round_ = selectors.round_for(actor, section_id, number)
    form = PersonForm(
        request.POST or None, section=round_.section, initial={"submission": secrets.token_urlsafe(12)}
    )
    if form.is_valid():
        with refusals_at(form):
            made = incidents.log_person(actor, section_id, number, form.report())
            messages.success(request, _("Incident %(number)s is logged.") % {"number": made.number})
            return redirect("games:incident", made.pk)
    context = event_context(request, round_.section.event) | {
        "section": round_.section, "round": round_, "number": number, "form": form,
    }  # fmt: skip
    return answer(request, "games/court/person.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def incident(request: HttpRequest, incident_id: int) -> HttpResponse:
    """One incident with its rulings; POST rules on it."""
    actor = actor_of(request)
    act = Act.RULE if request.method == "POST" else Act.READ_COURT
    found = selectors.incident_for(actor, incident_id, act)
    form = OrderForm(request.POST or None, incident=found)
    if form.is_valid():
        with refusals_at(form):
            made = rulings.rule(actor, incident_id, form.order())
            messages.success(request, _told(made))
            return redirect("games:incident", incident_id)
    return _incident(request, found, form)


def _incident(
    request: HttpRequest, found: Incident, form: OrderForm, *, refusal: DomainError | None = None
) -> HttpResponse:
    context = event_context(request, found.event) | {"incident": found, "form": form}
    context |= {"is_free": rulings.is_free(found)}
    return answer(request, "games/court/incident.html", context, forms=[form], refusal=refusal)


def _told(ruling: Ruling) -> str:
    if ruling.state == Ruling.State.AWAITING:
        return _("Ruling %(number)s waits for the chief arbiter.") % {"number": ruling.number}
    return _("Ruling %(number)s is in force.") % {"number": ruling.number}


@desk_page
@require_POST
def settle(request: HttpRequest, incident_id: int, verb: str) -> HttpResponse:
    """The opponent lets a move stand, or the player refuses to put it right."""
    actor = actor_of(request)
    found = selectors.incident_for(actor, incident_id, Act.LOG_INCIDENT)
    try:
        if verb == "stand":
            incidents.let_stand(actor, incident_id)
        elif verb == "refused":
            incidents.note_refusal(actor, incident_id)
        else:
            raise NotFound
    except DomainError as error:
        return _incident(request, found, OrderForm(incident=found), refusal=error)
    return redirect("games:incident", incident_id)


_VERBS: dict[str, Callable[[Actor, int, str], Ruling]] = {
    "confirm": lambda actor, pk, reason: rulings.confirm_ruling(actor, pk),
    "refuse": lambda actor, pk, reason: rulings.refuse_ruling(actor, pk, reason=reason),
    "withdraw": lambda actor, pk, reason: rulings.withdraw_ruling(actor, pk, reason=reason),
}


@desk_page
@require_POST
def ruling(request: HttpRequest, ruling_id: int, verb: str) -> HttpResponse:
    """Confirm or refuse what waits, withdraw what is in force."""
    actor = actor_of(request)
    found = selectors.ruling_for(actor, ruling_id, Act.RULE)
    if verb not in _VERBS:
        raise NotFound
    try:
        changed = _VERBS[verb](actor, ruling_id, request.POST.get("reason", ""))
    except DomainError as error:
        fresh = selectors.incident_for(actor, found.incident_id)
        return _incident(request, fresh, OrderForm(incident=fresh), refusal=error)
    messages.success(
        request,
        _("Ruling %(number)s: %(state)s.") % {"number": changed.number, "state": changed.get_state_display()},
    )
    if request.POST.get("next") == "court":
        return redirect("games:court", found.event_id)
    return redirect("games:incident", found.incident_id)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def revise(request: HttpRequest, ruling_id: int) -> HttpResponse:
    actor = actor_of(request)
    found = selectors.ruling_for(actor, ruling_id, Act.RULE)
    initial = {
        "effect": found.effect, "side": found.side, "article": found.article,
        "white_seconds": found.white_seconds or None, "black_seconds": found.black_seconds or None,
    }  # fmt: skip
    form = OrderForm(request.POST or None, incident=found.incident, initial=initial)
    if form.is_valid():
        with refusals_at(form):
            made = rulings.revise_ruling(actor, ruling_id, form.order())
            messages.success(request, _told(made))
            return redirect("games:incident", found.incident_id)
    context = event_context(request, found.event) | {
        "ruling": found,
        "incident": found.incident,
        "form": form,
    }
    return answer(request, "games/court/revise.html", context, forms=[form])


@desk_page
@require_safe
def ruling_whatif(request: HttpRequest, incident_id: int) -> HttpResponse:
    """What a ruling would change, asked from the form before it is made. Nothing is written."""
    actor = actor_of(request)
    found = selectors.incident_for(actor, incident_id, Act.RULE)
    form = OrderForm(request.GET, incident=found)
    context = event_context(request, found.event) | {"incident": found, "section": found.section}
    if not form.is_valid():
        return answer(request, "games/court/whatif.html", {**context, "faults": form.errors}, forms=[form])
    order = form.order()
    part = request.GET.get("part", "")
    try:
        orders.check_order(actor, found, order)
        context |= foreseen(found, order, part)
    except DomainError as error:
        return answer(request, "games/court/whatif.html", context, refusal=error)
    return render(
        request, "games/court/_pairings.html" if part == "pairings" else "games/court/whatif.html", context
    )


def next_context(section: Section, changes: Sequence[Change]) -> dict[str, object]:
    """What becomes of the pairings: a Swiss round newly paired, who goes on in a knock-out, or that nothing changes."""
    return {
        "next": whatif.next_round(section, changes),
        "goes_on": whatif.who_goes_on(section, changes),
        "section": section,
    }


def foreseen(found: Incident, order: Order, part: str) -> dict[str, object]:
    changes = rulings.changes_of(found, order)
    if part == "pairings":
        return next_context(found.section, changes)
    return {"table": whatif.table(found.section, changes), "order": order}


@desk_page
@require_safe
def precedents(request: HttpRequest) -> HttpResponse:
    """Rulings and decisions of all one's events, by article and kind, so that like cases are treated alike."""
    events = selectors.events_with_court(actor_of(request))
    if not events:
        raise NotFound
    form = PrecedentFilter(request.GET or None)
    chosen = form.cleaned_data if form.is_bound and form.is_valid() else {}
    if chosen.get("article"):
        chosen["article"] = chosen["article"].split()[0]
    context = {
        "form": form,
        "precedents": selectors.precedents([event.pk for event in events], **chosen),
        "articles": articles_texts.ARTICLES.values(),
    }
    return render(request, "games/court/precedents.html", context)


@require_safe
def articles(request: HttpRequest) -> HttpResponse:
    """The articles in both languages, searchable by number and word; as a fragment for the ruling form too."""
    query = request.GET.get("q", "").strip()
    context = {"articles": articles_texts.find(query), "query": query}
    return render(request, "games/court/articles.html", context)
