"""The readable scoresheets of a round as PDF: for each game the sheet of White and of Black, original and copy (4.1, 4.2)."""

from __future__ import annotations

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.exports.form_setting import FormPage, to_pdf
from games.models import Side
from games.services.photos import code_of
from games.slots import Seat, seats_of, with_games
from tournaments import formats
from tournaments.models import Round


def of_round(round_: Round, *, page: int = 1) -> bytes:
    return to_pdf(pages_of(round_, page=page), language=(get_language() or "zh")[:2])


def pages_of(round_: Round, *, page: int = 1) -> list[FormPage]:
    boards = with_games(round_.pairings.filter(black__isnull=False), round_.section).order_by("board")
    pages = []
    for pairing in boards:
        pairing.round = round_
        for seat in seats_of(pairing):
            if _is_printed(seat):
                pages += [_page(seat, side, page, is_copy=copy) for side in Side for copy in (False, True)]
    return pages


def _is_printed(seat: Seat) -> bool:
    lost = formats.of(seat.section).enters_teams and seat.is_recorded and not (seat.white and seat.black)
    return seat.counts and not lost


def _page(seat: Seat, side: Side, page: int, *, is_copy: bool) -> FormPage:
    section, round_ = seat.section, seat.round
    where = f"{_('Round %(n)s') % {'n': round_.number}} · {seat.where}"
    kind = _("copy, stays with the player") if is_copy else _("original, for the organizing committee (4.4)")
    time = f"{round_.starts_at:%Y-%m-%d %H:%M} · " if round_.starts_at else ""
    return FormPage(
        code=code_of(seat, side, page).text,
        head=(
            f"{section.event.name} · {section.name}",
            where + (f" · {_('page %(n)s') % {'n': page}}" if page > 1 else ""),
            f"{_('White')}: {_named(seat, Side.WHITE)}",
            f"{_('Black')}: {_named(seat, Side.BLACK)}",
            f"{_('Scoresheet of %(who)s') % {'who': side.label}}: {kind} · {time}{seat.clock or section.time_control}",
        ),
        white=_("White"),
        black=_("Black"),
        hint=_("One digit in each box; 7-11 is written _7-11. A mistake: strike the row out and write on in the next row."),
        feet=(
            f"{_('Result')}:", f"{_('How the game ended')}:", _("White's time used") + ":", _("Black's time used") + ":",
            _("Signature of White") + ":", _("Signature of Black") + ":", _("Sealed move or remarks") + ":", _("Arbiter") + ":",
        ),
        page=page,
    )  # fmt: skip


def _named(seat: Seat, side: Side) -> str:
    person = seat.person(side)
    if person is None:
        return ""
    number = getattr(person, "number", "") or ""
    team = (
        f" ({seat.entry(side)})"
        if formats.of(seat.section).enters_teams and seat.is_of_match and str(seat.entry(side)) != str(person)
        else ""
    )
    return f"{number} {person}{team}".strip()
