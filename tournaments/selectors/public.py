"""What everybody may see: events that are not drafts, rounds that are published, and nothing of the others."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from django.db.models import Count, Prefetch, Q

from tournaments import formats
from tournaments.engine import types as engine
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.types import Board, Outcome, Player, Tournament
from tournaments.formats import policy_of
from tournaments.models import PUBLIC_STATES, Adjustment, Entry, Event, Pairing, Round, Section
from tournaments.selectors import points
from tournaments.selectors.points import Line
from tournaments.wording import categories
from tournaments.wording.names import plain


class Period(StrEnum):
    NOW = "now"
    SOON = "soon"
    PAST = "past"


def period_of(event: Event, today: dt.date) -> Period:
    """An event without dates counts as running until it is closed."""
    last = event.ends_on or event.starts_on
    if event.state == Event.State.CLOSED or (last and last < today):
        return Period.PAST
    if event.starts_on and event.starts_on > today:
        return Period.SOON
    return Period.NOW


def events() -> list[Event]:
    """All public events, latest first, each with its sections. Two queries."""
    return list(
        Event.objects.exclude(state=Event.State.DRAFT).prefetch_related(
            Prefetch("sections", queryset=Section.objects.order_by("position", "id"))
        )
    )


def matching(found: Iterable[Event], query: str) -> list[Event]:
    """The events whose name, place or code holds every word of the query, accents and case apart."""
    words = [plain(word) for word in query.split()]
    return [event for event in found if all(word in _event_key(event) for word in words)]


def _event_key(event: Event) -> str:
    return " ".join(plain(text) for text in (event.name, event.name_en, event.place, event.code))


def event_by_code(code: str) -> Event | None:
    """Drafts too: whoever asks decides who may see one."""
    return Event.objects.filter(code=code).first()


def section_by_code(event_code: str, code: str) -> Section | None:
    return (
        Section.objects.select_related("event", "registration_terms")
        .filter(event__code=event_code, code=code)
        .first()
    )


def sections_of(event: Event) -> list[Section]:
    return list(event.sections.order_by("position", "id"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A round to come whose start was made known; of the round itself nothing is told."""

    number: int
    starts_at: dt.datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """Where a section stands, of what is public. `round` is the one being played: the latest public one, in a round
    robin that is published whole the first that is not over. `standing_round` is the one that points are told after.
    """

    section: Section
    players: int
    round: Round | None = None
    boards: int = 0
    results: int = 0
    standing_round: int = 0
    announced: Announced | None = None

    @property
    def is_over(self) -> bool:
        return self.section.state == Section.State.CLOSED

    @property
    def missing(self) -> int:
        return self.boards - self.results

    @property
    def is_begun(self) -> bool:
        """Whether the round is being played: some of its results are in, or awaited, and not all."""
        return bool(self.round) and bool(self.missing) and not self.is_over

    @property
    def rounds_done(self) -> int:
        if self.round is None:
            return 0
        return self.round.number - (1 if self.missing else 0)


_PUBLIC_OR_ANNOUNCED = Q(state__in=PUBLIC_STATES) | Q(starts_at__isnull=False)


def _told(rounds: Iterable[Round]) -> tuple[list[Round], Announced | None]:
    """Rounds in order, split: the public ones, and the announcement of the first after them."""
    found = list(rounds)
    public = [round_ for round_ in found if round_.is_public]
    last = public[-1].number if public else 0
    coming = (r for r in found if r.number > last and r.starts_at is not None)
    announced = next(
        (Announced(number=r.number, starts_at=r.starts_at) for r in coming if r.starts_at is not None), None
    )
    return public, announced


class Tally(NamedTuple):
    """How far a public round is: boards with a result, of boards (byes apart)."""

    number: int
    results: int
    boards: int


def _standing_round(tallies: Sequence[Tally]) -> int:
    """The latest round with any result; a round just published only repeats the points before it, byes apart."""
    return max((tally.number for tally in tallies if tally.results), default=min(1, len(tallies)))


def _current_round(tallies: Sequence[Tally], *, published_whole: bool) -> int:
    if not tallies:
        return 0
    if not published_whole:
        return tallies[-1].number
    scored = [tally for tally in tallies if tally.results]
    if not scored:
        return tallies[0].number
    latest = scored[-1]
    following = latest.number + (latest.results == latest.boards)
    return min(following, tallies[-1].number)


_BOARD = Q(pairings__black__isnull=False)
_WITH_RESULT = _BOARD & ~Q(pairings__outcome=Outcome.UNPLAYED.value)


