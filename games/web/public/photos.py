"""A picture of a scoresheet in place of typing: sent in, read by a job, then set into the sheet's form."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games.models import Side
from games.selectors import filing, photos
from games.services import photos as services
from games.slots import Seat, acting_side, is_arbiter, name_of, seat_of
from games.web.http import seat_address
from games.web.public.sheets import Place, _my_address, _own
from tournaments.errors import BadInput, DomainError
from tournaments.web.http import actor_of, show_refusals


@csrf_exempt
@never_cache
@show_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def my_photo(request: HttpRequest, token: str, number: int, game: int | None = None) -> HttpResponse:
    """By personal link."""
    seat = next((seat for seat in filing.seats_by_link(token, number) if game in (None, seat.number)), None)
    if seat is None:
        raise Http404
    place = Place(seat=seat, side=_own(request, seat, token), link=token, address=_my_address(token, seat))
    response = _page(request, place)
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    return response


@never_cache
@login_required
@show_refusals
@require_http_methods(["GET", "HEAD", "POST"])
def photo(request: HttpRequest, pairing_id: int, side: str, number: int = 1) -> HttpResponse:
    """By account: a player his own copy, an arbiter either."""
    seat = seat_of(pairing_id, number)
    actor = actor_of(request)
    own = acting_side(actor, seat, side=side)
    place = Place(
        seat=seat,
        side=own,
        link="",
        address=seat_address("sheet", seat, side),
        for_arbiter=is_arbiter(actor, seat),
    )
    return _page(request, place)


@never_cache
@login_required
@show_refusals
@require_safe
def picture(request: HttpRequest, photo_id: int) -> HttpResponse:
    return _image(photos.picture(actor_of(request), photo_id))


@never_cache
@show_refusals
@require_safe
def my_picture(request: HttpRequest, token: str, photo_id: int) -> HttpResponse:
    return _image(photos.picture(actor_of(request), photo_id, link=token))


def photo_address(seat: Seat, side: str, link: str) -> str:
    if not link:
        return seat_address("sheet_photo", seat, side)
    rest = [seat.number] if seat.is_of_match else []
    return reverse("games:my_sheet_photo", args=[link, seat.round.number, *rest])


def _image(content: bytes) -> HttpResponse:
    response = HttpResponse(content, content_type="image/jpeg")
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _page(request: HttpRequest, place: Place) -> HttpResponse:
    refusal: DomainError | None = None
    address = photo_address(place.seat, place.side, place.link)
    if request.method == "POST":
        try:
            file = request.FILES.get("file")
            if file is None:
                raise BadInput
            services.add_photo(
                actor_of(request), place.pairing.pk, filename=file.name or "", content=file.read(services.LARGEST + 1),
                side=place.side, link=place.link, number=place.seat.number,
            )  # fmt: skip
            return redirect(address)
        except DomainError as error:
            refusal = error
    found = list(photos.of_copy(place.seat, place.side)[:12])
    context = {
        "place": place, "seat": place.seat, "round": place.seat.round, "section": place.seat.section,
        "event": place.seat.section.event, "refusal": refusal, "photos": found, "address": address,
        "waits": any(photo.state == photo.State.WAITING for photo in found), "name": name_of(place.seat, place.side),
        "side_name": Side(place.side).label,
    }  # fmt: skip
    return render(request, "games/photo.html", context, status=refusal.status if refusal else 200)
