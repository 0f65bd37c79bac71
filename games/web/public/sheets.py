"""A player hands in a scoresheet: by personal link on a phone, or by account; an arbiter for either side.

The pages under a personal link carry the link in their address, in no cookie: whoever knows it may act, so a forged
form of another site gains nothing, and the pages ask for no CSRF cookie (their `no-referrer` would break its check).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

import rules
from games import sheets as reading
from games.models import Scoresheet, SheetPhoto, Side
from games.selectors import filing, photos
from games.services import sheets
from games.services.photos import note_filed
from games.services.sheets import Handed
from games.sheets import is_short
from games.slots import Seat, acting_side, game_at, is_arbiter, name_of, seat_of
from games.web import typed
from games.web.http import seat_address
from games.web.public.forms import SheetForm, of_pace
from tournaments import formats
from tournaments.errors import BadInput, DomainError, NotAllowed
from tournaments.models import Pairing
from tournaments.web.http import actor_of, show_refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Whose sheet it is, and where its pages are."""

    seat: Seat
    side: Side
    link: str
    address: str
    for_arbiter: bool = False
    others: tuple[
        tuple[str, str, bool], ...
    ] = ()  # the other games of the match: address, words, whether this one

    @property
    def pairing(self) -> Pairing:
        return self.seat.pairing


@csrf_exempt
@never_cache
@show_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def my_sheet(request: HttpRequest, token: str, number: int, game: int | None = None) -> HttpResponse:
    """The sheet of a round, by personal link; in a match of a game, the first when none is named."""
    seats = filing.seats_by_link(token, number)
    seat = next((seat for seat in seats if game in (None, seat.number)), None)
    if seat is None:
        raise Http404
    side = _own(request, seat, token)
    place = Place(
        seat=seat, side=side, link=token, address=_my_address(token, seat),
        others=tuple((_my_address(token, s), s.label, s == seat) for s in seats) if len(seats) > 1 else (),
    )  # fmt: skip
    response = _page(request, place)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _own(request: HttpRequest, seat: Seat, token: str) -> Side:
    if formats.of(seat.section).enters_teams and token in (seat.white_entry.link, seat.black_entry.link):
        raise NotAllowed(
            _(
                "Each player of a team hands in the own scoresheets, by an own link. The organizer has the links."
            )
        )
    return acting_side(actor_of(request), seat, link=token)


def _my_address(token: str, seat: Seat) -> str:
    if seat.is_of_match:
        return reverse("games:my_sheet", args=[token, seat.round.number, seat.number])
    return reverse("games:my_sheet", args=[token, seat.round.number])


@never_cache
@login_required
@show_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, pairing_id: int, side: str, number: int = 1) -> HttpResponse:
    """The sheet of a game, by account: a player's own, or either side's for an arbiter."""
    seat = seat_of(pairing_id, number)
    actor = actor_of(request)
    own = acting_side(actor, seat, side=side)
    address = seat_address("sheet", seat, side)
    place = Place(seat=seat, side=own, link="", address=address, for_arbiter=is_arbiter(actor, seat))
    return _page(request, place)


@never_cache
@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """A player's boards, by account, each with the way to its scoresheet."""
    user = actor_of(request).user
    assert user is not None  # login_required
    rows = [
        (seat, Side.WHITE if seat.white_entry.player.user_id == user.pk else Side.BLACK)
        for seat in filing.seats_of_user(user.pk)
    ]
    return render(request, "games/mine.html", {"rows": rows})


def _page(request: HttpRequest, place: Place) -> HttpResponse:
    if request.method != "POST":
        shown = photos.for_sheet(place.seat, place.side, request.GET.get("photo", ""))
        moves = _moves_read(shown) if shown is not None else _moves_filed(place)
        return _form_page(request, place, _fresh(place), moves, photo=shown)
    moves = typed.moves_in(request.POST.getlist("m"))
    if "add" in request.POST:
        moves = (*moves, request.POST["add"])
    if "drop" in request.POST:
        moves = moves[:-1]
    if request.headers.get("HX-Request") and "file_it" not in request.POST:
        part = "games/_entry.html" if {"add", "drop"} & set(request.POST) else "games/_check.html"
        return render(request, part, _entry_context(moves) | {"place": place})
    form = SheetForm(request.POST, request.FILES)
    of_pace(form, is_short=is_short(place.seat.clock or place.seat.section.time_control))
    if "file_it" not in request.POST:
        return _form_page(request, place, form, moves)
    if form.is_valid():
        try:
            filed = sheets.file_sheet(
                actor_of(request), place.pairing.pk, _handed(form, moves, place.side), side=place.side, link=place.link,
                number=place.seat.number,
            )  # fmt: skip
            if request.POST.get("photo"):
                note_filed(filed.sheet, request.POST["photo"], place.seat, place.side)
            return redirect(f"{place.address}?filed={filed.sheet.pk}")
        except DomainError as error:
            return _form_page(request, place, form, moves, refusal=error)
    return _form_page(request, place, form, moves, status=400)


