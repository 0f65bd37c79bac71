"""Public pages of what a plain round does not show: a bracket with its groups, and the games of one match."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_safe

from tournaments import formats
from tournaments.models import Event, Section
from tournaments.selectors import matches, public
from tournaments.selectors.matches import Tie
from tournaments.web.caching import event_tag, respond, section_context, section_tag
from tournaments.web.http import visible_section


@require_safe
def bracket(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    found = visible_section(request, code, section_code)
    if not formats.of(found).has_bracket:
        raise Http404

    def page() -> HttpResponse:
        book = public.ledger(found)
        groups = matches.groups(found) if formats.of(found).has_groups else []
        rounds = matches.bracket_rounds(found)
        context = section_context(book, tab="bracket") | {
            "ties": [_column(ties) for ties in rounds],
            "third": next((tie for ties in rounds for tie in ties if tie.third_place), None),
            "groups": groups,
            "by_lot": any(row.by_lot for rows in groups for row in rows),
        }
        return render(request, "public/bracket.html", context)

    return _respond(request, found, page)


_ROUND_NAMES = {1: _lazy("Final"), 2: _lazy("Semi-finals"), 4: _lazy("Quarter-finals")}


def _column(ties: list[Tie]) -> dict[str, Any]:
    """A round of the bracket and its name; the match for the third place stands apart."""
    shown = [tie for tie in ties if not tie.third_place]
    name = _ROUND_NAMES.get(len(shown)) or _("Round of %(n)d") % {"n": 2 * len(shown)}
    return {"name": name, "ties": shown}


@require_safe
def match(request: HttpRequest, code: str, section_code: str, number: int, board: int) -> HttpResponse:
    found = visible_section(request, code, section_code)
    pairing = (
        matches.public_pairing(found, number, board)
        if formats.of(found).has_matches(found) and board
        else None
    )
    if pairing is None:
        raise Http404

    def page() -> HttpResponse:
        book = public.ledger(found)
        context = section_context(book, tab="pairings", number=number)
        return render(
            request,
            "public/match.html",
            context | {"match": matches.match_of(found, pairing), "pairing": pairing},
        )

    return _respond(request, found, page)


def _respond(request: HttpRequest, found: Section, page: Any) -> HttpResponse:
    parts = [event_tag(found.event), section_tag(found)]
    return respond(request, parts=parts, render=page, private=found.event.state == Event.State.DRAFT)
