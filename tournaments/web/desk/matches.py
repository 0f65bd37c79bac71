"""A match of several games at the desk: line-ups and boards of teams, games by stage, who goes on; and team lists."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments import formats
from tournaments.errors import BadInput, DomainError
from tournaments.models import Pairing, TeamMember
from tournaments.permissions import Action
from tournaments.selectors import desk, grid
from tournaments.selectors import matches as selectors
from tournaments.services import bracket_repair
from tournaments.services import matches as services
from tournaments.services.matches import BoardLine
from tournaments.web.desk.rounds import round_context
from tournaments.web.http import actor_of, answer, desk_page, reason_of


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def match(request: HttpRequest, pairing_id: int) -> HttpResponse:
    action = Action.ENTER_RESULTS if request.method == "POST" else Action.VIEW_DESK
    pairing = desk.pairing_for(actor_of(request), pairing_id, action)
    if request.method != "POST":
        return _match_page(request, pairing)
    try:
        _save(request, pairing)
    except DomainError as error:
        return _match_page(request, pairing, refusal=error)
    messages.success(request, _("Saved."))
    return redirect("desk:match", pairing_id)


def _save(request: HttpRequest, pairing: Pairing) -> None:
    actor, posted = actor_of(request), request.POST
    section = pairing.round.section
    version = _whole(posted.get("version", "")) or 0
    reason = reason_of(request)
    if "advances" in posted:
        services.decide(actor, pairing.pk, advances=posted["advances"], version=version, reason=reason)
    elif formats.of(section).enters_teams:
        lines = [_line(posted, number) for number in range(1, section.team_boards + 1)]
        services.record_team_match(actor, pairing.pk, lines, version=version, reason=reason)
    else:
        outcomes = [text for text in posted.getlist("game") if text]
        services.record_stage_games(actor, pairing.pk, outcomes, version=version, reason=reason)


def _line(posted: Any, number: int) -> BoardLine:
    outcome, _colon, grade = posted.get(f"outcome-{number}", "").partition(":")
    return BoardLine(
        first=_whole(posted.get(f"first-{number}", "")),
        second=_whole(posted.get(f"second-{number}", "")),
        outcome=outcome or "UNPLAYED",
        grade=grade,
    )


def _match_page(
    request: HttpRequest, pairing: Pairing, *, refusal: DomainError | None = None
) -> HttpResponse:
    round_ = pairing.round
    section = round_.section
    main, more = grid.choices(section)
    found = selectors.match_of(section, pairing)
    context = round_context(request, round_) | {
        "pairing": pairing,
        "match": found,
        "choices": [*main, *more],
        "boards": _team_boards(section.team_boards, found) if formats.of(section).enters_teams else [],
        "first_members": _members(pairing.white_id),
        "second_members": _members(pairing.black_id),
        "is_micro": formats.match_rule(section) is not None,
        "needs_reason": round_.state == "CLOSED",
    }
    return answer(request, "desk/match.html", context, refusal=refusal)


def _team_boards(count: int, found: selectors.Match) -> list[dict[str, Any]]:
    games = {game.number: game for game in found.games}
    return [
        {"number": number, "game": games.get(number), "first_white": number % 2 == 1}
        for number in range(1, count + 1)
    ]


def _members(entry_id: int | None) -> list[TeamMember]:
    return list(TeamMember.objects.filter(entry_id=entry_id).order_by("position")) if entry_id else []


@desk_page
@require_POST
def set_right(request: HttpRequest, section_id: int) -> HttpResponse:
    """Whoever belongs there by the corrected results, into the ties that have not begun."""
    actor = actor_of(request)
    desk.section_for(actor, section_id, Action.PAIR)
    try:
        boards = bracket_repair.set_bracket_right(
            actor,
            section_id,
            version=_whole(request.POST.get("version", "")) or 0,
            reason=reason_of(request),
        )
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("desk:section", section_id)
    messages.success(request, _("The bracket is set right."))
    return redirect(
        "desk:draft" if not boards[0].round.is_public else "desk:results", section_id, boards[0].round.number
    )


@desk_page
@require_POST
def members(request: HttpRequest, entry_id: int) -> HttpResponse:
    """The players of a team, one a line in board order, a rating behind a comma."""
    entry = desk.entry_for(actor_of(request), entry_id, Action.EDIT_ENTRIES)
    try:
        services.set_members(actor_of(request), entry_id, _typed(request.POST.get("members", "")))
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("desk:entry", entry.pk)
    messages.success(request, _("Saved."))
    return redirect("desk:entry", entry.pk)


def _typed(text: str) -> list[tuple[str, int]]:
    found = []
    for number, line in enumerate(text.replace("\x00", "").splitlines(), start=1):
        name, _comma, rating = line.replace("，", ",").rpartition(",")
        if not name:
            name, rating = line, ""
        if not line.strip():
            continue
        if rating.strip() and _whole(rating.strip()) is None:
            raise BadInput(_("Line %(number)s: the rating is not a number."), number=number)
        found.append((name, _whole(rating.strip()) or 0))
    return found


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
