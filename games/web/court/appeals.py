"""A party's pages: what can be appealed, the form, the own case; by personal link on a phone, or by log-in.

With a token the holder of the link is taken for the player; without one the logged-in player or captain acts.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Appeal
from games.selectors import court_cases
from games.services.court import appeals, cases, exhibits, panels
from games.services.court.appeals import Filing
from games.services.court.files import LARGEST
from games.web.court.forms import AppealForm, StatementForm
from games.web.court.support import served_file
from games.wording.articles import ARTICLES
from tournaments.errors import DomainError, NotFound
from tournaments.models import Entry, Event
from tournaments.selectors import people
from tournaments.web.http import actor_of, answer, private_page, refusals_at, writes_when_read


def _needs_log_in(request: HttpRequest, token: str) -> bool:
    return not token and not request.user.is_authenticated


def _entry(token: str) -> Entry:
    entry = people.entry_by_link(token)
    if entry is None or entry.section.event.state == Event.State.DRAFT:
        raise NotFound
    return entry


def _at(name: str, token: str, *args: int) -> str:
    """The address for the holder of the link, or the one for people with an account."""
    if token:
        return reverse(f"games:my_{name}", args=[token, *args])
    return reverse(f"games:own_{name}", args=args)


@private_page
@require_safe
def my_court(request: HttpRequest, token: str) -> HttpResponse:
    """The rulings at the player's boards and his cases."""
    entry = _entry(token)
    context = {
        "token": token, "entry": entry, "event": entry.section.event,
        "rulings": [(r, _at("appeal", token, r.pk)) for r in court_cases.rulings_about([entry])],
        "cases": [(c, _at("case", token, c.pk)) for c in court_cases.cases_about([entry])],
    }  # fmt: skip
    return answer(request, "games/court/my_court.html", context)


@private_page
@require_http_methods(["GET", "HEAD", "POST"])
def file_appeal(request: HttpRequest, ruling_id: int, token: str = "") -> HttpResponse:
    """Deadline and fee first, then the form; files come with it."""
    if _needs_log_in(request, token):
        return redirect_to_login(request.get_full_path())
    actor = actor_of(request)
    ruling, acting = court_cases.own_ruling(actor, ruling_id, link=token)
    initial = {"submission": secrets.token_urlsafe(16), "kind": ruling.incident.category}
    form = AppealForm(request.POST or None, initial=initial)
    if form.is_valid():
        with refusals_at(form):
            filed = appeals.file_appeal(actor, ruling_id, Filing(**form.cleaned_data), link=token)
            _take_files(request, filed, token)
            return redirect(_at("case", token, filed.pk))
    context = _context(token, ruling.event) | {
        "ruling": ruling, "incident": ruling.incident, "acting": acting, "form": form,
        "terms": appeals.terms_of(ruling),
    }  # fmt: skip
    return answer(request, "games/court/file_appeal.html", context, forms=[form])


@writes_when_read
@private_page
@require_safe
def own_case(request: HttpRequest, appeal_id: int, token: str = "") -> HttpResponse:
    if _needs_log_in(request, token):
        return redirect_to_login(request.get_full_path())
    actor = actor_of(request)
    found, _acting, party = court_cases.own_case(actor, appeal_id, link=token)
    cases.seen(found, party)
    return _page(request, found, token, StatementForm())


@private_page
@require_POST
def act(request: HttpRequest, appeal_id: int, verb: str, token: str = "") -> HttpResponse:
    """A statement, its waiver, more evidence, or the withdrawal of the appeal."""
    if _needs_log_in(request, token):
        return redirect_to_login(request.get_full_path())
    actor = actor_of(request)
    found, _acting, _party = court_cases.own_case(actor, appeal_id, link=token)
    form = StatementForm(request.POST if verb == "statement" else None)
    try:
        if verb == "statement" and form.is_valid():
            panels.file_statement(actor, appeal_id, text=form.cleaned_data["text"], link=token)
        elif verb == "waive":
            panels.waive_statement(actor, appeal_id, reason=_("waived by the party"), link=token)
        elif verb == "evidence":
            if not _take_files(request, found, token):
                return _page(request, found, token, StatementForm())
        elif verb == "withdraw":
            appeals.withdraw_appeal(actor, appeal_id, link=token)
        else:
            raise NotFound
    except DomainError as error:
        return _page(request, found, token, form, refusal=error)
    return redirect(_at("case", token, appeal_id))


@private_page
@require_safe
def evidence(request: HttpRequest, evidence_id: int, token: str) -> HttpResponse:
    return served_file(court_cases.evidence_for(actor_of(request), evidence_id, link=token))


def _page(
    request: HttpRequest,
    found: Appeal,
    token: str,
    form: StatementForm,
    *,
    refusal: DomainError | None = None,
) -> HttpResponse:
    actor = actor_of(request)
    found, acting, party = court_cases.own_case(actor, found.pk, link=token)
    context = _context(token, found.event) | {
        "case": found,
        "acting": acting,
        "party": party,
        "form": form,
        "timeline": court_cases.timeline(found, inner=False),
        "statements": list(found.statements.all()),
        "evidence": [
            (row, reverse("games:my_evidence", args=[token, row.pk]) if token else reverse("games:evidence", args=[row.pk]))
            for row in court_cases.evidence_of(found)
        ],
        "may_speak": found.state in {Appeal.State.FILED, Appeal.State.ADMITTED, Appeal.State.HEARING},
        "may_add": found.state in appeals.STILL_OPEN,
        "at": {verb: _act(token, found.pk, verb) for verb in ("statement", "waive", "evidence", "withdraw")},
    }  # fmt: skip
    return answer(request, "games/court/own_case.html", context, forms=[form], refusal=refusal)


def _act(token: str, appeal_id: int, verb: str) -> str:
    if token:
        return reverse("games:my_case_act", args=[token, appeal_id, verb])
    return reverse("games:own_case_act", args=[appeal_id, verb])


def _context(token: str, event: Event) -> dict[str, Any]:
    back = reverse("games:my_court", args=[token]) if token else reverse("games:my_courts")
    return {"token": token, "event": event, "back": back, "articles": ARTICLES.values()}


def _take_files(request: HttpRequest, found: Appeal, token: str) -> bool:
    """Keep the files sent along. What is refused is told, and the case stands without it."""
    taken = True
    for sent in request.FILES.getlist("files"):
        content = sent.read(LARGEST + 1)
        try:
            exhibits.add_evidence(
                actor_of(request), found.pk, filename=sent.name or "", content=content, link=token
            )
        except DomainError as error:
            taken = False
            messages.error(request, f"{sent.name}: {' '.join(_sentences(error))}")
    return taken


def _sentences(error: DomainError) -> list[str]:
    found = [s for said in error.values.get("fields", {}).values() for s in said]
    return found or [error.message]
