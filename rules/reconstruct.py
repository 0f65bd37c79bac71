"""The most likely game behind one or two faulty copies of a scoresheet.

`rules.search` finds the games that may stand behind the copies, `rules.weighing` how likely each of them is; from that
follow the confidence and the plies that stay doubtful. Promises: every game proposed is legal; the same copies give the
same answer; nothing is ever applied here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp

from rules.board import SQUARE, START, Position
from rules.gaps import GapSearch
from rules.misreading import MISSING_SHARE, ChangeKind
from rules.moves import Move, has_legal_move, play_raw
from rules.notation import write
from rules.search import LOST_PER_PLY, History, Search, Width, merged, nodes
from rules.weighing import errors_of, unseen, weighed

NORMAL = Width(250, 16.0, 6)
FOR_GAPS = Width(400, 26.0, 8, 60_000)  # where the copies lack plies in a row, or the search lost its way
CROWDED = Width(1000, 16.0, 8, 200_000)
BESIDE = 5.0  # rivals so near to the best that went lost for want of room are worth a second search
LONGEST_WIDE = 300  # longer copies are not searched a second time
RIVALS = 250
SHOWN = 40
DOUBTFUL = 0.02  # a ply is doubtful when rivals with this share of the odds play another move there
GAP_SHARE = 0.7  # as often is the best game right where plies in a row, or of both copies, are missing
UNSURE = 0.01  # what may be missing to a certain answer
HOPELESS_PER_PLY = 0.9  # above this cost a ply, the copies hardly belong to any game


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference between a copy and the game. `ply` is 1-based in the game (for an extra text: the ply before it).

    `sheet` is the index of the copy; `index` that of its text, None for a missing ply; `move` the move it stands for.
    """

    sheet: int
    kind: ChangeKind
    ply: int
    index: int | None
    written: str
    move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One legal game. `share` is its part of the odds among all found, `cost` what its changes cost together; `unseen`
    are the plies (1-based) that no copy shows."""

    moves: tuple[str, ...]
    played: tuple[Move, ...]
    changes: tuple[Change, ...]
    cost: float
    share: float
    unseen: tuple[int, ...] = ()

    @property
    def longest_unseen(self) -> int:
        """The most plies in a row that no copy shows."""
        longest = run = 0
        for n, ply in enumerate(self.unseen):
            run = run + 1 if n and self.unseen[n - 1] == ply - 1 else 1
            longest = max(longest, run)
        return longest


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Best first. `doubtful` are plies of the best game that its rivals play otherwise. `complete` is False when the time
    ran out before the copies were read to their end."""

    games: tuple[Candidate, ...]
    confidence: float
    certain: bool
    reliable: bool
    doubtful: tuple[int, ...]
    complete: bool = True

    @property
    def best(self) -> Candidate | None:
        return self.games[0] if self.games else None