def _fresh(place: Place) -> SheetForm:
    """The form to begin with, its times as the pace of the game has them."""
    form = _first_form(place)
    of_pace(form, is_short=is_short(place.seat.clock or place.seat.section.time_control))
    return form


def _first_form(place: Place) -> SheetForm:
    """An empty form, or one with what the last sheet declared."""
    last = filing.latest(place.seat, place.side)
    if last is None:
        return SheetForm.fresh()
    mine = rules.Side(place.side)
    offers = [offer for offer in reading.read_sheet(last.text).draw_offers if offer.side is mine]
    numbers = " ".join(str((offer.ply + 1) // 2) for offer in offers)
    return SheetForm.fresh(result=last.result, ended_by=last.ended_by, pasted="", offers=numbers)


def _moves_filed(place: Place) -> tuple[str, ...]:
    last = filing.latest(place.seat, place.side)
    return reading.read_sheet(last.text).moves if last is not None else ()


def _handed(form: SheetForm, moves: tuple[str, ...], side: Side) -> Handed:
    """What is handed in: the file when there is one, else pasted text, else the typed moves with the draw offers."""
    data = form.cleaned_data
    common: dict[str, Any] = {
        name: data[name]
        for name in (
            "submission",
            "result",
            "ended_by",
            "white_seconds",
            "black_seconds",
            "white_signed",
            "black_signed",
        )
    }
    if data["file"]:
        content = data["file"].read(reading.LARGEST_SHEET + 1)
        text = reading.text_of_file(content, encoding=data["encoding"])
        return Handed(text=text, form=Scoresheet.Form.FILE, filename=data["file"].name, **common)
    if data["pasted"].strip():
        return Handed(text=data["pasted"], form=Scoresheet.Form.PASTED, **common)
    unread = typed.unreadable(moves)
    if unread:
        ply = unread[0]
        raise BadInput(
            _("Move %(number)s (%(written)s) cannot be read: write two squares, such as 32-28 or 19x23."),
            code="unreadable",
            number=(ply + 1) // 2,
            written=moves[ply - 1],
        )
    offers = [2 * number - (side == Side.WHITE) for number in data["offers"]]
    if any(ply > len(moves) for ply in offers):
        raise BadInput(fields={"offers": [_("You made no such move.")]})
    return Handed(text=typed.text_of(moves, offers=offers), form=Scoresheet.Form.TYPED, **common)


def _moves_read(photo: SheetPhoto) -> tuple[str, ...]:
    return tuple(ply["move"] for ply in photo.reading.get("plies", []))


def _photo_context(place: Place, photo: SheetPhoto | None) -> dict[str, Any]:
    """The way to the photograph; with one its doubtful cells, each with its likely readings."""
    seat, link = place.seat, place.link
    rest = [seat.number] if seat.is_of_match else []
    page = (
        reverse("games:my_sheet_photo", args=[link, seat.round.number, *rest])
        if link
        else seat_address("sheet_photo", seat, place.side)
    )
    if photo is None:
        return {"photo_page": page}
    image = (
        reverse("games:my_sheet_picture", args=[link, photo.pk])
        if link
        else reverse("games:sheet_picture", args=[photo.pk])
    )
    doubts = [
        {
            "ply": number,
            "number": (number + 1) // 2,
            "side": Side.BLACK.label if number % 2 == 0 else Side.WHITE.label,
            **ply,
        }
        for number, ply in enumerate(photo.reading.get("plies", []), 1)
        if ply["doubtful"]
    ]
    return {"photo_page": page, "photo": photo, "photo_image": image, "doubts": doubts}


def _entry_context(moves: tuple[str, ...]) -> dict[str, Any]:
    check = typed.check(moves)
    fault = check.problem.ply if check.problem else 0
    return {"check": check, "rows": typed.rows(moves, fault=fault)}


def _form_page(
    request: HttpRequest,
    place: Place,
    form: SheetForm,
    moves: tuple[str, ...],
    *,
    refusal: DomainError | None = None,
    status: int = 200,
    photo: SheetPhoto | None = None,
) -> HttpResponse:
    pairing = place.pairing
    photo = photo or photos.for_sheet(place.seat, place.side, request.POST.get("photo", ""))
    context = {
        "place": place,
        "seat": place.seat,
        "pairing": pairing,
        "round": pairing.round,
        "section": pairing.round.section,
        "event": pairing.round.section.event,
        "form": form,
        "refusal": refusal,
        "mine": filing.shown(place.seat, place.side),
        "opponent_in": filing.is_in(place.seat, Side.BLACK if place.side == Side.WHITE else Side.WHITE),
        "name": name_of(place.seat, place.side),
        "game": game_at(place.seat),
        "adjournment": filing.running_adjournment(place.seat),
        "just_filed": "filed" in request.GET,
        **_photo_context(place, photo),
        **_entry_context(moves),
    }
    return render(request, "games/sheet.html", context, status=refusal.status if refusal else status)
