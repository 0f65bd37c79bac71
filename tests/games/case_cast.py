"""One case at every step of its way, made through the services."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from games.models import Appeal, Ruling
from games.services.court import appeals, ballots, panels
from games.services.court.appeals import Filing
from games.services.court.effects import Measure
from tests.games.court_cast import Court, ruled, user_of
from tournaments.audit import Actor
from tournaments.models import Entry, User

NOBODY = Actor()


def filing(**fields: Any) -> Filing:
    fields = {
        "kind": "CONDUCT", "grounds": "I said nothing.", "request": "Take it back.", "submission": uuid4().hex, **fields,
    }  # fmt: skip
    return Filing(**fields)


def loser(ruling: Ruling) -> Entry:
    entry = ruling.incident.entry_of(ruling.side)
    assert entry is not None
    return entry


def filed(court: Court, *, ruling: Ruling | None = None, **fields: Any) -> Appeal:
    """White lost by a ruling and appeals by personal link."""
    ruling = ruling or ruled(court, "GAME_LOST")
    return appeals.file_appeal(NOBODY, ruling.pk, filing(**fields), link=loser(ruling).link)


def admitted(court: Court, **fields: Any) -> Appeal:
    appeal = filed(court, **fields)
    if appeal.fee:
        appeals.confirm_fee(court.organizer, appeal.pk)
    return appeals.admit_appeal(court.organizer, appeal.pk)


def seated(court: Court, appeal: Appeal, *, members: int = 3) -> None:
    """The first member is the convenor."""
    for index, member in enumerate(court.committee[:members]):
        panels.seat_member(court.organizer, appeal.pk, user_id=user_of(member).pk, convenor=index == 0)


def heard(court: Court, *, members: int = 3, **fields: Any) -> Appeal:
    appeal = admitted(court, **fields)
    seated(court, appeal, members=members)
    panels.open_hearing(court.organizer, appeal.pk)
    panels.file_statement(NOBODY, appeal.pk, text="It was my neighbour.", link=appeal.appellant.link)
    for party in panels.unheard(appeal):
        panels.waive_statement(court.committee[0], appeal.pk, party=party, reason="called, did not come")
    return panels.begin_deliberation(court.committee[0], appeal.pk)


def voted(
    court: Court, *, verdict: str = "UPHOLD", measures: list[Measure] | None = None, **fields: Any
) -> Appeal:
    appeal = heard(court, **fields)
    chosen = ballots.propose_decision(court.committee[0], appeal.pk, verdict=verdict, measures=measures or [])
    for seat in appeal.seats.filter(state="SITTING").select_related("user"):
        ballots.cast_vote(Actor(user=seat.user), appeal.pk, chosen.pk)
    ballots.close_ballot(court.committee[0], appeal.pk)
    appeal.refresh_from_db()
    return appeal


def decided(court: Court, *, refund: bool = True, **fields: Any) -> Appeal:
    appeal = voted(court, **fields)
    ballots.decide_appeal(court.committee[0], appeal.pk, reasons="The witness says so.", refund=refund)
    appeal.refresh_from_db()
    return appeal


def login(entry: Entry, user: User) -> User:
    entry.player.user = user
    entry.player.save(update_fields=["user"])
    return user
