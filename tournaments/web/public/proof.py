"""Why a round is paired so, and the proof of it: the input, the engine's own answer again, questions, a report file."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tournaments.errors import BadInput, DomainError
from tournaments.exports.trf_io import TRF_TYPE
from tournaments.models import Event, Round, Section
from tournaments.selectors import boards, proof, public
from tournaments.web.caching import event_tag, respond, section_context, section_tag
from tournaments.web.http import visible_section
from tournaments.web.throttling import may_ask

MANY_REQUESTS = 429


@require_safe
def why(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    found = visible_section(request, code, section_code)
    return _respond(request, found, lambda: _page(request, found, number))


@require_safe
def why_input(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    """The engine's input and boards, byte for byte: their SHA-256 is the round's digest."""
    found = visible_section(request, code, section_code)
    text = public.paired_text(found, number)
    if not text:
        raise Http404

    def file() -> HttpResponse:
        response = HttpResponse(text, content_type="text/plain; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{found.code}-{number}.txt"'
        return response

    return _respond(request, found, file)


@require_safe
def report(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    """The state before the round for another pairing program."""
    found = visible_section(request, code, section_code)

    def file() -> HttpResponse:
        round_ = _round(found, number)
        try:
            text = proof.report_before(round_)
        except DomainError:
            raise Http404 from None
        name = content_disposition_header(as_attachment=True, filename=f"{found.code}-{number}.trf")
        return HttpResponse(
            text.encode(), content_type=TRF_TYPE, headers={"Content-Disposition": name or "attachment"}
        )

    return _respond(request, found, file)


@never_cache
@csrf_exempt  # it changes nothing and needs no cookie
@require_POST
def recompute(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    """The engine pairs the stored input again, here and now, and the digests are compared."""
    found = visible_section(request, code, section_code)
    round_ = _round(found, number)
    if not may_ask(request):
        return _too_many(request, found, number)
    try:
        return _page(request, found, number, proof=proof.prove(round_))
    except DomainError as error:
        return _page(request, found, number, status=error.status, fault=error.message)


@never_cache
@csrf_exempt  # it changes nothing and needs no cookie
@require_POST
def why_not(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    """Why two players, asked for by their numbers, do not meet."""
    found = visible_section(request, code, section_code)
    round_ = _round(found, number)
    if not may_ask(request):
        return _too_many(request, found, number)
    asked = {name: request.POST.get(name, "").strip() for name in ("first", "second")}
    try:
        answer = proof.ask(round_, first=_whole(asked["first"]), second=_whole(asked["second"]))
    except DomainError as error:
        return _page(request, found, number, status=error.status, fault=error.message, asked=asked)
    return _page(request, found, number, answer=answer, asked=asked)


def _whole(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 6:
        return int(text)
    raise BadInput(_("Enter the numbers of two players."))


def _too_many(request: HttpRequest, found: Section, number: int) -> HttpResponse:
    fault = _("That were many questions in a short time. Wait a minute, then ask again.")
    return _page(request, found, number, status=MANY_REQUESTS, fault=fault)


def _round(found: Section, number: int) -> Round:
    round_ = public.published_round(found, number)
    if round_ is None:
        raise Http404
    return round_


def _page(
    request: HttpRequest, found: Section, number: int, *, status: int = 200, **more: Any
) -> HttpResponse:
    book = public.ledger(found)
    if book.round(number) is None:
        raise Http404
    context = section_context(book, tab="pairings", number=number)
    context |= {"account": boards.account(book, number), **more}
    return render(request, "public/why.html", context, status=status)


def _respond(request: HttpRequest, found: Section, render_: Any) -> HttpResponse:
    parts = [event_tag(found.event), section_tag(found)]
    return respond(request, parts=parts, render=render_, private=found.event.state == Event.State.DRAFT)
