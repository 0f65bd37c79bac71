"""A section as a tournament report file, and what of it such a file cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import formats, snapshot
from tournaments.engine import trf
from tournaments.engine.types import Colour, Tournament
from tournaments.errors import WrongState
from tournaments.models import Role, Section
from tournaments.selectors.public import Ledger
from tournaments.selectors.tables import Table

TRF_TYPE = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    text: str
    losses: tuple[trf.Loss, ...]


def export_trf(section: Section, *, dialect: trf.Dialect = trf.Dialect.TRF26) -> Report:
    """Everything: drafts, byes asked for, pairs kept apart. Entries without a number are left out.

    Raises WrongState while nobody has a number: a report file knows players by number only.
    """
    snap = snapshot.load(section)
    if not snap.tournament.players:
        raise WrongState(
            _("No player has a pairing number yet: the report file is there once round 1 is paired."),
            code="no-numbers",
        )
    table = section.standings.filter(
        after_round=len(snap.tournament.rounds), version=snap.version
    ).first()  # an older table would give places that other results led to
    rows = table.rows if table else []
    ranks = {
        snap.number_of[row["entry"]]: row["rank"]
        for row in rows
        if row["entry"] in snap.number_of and row["rank"]
    }
    return _report(section, snap.tournament, ranks=ranks, dialect=dialect)


def public_report(book: Ledger, table: Table | None) -> Report:
    """The published rounds, and nothing of what the desk arranges: byes asked for, pairs kept apart, drafts."""
    tournament = replace(
        book.tournament,
        players=tuple(snapshot.player_of(e) for e in book.entries.values() if e.number is not None),
        initial_colour=Colour(book.section.initial_colour),
    )
    rows = table.rows if table is not None and table.edition.after_round == book.last_round else []
    ranks = {
        row.entry.number: row.rank for row in rows if row.entry.number is not None and row.rank is not None
    }
    return _report(book.section, tournament, ranks=ranks, dialect=trf.Dialect.TRF26)


def _report(
    section: Section, tournament: Tournament, *, ranks: Mapping[int, int], dialect: trf.Dialect
) -> Report:
    file = trf.TrfFile(
        tournament=replace(tournament, name=_title(section)),
        dialect=dialect,
        ranks=ranks,
        layout=tuple(_header(section, tournament)),
    )
    return Report(text=trf.write(file), losses=trf.losses(file))


_FIRST_DATE = 91  # column of the date of round 1, counted from 0; a round is 10 columns wide


def _header(section: Section, tournament: Tournament) -> Iterator[trf.Line]:
    """The lines about the event, those without a value left out."""
    event = section.event
    strategy = formats.of(section)
    rated = sum(player.rating > 0 for player in tournament.players)
    values = {
        "022": event.place,
        "042": _day(event.starts_on),
        "052": _day(event.ends_on),
        "062": str(len(tournament.players)),
        "072": str(rated),
        "092": strategy.report_words,
        "102": _chief_arbiter(section),
        "122": section.time_control,
        "132": _dates(section),
        "192": strategy.report_type(section),
    }
    yield trf.Line(tag="012")
    for tag, value in values.items():
        if value:
            yield trf.Line(tag=tag, text=f"{tag} {' '.join(value.split()) if tag != '132' else value}")


def _day(day: date | None) -> str:
    return day.strftime("%Y/%m/%d") if day else ""


def _chief_arbiter(section: Section) -> str:
    roles = section.event.roles.filter(kind=Role.Kind.CHIEF_ARBITER).select_related("user").order_by("pk")
    return next((name for role in roles if (name := role.user.get_full_name())), "")


def _dates(section: Section) -> str:
    """The days of the rounds in the columns of their results; rounds without a time are left blank."""
    starts = dict(section.rounds.filter(starts_at__isnull=False).values_list("number", "starts_at"))
    cells = [
        timezone.localtime(starts[number]).strftime("%y/%m/%d") if number in starts else " " * 8
        for number in range(1, max(starts, default=0) + 1)
    ]
    return " " * (_FIRST_DATE - 4) + "  ".join(cells) if cells else ""


def _title(section: Section) -> str:
    names = [section.name] if section.event.name in section.name else [section.event.name, section.name]
    return " ".join(" ".join(names).split())
