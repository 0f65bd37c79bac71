"""What an event's own page tells of all its sections at once: starts, leaders, the first boards, news, who is searched for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from tournaments import formats
from tournaments.engine.types import Colour
from tournaments.models import PUBLIC_STATES, Entry, Event, Notice, Pairing, Player, Round, Section, Standings
from tournaments.selectors import boards, public
from tournaments.selectors.boards import Row
from tournaments.selectors.public import Status
from tournaments.wording.names import plain

FIRST_BOARDS = 3
NEWS = 4
FOUND_AT_MOST = 40


def sections_with_tables(sections: QuerySet[Section] | None = None) -> QuerySet[Section]:
    """Sections in order; `newest_table` is the key of the table after the latest public round that has one."""
    tables = Standings.objects.filter(
        section=OuterRef("pk"),
        section__rounds__number=F("after_round"),
        section__rounds__state__in=PUBLIC_STATES,
    ).order_by("-after_round", "-version")
    rows = Section.objects.all() if sections is None else sections
    rows = rows.select_related("registration_terms")
    return rows.annotate(newest_table=Subquery(tables.values("pk")[:1])).order_by("position", "id")


def newest_table(section: Section) -> int | None:
    return getattr(section, "newest_table", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The announced start of a round. `is_over`: all its results are in, or a later round is played."""

    section: Section
    number: int
    starts_at: dt.datetime
    is_over: bool
    is_running: bool


def schedule(statuses: Sequence[Status]) -> list[Start]:
    """The starts that were made known, in order of time. One query."""
    by_section = {status.section.pk: status for status in statuses}
    rounds = Round.objects.filter(section__in=by_section, starts_at__isnull=False)
    return [
        _start(by_section[round_.section_id], round_)
        for round_ in rounds.order_by("starts_at", "section__position", "number")
    ]


def _start(status: Status, round_: Round) -> Start:
    assert round_.starts_at is not None
    current = status.round.number if status.round else 0
    complete = round_.number == current and not status.missing
    return Start(
        section=status.section,
        number=round_.number,
        starts_at=round_.starts_at,
        is_over=status.is_over or round_.number < current or complete,
        is_running=round_.number == current and bool(status.results) and not complete,
    )


def next_start(starts: Iterable[Start]) -> Start | None:
    """The first start of a round that has no result yet."""
    return next((start for start in starts if not start.is_over and not start.is_running), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    player: Player
    points: int


def leaders(sections: Iterable[Section]) -> dict[int, Leader]:
    """Who leads the newest table of each section, by section. Two queries."""
    keys = [key for section in sections if (key := newest_table(section)) is not None]
    first = dict(Standings.objects.filter(pk__in=keys).values_list("section_id", "rows__0"))
    rows = {pk: row for pk, row in first.items() if row and row.get("placed", True) and row["points"]}
    entries = Entry.objects.select_related("player").in_bulk([row["entry"] for row in rows.values()])
    return {
        pk: Leader(player=entries[row["entry"]].player, points=row["points"])
        for pk, row in rows.items()
        if row["entry"] in entries
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBoards:
    status: Status
    rows: list[Row]


def first_boards(statuses: Sequence[Status]) -> FirstBoards | None:
    """The first boards of the first section that is being played, else of the first that was. Four queries."""
    played = [
        status
        for status in statuses
        if status.round is not None and not formats.of(status.section).has_matches(status.section)
    ]
    status = next((s for s in played if not s.is_over), next(iter(played), None))
    if status is None or status.round is None:
        return None
    rows, _byes, _idle = boards.rows(public.ledger(status.section), status.round.number)
    return FirstBoards(status=status, rows=rows[:FIRST_BOARDS])


def news(event: Event) -> list[Notice]:
    """The latest notices in force. One query."""
    rows = Notice.objects.filter(event=event, withdrawn_at__isnull=True).select_related("section", "pairing")
    return list(rows[:NEWS])


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Somebody who was searched for, and where he sits in the round being played."""

    entry: Entry
    pairing: Pairing | None = None

    @property
    def colour(self) -> Colour | None:
        if self.pairing is None or self.pairing.black_id is None:
            return None
        return Colour.WHITE if self.pairing.white_id == self.entry.pk else Colour.BLACK

    @property
    def opponent(self) -> Entry | None:
        if self.pairing is None:
            return None
        return self.pairing.black if self.pairing.white_id == self.entry.pk else self.pairing.white


def search(query: str, *, event: Event | None = None) -> list[Entry]:
    """Entries of an event, or of all public events, whose keys hold every word; a number is a pairing number. One query."""
    words = [word for word in map(plain, query.split()) if word]
    if not words:
        return []
    found = Entry.objects.select_related("player", "section__event").exclude(player__search_keys="")
    found = (
        found.filter(section__event=event)
        if event
        else found.exclude(section__event__state=Event.State.DRAFT)
    )
    for word in words:
        found = found.filter(_holds(word))
    return list(
        found.order_by("-section__event__starts_on", "section__position", "player__name")[:FOUND_AT_MOST]
    )


def _holds(word: str) -> Q:
    if not (word.isascii() and word.isdigit()):
        return Q(player__search_keys__contains=word)
    # Numbers are given when round 1 is drawn up, and told when it is published.
    public_round = Round.objects.filter(section=OuterRef("section"), state__in=PUBLIC_STATES)
    number = int(word) if len(word) < 6 else 0
    return Q(Exists(public_round), number=number)


def seated(entries: Sequence[Entry], statuses: Sequence[Status]) -> list[Found]:
    """The entries with their boards in the rounds being played. One query."""
    rounds = [status.round for status in statuses if status.round is not None]
    keys = [entry.pk for entry in entries]
    rows = Pairing.objects.filter(round__in=rounds).filter(Q(white__in=keys) | Q(black__in=keys))
    at: Mapping[int, Pairing] = {
        key: pairing
        for pairing in rows.select_related("round", "white__player", "black__player")
        for key in (pairing.white_id, pairing.black_id)
        if key is not None
    }
    return [Found(entry=entry, pairing=at.get(entry.pk)) for entry in entries]
