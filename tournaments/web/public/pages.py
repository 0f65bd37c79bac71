"""Pages that anybody may open. Each reads a fixed number of queries and writes nothing, not even a cookie."""

from __future__ import annotations

from typing import Any

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from tournaments.models import Event, Section
from tournaments.selectors import boards, clubs, crosstable, notice_board, public, tables
from tournaments.selectors.public import Ledger, Period
from tournaments.web.caching import Filter, event_tag, number_asked, respond, section_context, section_tag
from tournaments.web.http import require_visible, visible_section
from tournaments.web.public import feed as notice_feed
from tournaments.wording.sections import acceleration
from tournaments.wording.tiebreaks import policy_choices


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "").strip()
    found = public.events()
    today = timezone.localdate()

    def page() -> HttpResponse:
        shown = public.matching(found, query)
        groups = {
            period.name: [e for e in shown if public.period_of(e, today) is period] for period in Period
        }
        context = {"groups": groups, "query": query, "found": len(shown), "total": len(found)}
        return render(request, "public/home.html", context)

    tags = [(event_tag(event), [section_tag(s) for s in event.sections.all()]) for event in found]
    return respond(request, parts=[today, tags], render=page)


@require_safe
def event(request: HttpRequest, code: str) -> HttpResponse:
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def page() -> HttpResponse:
        address = (settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}") + reverse(
            "public:event", args=[found.code]
        )
        code_image = mark_safe(segno.make(address, error="m").svg_inline(scale=4, border=2, omitsize=True))
        context = {
            "event": found,
            "statuses": public.statuses(sections),
            "address": address,
            "qr": code_image,
        }
        return render(request, "public/event.html", context)

    return respond(request, parts=_event_parts(found, sections), render=page, private=_is_draft(found))


@require_safe
def notices(request: HttpRequest, code: str) -> HttpResponse:
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def page() -> HttpResponse:
        context = {"event": found, "notices": notice_board.notices(found, sections)}
        return render(request, "public/notices.html", context)

    return respond(request, parts=_event_parts(found, sections), render=page, private=_is_draft(found))


@require_safe
def notices_feed(request: HttpRequest, code: str) -> HttpResponse:
    """The notice board as RSS."""
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def feed() -> HttpResponse:
        page = request.build_absolute_uri(reverse("public:notices", args=[found.code]))
        text = notice_feed.rss(found, notice_board.notices(found, sections), page=page)
        return HttpResponse(text, content_type="application/rss+xml; charset=utf-8")

    return respond(request, parts=_event_parts(found, sections), render=feed, private=_is_draft(found))


@require_safe
def changes(request: HttpRequest, code: str) -> HttpResponse:
    """Every change to a result after publication."""
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def page() -> HttpResponse:
        context = {"event": found, "changes": notice_board.changes(found, sections)}
        return render(request, "public/changes.html", context)

    return respond(request, parts=_event_parts(found, sections), render=page, private=_is_draft(found))


def _event_parts(found: Event, sections: list[Section]) -> list[Any]:
    return [event_tag(found), [section_tag(section) for section in sections]]


def _is_draft(found: Event) -> bool:
    return found.state == Event.State.DRAFT


def _respond(request: HttpRequest, section: Section, render: Any, *, more: Any = None) -> HttpResponse:
    parts = [event_tag(section.event), section_tag(section), more]
    return respond(request, parts=parts, render=render, private=_is_draft(section.event))


