"""Appeals that begin elsewhere than at a ruling: against another decision, by the party; on paper, logged by an official."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import Appeal
from games.permissions import Act, allowed
from games.selectors import contestable
from games.selectors import court as selectors
from games.services.court import exhibits, lodging
from games.services.court.files import LARGEST
from games.web.court.forms import ContestForm, PaperForm
from games.web.court.support import event_context, own_entry
from games.wording.articles import ARTICLES
from tournaments.errors import BadInput, DomainError
from tournaments.web.http import actor_of, answer, desk_page, private_page, refusals_at


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def contest(request: HttpRequest, token: str = "", entry_id: int = 0) -> HttpResponse:
    """Against a decision that no ruling was written for: which board, which decision, then the appeal itself."""
    if not token and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    actor = actor_of(request)
    entry = own_entry(request, token, entry_id)
    initial = {"submission": secrets.token_urlsafe(16), "kind": "OTHER"}
    form = ContestForm(
        request.POST or None, initial=initial, boards=contestable.boards_of(entry),
        several=contestable.has_games(entry),
    )  # fmt: skip
    if form.is_valid():
        with refusals_at(form):
            filed = lodging.contest(
                actor, entry.section_id, form.contested(), form.filing(), link=token, entry_id=entry.pk
            )
            _take_evidence(request, filed, token)
            return (
                redirect("games:my_case", token, filed.pk) if token else redirect("games:own_case", filed.pk)
            )
    context = {
        "token": token, "event": entry.section.event, "entry": entry, "form": form, "articles": ARTICLES.values(),
        "section": entry.section,
    }  # fmt: skip
    return answer(request, "games/court/contest.html", context, forms=[form])


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def paper(request: HttpRequest, event_id: int) -> HttpResponse:
    """An appeal handed in on paper, logged for a player or a captain, with a photograph of the sheet."""
    actor = actor_of(request)
    event = selectors.event_for(actor, event_id, Act.LOG_APPEAL)
    initial = {
        "submission": secrets.token_urlsafe(16), "kind": "OTHER", "received_by": actor.name,
        "received_at": timezone.localtime().replace(second=0, microsecond=0),
    }  # fmt: skip
    form = PaperForm(
        request.POST or None, initial=initial, entries=contestable.entries_of(event),
        rulings=contestable.rulings_of(event),
    )  # fmt: skip
    if form.is_valid():
        with refusals_at(form):
            filed = lodging.log_paper(
                actor, form.cleaned_data["entry"], form.filing(), form.paper(),
                ruling_id=form.cleaned_data["ruling"], contested=form.contested(),
            )  # fmt: skip
            _take_photographs(request, filed)
            messages.success(request, _("Appeal %(number)s is logged.") % {"number": filed.number})
            may_read = actor.user is not None and allowed(actor.user, Act.READ_CASES, event)
            return redirect("games:case", filed.pk) if may_read else redirect("games:court", event_id)
    return answer(
        request, "games/court/paper.html", event_context(request, event) | {"form": form}, forms=[form]
    )


def _take_evidence(request: HttpRequest, filed: Appeal, token: str) -> None:
    for sent in request.FILES.getlist("files"):
        try:
            exhibits.add_evidence(
                actor_of(request),
                filed.pk,
                filename=sent.name or "",
                content=sent.read(LARGEST + 1),
                link=token,
            )
        except DomainError as error:
            messages.error(request, f"{sent.name}: {_said(error)}")


def _take_photographs(request: HttpRequest, filed: Appeal) -> None:
    for sent in request.FILES.getlist("files"):
        try:
            exhibits.add_paper(
                actor_of(request), filed.pk, filename=sent.name or "", content=sent.read(LARGEST + 1)
            )
        except DomainError as error:
            messages.error(request, f"{sent.name}: {_said(error)}")


def _said(error: DomainError) -> str:
    if isinstance(error, BadInput):
        return " ".join(s for said in error.values.get("fields", {}).values() for s in said) or error.message
    return error.message
