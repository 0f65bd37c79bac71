"""Clubs by the places of their players in a section of single players: the lower the sum, the better."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tournaments import formats
from tournaments.engine import teams
from tournaments.models import Section
from tournaments.selectors.tables import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRow:
    """`places` are those that count, best first; `missing` of them stand for players whom the club does not have."""

    rank: int
    club: str
    total: Fraction
    places: tuple[Fraction, ...]
    missing: int

    @property
    def total_text(self) -> str:
        return text(self.total)

    @property
    def places_text(self) -> str:
        return " + ".join(text(place) for place in self.places)


def text(value: Fraction) -> str:
    """Whole, or with a half: shared places are counted by their mean."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole}½" if rest else str(whole)


def club_rows(section: Section, table: Table | None) -> list[ClubRow]:
    """Empty where the section does not ask for it. Nothing is read: the table holds all."""
    if table is None or not section.team_places or formats.of(section).enters_teams:
        return []
    places = teams.mean_places({row.entry.pk: row.rank for row in table.rows if row.rank is not None})
    members: dict[str, list[int]] = {}
    for row in table.rows:
        if row.entry.player.club and row.entry.pk in places:
            members.setdefault(row.entry.player.club, []).append(row.entry.pk)
    names = sorted(members)
    sums = teams.place_sums(
        places,
        [
            teams.Team(number=number, members=tuple(members[name]))
            for number, name in enumerate(names, start=1)
        ],
        counted=section.team_places,
    )
    return [
        ClubRow(
            rank=each.rank,
            club=names[each.team - 1],
            total=each.total,
            places=each.places,
            missing=max(0, section.team_places - len(members[names[each.team - 1]])),
        )
        for each in sums
    ]
