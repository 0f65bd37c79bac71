"""The most likely game behind one or two faulty copies of a scoresheet.

`rules.search` finds the games that may stand behind the copies, `rules.weighing` how likely each of them is, `rules.proof`
which plies of the best the copies prove; from that follow the confidence and what is certain (`rules.answer`). Promises:
every game proposed is legal; the same copies give the same answer; nothing is ever applied here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rules.answer import BESIDE, answer
from rules.board import START, Position
from rules.candidates import Candidates, Change
from rules.cells import Cell
from rules.gaps import GapSearch
from rules.marks import Mark, Text, texts
from rules.ordering import Ordered, order
from rules.search import LOST_PER_PLY, GuidedSearch, Known, Search, Width, merged
from rules.weighing import Weighed, weighed

NORMAL = Width(250, 16.0, 6)
FOR_GAPS = Width(80, 20.0, 4)  # where the copies lack plies in a row, or the search lost its way
CROWDED = Width(400, 22.0, 6)
GUIDED = Width(200, 50.0, 4)  # along games that are known
LONGEST_WIDE = 300  # longer copies are not searched a second time
RIVALS = 250
MOST_WORK = 140_000  # of all searches for one answer: some four seconds of CPU
WORK_PER_PLY = 1_400  # for copies of more than a hundred plies
BADLY_PER_PLY = 0.25  # above this cost a ply, two copies are looked at alone too


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
    known: dict[str, Text] = {}
    task = _Task(start, should_stop, progress)
    ordered = order(sheets) if start == START and 0 < len(sheets) <= 2 else Ordered(tuple(sheets))
    found = task.behind([texts(sheet, known) for sheet in ordered.copies])
    return replace(_as_written(found, ordered), layouts=ordered.layouts) if ordered.layouts else found


def reconstruct_cells(
    sheets: Sequence[Sequence[Cell]],
    *,
    start: Position = START,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Candidates:
    """As `reconstruct`, for copies read from pictures: the cells that hold writing, in order, as probabilities.

    Changes name what the writers did, not what the reader of the pictures took wrongly; `written` is the likeliest reading.
    """
    return _Task(start, should_stop, progress).behind(sheets)


_Copies = Sequence[Sequence[Mark]]


@dataclass(frozen=True, slots=True)
class _Found:
    """What one search came to."""

    search: Search
    games: list[Weighed]
    answer: Candidates


@dataclass(frozen=True, slots=True)
class _Task:
    """One question, whatever the copies are made of."""

    start: Position
    should_stop: Callable[[], bool] | None
    progress: Callable[[int, int], None] | None
    known: Known = field(default_factory=lambda: Known({}, {}))
    searches: list[Search] = field(default_factory=list)

    def behind(self, copies: _Copies) -> Candidates:
        if not 1 <= len(copies) <= 2 or not any(copies):
            raise ValueError("one or two copies with moves are needed")
        if not all(copies):
            return self._alone(copies, int(not copies[0]))
        found = self._search(copies, NORMAL)
        width = _wider(found)
        if not found.answer.complete or max(map(len, copies)) > LONGEST_WIDE:
            return found.answer
        if len(copies) > 1 and (width is FOR_GAPS or _meet_badly(found)):
            found, apart = self._guided(copies, found)
            if not found.answer.reliable and any(each.reliable for each in apart):
                return _unrelated(apart)
            width = _wider(found)
        if width is None:
            return found.answer
        wider = self._search(copies, width).answer
        return wider if wider.complete and wider.best is not None else found.answer

    def _search(self, copies: _Copies, width: Width) -> _Found:
        """One search, with what work the earlier ones left; what it cuts off counts as doubt."""
        kind = GapSearch if width is FOR_GAPS else Search
        search = kind(copies, self.start, self._bounded(width, copies), self.known)
        self.searches.append(search)
        complete = search.run(self.should_stop, self.progress)
        games = weighed(search, merged(search.ended, keep=RIVALS))
        return _Found(search, games, answer(search, games, complete=complete))

    def _bounded(self, width: Width, copies: _Copies) -> Width:
        """The width of the next search; the first is linear in the copies and needs no bound."""
        if not self.searches:
            return width
        most = max(MOST_WORK, WORK_PER_PLY * max(map(len, copies)))
        return width._replace(work=max(0, most - sum(search.work for search in self.searches)))

    def _alone(self, copies: _Copies, number: int) -> Candidates:
        """What is behind one of the copies."""
        return _as_copy(self.behind([copies[number]]), number)

    def _guided(self, copies: _Copies, found: _Found) -> tuple[_Found, list[Candidates]]:
        """Look at each copy alone, and at both together along the games that stand behind each.

        Where two bad copies meet, the search may lose the way that one of them shows.
        """
        known = [game.history for game in found.games]
        apart = []
        for number, copy in enumerate(copies):
            alone = self._search([copy], NORMAL)
            known += [game.history for game in alone.games]
            apart.append(_as_copy(alone.answer, number))
        guided = GuidedSearch(copies, self.start, GUIDED, known)
        guided.run(self.should_stop, None)
        games = weighed(found.search, merged([*found.search.ended, *guided.ended], keep=RIVALS))
        complete = found.answer.complete
        return _Found(found.search, games, answer(found.search, games, complete=complete)), apart


def _as_written(found: Candidates, ordered: Ordered) -> Candidates:
    """The answer with the changes named by the copies as they were handed in."""
    games = tuple(
        replace(game, changes=tuple(_change_as_written(change, ordered) for change in game.changes))
        for game in found.games
    )
    return replace(found, games=games)


def _change_as_written(change: Change, ordered: Ordered) -> Change:
    if not ordered.interleaved:
        return change
    if change.index is None:
        return replace(change, sheet=ordered.owner_of(change.ply - 1))
    return replace(change, sheet=ordered.owner_of(change.index), index=change.index // 2)


def _as_copy(found: Candidates, number: int) -> Candidates:
    """What was found behind a copy alone, for one that is the first or second of two."""
    games = [
        replace(game, changes=tuple(replace(change, sheet=number) for change in game.changes))
        for game in found.games
    ]
    return replace(found, games=tuple(games), copies=(number,))


def _unrelated(apart: Sequence[Candidates]) -> Candidates:
    """The answer where no one game is behind both copies: that of the better one, or both where each has its own."""
    best, other = sorted(apart, key=lambda found: (-found.reliable, -found.confidence))
    if not other.reliable:
        return best
    games = (*best.games[:1], *other.games[:1], *best.games[1:], *other.games[1:])
    return replace(
        best,
        games=tuple(replace(game, share=game.share / 2) for game in games),
        confidence=best.confidence / 2,
        certain=False,
        certain_up_to_order=False,
        doubtful=() if best.best is None else tuple(range(1, len(best.best.moves) + 1)),
    )


def _meet_badly(found: _Found) -> bool:
    """Whether the copies fit the best game so badly that there may be another."""
    best = found.answer.best
    if best is None:
        return True
    cost = best.cost - found.search.least_cost
    return cost > BADLY_PER_PLY * len(best.moves) * len(found.search.sheets)


def _wider(found: _Found) -> Width | None:
    """How to search a second time, where the first answer gives reason to."""
    search, best = found.search, found.answer.best
    if best is None or best.cost - search.least_cost > LOST_PER_PLY * len(best.moves) * len(search.sheets):
        return FOR_GAPS
    if best.longest_unseen > 1 or (len(search.sheets) > 1 and best.unseen):
        return FOR_GAPS
    return CROWDED if search.left_out_beside(found.games[0].history, within=BESIDE) else None
