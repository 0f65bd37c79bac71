"""Questions and letters: the sender's page, by personal link or log-in, and the desk's, where they are answered."""

from __future__ import annotations

import secrets

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Letter
from games.permissions import Act, require
from games.selectors import letters as selectors
from games.services.court import letters
from games.services.court.letters import Draft
from games.web.court.forms import AnswerForm, LetterForm
from games.web.court.support import event_context, own_entry
from tournaments.errors import NotFound
from tournaments.models import Event
from tournaments.web.http import (
    actor_of,
    answer,
    desk_page,
    private_page,
    refusals_at,
    writes_when_read,
)


@writes_when_read
@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest, token: str = "", entry_id: int = 0) -> HttpResponse:
    """Show what a player wrote, with the answers, and take the next letter."""
    if not token and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    actor = actor_of(request)
    entry = own_entry(request, token, entry_id)
    initial = {"submission": secrets.token_urlsafe(16), "kind": Letter.Kind.QUESTION}
    form = LetterForm(request.POST or None, initial=initial)
    if form.is_valid():
        with refusals_at(form):
            letters.send_letter(
                actor, entry.section_id, Draft(**form.cleaned_data), link=token, entry_id=entry.pk
            )
            messages.success(request, _("It is sent. The answer will stand here."))
            return redirect(request.path)
    found = selectors.letters_of(entry, token)
    letters.mark_answers_read(found)
    context = {"token": token, "entry": entry, "event": entry.section.event, "letters": found, "form": form}
    return answer(request, "games/court/my_letters.html", context, forms=[form])


@desk_page
@require_safe
def received(request: HttpRequest, event_id: int) -> HttpResponse:
    """Show the questions an arbiter answers, or the letters the organizer does."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor_of(request), Act.READ_LETTERS, event)
    return _received(request, event)


def _received(
    request: HttpRequest, event: Event, *, at: int = 0, bound: BaseForm | None = None
) -> HttpResponse:
    rows = [
        (row, bound if bound is not None and row.pk == at else AnswerForm(auto_id=f"id_{row.pk}_%s"))
        for row in selectors.received(actor_of(request), event)
    ]
    context = event_context(request, event, tab="letters") | {"rows": rows}
    return answer(request, "games/court/letters.html", context, forms=[bound] if bound else [])


@desk_page
@require_POST
def write_answer(request: HttpRequest, letter_id: int) -> HttpResponse:
    """Answer one letter."""
    letter = Letter.objects.select_related("event").filter(pk=letter_id).first()
    if letter is None:
        raise NotFound
    actor = actor_of(request)
    require(actor, Act.READ_LETTERS, letter.event)
    form = AnswerForm(request.POST, auto_id=f"id_{letter.pk}_%s")
    if form.is_valid():
        with refusals_at(form):
            letters.answer_letter(actor, letter_id, text=form.cleaned_data["answer"])
            messages.success(request, _("Answered."))
            return redirect("games:letters", letter.event_id)
    return _received(request, letter.event, at=letter.pk, bound=form)
