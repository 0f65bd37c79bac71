"""Knock-outs in the ledger: the bracket from the numbers or from the groups, who won a tie, the next round, the places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from django.db.models import Exists, OuterRef, Q

from tournaments import snapshot
from tournaments.engine import knockout, standings
from tournaments.engine.knockout import Progress, Tie
from tournaments.engine.tiebreaks import LOTS
from tournaments.engine.types import Board, Colour, Outcome, Round, Tournament
from tournaments.formats.policies import policy_of
from tournaments.models import MatchGame, Pairing, Section

NAME = "bracket"
GROUPS_NAME = "Berger tables by group"
_WHITE_WINS = frozenset({Outcome.WHITE, Outcome.BLACK_FORFEITS})
_BLACK_WINS = frozenset({Outcome.BLACK, Outcome.WHITE_FORFEITS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A tie of the ledger by entry: `winner` is None while nobody is told to go on; `begun` once anything is played."""

    pairing: int
    round: int
    board: int
    white: int
    black: int | None
    winner: int | None
    begun: bool

    @property
    def players(self) -> frozenset[int]:
        return frozenset(pk for pk in (self.white, self.black) if pk is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket with what the ledger says about it. `seeds` are the entries, the best first; `offset` rounds came before.

    `seated` are the ties as they are drawn. A tie that has begun is `fixed`, and so is whatever led to it: the one who
    sits in the tie after is the one who went on, whatever a result corrected since would say.
    """

    ties: tuple[Tie, ...]
    seeds: tuple[int, ...]
    offset: int
    progress: Progress
    seated: Mapping[int, Meeting]
    fixed: frozenset[int]

    @property
    def rounds_total(self) -> int:
        return self.offset + self.ties[-1].round

    def round_of(self, number: int) -> int:
        return number - self.offset

    def expected(self, tie: int) -> tuple[int, int] | None:
        """The two entries who belong in a tie by all that is known, the better seed first; None while one is open."""
        found = next((m for m in self.progress.meetings if m.tie == tie), None)
        return None if found is None else (self.seeds[found.upper - 1], self.seeds[found.lower - 1])

    def winner(self, tie: int) -> int | None:
        found = next((m.winner for m in self.progress.meetings if m.tie == tie), None)
        return None if found is None else self.seeds[found - 1]

    def fed_by(self, tie: int) -> list[Tie]:
        """The ties in which it is decided who goes on from `tie` and, for a third place, who does not."""
        return [each for each in self.ties if tie in knockout.feeders(each)]


def winner_of(outcome: str, advances: str, white: int, black: int | None) -> int | None:
    """Who goes on: whom the arbiter named, else the winner by the outcome. A bye goes on."""
    if black is None:
        return white
    if advances:
        return white if advances == Colour.WHITE else black
    if outcome in _WHITE_WINS:
        return white
    return black if outcome in _BLACK_WINS else None


def meetings_of(section: Section, *, public_only: bool = False) -> list[Meeting]:
    """All ties of the knock-out rounds, in order. One query."""
    rows = Pairing.objects.filter(round__section=section, round__number__gt=group_rounds(section))
    if public_only:
        rows = rows.filter(round__state__in=["PUBLISHED", "CLOSED"])
    has_games = Exists(MatchGame.objects.filter(pairing=OuterRef("pk")))
    return [
        Meeting(
            pairing=pk, round=number, board=board, white=white, black=black,
            winner=winner_of(outcome, advances, white, black), begun=begun,
        )
        for pk, number, board, white, black, outcome, advances, begun in rows.annotate(
            begun=~Q(outcome=Outcome.UNPLAYED) | has_games
        )
        .order_by("round__number", "board", "pk")
        .values_list("pk", "round__number", "board", "white_id", "black_id", "outcome", "advances", "begun")
    ]  # fmt: skip


def group_rounds(section: Section) -> int:
    """Rounds played in groups before the knock-out; 0 without groups. One query, none for a plain knock-out."""
    if section.format != Section.Format.GROUPS_KNOCKOUT:
        return 0
    sizes: dict[int, int] = {}
    for group in section.entries.filter(group__isnull=False).values_list("group", flat=True):
        sizes[group or 0] = sizes.get(group or 0, 0) + 1
    return max((size - 1 + size % 2 for size in sizes.values()), default=0)


def bracket_of(section: Section, meetings: Iterable[Meeting]) -> Bracket | None:
    """The bracket with the winners so far; None before it is drawn."""
    seeds = tuple(section.bracket)
    if len(seeds) < 2:
        return None
    offset = group_rounds(section)
    ties = knockout.bracket(len(seeds), third_place=section.third_place)
    seated = _seated(ties, seeds, offset, meetings)
    fixed = _fixed(ties, seated)
    return Bracket(
        ties=ties,
        seeds=seeds,
        offset=offset,
        progress=_progress(ties, seeds, seated, fixed),
        seated=seated,
        fixed=fixed,
    )


def _seated(
    ties: Sequence[Tie], seeds: Sequence[int], offset: int, meetings: Iterable[Meeting]
) -> dict[int, Meeting]:
    """The tie of each drawn board: where its players can come from; of two in the last round the final stands first."""
    seed_of = {entry: seed for seed, entry in enumerate(seeds, start=1)}
    reach = knockout.reach(ties)
    found: dict[int, Meeting] = {}
    drawn = [m for m in meetings if m.black is not None and m.players <= seed_of.keys()]
    for meeting in sorted(drawn, key=lambda m: (m.round, m.board)):
        own = {seed_of[pk] for pk in meeting.players}
        fitting = sorted(
            (t for t in ties if t.round == meeting.round - offset and own <= reach[t.number]),
            key=lambda t: (t.third_place, t.number),
        )
        tie = next((t for t in fitting if t.number not in found), None)
        if tie is not None:
            found[tie.number] = meeting
    return found


def _fixed(ties: Sequence[Tie], seated: Mapping[int, Meeting]) -> frozenset[int]:
    found: set[int] = set()
    for tie in sorted(ties, key=lambda t: t.round, reverse=True):
        if tie.number in seated and seated[tie.number].begun:
            found.add(tie.number)
        if tie.number in found:
            found.update(number for number in knockout.feeders(tie) if number in seated)
    return frozenset(found)


def _progress(
    ties: Sequence[Tie], seeds: Sequence[int], seated: Mapping[int, Meeting], fixed: frozenset[int]
) -> Progress:
    """Round by round: who won a tie counts once its two are those who sit there."""
    seed_of = {entry: seed for seed, entry in enumerate(seeds, start=1)}
    winners: dict[int, int] = {}
    for round_ in range(1, ties[-1].round + 1):
        for coming in knockout.progress(ties, winners).open:
            meeting = seated.get(coming.tie)
            if coming.round != round_ or meeting is None:
                continue
            winner = _went_on(coming.tie, ties, seated, fixed) or meeting.winner
            if winner is not None and {seed_of[pk] for pk in meeting.players} == {coming.upper, coming.lower}:
                winners[coming.tie] = seed_of[winner]
    return knockout.progress(ties, winners)


def _went_on(
    number: int, ties: Sequence[Tie], seated: Mapping[int, Meeting], fixed: frozenset[int]
) -> int | None:
    """Who went on from a tie by the ties after it that have begun; None where none has."""
    players = seated[number].players
    for after in ties:
        if after.number in fixed and number in knockout.feeders(after):
            there = players & seated[after.number].players
            if len(there) == 1:
                return next(iter(players - there if after.third_place else there))
    return None


def seeds_of(section: Section, snap: snapshot.Snapshot) -> list[int]:
    """The entries of the knock-out by seed: by number, or from the tables of the groups."""
    if section.format == Section.Format.KNOCKOUT:
        return [snap.entry_of[number] for number in sorted(snap.entry_of)]
    tables = [
        [row.number for row in table.rows if row.placed]
        for table in group_tables(section, snap.tournament, snap)
    ]
    places = min(section.group_places, *(len(table) for table in tables))
    return [snap.entry_of[number] for number in knockout.qualified(tables, per_group=places)]


def group_tables(
    section: Section, tournament: Tournament, snap: snapshot.Snapshot
) -> list[standings.Standings]:
    """A table for each group over its own games, by the section's tie-breaks. Lots decide what is still equal."""
    last = group_rounds(section)
    groups: dict[int, set[int]] = {}
    for pk, group in section.entries.filter(group__isnull=False).values_list("pk", "group"):
        if pk in snap.number_of:
            groups.setdefault(group or 0, set()).add(snap.number_of[pk])
    return [
        standings.compute(
            of_group(tournament, members, last=last),
            tiebreaks=tuple(section.tiebreaks),
            policy=policy_of(section, annuls=False),
            after_round=min(last, len(tournament.rounds)),
            lot_seed=section.seed,
        )
        for _number, members in sorted(groups.items())
    ]


def settled_by_lot(table: standings.Standings) -> frozenset[int]:
    """The numbers in a group's table whose place only the lot decided, against the one above or the one below."""
    found: set[int] = set()
    for above, row in pairwise(table.rows):
        if row.separated_by == LOTS:
            found |= {above.number, row.number}
    return frozenset(found)


def of_group(tournament: Tournament, members: set[int], *, last: int) -> Tournament:
    return Tournament(
        name=tournament.name,
        players=tuple(player for player in tournament.players if player.number in members),
        rounds=tuple(
            Round(number=played.number, boards=tuple(b for b in played.boards if b.white in members))
            for played in tournament.rounds[:last]
        ),
        scheme=tournament.scheme,
        rounds_total=last,
        adjustments=tuple(a for a in tournament.adjustments if a.player in members and a.after_round <= last),
    )


def group_draw(snap: snapshot.Snapshot, section: Section) -> tuple[dict[int, int], list[tuple[Board, ...]]]:
    """Group of each number, and the boards of all groups by round, numbered through."""
    dealt = knockout.groups_by_seed(len(snap.entry_of), groups=section.groups)
    group_of = {number: index for index, group in enumerate(dealt, start=1) for number in group}
    rounds: list[list[Board]] = []
    for group in dealt:
        for index, round_ in enumerate(knockout.group_rounds(group)):
            if index == len(rounds):
                rounds.append([])
            rounds[index] += round_.boards
    return group_of, [_numbered(boards) for boards in rounds]


def _numbered(boards: Sequence[Board]) -> tuple[Board, ...]:
    games = [b for b in boards if b.black is not None]
    rests = [b for b in boards if b.black is None]
    return (
        *(
            Board(number=place, white=b.white, black=b.black, outcome=b.outcome)
            for place, b in enumerate(games, start=1)
        ),
        *rests,
    )


def boards_of_round(
    section: Section, snap: snapshot.Snapshot, bracket: Bracket, number: int
) -> tuple[Board, ...]:
    """The ties of a round by pairing number: the final first, a match for the third place after it, byes last."""
    round_ = bracket.round_of(number)
    third = {tie.number for tie in bracket.ties if tie.third_place}
    coming = sorted(
        (m for m in bracket.progress.open if m.round == round_), key=lambda m: (m.tie in third, m.tie)
    )
    whites = _white_games(snap.tournament)
    boards = []
    for place, meeting in enumerate(coming, start=1):
        upper, lower = (snap.number_of[bracket.seeds[seed - 1]] for seed in (meeting.upper, meeting.lower))
        turned = _is_turned(upper, lower, whites, seed=section.seed, tie=meeting.tie)
        white, black = (lower, upper) if turned else (upper, lower)
        boards.append(Board(number=place, white=white, black=black))
    if round_ == 1:
        boards += [
            Board(number=0, white=snap.number_of[bracket.seeds[seed - 1]], black=None, outcome=Outcome.BYE)
            for seed in _byes(bracket.ties)
        ]
    return tuple(boards)


def _is_turned(upper: int, lower: int, whites: Mapping[int, int], *, seed: int, tie: int) -> bool:
    """White to whoever had it less often; else a lot of the section's seed for each tie."""
    if whites.get(upper, 0) != whites.get(lower, 0):
        return whites.get(upper, 0) > whites.get(lower, 0)
    return Random(f"{seed}/{tie}").randrange(2) == 1


def _byes(ties: Sequence[Tie]) -> list[int]:
    return sorted(max(tie.upper.number, tie.lower.number) for tie in ties if tie.is_bye)


def _white_games(tournament: Tournament) -> dict[int, int]:
    """Games with White less games with Black, by number."""
    balance: dict[int, int] = {}
    for played in tournament.rounds:
        for board in played.boards:
            if board.black is not None:
                balance[board.white] = balance.get(board.white, 0) + 1
                balance[board.black] = balance.get(board.black, 0) - 1
    return balance


def undecided(section: Section) -> list[int]:
    """Boards of public knock-out rounds that have a result but nobody who goes on."""
    return [
        board
        for board, white, black, outcome, advances in Pairing.objects.filter(
            round__section=section,
            round__number__gt=group_rounds(section),
            round__state__in=["PUBLISHED", "CLOSED"],
        )
        .order_by("round__number", "board")
        .values_list("board", "white_id", "black_id", "outcome", "advances")
        if outcome != Outcome.UNPLAYED and winner_of(outcome, advances, white, black) is None
    ]
