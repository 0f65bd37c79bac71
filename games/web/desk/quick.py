"""The arbiter's page for writing down games quickly: both copies side by side, digits only, a board that follows.

The page judges while it is typed (`games/static/games/law.js`); what is filed goes through the same service as any sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import rules
from games import sheets as reading
from games.models import Scoresheet, Side
from games.selectors import filing
from games.selectors.viewer import Line, clock, line_of
from games.services import sheets
from games.services.sheets import Handed
from games.slots import Seat, require_arbiter, seat_of
from games.web import typed
from games.web.http import seat_address, section_context
from games.web.public.forms import SheetForm, of_pace
from tournaments.errors import DomainError
from tournaments.web.http import actor_of, desk_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One copy on the page: its form, what was filed last, and its moves as text when all of them are legal."""

    side: Side
    form: SheetForm
    line: Line | None
    moves: str

    @property
    def is_whole(self) -> bool:
        """Whether the copy filed last is legal to its end, so that this page can show all of it."""
        return self.line is None or _is_sound(self.line)


@desk_page
@require_http_methods(["GET", "HEAD", "POST"])
def quick_entry(request: HttpRequest, pairing_id: int, number: int = 1) -> HttpResponse:
    """Type both copies of a game and file those that are new."""
    seat = seat_of(pairing_id, number)
    require_arbiter(actor_of(request), seat)
    columns = [_column(request, seat, side) for side in Side]
    if request.method != "POST":
        return _page(request, seat, columns)
    if not all(column.form.is_valid() for column in columns):
        return _page(request, seat, columns, status=400)
    try:
        filed = [column.side for column in columns if _file(request, seat, column)]
    except DomainError as error:
        return _page(request, seat, columns, refusal=error)
    if not filed:
        messages.info(request, _("Nothing new was typed."))
        return redirect(seat_address("quick_entry", seat))
    messages.success(
        request, _("Filed: %(sides)s") % {"sides": ", ".join(str(Side(side).label) for side in filed)}
    )
    return redirect(f"{seat_address('quick_entry', seat)}?filed={''.join(filed)}")


def _column(request: HttpRequest, seat: Seat, side: Side) -> Column:
    last = filing.latest(seat, side)
    line = line_of(reading.sheet_value(last)) if last is not None else None
    moves = _legal_text(line) if line is not None and _is_sound(line) else ""
    form = _form(request, last, side, moves)
    of_pace(form, is_short=reading.is_short(seat.clock or seat.section.time_control))
    return Column(side=side, form=form, line=line, moves=moves)


def _is_sound(line: Line) -> bool:
    return line.verdict.problem is None and not line.verdict.unread


def _form(request: HttpRequest, last: Scoresheet | None, side: Side, moves: str) -> SheetForm:
    if request.method == "POST":
        return SheetForm(request.POST, prefix=side)
    declared: dict[str, Any] = {}
    if last is not None:
        names = ("result", "white_signed", "black_signed")
        declared = {name: getattr(last, name) for name in names}
        declared |= {name: clock(getattr(last, name)) for name in ("white_seconds", "black_seconds")}
    form = SheetForm.fresh(pasted=moves, **declared)
    form.prefix = side
    return form


def _legal_text(line: Line) -> str:
    return typed.text_of(reading.canonical(line.verdict, line.sheet.moves[: line.last]))


def _file(request: HttpRequest, seat: Seat, column: Column) -> bool:
    """File the copy when it says something new. A file that is sent again is kept once."""
    data = column.form.cleaned_data
    text = data["pasted"].strip()
    if not text or _is_known(column, data):
        return False
    handed = Handed(
        text=text,
        form=Scoresheet.Form.TYPED,
        **{name: data[name] for name in ("submission", "result", "white_seconds", "black_seconds")},
        white_signed=data["white_signed"],
        black_signed=data["black_signed"],
    )
    filed = sheets.file_sheet(
        actor_of(request), seat.pairing.pk, handed, side=column.side, number=seat.number
    )
    return not filed.again


def _is_known(column: Column, data: dict[str, Any]) -> bool:
    """Whether the copy filed last has these moves, and the form declares nothing that it lacks."""
    if column.line is None or not column.is_whole:
        return False
    sheet = column.line.sheet
    declared = {name: data[name] for name in ("white_seconds", "black_seconds") if data[name] is not None}
    declared |= {name: True for name in ("white_signed", "black_signed") if data[name]}
    declared |= {"result": data["result"]} if data["result"] else {}
    same = typed.text_of(reading.read_sheet(data["pasted"]).moves) == column.moves
    return same and all(getattr(sheet, name) == value for name, value in declared.items())


def _page(
    request: HttpRequest,
    seat: Seat,
    columns: list[Column],
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    round_ = seat.round
    context = section_context(request, round_.section, number=round_.number) | {
        "round": round_,
        "seat": seat,
        "pairing": seat.pairing,
        "columns": columns,
        "start": rules.START,
        "filed": request.GET.get("filed", ""),
        "next": filing.next_without_sheets(seat),
        "refusal": refusal,
    }
    return render(
        request, "games/desk/quick_entry.html", context, status=refusal.status if refusal else status
    )
