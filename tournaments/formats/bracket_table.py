"""The table of a knock-out: places by the round of the last tie, and who is still in before them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tournaments import snapshot
from tournaments.engine import scoring, standings
from tournaments.formats import brackets
from tournaments.models import Entry, Section, Standings

Places = dict[int, tuple[int, int]]  # entry -> first and last place that it shares


def compute_table(
    section: Section, snap: snapshot.Snapshot, *, after_round: int, final: bool = False
) -> Standings:
    """One table as an unsaved row. Nothing is written."""
    places = places_after(section, snap, after_round=after_round)
    points = scoring.totals(snap.tournament, after_round=after_round)
    status_of = dict(Entry.objects.filter(section=section).values_list("pk", "status"))
    by_lot = _by_lot(section, snap, after_round=after_round)
    order = sorted(snap.number_of, key=lambda pk: (places[pk], snap.number_of[pk]))
    return Standings(
        section=section,
        after_round=after_round,
        version=snap.version,
        final=final,
        rows=[_row(pk, snap, places, points, status_of) | {"by_lot": pk in by_lot} for pk in order],
        tiebreaks=[],
        policy=section.policy,
        lot_seed=section.seed if by_lot else None,
    )


def _row(
    pk: int, snap: snapshot.Snapshot, places: Places, points: dict[int, int], status_of: dict[int, str]
) -> dict[str, Any]:
    number = snap.number_of[pk]
    first, last = places[pk]
    extra = sum(a.points for a in snap.tournament.adjustments if a.player == number)
    return {
        "entry": pk,
        "number": number,
        "rank": first,
        "rank_to": last,
        "placed": status_of[pk] != Entry.Status.DISQUALIFIED,
        "shared": first != last,
        "points": points[number],
        "adjustment": extra,
        "values": {},
        "separated_by": "",
        "status": status_of[pk],
    }


def places_after(section: Section, snap: snapshot.Snapshot, *, after_round: int) -> Places:
    """First and last place of every entry. Those still in share the best ones; those who fell in the groups the last ones,
    by their place in the group.
    """
    meetings = [m for m in brackets.meetings_of(section, public_only=True) if m.round <= after_round]
    drawn = brackets.bracket_of(section, meetings) if meetings else None
    if drawn is None:
        return _in_groups(section, snap, after_round=after_round)
    found: Places = {drawn.seeds[seed - 1]: (first, last) for seed, first, last in drawn.progress.places}
    still_in = [pk for pk in drawn.seeds if pk not in found]
    taken = {place for first, last in found.values() for place in range(first, last + 1)}
    free = [place for place in range(1, len(drawn.seeds) + 1) if place not in taken]
    for pk in still_in:
        found[pk] = (min(free, default=1), max(free[: len(still_in)], default=1))
    return found | _fallen(section, snap, set(drawn.seeds))


def _fallen(section: Section, snap: snapshot.Snapshot, seeds: set[int]) -> Places:
    """Whoever did not come out of his group, all groups' thirds before all fourths."""
    others = [pk for pk in snap.number_of if pk not in seeds]
    if not others:
        return {}
    rank = _group_ranks(section, snap, after_round=brackets.group_rounds(section))
    found: Places = {}
    place = len(seeds) + 1
    for level in sorted({rank.get(pk, 0) for pk in others}):
        same = [pk for pk in others if rank.get(pk, 0) == level]
        found |= dict.fromkeys(same, (place, place + len(same) - 1))
        place += len(same)
    return found


def _in_groups(section: Section, snap: snapshot.Snapshot, *, after_round: int) -> Places:
    """Before the knock-out: all firsts of groups share the first places, and so on; without groups everybody is in."""
    if section.format != Section.Format.GROUPS_KNOCKOUT:
        return dict.fromkeys(snap.number_of, (1, len(snap.number_of)))
    rank = _group_ranks(section, snap, after_round=after_round)
    found: Places = {}
    place = 1
    for level in sorted(set(rank.values())):
        same = [pk for pk, own in rank.items() if own == level]
        found |= dict.fromkeys(same, (place, place + len(same) - 1))
        place += len(same)
    rest = [pk for pk in snap.number_of if pk not in found]
    return found | dict.fromkeys(rest, (place, max(place, len(snap.number_of))))


def _group_ranks(section: Section, snap: snapshot.Snapshot, *, after_round: int) -> dict[int, int]:
    tables = _group_tables(section, snap, after_round=after_round)
    return {snap.entry_of[row.number]: row.rank for table in tables for row in table.rows}


def _by_lot(section: Section, snap: snapshot.Snapshot, *, after_round: int) -> set[int]:
    """Entries whose place in their group was settled by the section's lot."""
    if section.format != Section.Format.GROUPS_KNOCKOUT:
        return set()
    tables = _group_tables(section, snap, after_round=after_round)
    return {snap.entry_of[number] for table in tables for number in brackets.settled_by_lot(table)}


def _group_tables(
    section: Section, snap: snapshot.Snapshot, *, after_round: int
) -> list[standings.Standings]:
    played = replace(snap.tournament, rounds=snap.tournament.rounds[:after_round])
    return brackets.group_tables(section, played, snap)