def statuses(sections: Sequence[Section]) -> list[Status]:
    """One status per section, in two queries whatever their number."""
    rounds = (
        Round.objects.filter(_PUBLIC_OR_ANNOUNCED, section__in=sections)
        .annotate(boards=Count("pairings", filter=_BOARD), results=Count("pairings", filter=_WITH_RESULT))
        .order_by("number")
    )
    by_section: dict[int, list[Round]] = {section.pk: [] for section in sections}
    for round_ in rounds:
        by_section[round_.section_id].append(round_)
    players = dict(
        Entry.objects.filter(section__in=sections)
        .values_list("section_id")
        .annotate(players=Count("pk"))
        .order_by()
    )
    return [_status(section, by_section[section.pk], players.get(section.pk, 0)) for section in sections]


def _status(section: Section, rounds: list[Round], players: int) -> Status:
    public, announced = _told(rounds)
    tallies = [
        Tally(number=r.number, results=getattr(r, "results", 0), boards=getattr(r, "boards", 0))
        for r in public
    ]
    current = _current_round(tallies, published_whole=formats.of(section).drawn_ahead)
    return Status(
        section=section,
        players=players,
        round=next((r for r in public if r.number == current), None),
        boards=next((t.boards for t in tallies if t.number == current), 0),
        results=next((t.results for t in tallies if t.number == current), 0),
        standing_round=_standing_round(tallies),
        announced=announced,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Points given or taken by a ruling."""

    entry: int
    points: int
    after_round: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The public rounds of a section, whole. Entry keys point into `entries`."""

    section: Section
    entries: dict[int, Entry]
    rounds: list[Round]
    extras: list[Extra]
    tournament: Tournament
    policy: TieBreakPolicy
    announced: Announced | None

    @property
    def last_round(self) -> int:
        return self.rounds[-1].number if self.rounds else 0

    @cached_property
    def entry_of(self) -> dict[int, int]:
        return {entry.number: pk for pk, entry in self.entries.items() if entry.number is not None}

    @cached_property
    def lines(self) -> list[Line]:
        return points.lines(
            self.tournament, policy=self.policy, entry_of=self.entry_of, after_round=self.last_round
        )

    def round(self, number: int) -> Round | None:
        return next((round_ for round_ in self.rounds if round_.number == number), None)

    def of_round(self, number: int) -> list[Line]:
        return [item for item in self.lines if item.round == number]

    def points_after(self, number: int) -> dict[int, int]:
        found = points.totals(
            self.tournament, policy=self.policy, entry_of=self.entry_of, after_round=max(number, 0)
        )
        return {pk: found.get(pk, 0) for pk in self.entries}

    def points_before(self, number: int) -> dict[int, int]:
        return self.points_after(number - 1)

    @cached_property
    def tallies(self) -> list[Tally]:
        counts = {round_.number: [0, 0] for round_ in self.rounds}
        for item in self.lines:
            if not item.is_bye and item.round in counts:
                counts[item.round][0] += item.has_result
                counts[item.round][1] += 1
        return [
            Tally(number=number, results=results, boards=boards)
            for number, (results, boards) in counts.items()
        ]

    @property
    def standing_round(self) -> int:
        """The round after which points are told where no other is named."""
        return _standing_round(self.tallies)

    @property
    def current_round(self) -> int:
        """The round being played, 0 before any is public."""
        return _current_round(self.tallies, published_whole=formats.of(self.section).drawn_ahead)

    def points_now(self) -> dict[int, int]:
        return self.points_after(self.standing_round)

    def results_in(self, number: int) -> tuple[int, int]:
        """(boards with a result, boards) of a round, byes apart."""
        return next(((t.results, t.boards) for t in self.tallies if t.number == number), (0, 0))

    def results_behind(self, number: int) -> tuple[int, int]:
        """The same for the table after a round: of that round, and of all up to it when earlier ones are open."""
        earlier = [tally for tally in self.tallies if tally.number < number]
        if all(tally.results == tally.boards for tally in earlier):
            return self.results_in(number)
        through = [tally for tally in self.tallies if tally.number <= number]
        return sum(tally.results for tally in through), sum(tally.boards for tally in through)

    def status(self) -> Status:
        current = self.current_round
        results, boards = self.results_in(current)
        return Status(
            section=self.section,
            players=len(self.entries),
            round=self.round(current),
            boards=boards,
            results=results,
            standing_round=self.standing_round,
            announced=self.announced,
        )

    def clubs(self) -> list[str]:
        return sorted({entry.player.club for entry in self.entries.values() if entry.player.club})

    def categories(self) -> list[tuple[str, str]]:
        return categories.offered(self.section.event, self.entries.values())

    def federations(self) -> list[str]:
        return sorted({entry.player.federation for entry in self.entries.values() if entry.player.federation})


def ledger(section: Section) -> Ledger:
    """Four queries: entries with players, public rounds, their boards, adjustments."""
    rounds, announced = _told(section.rounds.filter(_PUBLIC_OR_ANNOUNCED).order_by("number"))
    last = rounds[-1].number if rounds else 0
    entries = _without_drafts(
        section.entries.select_related("player").order_by("number", "player__name", "pk"), last=last
    )
    extras = _extras(section, last=last)
    return Ledger(
        section=section,
        entries={entry.pk: entry for entry in entries},
        rounds=rounds,
        extras=extras,
        tournament=_tournament(section, entries, extras),
        policy=policy_of(section),
        announced=announced,
    )


def _without_drafts(entries: Iterable[Entry], *, last: int) -> list[Entry]:
    """The entries as the public rounds know them; the objects are for reading only.

    Pairing numbers are given when round 1 is drawn up, and drawing up a round may put an absent player out: until that
    round is published both would tell of a draft.
    """
    found = list(entries)
    for entry in found:
        if entry.withdrawn_after_round is not None and entry.withdrawn_after_round > last:
            entry.status, entry.withdrawn_after_round = Entry.Status.ACTIVE, None
        if not last:
            entry.number = None
    if last:
        return found
    return sorted(found, key=lambda entry: (-entry.player.rating, entry.player.name, entry.pk))


def _tournament(section: Section, entries: list[Entry], extras: list[Extra]) -> Tournament:
    number_of = {entry.pk: entry.number for entry in entries if entry.number is not None}
    return Tournament(
        name=section.name,
        players=tuple(
            Player(
                number=entry.number,
                name=entry.player.name,
                rating=entry.player.rating,
                withdrawn_after=entry.withdrawn_after_round,
            )
            for entry in entries
            if entry.number is not None
        ),
        rounds=_boards(section, number_of),
        scheme=section.result_scheme,
        rounds_total=section.rounds_total,
        adjustments=tuple(
            engine.Adjustment(
                player=number_of[extra.entry],
                points=extra.points,
                after_round=extra.after_round,
                reason=extra.reason,
            )
            for extra in extras
            if extra.entry in number_of
        ),
    )


def _boards(section: Section, number_of: dict[int, int]) -> tuple[engine.Round, ...]:
    boards: dict[int, list[Board]] = {}
    rows = (
        Pairing.objects.filter(round__section=section, round__state__in=PUBLIC_STATES)
        .order_by("round__number", "board", "id")
        .values_list("round__number", "board", "white_id", "black_id", "outcome", "grade")
    )
    for number, board, white, black, outcome, grade in rows:
        boards.setdefault(number, []).append(
            Board(
                number=board,
                white=number_of[white],
                black=number_of[black] if black is not None else None,
                outcome=Outcome(outcome),
                grade=grade,
            )
        )
    last = max(boards, default=0)
    return tuple(engine.Round(number=n, boards=tuple(boards.get(n, ()))) for n in range(1, last + 1))


def _extras(section: Section, *, last: int) -> list[Extra]:
    """A ruling for a round that is not public yet waits with it."""
    rows = Adjustment.objects.filter(section=section, after_round__lte=last).order_by("after_round", "pk")
    return [
        Extra(entry=item.entry_id, points=item.points, after_round=item.after_round, reason=item.reason)
        for item in rows
    ]


def search_text(entry: Entry) -> str:
    """What a typed name is looked for in: the stored keys, and the number."""
    keys = entry.player.search_keys or plain(entry.player.name)
    return f"{keys} {entry.number}" if entry.number else keys


def found_by(entry: Entry, query: str) -> bool:
    """Every word of the query starts or stands inside a key; a number must be the whole number."""
    words = [plain(word) for word in query.split()]
    keys = search_text(entry).split()
    return all(any(word == key if word.isdigit() else word in key for key in keys) for word in words if word)


def published_round(section: Section, number: int) -> Round | None:
    found = section.rounds.filter(number=number, state__in=PUBLIC_STATES).first()
    if found is not None:
        found.section = section
    return found


def paired_text(section: Section, number: int) -> str:
    """The engine's input of a public round and the boards it gave, as the round's digest was taken; "" without one."""
    rounds = section.rounds.filter(number=number, state__in=PUBLIC_STATES)
    canonical, proposal = rounds.values_list("canonical_input", "proposal").first() or ("", [])
    if not canonical:
        return ""
    lines = "\n".join(f"{white} {black or 0}" for _board, white, black in proposal)
    return f"{canonical}\n{lines}\n"
