"""A section as a tournament report file, and what of it such a file cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from tournaments import snapshot
from tournaments.engine import trf
from tournaments.engine.types import Colour, Tournament
from tournaments.errors import WrongState
from tournaments.models import Section
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
    file = trf.TrfFile(tournament=replace(tournament, name=_title(section)), dialect=dialect, ranks=ranks)
    return Report(text=trf.write(file), losses=trf.losses(file))


def _title(section: Section) -> str:
    names = [section.name] if section.event.name in section.name else [section.event.name, section.name]
    return " ".join(" ".join(names).split())
