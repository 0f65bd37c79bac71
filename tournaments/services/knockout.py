"""Knock-outs in the ledger: the bracket from the numbers or from the groups, who won a tie, the next round, the places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tournaments import snapshot
from tournaments.engine import knockout, standings
from tournaments.engine.knockout import Progress, Tie
from tournaments.engine.types import Board, Colour, Outcome, Round, Tournament
from tournaments.models import Pairing, Section
from tournaments.services.standings import policy_of

NAME = "bracket"
GROUPS_NAME = "Berger tables by group"
_WHITE_WINS = frozenset({Outcome.WHITE, Outcome.BLACK_FORFEITS})
_BLACK_WINS = frozenset({Outcome.BLACK, Outcome.WHITE_FORFEITS})


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A tie of the ledger by entry: `winner` is None while nobody is told to go on."""

    round: int
    white: int
    black: int | None
    winner: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket with what the ledger says about it. `seeds` are the entries, the best first; `offset` rounds came before."""

    ties: tuple[Tie, ...]
    seeds: tuple[int, ...]
    offset: int
    progress: Progress

    @property
    def rounds_total(self) -> int:
        return self.offset + self.ties[-1].round

    def round_of(self, number: int) -> int:
        return number - self.offset


def winner_of(outcome: str, advances: str, white: int, black: int | None) -> int | None:
    """Who goes on: the winner by the outcome, else whom the arbiter named. A bye goes on."""
    if black is None or outcome in _WHITE_WINS:
        return white
    if outcome in _BLACK_WINS:
        return black
    if outcome == Outcome.UNPLAYED or not advances:
        return None
    return white if advances == Colour.WHITE else black


def meetings_of(section: Section, *, public_only: bool = False) -> list[Meeting]:
    """All ties of the knock-out rounds, in order. One query."""
    rows = Pairing.objects.filter(round__section=section, round__number__gt=group_rounds(section))
    if public_only:
        rows = rows.filter(round__state__in=["PUBLISHED", "CLOSED"])
    return [
        Meeting(round=number, white=white, black=black, winner=winner_of(outcome, advances, white, black))
        for number, white, black, outcome, advances in rows.order_by("round__number", "board").values_list(
            "round__number", "white_id", "black_id", "outcome", "advances"
        )
    ]


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
    return Bracket(ties=ties, seeds=seeds, offset=offset, progress=_progress(ties, seeds, offset, meetings))


def _progress(
    ties: Sequence[Tie], seeds: Sequence[int], offset: int, meetings: Iterable[Meeting]
) -> Progress:
    """Round by round: a winner is looked up once both sides of his tie are known."""
    seed_of = {entry: seed for seed, entry in enumerate(seeds, start=1)}
    decided = {
        (meeting.round - offset, frozenset((seed_of[meeting.white], seed_of[meeting.black]))): seed_of[
            meeting.winner
        ]
        for meeting in meetings
        if meeting.winner in seed_of and meeting.white in seed_of and meeting.black in seed_of
    }
    winners: dict[int, int] = {}
    for round_ in range(1, ties[-1].round + 1):
        for open_ in knockout.progress(ties, winners).open:
            found = decided.get((round_, frozenset((open_.upper, open_.lower))))
            if open_.round == round_ and found is not None:
                winners[open_.tie] = found
    return knockout.progress(ties, winners)


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
            policy=policy_of(section),
            after_round=min(last, len(tournament.rounds)),
            lot_seed=section.seed,
        )
        for _number, members in sorted(groups.items())
    ]


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
