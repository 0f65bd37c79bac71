"""Rows written straight into the tables, for tests of what lies under the services."""

from __future__ import annotations

from itertools import count

from tournaments.models import Entry, Event, Player, Round, Section

_codes = count(1)


def section(*, players: int = 0, **fields: object) -> Section:
    event = Event.objects.create(name="岳阳公开赛", code=f"event{next(_codes)}")
    made = Section.objects.create(event=event, code="a", name="公开组", **fields)
    for number in range(1, players + 1):
        player = Player.objects.create(event=event, name=f"Player {number}", rating=2400 - 10 * number)
        Entry.objects.create(section=made, player=player, number=number)
    return made


def round_of(*, players: int, number: int = 1, state: str = Round.State.OPEN) -> Round:
    return Round.objects.create(section=section(players=players), number=number, state=state)


def boards(round_: Round) -> list[tuple[int, int | None]]:
    return list(round_.pairings.order_by("board", "pk").values_list("white_id", "black_id"))