@require_safe
def section(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    """The latest public round, or the entry list while there is none: what a poster's address leads to."""
    found = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(found)
        if book.rounds:
            return _boards_page(request, book, book.current_round)
        context = section_context(book, tab="pairings")
        return render(request, "public/not_paired.html", context)

    return _respond(request, found, page)


@require_safe
def round_boards(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    found = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(found)
        _require_round(book, number)
        return _boards_page(request, book, number)

    return _respond(request, found, page)


def _boards_page(request: HttpRequest, book: Ledger, number: int) -> HttpResponse:
    chosen = Filter.from_query(request.GET)
    rows, byes, idle = boards.rows(book, number)
    results, total = book.results_in(number)
    context = section_context(book, tab="pairings", number=number) | {
        "rows": [row for row in rows if chosen.keeps_any(row.white, row.black)],
        "byes": [row for row in byes if chosen.keeps_any(row.white)],
        "idle": [entry for entry in idle if chosen.keeps_any(entry)],
        "filter": chosen,
        "results": results,
        "boards": total,
        "is_live": number == book.current_round and results < total,
    }
    return render(request, "public/round.html", context)


@require_safe
def round_names(request: HttpRequest, code: str, section_code: str, number: int) -> HttpResponse:
    found = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(found)
        _require_round(book, number)
        chosen = Filter.from_query(request.GET)
        rows = [row for row in boards.by_name(book, number) if chosen.keeps_any(row.entry)]
        context = section_context(book, tab="pairings", number=number)
        return render(request, "public/round_names.html", context | {"rows": rows, "filter": chosen})

    return _respond(request, found, page)


def _require_round(book: Ledger, number: int) -> None:
    if book.round(number) is None:
        raise Http404


@require_safe
def standings(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    found = visible_section(request, code, section_code)
    after = number_asked(request.GET, "after")
    editions = tables.editions(found)

    def page() -> HttpResponse:
        book = public.ledger(found)
        edition = tables.chosen(editions, after=after, standing_round=book.standing_round)
        if after is not None and edition is None:
            raise Http404
        chosen = Filter.from_query(request.GET)
        table = tables.table(edition, book) if edition else None
        rows = tables.places_among(
            [row for row in table.rows if chosen.keeps_any(row.entry)] if table else []
        )
        number = edition.after_round if edition else 0
        results, total = book.results_behind(number)
        context = section_context(book, tab="standings", number=number) | {
            "table": table,
            "clubs": clubs.club_rows(found, table),
            "rows": rows,
            "editions": editions,
            "after": number,
            "filter": chosen,
            "results": results,
            "boards": total,
        }
        return render(request, "public/standings.html", context)

    return _respond(request, found, page, more=[edition.digest for edition in editions])


@require_safe
def cross(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    found = visible_section(request, code, section_code)
    editions = tables.editions(found)

    def page() -> HttpResponse:
        book = public.ledger(found)
        latest = tables.chosen(editions, after=None, standing_round=book.standing_round)
        ranks = tables.ranks(latest)
        context = section_context(book, tab="cross") | {"cross": crosstable.cross(book, ranks=ranks)}
        return render(request, "public/cross.html", context)

    return _respond(request, found, page, more=[edition.digest for edition in editions])


@require_safe
def results(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    found = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(found)
        chosen = Filter.from_query(request.GET)
        rounds = []
        for round_ in reversed(book.rounds):
            rows, byes, _idle = boards.rows(book, round_.number)
            kept = [row for row in [*rows, *byes] if chosen.keeps_any(row.white, row.black)]
            rounds.append((round_, kept))
        context = section_context(book, tab="results")
        return render(request, "public/results.html", context | {"by_round": rounds, "filter": chosen})

    return _respond(request, found, page)


@require_safe
def info(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    found = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(found)
        context = section_context(book, tab="info") | {
            "policy": policy_choices(book.policy),
            "accelerated": acceleration(found) if book.rounds else [],
        }
        return render(request, "public/info.html", context)

    return _respond(request, found, page)


@require_safe
def screen(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    """For the projector: the latest pairings, then the table, in big letters; its script turns the pages."""
    found = visible_section(request, code, section_code)
    editions = tables.editions(found)

    def page() -> HttpResponse:
        book = public.ledger(found)
        edition = tables.chosen(editions, after=None, standing_round=book.standing_round)
        rows, byes, _idle = boards.rows(book, book.current_round) if book.rounds else ([], [], [])
        context = section_context(book, tab="screen", number=book.current_round) | {
            "rows": rows,
            "byes": byes,
            "table": tables.table(edition, book) if edition else None,
            "show": request.GET.get("show", "all"),
        }
        return render(request, "public/screen.html", context)

    return _respond(request, found, page, more=[edition.digest for edition in editions])
