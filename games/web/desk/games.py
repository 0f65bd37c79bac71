"""The arbiter's pages about games: the queue of a round, one game with both sheets, the papers of a round."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import sheets as reading
from games.models import Game, Side
from games.selectors import meeting, proposals
from games.selectors.meeting import Met
from games.selectors.viewer import clock
from games.services import draw_offers, results, sheets
from games.services.results import Score
from games.sheets import is_short
from games.slots import Seat, fresh, require_arbiter, seat_of, seats_of, with_games
from games.web.desk import forms
from games.web.http import seat_address, section_context
from games.web.public.forms import of_pace
from tournaments import formats
from tournaments.errors import BadInput, DomainError, NotFound
from tournaments.models import Round
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.selectors.match_games import is_match
from tournaments.web.http import actor_of, desk_page
from tournaments.web.numbers import whole_number

PAPER_ROWS = 25  # of each of three columns: 75 moves a sheet


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def round_games(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Every board of a round: which copies are in, and how they stand to each other. POST issues the copies."""
    round_ = _public_round(request, section_id, number)
    if request.method == "POST":
        made = sheets.issue_copies(actor_of(request), round_.pk)
        messages.success(request, _("Scoresheets are issued for %(count)s games.") % {"count": made})
        return redirect("games:desk_round", section_id, number)
    rows = meeting.of_round(round_)
    show = request.GET.get("show", "")
    context = section_context(request, round_.section, number=number) | {
        "round": round_,
        "rows": meeting.chosen(rows, show),
        "show": show,
        "total": len(rows),
        "missing": len(meeting.chosen(rows, "missing")),
        "differ": len(meeting.chosen(rows, "differ")),
        "open": len(meeting.chosen(rows, "open")),
        "early": len(meeting.chosen(rows, "early")),
        "unissued": any(row.game is None and row.seat.is_due for row in rows),
        "rules": forms.GameRulesForm.of(results.game_rules(round_.section)),
    }
    return render(request, "games/desk/round.html", context)


