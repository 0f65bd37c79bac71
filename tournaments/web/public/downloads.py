"""Files to take away: lists, report files and the results book for everybody, the whole event for the desk.

The public ones are made from the public ledger, as the pages are: what is not published is in no file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from tournaments.exports import lists, results_book
from tournaments.exports.event_json import as_text, export_event
from tournaments.exports.printing import PDF_TYPE, content_key, to_pdf
from tournaments.exports.sheets import CSV_TYPE, XLSX_TYPE, Sheet, to_csv, to_xlsx
from tournaments.exports.shelf import Shelf
from tournaments.exports.trf_io import TRF_TYPE, export_trf, public_report
from tournaments.models import Event, Section
from tournaments.permissions import Action
from tournaments.selectors import desk, public, tables
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Edition, Table
from tournaments.web.caching import event_tag, number_asked, respond, section_tag
from tournaments.web.http import actor_of, desk_page, visible_section

JSON_TYPE = "application/json; charset=utf-8"
_SHELF = Shelf(size=8)
_ROUND = re.compile(r"round-([1-9][0-9]{0,2})")
_NOT_IN_FILE_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')


@require_safe
def section_file(request: HttpRequest, code: str, section_code: str, name: str, form: str) -> HttpResponse:
    """`name` is players, round-N, results, standings, cross, results-book or report; `form` its file type."""
    found = visible_section(request, code, section_code)
    editions = tables.editions(found)
    after = number_asked(request.GET, "after")

    def file() -> HttpResponse:
        book = public.ledger(found)
        # A report file holds every public round; lists and the book tell what is settled.
        standing_round = book.last_round if name == "report" else book.standing_round
        edition = _edition(editions, after=after, standing_round=standing_round)
        table = tables.table(edition, book) if edition is not None else None
        return _public_file(book, table, name=name, form=form)

    parts = [event_tag(found.event), section_tag(found), [edition.digest for edition in editions]]
    return respond(request, parts=parts, render=file, private=found.event.state == Event.State.DRAFT)


def _edition(editions: list[Edition], *, after: int | None, standing_round: int) -> Edition | None:
    edition = tables.chosen(editions, after=after, standing_round=standing_round)
    if after is not None and edition is None:
        raise Http404
    return edition


def _public_file(book: Ledger, table: Table | None, *, name: str, form: str) -> HttpResponse:
    if name == "results-book":
        return _results_book(book, table, form=form)
    if name == "report" and form == "trf" and book.rounds:
        return _answer(public_report(book, table).text.encode(), TRF_TYPE, _named(book.section, "TRF", form))
    sheet = _sheet(book, table, name)
    if sheet is None or form not in _SHEET_FORMS:
        raise Http404
    content, kind = _SHEET_FORMS[form](sheet)
    return _answer(content, kind, _named(book.section, sheet.name, form))


_SHEET_FORMS: Mapping[str, Callable[[Sheet], tuple[bytes, str]]] = {
    "csv": lambda sheet: (to_csv(sheet), CSV_TYPE),
    "xlsx": lambda sheet: (to_xlsx([sheet]), XLSX_TYPE),
}


def _sheet(book: Ledger, table: Table | None, name: str) -> Sheet | None:
    """None for a list that there is not, or not yet."""
    if name == "players":
        return lists.players(book)
    if name == "standings":
        return lists.standings(table) if table is not None else None
    if name == "results" and book.rounds:
        return lists.results(book)
    if name == "cross" and book.rounds:
        return lists.cross(book, results_book.row_order(table))
    asked = _ROUND.fullmatch(name)
    if asked and book.round(int(asked[1])) is not None:
        return lists.pairings(book, int(asked[1]))
    return None


def _results_book(book: Ledger, table: Table | None, *, form: str) -> HttpResponse:
    if not book.rounds or form not in {"pdf", "xlsx"}:
        raise Http404
    file_name = _named(book.section, results_book.title(), form)
    if form == "pdf":
        printed = results_book.document(book, table)
        content = _SHELF.get(content_key(printed), lambda: to_pdf(printed))
        return _answer(content, PDF_TYPE, file_name)
    sheets = results_book.sheets(book, table)
    content = _SHELF.get(hashlib.sha256(repr(sheets).encode()).hexdigest(), lambda: to_xlsx(sheets))
    return _answer(content, XLSX_TYPE, file_name)


def _named(section: Section, what: str, form: str) -> str:
    return _file_name(section.event.name, section.name, what, form=form)


def _file_name(*words: str, form: str) -> str:
    """In any script, without what file systems refuse."""
    stem = " ".join(_NOT_IN_FILE_NAMES.sub(" ", " ".join(words)).split())
    return f"{stem[:120].strip(' .')}.{form}"


def _answer(content: bytes, kind: str, file_name: str) -> HttpResponse:
    disposition = content_disposition_header(as_attachment=True, filename=file_name)
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": disposition or "attachment"}
    )


@desk_page
@require_safe
def event_json(request: HttpRequest, event_id: int) -> HttpResponse:
    """The whole event, drafts included; with ?log=1 the log too, for those who may read it."""
    with_log = request.GET.get("log") == "1"
    action = Action.READ_AUDIT if with_log else Action.VIEW_DESK
    event = desk.event_for(actor_of(request), event_id, action)
    text = as_text(export_event(event, with_log=with_log))
    return _answer(text.encode(), JSON_TYPE, _file_name(event.name, form="json"))


@desk_page
@require_safe
def section_report(request: HttpRequest, section_id: int) -> HttpResponse:
    """The report file of the desk: drafts, byes asked for and pairs kept apart are in it."""
    section = desk.section_for(actor_of(request), section_id)
    return _answer(export_trf(section).text.encode(), TRF_TYPE, _named(section, "TRF", "trf"))
