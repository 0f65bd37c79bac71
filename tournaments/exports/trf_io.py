"""A section as a tournament report file, and what of it such a file cannot hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from tournaments import snapshot
from tournaments.engine import trf
from tournaments.models import Section

TRF_TYPE = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    text: str
    losses: tuple[trf.Loss, ...]


def export_trf(
    section: Section, *, dialect: trf.Dialect = trf.Dialect.TRF26, public_only: bool = False
) -> Report:
    """Entries that have a number, with all their rounds, or with the published ones only."""
    snap = snapshot.load(section, public_only=public_only)
    tournament = replace(snap.tournament, name=_title(section))
    if public_only:
        # Byes asked for and pairs kept apart are the desk's own business.
        tournament = replace(tournament, requested_byes=(), forbidden=())
    file = trf.TrfFile(tournament=tournament, dialect=dialect, ranks=_ranks(section, snap))
    return Report(text=trf.write(file), losses=trf.losses(file))


def _title(section: Section) -> str:
    names = [section.name] if section.event.name in section.name else [section.event.name, section.name]
    return " ".join(" ".join(names).split())


def _ranks(section: Section, snap: snapshot.Snapshot) -> MappingProxyType[int, int]:
    """Places of the newest table after the last round of the file, if it is computed already."""
    table = (
        section.standings.filter(after_round=len(snap.tournament.rounds), version=snap.version)
        .order_by("-version")
        .first()
    )
    rows = table.rows if table else []
    return MappingProxyType(
        {snap.number_of[row["entry"]]: row["rank"] for row in rows if row["entry"] in snap.number_of}
    )
