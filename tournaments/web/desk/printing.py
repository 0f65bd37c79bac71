"""What the desk prints: pairing lists, result slips two to a sheet, place cards, standings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.selectors import desk, drafts, tables
from tournaments.selectors.boards import name_key
from tournaments.web.desk.rounds import round_context
from tournaments.web.desk.sections import section_context
from tournaments.web.desk.standings import asked_table
from tournaments.web.http import actor_of, desk_page


def _printed(request: HttpRequest, template: str, section_id: int, number: int) -> HttpResponse:
    """A paper of a round that has boards; one that is still a draft says so on every sheet."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    context = round_context(request, round_) | {"draft": drafts.load(round_)}
    return render(request, template, context)


@desk_page
@require_safe
def boards(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    return _printed(request, "desk/print/boards.html", section_id, number)


@desk_page
@require_safe
def names(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """By name A-Z, Chinese names by their pinyin: what a hall puts on the wall."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    seats = sorted(desk.seats(round_), key=lambda seat: (name_key(seat.entry), seat.entry.pk))
    context = round_context(request, round_) | {"seats": seats}
    return render(request, "desk/print/names.html", context)


@desk_page
@require_safe
def slips(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Result slips with lines for both signatures and the times of the clock (rules, art. 10.6)."""
    return _printed(request, "desk/print/slips.html", section_id, number)


@desk_page
@require_safe
def cards(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    return _printed(request, "desk/print/cards.html", section_id, number)


@desk_page
@require_safe
def standings(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id)
    context = section_context(request, section, tab="standings")
    context |= {"table": asked_table(request, section, tables.editions(section))}
    return render(request, "desk/print/standings.html", context)