@desk_page
@require_POST
def set_rules(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    results.set_game_rules(
        actor_of(request),
        section_id,
        early_draw=request.POST.get("early_draw", ""),
        sheets=request.POST.get("sheets", ""),
    )
    messages.success(request, _("Saved."))
    return redirect("games:desk_round", section_id, number)


@desk_page
@require_safe
def print_sheets(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Scoresheets in duplicate for a whole round, filled in with names, board and round (article 4.2)."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    boards = round_.pairings.filter(black__isnull=False).select_related("white__player", "black__player")
    if is_match(round_.section):
        boards = with_games(boards, round_.section)
    seats = []
    for pairing in boards.order_by("board"):
        pairing.round = round_
        seats += [seat for seat in seats_of(pairing) if _is_printed(seat)]
    columns = [range(1 + PAPER_ROWS * n, 1 + PAPER_ROWS * (n + 1)) for n in range(3)]
    context = section_context(request, round_.section, number=number) | {
        "round": round_,
        "papers": [(seat, side, is_copy) for seat in seats for side in Side for is_copy in (False, True)],
        "columns": columns,
    }
    return render(request, "games/desk/print_sheets.html", context)


@desk_page
@require_safe
def print_equipment(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """The check list of boards, pieces, clocks and scoresheets before a round (articles 1 to 4)."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    boards = round_.pairings.filter(black__isnull=False).order_by("board").values_list("board", flat=True)
    context = section_context(request, round_.section, number=number) | {
        "round": round_,
        "boards": list(boards),
    }
    return render(request, "games/desk/print_equipment.html", context)


@desk_page
@require_safe
def print_entries(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """The entry list with titles and substitutes, for the organizer's signature half an hour before (15.2.3)."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    entries = round_.section.entries.select_related("player").prefetch_related("members")
    context = section_context(request, round_.section, number=number) | {
        "round": round_,
        "entries": list(entries.order_by("number", "pk")),
        "substitutes_from": round_.section.team_boards if formats.of(round_.section).enters_teams else 0,
    }
    return render(request, "games/desk/print_entries.html", context)


def _is_printed(seat: Seat) -> bool:
    """Every game that can be played: of a match also those to come, but no board where a side has nobody."""
    lost = formats.of(seat.section).enters_teams and seat.is_recorded and not (seat.white and seat.black)
    return seat.counts and not lost


@desk_page
@require_safe
def game(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    return _game_page(request, _board(request, pairing_id, number))


@desk_page
@require_POST
def accept(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """Accept a score. With `take` it only fills the form, from a sheet or a proposal."""
    seat = _board(request, pairing_id, number)
    form = forms.AcceptForm(request.POST)
    of_pace(form, is_short=is_short(seat.clock or seat.section.time_control))
    if "take" in request.POST:
        filled = _accept_form(
            meeting.met(seat),
            moves=request.POST.get("moves", ""),
            source="PROPOSAL",
            accepted=request.POST.get("accepted", ""),
        )
        return _game_page(request, seat, accept=filled)
    if not form.is_valid():
        return _game_page(request, seat, accept=form, status=400)
    data = form.cleaned_data
    score = Score(
        moves=data["moves"],
        outcome=data["outcome"],
        version=data["version"],
        accepted=data["accepted"],
        source=data["source"] or "ARBITER",
        ended_by=data["ended_by"],
        note=data["note"],
        white_seconds=data["white_seconds"],
        black_seconds=data["black_seconds"],
    )
    try:
        results.accept_score(actor_of(request), pairing_id, score, number=number)
    except DomainError as error:
        return _game_page(request, seat, accept=form, refusal=error)
    messages.success(request, _("The game score and its result are accepted."))
    return redirect(seat_address("desk_game", seat))


@desk_page
@require_POST
def act(request: HttpRequest, pairing_id: int, verb: str, number: int = 1) -> HttpResponse:
    """The smaller buttons of a game's page: copies, time trouble, draw offers, final and open again."""
    seat = _board(request, pairing_id, number)
    verbs = {
        "copy": _copy, "trouble": _trouble, "offer": _offer, "answer": _answer, "final": _final, "reopen": _reopen,
    }  # fmt: skip
    if verb not in verbs:
        raise NotFound
    try:
        text = verbs[verb](request, seat)
    except DomainError as error:
        return _game_page(request, seat, refusal=error)
    messages.success(request, text)
    return redirect(seat_address("desk_game", seat))


def _copy(request: HttpRequest, seat: Seat) -> str:
    form = _valid(forms.CopyForm(request.POST))
    reason = form["waived_reason"] if "waive" in request.POST else None
    sheets.mark_copy(
        actor_of(request), seat.pairing.pk, form["side"], status=form["status"], waived_reason=reason,
        number=seat.number,
    )  # fmt: skip
    return _("The copy is noted.")


def _trouble(request: HttpRequest, seat: Seat) -> str:
    form = _valid(forms.TroubleForm(request.POST))
    sheets.waive_recording(
        actor_of(request), seat.pairing.pk, form["side"], remaining=form["remaining"], complete=form["complete"],
        number=seat.number,
    )  # fmt: skip
    return _("Recording is waived for this player.")


def _offer(request: HttpRequest, seat: Seat) -> str:
    form = _valid(forms.OfferForm(request.POST))
    draw_offers.offer_draw(
        actor_of(request),
        seat.pairing.pk,
        side=form["side"],
        ply=form["ply"],
        number=seat.number,
        reason=form["reason"],
    )
    return _("The draw offer is noted.")


def _answer(request: HttpRequest, seat: Seat) -> str:
    offer = whole_number(request.POST.get("offer", ""))
    version = whole_number(request.POST.get("version", ""))
    if offer is None or version is None:
        raise NotFound
    draw_offers.answer_offer(actor_of(request), offer, accepted="accept" in request.POST, version=version)
    return _("The answer is noted.")


def _final(request: HttpRequest, seat: Seat) -> str:
    form = _valid(forms.FinaliseForm(request.POST))
    results.finalise(actor_of(request), seat.pairing.pk, note=form["note"], number=seat.number)
    return _("The result is final.")


def _reopen(request: HttpRequest, seat: Seat) -> str:
    results.reopen(
        actor_of(request), seat.pairing.pk, reason=request.POST.get("reason", ""), number=seat.number
    )
    return _("The result is open again.")


def _valid(form: Any) -> dict[str, Any]:
    """The form's values; what is wrong with them as one refusal."""
    if not form.is_valid():
        raise BadInput(
            fields={form.fields[name].label or name: list(said) for name, said in form.errors.items()}
        )
    return dict(form.cleaned_data)


def _board(request: HttpRequest, pairing_id: int, number: int) -> Seat:
    seat = seat_of(pairing_id, number)
    require_arbiter(actor_of(request), seat)
    return seat


def _public_round(request: HttpRequest, section_id: int, number: int) -> Round:
    round_ = desk.draft_for(actor_of(request), section_id, number, Action.ENTER_RESULTS)
    if not round_.is_public:
        raise NotFound
    return round_


def _game_page(
    request: HttpRequest,
    seat: Seat,
    *,
    accept: forms.AcceptForm | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    seat = fresh(seat)
    found = meeting.met(seat)
    round_ = seat.round
    siblings = seats_of(seat.pairing) if seat.is_of_match else []
    form = accept or _accept_form(found, take=request.GET.get("take", ""))
    of_pace(form, is_short=is_short(seat.clock or seat.section.time_control))
    context = section_context(request, round_.section, number=round_.number) | {
        "round": round_,
        "seat": seat,
        "siblings": siblings,
        "pairing": seat.pairing,
        "met": found,
        "game": found.game,
        "form": form,
        "stood": proposals.stood(found.lines),
        "stood_form": stood_form(found),
        "refusal": refusal,
        "columns": [_column(found, side) for side in Side],
        "trouble": forms.TroubleForm(),
        "offer_form": forms.OfferForm(),
        "early_rule": _early_rule(found),
        "sheet_offers": [
            (side, offer) for side, line in found.lines.items() for offer in line.sheet.draw_offers
        ],
        "offers": list(found.game.draw_offers.all()) if found.game else [],
        "final_form": forms.FinaliseForm(),
        "adjournments": list(found.game.adjournments.all()) if found.game else [],
    }
    return render(request, "games/desk/game.html", context, status=refusal.status if refusal else status)


def _early_rule(found: Met) -> str:
    """What the section does with an early draw, where there is one."""
    rule = results.game_rules(found.seat.section) if found.is_early_draw else None
    return str(rule.get_early_draw_display()) if rule is not None else ""


def _column(found: Met, side: Side) -> dict[str, Any]:
    """One copy for the page: its row, its line, its status."""
    return {
        "side": side,
        "copy": found.copies.get(side),
        "sheet": found.sheets.get(side),
        "line": found.lines.get(side),
        "person": found.seat.person(side),
    }


def stood_form(found: Met) -> forms.AcceptForm | None:
    """The form filled with the game of both copies, their irregular moves let stand (article 7.7); None without such."""
    agreed = proposals.stood(found.lines)
    if agreed is None:
        return None
    accepted = ", ".join(map(str, agreed.plies))
    return _accept_form(found, moves=" ".join(agreed.moves), source="PROPOSAL", accepted=accepted)


def _accept_form(
    found: Met, *, take: str = "", moves: str = "", source: str = "", accepted: str = ""
) -> forms.AcceptForm:
    """The form filled from the sheet asked for, the better sheet, or the score accepted before."""
    side = take if take in found.sheets else (found.decision.side.value if found.decision.side else "")
    game: Game | None = found.game
    line = found.lines.get(side)
    outcome = found.decision.outcome
    initial: dict[str, Any] = {
        "version": found.pairing.version,
        "source": source or {"W": "WHITE", "B": "BLACK"}.get(side, "ARBITER"),
        "moves": moves or (found.sheets[side].text if side else ""),
        "outcome": outcome or "",
        "accepted": accepted,
    }
    if game is not None and game.moves and not take and not moves:
        initial |= {
            "moves": " ".join(game.moves),
            "source": game.accepted_from or "ARBITER",
            "note": game.accept_note,
            "accepted": ", ".join(map(str, game.accepted_plies)),
        }
    if found.seat.outcome != "UNPLAYED":
        initial["outcome"] = found.seat.outcome
    if line is not None:
        initial["ended_by"] = str(line.sheet.ended_by or "")
    for name in ("white_seconds", "black_seconds"):
        times = [getattr(value.sheet, name) for value in found.lines.values()]
        stored = getattr(game, name.replace("_seconds", "_time")) if game is not None else None
        used = next((time for time in [stored, *times] if time is not None), None)
        initial[name] = clock(used)
    return forms.AcceptForm(initial=initial)


def best_moves(found: Met) -> tuple[str, ...]:
    """The longest legal record of a game, for desks that need its moves."""
    if found.game is not None and found.game.moves:
        return tuple(found.game.moves)
    whole = [line for line in found.lines.values() if not line.verdict.unread]
    longest = max(whole, key=lambda line: line.last, default=None)
    return tuple(reading.canonical(longest.verdict, longest.sheet.moves)) if longest else ()