def reconstruct(
    sheets: Sequence[Sequence[str]],
    *,
    start: Position = START,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Candidates:
    """The likeliest games behind one or two lists of moves as written (article 10).

    `should_stop` is asked at each ply and ends the search; `progress` hears of texts read and their number. Raises
    ValueError for no copy, more than two, or copies without a move.
    """
    if not 1 <= len(sheets) <= 2 or not any(sheets):
        raise ValueError("one or two copies with moves are needed")
    if not all(sheets):
        written = int(not sheets[0])
        found = reconstruct([sheets[written]], start=start, should_stop=should_stop, progress=progress)
        return found if written == 0 else _as_second_copy(found)
    copies = [list(sheet) for sheet in sheets]
    search = Search(copies, start, NORMAL)
    complete = search.run(should_stop, progress)
    games = _games(search)
    found = _answer(search, games, complete=complete)
    width = _wider(search, games, found)
    if not complete or width is None or max(map(len, copies)) > LONGEST_WIDE:
        return found
    search = (GapSearch if width is FOR_GAPS else Search)(copies, start, width)
    complete = search.run(should_stop, progress)
    wider = _answer(search, _games(search), complete=complete)
    return wider if wider.complete and wider.best is not None else found


def _as_second_copy(found: Candidates) -> Candidates:
    """What was found behind a copy alone, for one that stands second beside an empty one."""
    games = [
        replace(game, changes=tuple(replace(change, sheet=1) for change in game.changes))
        for game in found.games
    ]
    return replace(found, games=tuple(games))


_Games = list[tuple[float, History]]
"""Best first, each with the negative logarithm of its odds."""


def _games(search: Search) -> _Games:
    return weighed(search, merged(search.ended, keep=RIVALS))


def _wider(search: Search, games: _Games, found: Candidates) -> Width | None:
    """How to search a second time, where the first answer gives reason to."""
    best = found.best
    if best is None or best.cost > LOST_PER_PLY * len(best.moves) * len(search.sheets):
        return FOR_GAPS
    if best.longest_unseen > 1 or (len(search.sheets) > 1 and best.unseen):
        return FOR_GAPS
    return CROWDED if search.left_out_beside(games[0][1], within=BESIDE) else None


def _answer(search: Search, ended: _Games, *, complete: bool) -> Candidates:
    if not ended:
        return Candidates(
            games=(), confidence=0.0, certain=False, reliable=False, doubtful=(), complete=complete
        )
    odds = [exp(ended[0][0] - cost) for cost, _history in ended]
    whole = sum(odds)
    games = tuple(
        _candidate(search, history, share=odd / whole)
        for (_cost, history), odd in zip(ended[:SHOWN], odds, strict=False)
    )
    best = games[0]
    gaps = best.longest_unseen > 1 or (len(search.sheets) > 1 and bool(best.unseen))
    doubtful = _doubtful(games)
    if gaps:
        doubtful = tuple(sorted({*doubtful, *best.unseen}))
    reliable = best.cost / max(len(best.moves), 1) / len(search.sheets) <= HOPELESS_PER_PLY
    share = best.share * (1 - _cut_short(search, ended[0][1]))
    if gaps:
        share = min(share, GAP_SHARE)
    return Candidates(
        games=games,
        confidence=round(share if reliable else share / 2, 4),
        certain=complete and reliable and not gaps and share >= 1 - UNSURE,
        reliable=reliable,
        doubtful=doubtful,
        complete=complete,
    )


def _cut_short(search: Search, history: History) -> float:
    """The odds that a copy which ends the game alone lacks the last move as well, which nothing in it can show."""
    played = nodes(history)
    lacking = {number for number, kind, _index in played[-1].notes if kind is ChangeKind.MISSING}
    last = [number for number in range(len(search.sheets)) if number not in lacking]
    if len(last) != 1:
        return 0.0
    position = search.start
    for node in played:
        if node.raw is not None:
            position = search.after(position, node.raw)
    if not has_legal_move(position):
        return 0.0
    errors = errors_of(history, last[0], len(search.sheets))
    return min(1.0, MISSING_SHARE * errors / len(search.sheets[last[0]]))


def _candidate(search: Search, history: History, *, share: float) -> Candidate:
    position = search.start
    moves: list[str] = []
    played: list[Move] = []
    changes: list[Change] = []
    missing: list[int] = []
    for node in nodes(history):
        if node.raw is not None:
            move = Move(SQUARE[node.raw[0]], SQUARE[node.raw[1]], node.raw[2])
            moves.append(write(position, move))
            played.append(move)
            position = play_raw(position, node.raw)
            if unseen(node, len(search.sheets)):
                missing.append(len(moves))
        changes += _changes(search, node, moves)
    return Candidate(
        moves=tuple(moves),
        played=tuple(played),
        changes=tuple(changes),
        cost=round(history.cost, 3),
        share=share,
        unseen=tuple(missing),
    )


def _changes(search: Search, node: History, moves: Sequence[str]) -> list[Change]:
    """What the copies changed at the last of the moves."""
    return [
        Change(
            sheet=number,
            kind=kind,
            ply=len(moves),
            index=index,
            written="" if index is None else search.sheets[number][index],
            move="" if kind in {ChangeKind.EXTRA, ChangeKind.TWICE} or not moves else moves[-1],
        )
        for number, kind, index in node.notes
    ]


def _doubtful(games: tuple[Candidate, ...]) -> tuple[int, ...]:
    """Plies of the best game between the first and the last place where a rival of some weight leaves it."""
    best = games[0].played
    weight: dict[int, float] = {}
    for rival in games[1:]:
        other = rival.played
        same_head = 0
        while same_head < min(len(best), len(other)) and best[same_head] == other[same_head]:
            same_head += 1
        same_tail = 0
        while (
            same_tail < min(len(best), len(other)) - same_head
            and best[-1 - same_tail] == other[-1 - same_tail]
        ):
            same_tail += 1
        if len(best) == len(other):
            plies = [ply for ply in range(same_head, len(best) - same_tail) if best[ply] != other[ply]]
        else:
            plies = list(range(same_head, max(len(best) - same_tail, same_head + 1)))
        for ply in plies:
            weight[ply] = weight.get(ply, 0.0) + rival.share
    return tuple(ply + 1 for ply in sorted(weight) if weight[ply] >= DOUBTFUL and ply < len(best))
