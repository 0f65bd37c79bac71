"""What a case holds in the ledger: what is under appeal until it is decided, and what a decision set for good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from games.models import Appeal, Incident, Ruling
from games.services.court import effects
from games.services.court.effects import ResultChange
from tournaments.models import Pairing, Section
from tournaments.selectors import whatif
from tournaments.services import holds
from tournaments.services.holds import Touched

OPEN = frozenset(set(Appeal.State) - {Appeal.State.REFUSED, Appeal.State.WITHDRAWN, Appeal.State.DECIDED})


def name_of(appeal: Appeal) -> str:
    """How holds and notices call the case."""
    return f"A{appeal.number}"


def hold_under_appeal(appeal: Appeal) -> None:
    """What the ruling set stays until the case is over (article 13.1.5: it stays in force meanwhile)."""
    held = touched_by([appeal.ruling.applied], standing=True)
    holds.hold_facts(appeal.section, held, case=name_of(appeal), is_final=False)


def let_go(appeal: Appeal) -> None:
    holds.end_holds(appeal.section, [name_of(appeal)])


def hold_ruled(ruling: Ruling) -> None:
    """What a ruling in force set stays until it is withdrawn or revised: the ledger says what the rulings say."""
    held = touched_by([ruling.applied], standing=True)
    letter = "R" if ruling.follows_id is None else "W"
    holds.hold_facts(ruling.incident.section, held, case=f"{letter}{ruling.number}", is_final=False)


def let_ruling_go(ruling: Ruling) -> None:
    holds.end_holds(ruling.incident.section, [f"R{ruling.number}", f"W{ruling.number}"])


def hold_decided(appeal: Appeal, *, overturned: Ruling | None, done: Iterable[Mapping[str, Any]]) -> None:
    """What the decision set, took back or left standing is final (article 16.2)."""
    done = list(done)
    lifted = Touched()
    if overturned is not None:
        lifted = touched_by([overturned.applied], lifted=True)
    elif appeal.ruling.is_in_force:
        done.append(appeal.ruling.applied)
    kept = touched_by(done, standing=True)
    exchanged = [told["exchange"] for told in done if "exchange" in told]
    touched = Touched(
        boards={**lifted.boards, **kept.boards},
        seats=lifted.seats | kept.seats | _seats_of(appeal.section, exchanged),
        statuses=lifted.statuses | kept.statuses,
        points=lifted.points | kept.points,
    )
    holds.hold_facts(appeal.section, touched, case=name_of(appeal), is_final=True)


def touched_by(told: Iterable[Mapping[str, Any]], *, standing: bool = False, lifted: bool = False) -> Touched:
    """What rulings changed, read from what they told. `standing`: only results that nobody changed since, or that fell
    when a player left; `lifted`: the changes are taken back.
    """
    boards: dict[tuple[int, int | None], str] = {}
    seats, statuses, points = set(), set(), set()
    for one in told:
        changes = [ResultChange(**one["outcome"])] if "outcome" in one else []
        if "departure" in one:
            statuses.add(one["departure"]["entry"])
            changes += [ResultChange(**board) for board in one["departure"]["boards"]]
        for change in changes:
            if not standing or effects.still_stands(change) or effects.is_annulled(change):
                boards[change.pairing, change.number] = change.after if lifted else ""
        points |= {given["entry"] for given in one.get("adjustments", [])}
        if "colours" in one:
            seats.add(one["colours"])
    return Touched(
        boards=boards, seats=frozenset(seats), statuses=frozenset(statuses), points=frozenset(points)
    )


def has_decided_result(incident: Incident) -> bool:
    """Whether the committee has the last word on the board's result."""
    return any(
        hold.is_final and hold.pairing_id == incident.pairing_id and hold.kind == "RESULT"
        for hold in holds.what_is_held(incident.section)
        if incident.pairing_id is not None
    )


def is_under_appeal(ruling: Ruling) -> bool:
    return ruling.appeals.filter(state__in=OPEN).exists()


def is_decided(ruling: Ruling) -> bool:
    return ruling.appeals.filter(state=Appeal.State.DECIDED).exists()


def _seats_of(section: Section, exchanged: Iterable[list[int]]) -> frozenset[int]:
    entries = [entry for pair in exchanged for entry in pair]
    round_ = whatif.open_next_round(section) if entries else None
    if round_ is None:
        return frozenset()
    boards = Pairing.objects.filter(Q(white__in=entries) | Q(black__in=entries), round=round_)
    return frozenset(boards.values_list("pk", flat=True))
