"""What would follow if: the table, and the pairings to come, after changes that nobody makes. Nothing is written.

A change is what the ledger's verbs do, said as a value; the court says what a ruling or a decision would change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tournaments import formats, snapshot
from tournaments.engine import swiss
from tournaments.engine import types as engine
from tournaments.engine.types import MIRROR, PLAYED, Board, EngineError, Outcome, Tournament
from tournaments.formats import brackets
from tournaments.formats.departures import Drawn
from tournaments.models import Entry, Pairing, Round, Section, Standings, last_public
from tournaments.selectors import interrupted, match_games
from tournaments.selectors.standing_tables import compute_table
from tournaments.snapshot import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOutcome:
    pairing: int
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGame:
    """The outcome of one game of a match; the match follows."""

    pairing: int
    number: int
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust:
    entry: int
    points: int
    after_round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Disqualify:
    entry: int
    round_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetStatus:
    """An entry's status and leaving as they were before."""

    entry: int
    status: str
    withdrawn_after_round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnColours:
    pairing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warn:
    """Public warnings more, or with a minus fewer, for the tie-break by fouls."""

    entry: int
    count: int


Change = SetOutcome | SetGame | Adjust | Disqualify | SetStatus | TurnColours | Warn


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player's row now and then: the stored form of a row of standings."""

    entry: Entry
    now: Mapping[str, Any]
    then: Mapping[str, Any]

    @property
    def moved(self) -> bool:
        return bool(self.now["rank"] != self.then["rank"] or self.now["placed"] != self.then["placed"])

    @property
    def differs(self) -> bool:
        return self.moved or any(self.now[key] != self.then[key] for key in ("points", "values", "status"))

    def values(self) -> list[tuple[str, Any, Any]]:
        """(code, now, then) of each tie-break."""
        return [(code, value, self.then["values"].get(code)) for code, value in self.now["values"].items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    after_round: int
    codes: list[str]
    lines: list[Line]

    @property
    def changed(self) -> int:
        return sum(line.differs for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBoard:
    """A board of the round to come; `is_new` when nobody is paired so without the change."""

    number: int
    white: Entry
    black: Entry | None
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """`now` and `then` are None where the round cannot be paired; `why` says why not, as a code."""

    number: int
    now: list[NextBoard] | None
    then: list[NextBoard] | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _World:
    snap: Snapshot
    status_of: Mapping[int, str]
    fouls: Mapping[int, int] = field(default_factory=dict)  # more than are counted, by pairing number
    games: Mapping[tuple[int, int], str] = field(default_factory=dict)  # single games of matches that change


def table(section: Section, changes: Sequence[Change]) -> Table | None:
    """Standings after the last public round, today's beside those after the changes. None before round 1."""
    last = last_public(section)
    if not last:
        return None
    now = _present(section)
    then = _after(section, now, changes)
    before, after = (_table(section, world, last) for world in (now, then))
    people = {entry.pk: entry for entry in section.entries.select_related("player")}
    old = {row["entry"]: row for row in before.rows}
    lines = [Line(entry=people[row["entry"]], now=old[row["entry"]], then=row) for row in after.rows]
    return Table(after_round=last, codes=[str(code) for code in section.tiebreaks], lines=lines)


def next_round(section: Section, changes: Sequence[Change]) -> NextRound | None:
    """The pairings of the next round with and without the changes, where it is a Swiss round not published yet."""
    last = last_public(section)
    if not last or not formats.of(section).pairs_each_round or last >= section.rounds_total:
        return None
    now = _present(section)
    worlds = (now, _after(section, now, changes))
    old, new = (_pairs(section, world, last + 1) for world in worlds)
    people = {entry.pk: entry for entry in section.entries.select_related("player")}
    return NextRound(
        number=last + 1,
        now=_boards(old, new, now.snap, people),
        then=_boards(new, old, now.snap, people),
        why=new if isinstance(new, str) else old if isinstance(old, str) else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GoesOn:
    """Who goes on from a tie of a knock-out, now and then; None while that is open."""

    board: int
    now: Entry | None
    then: Entry | None


def who_goes_on(section: Section, changes: Sequence[Change]) -> list[GoesOn]:
    """The ties of a knock-out that the changes speak of, with who goes on from them."""
    if not formats.of(section).has_bracket:
        return []
    found = []
    for change in changes:
        if not isinstance(change, SetOutcome | SetGame):
            continue
        pairing = Pairing.objects.select_related("round", "white__player", "black__player").get(
            pk=change.pairing
        )
        if pairing.round.number <= brackets.group_rounds(section):
            continue
        outcome = change.outcome
        if isinstance(change, SetGame):
            outcome, _grade = match_games.outcome_with(
                section, pairing, number=change.number, outcome=change.outcome
            )
        people = {pairing.white_id: pairing.white, pairing.black_id: pairing.black}
        seats = (pairing.white_id, pairing.black_id)
        now = brackets.winner_of(pairing.outcome, pairing.advances, *seats)
        then = brackets.winner_of(outcome, "", *seats)
        found.append(GoesOn(board=pairing.board, now=people.get(now), then=people.get(then)))
    return found


def _present(section: Section) -> _World:
    return _World(
        snap=snapshot.load(section, public_only=True),
        status_of=dict(Entry.objects.filter(section=section).values_list("pk", "status")),
    )


def _table(section: Section, world: _World, after_round: int) -> Standings:
    return compute_table(
        section, world.snap, after_round=after_round, status_of=world.status_of, more_fouls=world.fouls,
        games=world.games,
    )  # fmt: skip


def _after(section: Section, world: _World, changes: Sequence[Change]) -> _World:
    for change in changes:
        world = _changed(section, world, change)
    return world


def _changed(section: Section, world: _World, change: Change) -> _World:
    match change:
        case SetOutcome():
            return _with_board(world, change.pairing, lambda b: _with_outcome(b, change.outcome))
        case SetGame():
            return _with_game(section, world, change)
        case TurnColours():
            return _with_board(world, change.pairing, _turned)
        case Adjust():
            return _adjusted(world, change)
        case Disqualify():
            return _disqualified(section, world, change)
        case Warn():
            number = world.snap.number_of[change.entry]
            more = {**world.fouls, number: world.fouls.get(number, 0) + change.count}
            return replace(world, fouls=more)
        case SetStatus():
            return _with_status(world, change.entry, change.status, change.withdrawn_after_round)


def _with_outcome(board: Board, outcome: str) -> Board:
    same = board.outcome == outcome
    return replace(board, outcome=Outcome(outcome), grade=board.grade if same else "")


def _with_game(section: Section, world: _World, change: SetGame) -> _World:
    pairing = Pairing.objects.filter(pk=change.pairing).first()
    if pairing is None:
        return world
    outcome, grade = match_games.outcome_with(section, pairing, number=change.number, outcome=change.outcome)
    changed = _with_board(
        world, change.pairing, lambda board: replace(board, outcome=Outcome(outcome), grade=grade)
    )
    return replace(changed, games={**world.games, (change.pairing, change.number): change.outcome})


def _turned(board: Board) -> Board:
    assert board.black is not None  # a bye has no colours
    outcome = MIRROR.get(board.outcome, board.outcome)
    return replace(board, white=board.black, black=board.white, outcome=outcome)


def _with_board(world: _World, pairing_id: int, change: Any) -> _World:
    found = Pairing.objects.filter(pk=pairing_id).values_list("round__number", "white_id").first()
    if found is None:
        return world
    number, white = found[0], world.snap.number_of[found[1]]
    tournament = world.snap.tournament
    rounds = tuple(
        round_
        if round_.number != number
        else replace(
            round_,
            boards=tuple(
                change(b) if white in (b.white, b.black) and b.black is not None else b for b in round_.boards
            ),
        )
        for round_ in tournament.rounds
    )
    return _with_tournament(world, replace(tournament, rounds=rounds))


def _adjusted(world: _World, change: Adjust) -> _World:
    tournament = world.snap.tournament
    row = engine.Adjustment(
        player=world.snap.number_of[change.entry], points=change.points, after_round=change.after_round
    )
    return _with_tournament(world, replace(tournament, adjustments=(*tournament.adjustments, row)))


def _disqualified(section: Section, world: _World, change: Disqualify) -> _World:
    tournament = world.snap.tournament
    number = world.snap.number_of[change.entry]
    keys = [(r.number, b.white) for r in tournament.rounds for b in r.boards]
    boards = [b for r in tournament.rounds for b in r.boards]
    rows = [(index, b.white, b.black, b.outcome.value) for index, b in enumerate(boards)]
    falling = formats.of(section).departure(
        section,
        [*rows, *_drafted(section, world, first=len(rows))],
        entry=number,
    )
    outcomes = {keys[index]: outcome for index, outcome in falling.items() if index < len(keys)}
    rounds = tuple(
        replace(
            r,
            boards=tuple(
                replace(b, outcome=outcomes[r.number, b.white], grade="")
                if (r.number, b.white) in outcomes
                else b
                for b in r.boards
            ),
        )
        for r in tournament.rounds
    )
    world = _with_tournament(world, replace(tournament, rounds=rounds))
    left = formats.of(section).gone_after(
        round_number=change.round_number, played=_last_played(world, number), public=last_public(section)
    )
    known = next(p.withdrawn_after for p in tournament.players if p.number == number)
    gone = left if known is None else min(known, left)
    return _with_status(world, change.entry, Entry.Status.DISQUALIFIED, gone)


def _last_played(world: _World, number: int) -> int:
    return max(
        (
            r.number
            for r in world.snap.tournament.rounds
            for b in r.boards
            if number in (b.white, b.black) and b.outcome in PLAYED
        ),
        default=0,
    )


def _drafted(section: Section, world: _World, *, first: int) -> list[Drawn]:
    """The boards of a round robin that are drawn and not public: they count as games of the player too."""
    if not formats.of(section).drawn_whole:
        return []
    rows = Pairing.objects.filter(
        round__section=section, round__state=Round.State.PAIRED, black__isnull=False
    )
    number_of = world.snap.number_of
    return [
        (first + index, number_of[white], number_of[black], outcome)
        for index, (white, black, outcome) in enumerate(rows.values_list("white_id", "black_id", "outcome"))
    ]


def _with_status(world: _World, entry: int, status: str, left: int | None) -> _World:
    number = world.snap.number_of[entry]
    tournament = world.snap.tournament
    players = tuple(replace(p, withdrawn_after=left) if p.number == number else p for p in tournament.players)
    changed = _with_tournament(world, replace(tournament, players=players))
    return replace(changed, status_of={**world.status_of, entry: status})


def _with_tournament(world: _World, tournament: Tournament) -> _World:
    return replace(world, snap=replace(world.snap, tournament=tournament))


# boards of the next round by pairing numbers, or the code of what stands in the way
Pairs = list[Board] | str


def _pairs(section: Section, world: _World, number: int) -> Pairs:
    world = replace(world, snap=interrupted.counted_as_drawn(section, world.snap))
    tournament = world.snap.tournament
    if any(b.outcome is Outcome.UNPLAYED for r in tournament.rounds for b in r.boards):
        return "results-missing"
    try:
        paired = swiss.pair_round(
            tournament,
            absent=_missing_from_play(section, tournament, number),
            order=formats.of(section).ranking_order(section, world.snap),
            explain=False,
        )
    except EngineError as error:
        return error.code
    return list(paired.boards)


def _missing_from_play(section: Section, tournament: Tournament, number: int) -> list[int]:
    """As `Swiss.missing`, on the value instead of the tables."""
    if not section.drop_absent or number == 1:
        return []
    missing: dict[int, set[int]] = {}
    for round_ in tournament.rounds:
        here = missing.setdefault(round_.number, set())
        for board in round_.boards:
            if board.outcome in (Outcome.WHITE_FORFEITS, Outcome.BOTH_FORFEIT):
                here.add(board.white)
            if board.outcome in (Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT) and board.black is not None:
                here.add(board.black)
    return sorted(missing.get(number - 1, set()))


def _boards(
    pairs: Pairs, others: Pairs, snap: Snapshot, people: Mapping[int, Entry]
) -> list[NextBoard] | None:
    if isinstance(pairs, str):
        return None
    known = {(b.white, b.black) for b in others} if not isinstance(others, str) else set()
    return [
        NextBoard(
            number=b.number,
            white=people[snap.entry_of[b.white]],
            black=people[snap.entry_of[b.black]] if b.black is not None else None,
            is_new=not isinstance(others, str) and (b.white, b.black) not in known,
        )
        for b in pairs
    ]


def open_next_round(section: Section) -> Round | None:
    """The latest public round, when it has boards that have not begun."""
    last = section.rounds.filter(number=last_public(section)).first()
    has_open = last is not None and last.pairings.filter(outcome=Outcome.UNPLAYED).exists()
    return last if has_open else None
