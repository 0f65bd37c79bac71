"""Pages that anybody may open. Each reads a fixed number of queries and writes nothing, not even a cookie."""

from __future__ import annotations

from typing import Any

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Event, Section
from tournaments.selectors import (
    boards,
    calendar,
    clubs,
    crosstable,
    event_page,
    notice_board,
    people,
    public,
    registration,
    tables,
)
from tournaments.selectors.calendar import Appointment
from tournaments.selectors.public import Ledger, Period, Status
from tournaments.templatetags.names import named
from tournaments.web import rendered
from tournaments.web.caching import Filter, event_tag, number_asked, respond, section_context, section_tag
from tournaments.web.http import require_visible, visible_section
from tournaments.web.parts import cut
from tournaments.web.public import feed as notice_feed
from tournaments.wording.sections import acceleration
from tournaments.wording.tiebreaks import policy_choices

PAST_EVENTS = 8  # that the home page shows before all are asked for


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
        past = groups[Period.PAST.name]
        if not query and "all" not in request.GET:
            groups[Period.PAST.name] = past[:PAST_EVENTS]
        sections = [section for events in groups.values() for e in events for section in e.sections.all()]
        statuses: dict[int, list[Status]] = {}
        for status in public.statuses(sections):
            statuses.setdefault(status.section.event_id, []).append(status)
        now = groups[Period.NOW.name]
        context = {
            "groups": groups,
            "query": query,
            "found": len(shown),
            "total": len(found),
            "past": len(past),
            "statuses": statuses,
            "players": sum(status.players for e in now for status in statuses.get(e.pk, [])),
            "people": event_page.search(query),
        }
        return render(request, "public/home.html", context)

    tags = [(event_tag(event), [section_tag(s) for s in event.sections.all()]) for event in found]
    return respond(request, parts=[today, tags], render=page)


@require_safe
def event(request: HttpRequest, code: str) -> HttpResponse:
    if code != code.lower():  # as it may be typed from a poster
        return redirect("public:event", code.lower(), permanent=True)
    found = require_visible(request, public.event_by_code(code))
    sections = list(event_page.sections_with_tables(found.sections.all()))
    query = request.GET.get("q", "").strip()

    def page() -> HttpResponse:
        address = _address_of(request, found)
        code_image = mark_safe(segno.make(address, error="m").svg_inline(scale=4, border=2, omitsize=True))
        statuses = public.statuses(sections)
        starts = event_page.schedule(statuses)
        context = {
            "event": found,
            "events": [found],
            "statuses": statuses,
            "running": [status for status in statuses if status.is_begun],
            "leaders": event_page.leaders(sections),
            "starts": starts,
            "next_start": event_page.next_start(starts),
            "first": event_page.first_boards(statuses),
            "news": event_page.news(found),
            "address": address,
            "qr": code_image,
            "query": query,
            "registers": registration.open_sections(found, sections),
            "people": event_page.seated(event_page.search(query, event=found), statuses),
        }
        return render(request, "public/event.html", context)

    tables_now = [event_page.newest_table(section) for section in sections]
    parts = [*_event_parts(found, sections), tables_now]
    return respond(request, parts=parts, render=page, private=_is_draft(found))


def _address_of(request: HttpRequest, found: Event) -> str:
    base = settings.PUBLIC_URL or f"{request.scheme}://{request.get_host()}"
    return base + reverse("public:event", args=[found.code])


@require_safe
def event_calendar(request: HttpRequest, code: str) -> HttpResponse:
    """Every announced start of the event, for a phone's calendar."""
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def file() -> HttpResponse:
        starts = event_page.schedule(public.statuses(sections))
        appointments = [
            Appointment(
                uid=f"{start.section.code}-{start.number}@{found.code}",
                starts_at=start.starts_at,
                summary=_("%(section)s, round %(number)d")
                % {"section": named(start.section), "number": start.number},
                location=found.place,
                description=named(found),
            )
            for start in starts
        ]
        response = HttpResponse(
            calendar.calendar(named(found), appointments), content_type="text/calendar; charset=utf-8"
        )
        response["Content-Disposition"] = f'attachment; filename="{found.code}.ics"'
        return response

    return respond(request, parts=_event_parts(found, sections), render=file, private=_is_draft(found))


@require_safe
def version(request: HttpRequest, code: str) -> HttpResponse:
    """What the open pages of an event ask every few seconds; a draft has no readers who do."""
    found = rendered.versions_now(code)
    if found is None:
        raise Http404
    return rendered.answer_version(request, found)


@require_safe
def notices(request: HttpRequest, code: str) -> HttpResponse:
    found = require_visible(request, public.event_by_code(code))
    sections = public.sections_of(found)

    def page() -> HttpResponse:
        kind = request.GET.get("kind", "")
        board = notice_board.of_kind(notice_board.notices(found, sections), kind)
        context = {"event": found, "notices": board, "kind": kind}
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
    parts = cut([row for row in rows if chosen.keeps_any(row.white, row.black)], request.GET)
    context = section_context(book, tab="pairings", number=number) | {
        "rows": parts.rows,
        "parts": parts,
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
        parts = cut(rows, request.GET)
        context = section_context(book, tab="pairings", number=number)
        context |= {"rows": parts.rows, "parts": parts, "filter": chosen}
        return render(request, "public/round_names.html", context)

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
        table, moves = tables.table_and_places_before(edition, book, editions) if edition else (None, {})
        rows = tables.places_among(
            [row for row in table.rows if chosen.keeps_any(row.entry)] if table else []
        )
        parts = cut(rows, request.GET)
        number = edition.after_round if edition else 0
        results, total = book.results_behind(number)
        context = section_context(book, tab="standings", number=number) | {
            "table": table,
            "clubs": clubs.club_rows(found, table),
            "rows": parts.rows,
            "parts": parts,
            "edition_numbers": {edition.after_round for edition in editions},
            "podium": tables.podium(table) if table else [],
            "moves": moves,
            "has_moves": bool(moves),
            "ways": people.ways(book),
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
        table = crosstable.cross(book, ranks=ranks)
        chosen = Filter(q=request.GET.get("q", "").strip())
        parts = cut([row for row in table.rows if chosen.keeps(row.entry)], request.GET)
        context = section_context(book, tab="cross")
        context |= {"cross": table, "rows": parts.rows, "parts": parts, "filter": chosen}
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
