"""Pages about one player: the public one, the working of his tie-breaks, and his own page by private link."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import formats
from tournaments.exports import figures
from tournaments.models import Entry, Event
from tournaments.selectors import calendar, people, public, registration, tables, workings
from tournaments.selectors.calendar import Appointment
from tournaments.selectors.people import Step
from tournaments.selectors.public import Ledger
from tournaments.services.registration import takes_registrations
from tournaments.templatetags.names import named
from tournaments.web.caching import Filter, event_tag, number_asked, respond, section_context, section_tag
from tournaments.web.http import require_visible, visible_section
from tournaments.web.public.registration import sent


@require_safe
def players(request: HttpRequest, code: str, section_code: str) -> HttpResponse:
    section = visible_section(request, code, section_code)

    def page() -> HttpResponse:
        book = public.ledger(section)
        chosen = Filter.from_query(request.GET)
        points = book.points_now()
        rows = [(entry, points[entry.pk]) for entry in people.listed(book) if chosen.keeps(entry)]
        context = section_context(book, tab="players") | {"rows": rows, "filter": chosen}
        context["registers"] = takes_registrations(section)
        return render(request, "public/players.html", context)

    return respond(request, parts=_parts(section), render=page, private=_is_draft(section.event))


@require_safe
def player(request: HttpRequest, code: str, section_code: str, entry: int) -> HttpResponse:
    section = visible_section(request, code, section_code)
    editions = tables.editions(section)

    def page() -> HttpResponse:
        book = public.ledger(section)
        found = _entry(book, entry)
        edition = tables.chosen(editions, after=None, standing_round=book.standing_round)
        row = tables.row_of(tables.table(edition, book), found) if edition else None
        context = section_context(book, tab="players") | _way_context(book, found)
        context |= {"row": row, "edition": edition, "figure": figures.of_player(book, editions, found)}
        return render(request, "public/player.html", context)

    parts = [*_parts(section), [edition.digest for edition in editions]]
    return respond(request, parts=parts, render=page, private=_is_draft(section.event))


@require_safe
def working(request: HttpRequest, code: str, section_code: str, entry: int) -> HttpResponse:
    section = visible_section(request, code, section_code)
    editions = tables.editions(section)
    after = number_asked(request.GET, "after")

    def page() -> HttpResponse:
        book = public.ledger(section)
        found = _entry(book, entry)
        edition = tables.chosen(editions, after=after, standing_round=book.standing_round)
        if edition is None:
            raise Http404
        table = tables.table(edition, book)
        row = tables.row_of(table, found)
        if row is None:
            raise Http404
        context = section_context(book, tab="standings", number=edition.after_round) | {
            "entry": found,
            "edition": edition,
            "row": row,
            "workings": workings.workings(book, table=table, entry=found),
        }
        return render(request, "public/working.html", context)

    parts = [*_parts(section), [edition.digest for edition in editions]]
    return respond(request, parts=parts, render=page, private=_is_draft(section.event))


@require_safe
def player_calendar(request: HttpRequest, code: str, section_code: str, entry: int) -> HttpResponse:
    section = visible_section(request, code, section_code)

    def file() -> HttpResponse:
        book = public.ledger(section)
        return _calendar(book, _entry(book, entry))

    return respond(request, parts=_parts(section), render=file, private=_is_draft(section.event))


@require_safe
def my(request: HttpRequest, token: str) -> HttpResponse:
    """Whoever holds the link is taken for the player; the link is in no page, no index and no referrer."""
    known = people.entry_by_link(token)
    if known is None and (waiting := registration.by_link(token)) is not None:
        return _unlisted(sent(request, waiting))
    found = _visible(request, known)
    member = people.member_by_link(found, token) if formats.of(found.section).enters_teams else None

    def page() -> HttpResponse:
        book = public.ledger(found.section)
        context = section_context(book, tab="my") | _way_context(book, book.entries[found.pk])
        context["owed"] = registration.owed_by(found)
        return render(request, "public/my.html", context | {"token": token, "member": member})

    parts = [*_parts(found.section), found.pk, member.pk if member else None]
    return _unlisted(respond(request, parts=parts, render=page, private=True))


@require_safe
def my_calendar(request: HttpRequest, token: str) -> HttpResponse:
    found = _by_link(request, token)

    def file() -> HttpResponse:
        book = public.ledger(found.section)
        return _calendar(book, book.entries[found.pk])

    return _unlisted(respond(request, parts=[*_parts(found.section), found.pk], render=file, private=True))


def _by_link(request: HttpRequest, token: str) -> Entry:
    return _visible(request, people.entry_by_link(token))


def _visible(request: HttpRequest, found: Entry | None) -> Entry:
    require_visible(request, found.section.event if found else None)
    assert found is not None  # require_visible raises for None
    return found


def _unlisted(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "no-referrer"
    patch_vary_headers(response, ["Cookie"])
    return response


def _parts(section: Any) -> list[Any]:
    return [event_tag(section.event), section_tag(section)]


def _is_draft(event: Event) -> bool:
    return event.state == Event.State.DRAFT


def _entry(book: Ledger, pk: int) -> Entry:
    found = book.entries.get(pk)
    if found is None:
        raise Http404
    return found


def _way_context(book: Ledger, entry: Entry) -> dict[str, Any]:
    found = people.steps(book, entry)
    points = book.points_now()
    return {
        "entry": entry,
        "steps": found,
        "next": people.next_step(found, current=book.current_round),
        "extras": people.extras_of(book, entry),
        "points": points[entry.pk],
        "opponent_points": points,
        "performance": None if formats.of(book.section).enters_teams else people.performance(found),
    }


def _calendar(book: Ledger, entry: Entry) -> HttpResponse:
    event = book.section.event
    name = f"{named(event)}: {entry.player.name}"
    appointments = [
        _appointment(book, entry, step)
        for step in people.steps(book, entry)
        if step.round.starts_at and step.line
    ]
    response = HttpResponse(
        calendar.calendar(name, appointments), content_type="text/calendar; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{event.code}-{entry.pk}.ics"'
    return response


def _appointment(book: Ledger, entry: Entry, step: Step) -> Appointment:
    assert step.round.starts_at is not None and step.line is not None
    event = book.section.event
    heading = _("Round %(number)d") % {"number": step.round.number}
    if step.opponent is None:
        heading = f"{heading}: {_('no game')}"
    else:
        colour = _("White") if step.line.white == entry.pk else _("Black")
        place = _("board %(board)d") % {"board": step.line.board}
        heading = f"{heading}: {place}, {colour}, {step.opponent.player.name}"
    return Appointment(
        uid=f"{entry.pk}-{step.round.number}@{event.code}",
        starts_at=step.round.starts_at,
        summary=heading,
        location=event.place,
        description=f"{named(event)}, {named(book.section)}",
    )
