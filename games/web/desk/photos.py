"""The arbiter's page for a stack of scoresheets: pictures and scans of a round, sorted by their codes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from games.exports import paper_form
from games.models import SheetPhoto, Side
from games.selectors import photos
from games.services import photos as services
from games.slots import seat_at
from games.web.http import seat_address, section_context
from tournaments.errors import BadInput, DomainError, NotFound
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.web.http import actor_of, desk_page


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def stack(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    round_ = desk.draft_for(actor_of(request), section_id, number, Action.ENTER_RESULTS)
    if not round_.is_public:
        raise NotFound
    refusal: DomainError | None = None
    if request.method == "POST":
        try:
            files = request.FILES.getlist("files")
            if sum(file.size or 0 for file in files) > services.LARGEST_STACK:
                raise BadInput
            services.add_stack(
                actor_of(request), round_.pk, [(file.name or "", file.read()) for file in files]
            )
            return redirect("games:sheet_photos", section_id, number)
        except DomainError as error:
            refusal = error
    found = list(photos.of_round(round_))
    context = section_context(request, round_.section, number=number) | {
        "round": round_,
        "refusal": refusal,
        "rows": [(photo, *_place(photo)) for photo in found],
        "waiting": sum(photo.state == SheetPhoto.State.WAITING for photo in found),
        "read": sum(photo.state != SheetPhoto.State.WAITING for photo in found),
        "total": len(found),
    }
    return render(request, "games/desk/photos.html", context, status=refusal.status if refusal else 200)


@desk_page
@require_safe
def forms(request: HttpRequest, section_id: int, number: int) -> HttpResponse:
    """Scoresheets of a round that can be read from a photograph, as PDF; `?page=2` for games over 81 moves."""
    round_ = desk.draft_for(actor_of(request), section_id, number)
    page = 2 if request.GET.get("page") == "2" else 1
    response = HttpResponse(paper_form.of_round(round_, page=page), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="scoresheets-{round_.section.code}-{number}.pdf"'
    return response


def _place(photo: SheetPhoto) -> tuple[str, str]:
    """Where a page belongs in words, and the address of its sheet; both empty where nobody knows."""
    pairing = photo.pairing or photo.asked
    if pairing is None:
        return "", ""
    pairing.round = photo.round
    sent = photo.pairing is None
    seat = seat_at(pairing, photo.asked_number if sent else photo.number)
    side = photo.asked_side if sent else photo.side
    return f"{seat.where} · {Side(side).label}", seat_address("sheet", seat, side)
