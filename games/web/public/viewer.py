"""The game viewer and the PDN files, open to everybody once the round is public."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Game
from games.selectors import viewer
from games.selectors.viewer import GameView, Line
from games.slots import Seat, game_at, seats_of
from tournaments.models import Event, Pairing, Section
from tournaments.selectors import public
from tournaments.web.caching import respond_with
from tournaments.web.http import visible_section

PDN = "application/x-pdn; charset=utf-8"


@require_safe
def board(request: HttpRequest, code: str, section_code: str, number: int, board: int) -> HttpResponse:
    """The game of a board, by round and board: short enough to read out."""
    section = visible_section(request, code, section_code)
    pairing = viewer.board_at(section, number, board)
    if pairing is None:
        raise Http404
    return _page(request, section, _first(pairing))


@require_safe
def board_game(
    request: HttpRequest, code: str, section_code: str, number: int, board: int, game: int
) -> HttpResponse:
    """One game of a match, by round, board and its number."""
    section = visible_section(request, code, section_code)
    pairing = viewer.board_at(section, number, board)
    seat = next((s for s in seats_of(pairing) if s.number == game), None) if pairing is not None else None
    if seat is None:
        raise Http404
    return _page(request, section, seat)


def _first(pairing: Pairing) -> Seat:
    """The first game with a score, else the first."""
    seats = seats_of(pairing)
    return next((seat for seat in seats if (game := game_at(seat)) is not None and game.moves), seats[0])


@require_safe
def game(request: HttpRequest, code: str, section_code: str, game_id: int) -> HttpResponse:
    section = visible_section(request, code, section_code)
    found = _game(section, game_id)
    return _page(request, section, viewer.seat_of_game(found), found)


@require_safe
def game_pdn(request: HttpRequest, code: str, section_code: str, game_id: int) -> HttpResponse:
    section = visible_section(request, code, section_code)
    found = _game(section, game_id)
    if not found.moves:
        raise Http404
    seat = viewer.seat_of_game(found)
    name = f"{code}-{section_code}-r{seat.round.number}-b{seat.pairing.board}"
    return _file(request, section, [found], f"{name}-g{seat.number}" if seat.is_of_match else name)


@require_safe
def round_pdn(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    section = visible_section(request, code, section_code)
    games = viewer.games_of(section, number)
    if not games:
        raise Http404
    return _file(request, section, games, f"{code}-{section_code}-r{number}")


@require_safe
def section_pdn(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    section = visible_section(request, code, section_code)
    games = viewer.games_of(section)
    if not games:
        raise Http404
    return _file(request, section, games, f"{code}-{section_code}")


@require_safe
def games(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    """Every game of the section that has a score, by rounds."""
    section = visible_section(request, code, section_code)
    rounds: dict[int, list[tuple[Game, Seat]]] = {}
    for found in viewer.games_of(section):
        rounds.setdefault(found.pairing.round.number, []).append((found, viewer.seat_of_game(found)))
    book = public.ledger(section)
    context = {
        "event": section.event,
        "section": section,
        "siblings": public.sections_of(section.event),
        "status": book.status(),
        "book": book,
        "tab": "games",
        "rounds": sorted(rounds.items()),
    }
    page = render(request, "games/games.html", context)
    return respond_with(request, page, private=section.event.state == Event.State.DRAFT)


def board_context(line: Line, query: QueryDict, *, last: bool = True) -> dict[str, Any]:
    """What the board with its stepping shows: the ply asked for, the last one when none is named."""
    ply = asked_ply(query, line.last if last else 0, line.last)
    flipped, numbers = query.get("flip") == "1", query.get("numbers") != "0"
    return {
        "line": line,
        "ply": ply,
        "move": line.plies[ply - 1] if ply else None,
        "position": line.position(ply),
        "counters": line.counters[ply],
        "svg": line.board(ply, flipped=flipped, numbers=numbers),
        "flipped": flipped,
        "numbers": numbers,
        "previous": ply - 1 if ply else None,
        "following": ply + 1 if ply < line.last else None,
    }


def asked_ply(query: QueryDict, default: int, last: int) -> int:
    text = query.get("ply", "")
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        return default
    return min(int(text), last)


def _page(request: HttpRequest, section: Section, seat: Seat, game: Game | None = None) -> HttpResponse:
    game = game or game_at(seat)
    view: GameView = viewer.view_of(seat, game)
    context: dict[str, Any] = {
        "event": section.event,
        "section": section,
        "seat": seat,
        "pairing": seat.pairing,
        "round": seat.round,
        "view": view,
        "game": game,
        "siblings": [s for s in seats_of(seat.pairing) if s.is_due or s.number == seat.number],
        "attempts": _attempts(seat),
    }
    if view.line is not None:
        context |= board_context(view.line, request.GET)
    page = render(request, "games/viewer.html", context)
    return respond_with(request, page, private=section.event.state == Event.State.DRAFT)


def _attempts(seat: Seat) -> list[Game]:
    """The games played at this number, where one was void and played again."""
    found = [game for game in seat.pairing.games.all() if game.number == seat.number]
    return sorted(found, key=lambda game: game.attempt) if len(found) > 1 else []


def _game(section: Section, game_id: int) -> Game:
    found = viewer.game_in(section, game_id)
    if found is None:
        raise Http404
    return found


def _file(request: HttpRequest, section: Section, games: list[Game], name: str) -> HttpResponse:
    response = HttpResponse(viewer.pdn(games), content_type=PDN)
    response["Content-Disposition"] = f'attachment; filename="{name}.pdn"'
    return respond_with(request, response, private=section.event.state == Event.State.DRAFT)
