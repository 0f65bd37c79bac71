"""Entering a list from a file: upload, preview with every bad row, yes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournaments.errors import BadInput, DomainError
from tournaments.importers.tables import Table
from tournaments.models import Section
from tournaments.permissions import Action
from tournaments.selectors import desk
from tournaments.services import entry_import as services
from tournaments.services.submissions import once
from tournaments.web.desk.forms.entries import ReadingForm, UploadForm
from tournaments.web.desk.sections import section_context
from tournaments.web.http import actor_of, answer, desk_page, refusals_at, sent


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, section_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
    form = UploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        with refusals_at(form):
            held = services.hold_entries(
                actor_of(request), section_id, filename=file.name, content=file.read(), options=form.options()
            )
            return redirect("desk:import_preview", section_id, held.pk)
    context = section_context(request, section, tab="entries")
    return answer(request, "desk/import.html", {**context, "form": form}, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HttpRequest, section_id: int, draft_id: int) -> HttpResponse:
    section = desk.section_for(actor_of(request), section_id, Action.EDIT_ENTRIES)
    actor = actor_of(request)
    if "drop" in request.POST:
        services.drop_entries_file(actor, draft_id)
        return redirect("desk:import", section_id)
    try:
        if "read" in request.POST:
            held = desk.import_for(actor, draft_id)
            services.choose_options(actor, draft_id, ReadingForm(request.POST).options(held))
            return redirect("desk:import_preview", section_id, draft_id)
        if "enter" in request.POST:
            once(actor, sent(request), lambda: _enter(request, section, draft_id))
            return redirect("desk:entries", section_id)
    except DomainError as error:
        return _preview_page(request, section, draft_id, refusal=error)
    return _preview_page(request, section, draft_id)


def _enter(request: HttpRequest, section: Section, draft_id: int) -> Section:
    count = len(services.import_entries(actor_of(request), section.pk, draft_id).entries)
    text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", count)
    messages.success(request, text % {"count": count})
    return section


def _preview_page(
    request: HttpRequest, section: Section, draft_id: int, *, refusal: DomainError | None = None
) -> HttpResponse:
    """The held file as it would be entered now; a file that cannot be read at all says why, and how else to read it."""
    actor = actor_of(request)
    held = desk.import_for(actor, draft_id)
    context = section_context(request, section, tab="entries") | {"held": held}
    try:
        found = services.look_at_entries(actor, draft_id)
    except DomainError as error:
        sample = _sample(request, draft_id)
        context |= {"form": ReadingForm.of_table(held, sample), "preview": None, "sample": sample}
        return answer(request, "desk/import_preview.html", context, refusal=refusal or error)
    context |= {"form": ReadingForm.of(held, found), "preview": found}
    return answer(request, "desk/import_preview.html", context, refusal=refusal)


def _sample(request: HttpRequest, draft_id: int) -> Table | None:
    """The first cells of a file whose columns were not understood; None for one that is no table at all."""
    try:
        return services.look_at_table(actor_of(request), draft_id)
    except BadInput:
        return None
