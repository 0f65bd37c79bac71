"""Events, sections, entries, rounds and tables for tests, made straight in the database: no service, no job.

Names, ratings and clubs follow from the number alone, so that a test can say exactly what it expects.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from django.utils import timezone

from tournaments.engine.types import BYES, Outcome
from tournaments.models import (
    Adjustment,
    Entry,
    Event,
    Pairing,
    Player,
    Role,
    Round,
    Section,
    Standings,
    User,
)
from tournaments.wording import names

_serial = count(1)

FAMILY = ["张", "王", "李", "欧阳", "单", "陈", "Müller", "Ndiaye", "van der Wal", "Čížek"]
GIVEN = ["伟", "芳", "小明", "修", "雄", "静怡", "Jürgen", "Aïssata", "Jan Pieter", "Radim"]

# (white entry, black entry or None for a bye, outcome)
Board = tuple[Entry, Entry | None, Outcome]


def make_user(username: str = "", *, password: str = "correct horse", **fields: Any) -> User:
    return User.objects.create_user(username or f"user{next(_serial)}", password=password, **fields)


def make_role(user: User, event: Event, kind: str = Role.Kind.ORGANIZER) -> Role:
    return Role.objects.create(user=user, event=event, kind=kind)


def make_event(*, state: str = Event.State.OPEN, **fields: Any) -> Event:
    fields.setdefault("name", f"第{next(_serial)}届国际跳棋公开赛")
    fields.setdefault("starts_on", dt.date(2026, 11, 28))
    fields.setdefault("ends_on", dt.date(2026, 12, 2))
    return Event.objects.create(state=state, **fields)


def make_section(event: Event | None = None, **fields: Any) -> Section:
    fields.setdefault("code", "open")
    fields.setdefault("name", "公开组")
    fields.setdefault("name_en", "Open")
    fields.setdefault("tiebreaks", ["SOLKOFF_MEDIAN", "SOLKOFF", "WINS"])
    return Section.objects.create(event=event or make_event(), **fields)


def person_name(index: int) -> str:
    """Chinese names and others by turns; every name of a list is different."""
    family, given = FAMILY[(index - 1) % len(FAMILY)], GIVEN[(index - 1) % len(GIVEN)]
    turn = (index - 1) // len(FAMILY)
    if names.is_chinese(family):
        return (
            family
            + given
            + ("" if not turn else "一二三四五六七八九十"[(turn - 1) % 10] * (1 + (turn - 1) // 10))
        )
    return f"{given} {family}" + (f" {turn + 1}" if turn else "")


def make_entry(section: Section, *, number: int | None = None, name: str = "", **fields: Any) -> Entry:
    name = name or person_name(number or next(_serial))
    person: dict[str, Any] = {
        "family_name": names.split_family(name),
        "latin_name": names.latin(name),
        "rating": max(2400 - 10 * number, 0) if number else 0,
        "club": ["Beijing", "上海", ""][(number or 0) % 3],
        "federation": "CHN" if names.is_chinese(name) else "NED",
        **{key: fields.pop(key) for key in list(fields) if key in {"rating", "club", "federation", "title"}},
    }
    player = Player.objects.create(event=section.event, name=name, **person)
    player.search_keys = names.search_keys(name, player.latin_name, player.family_name)
    player.save(update_fields=["search_keys"])
    return Entry.objects.create(section=section, player=player, number=number, **fields)


def make_entries(section: Section, number: int) -> list[Entry]:
    """Entries with pairing numbers 1..number, the strongest first."""
    return [make_entry(section, number=index) for index in range(1, number + 1)]


def make_round(
    section: Section,
    boards: Iterable[Board],
    *,
    number: int | None = None,
    state: str = Round.State.PUBLISHED,
    **fields: Any,
) -> Round:
    """A round with its boards in order; byes get board 0. A published one counts up the section's versions."""
    last = section.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    is_public = state in (Round.State.PUBLISHED, Round.State.CLOSED)
    if is_public:
        fields.setdefault("published_at", timezone.now())
    round_ = Round.objects.create(section=section, number=number or last + 1, state=state, **fields)
    board_number = 0
    for white, black, outcome in boards:
        is_bye = outcome in BYES
        board_number += 0 if is_bye else 1
        Pairing.objects.create(
            round=round_, board=0 if is_bye else board_number, white=white, black=black, outcome=outcome.value
        )
    bump(section, public=is_public)
    return round_


def draw(entries: Sequence[Entry], number: int, *, outcomes: Sequence[Outcome] = ()) -> list[Board]:
    """Boards of round `number` by turning a circle: nobody meets twice in len(entries) - 1 rounds; odd: one bye.

    `outcomes` go round; without any every board is open.
    """
    circle: list[Entry | None] = [*entries] if len(entries) % 2 == 0 else [*entries, None]
    turned = [circle[0], *circle[1:][-(number - 1) :], *circle[1:][: -(number - 1)]] if number > 1 else circle
    half = len(turned) // 2
    found: list[Board] = []
    for index in range(half):
        white, black = turned[index], turned[-1 - index]
        if number % 2 == 0:
            white, black = black, white
        if white is None or black is None:
            found.append(((white or black), None, Outcome.BYE))  # type: ignore[arg-type]
        else:
            outcome = outcomes[index % len(outcomes)] if outcomes else Outcome.UNPLAYED
            found.append((white, black, outcome))
    return sorted(found, key=lambda board: board[1] is None)


def play_rounds(section: Section, entries: Sequence[Entry], number: int) -> list[Round]:
    """Rounds with results of every kind in a fixed order, each published."""
    cycle = [Outcome.WHITE, Outcome.DRAW, Outcome.BLACK, Outcome.WHITE, Outcome.BLACK_FORFEITS]
    return [
        make_round(section, draw(entries, index, outcomes=cycle[index % 3 :] + cycle[: index % 3]))
        for index in range(1, number + 1)
    ]


def make_adjustment(entry: Entry, *, points: int, after_round: int, reason: str = "ruling") -> Adjustment:
    bump(entry.section, public=True)
    return Adjustment.objects.create(
        section=entry.section, entry=entry, points=points, after_round=after_round, reason=reason
    )


def make_standings(section: Section, *, after_round: int | None = None, final: bool = False) -> Standings:
    """The table that the standings job would store."""
    from tournaments import snapshot
    from tournaments.selectors.standing_tables import compute_table

    section.refresh_from_db()
    snap = snapshot.load(section, public_only=True)
    last = after_round or len(snap.tournament.rounds)
    table = compute_table(section, snap, after_round=last, final=final)
    table.save()
    return table


def bump(section: Section, *, public: bool) -> None:
    section.refresh_from_db(fields=["version", "public_version"])
    section.version += 1
    section.public_version += int(public)
    section.save(update_fields=["version", "public_version"])
