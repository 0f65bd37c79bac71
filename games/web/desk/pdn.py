"""A PDN file of a whole tournament as an event: upload, preview of all that would be made, yes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.services import pdn_files as services
from games.web.desk.forms import PdnUploadForm
from tournaments.errors import DomainError, NotAllowed
from tournaments.services.submissions import once
from tournaments.web.http import actor_of, desk_page, sent


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    _require_staff(request)
    form = PdnUploadForm(request.POST or None, request.FILES or None)
    refusal: DomainError | None = None
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            held = services.hold_file(
                actor_of(request),
                filename=file.name,
                content=file.read(),
                name=form.cleaned_data["name"],
                encoding=form.cleaned_data["encoding"],
            )
            return redirect("games:pdn_preview", held.pk)
        except DomainError as error:
            refusal = error
    faulty = form.is_bound and (refusal is not None or bool(form.errors))
    status = refusal.status if refusal else 400 if faulty else 200
    return render(request, "games/desk/pdn_upload.html", {"form": form, "refusal": refusal}, status=status)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HttpRequest, draft_id: int) -> HttpResponse:
    actor = actor_of(request)
    if "drop" in request.POST:
        services.drop_file(actor, draft_id)
        return redirect("games:pdn_upload")
    if "enter" in request.POST:
        event = once(actor, sent(request), lambda: services.import_file(actor, draft_id).event)
        messages.success(request, _("The event is made. It is not public yet."))
        return redirect("desk:event", event.pk)
    held, found = services.look_at_file(actor, draft_id)
    return render(request, "games/desk/pdn_preview.html", {"held": held, "reading": found})


def _require_staff(request: HttpRequest) -> None:
    user = actor_of(request).user
    if user is None or not (user.is_staff or user.is_superuser):
        raise NotAllowed
