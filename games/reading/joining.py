"""From pages to a game: the cells of one or two copies handed to the rules, and what may be said of each ply.

The rules are asked for the likeliest legal game; what is sure is only what both the pictures and the rules prove.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

import rules
from games.reading.page import WrittenCell

OPTIONS = 5
SURE = 0.9  # a reading as likely as that, where nothing speaks against it, is not asked about


@dataclass(frozen=True, slots=True, kw_only=True)
class Ply:
    """One ply of the game found. `cell` is the index of the cell of the copy read first that it comes from, None where that
    copy lacks it. `options` are the likely readings, best first and legal ones before others, each with its probability."""

    move: str
    cell: int | None
    doubtful: bool
    probability: float
    options: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one or two copies say. `certain`: moves and order are proved by two copies; `certain_up_to_order`: the moves are
    (one copy cannot prove the order of moves that could be exchanged). `left_over` are cells of the first copy that stand
    for no ply."""

    plies: tuple[Ply, ...]
    certain: bool
    certain_up_to_order: bool
    confidence: float
    left_over: tuple[int, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.move for ply in self.plies)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """The plies, from 1, that somebody must look at."""
        return tuple(number for number, ply in enumerate(self.plies, 1) if ply.doubtful)


def join(
    copies: Sequence[Sequence[WrittenCell]],
    *,
    should_stop: Callable[[], bool] | None = None,
) -> Reading:
    """The game behind one or two copies, each copy given as its cells in order. Copies without a cell are left out."""
    kept = [copy for copy in copies if copy]
    if not kept:
        return Reading(plies=(), certain=False, certain_up_to_order=False, confidence=0.0)
    cells = [[rules.Cell.of_boxes(cell.boxes) for cell in copy] for copy in kept]
    found = rules.reconstruct_cells(cells, should_stop=should_stop)
    if found.best is None or not found.reliable:
        return _as_read(cells[0])
    return _reading(found, cells[0])


def _reading(found: rules.Candidates, cells: Sequence[rules.Cell]) -> Reading:
    best = found.best
    assert best is not None
    doubtful = set(found.doubtful)
    of_ply, left_over = _placed(best, len(cells))
    plies = []
    position = rules.START
    for number, (text, move) in enumerate(zip(best.moves, best.played, strict=True), 1):
        index = of_ply.get(number)
        options = _options(position, cells[index]) if index is not None else ()
        share = next((odds for written, odds in options if written == text), 0.0)
        plies.append(
            Ply(
                move=text,
                cell=index,
                doubtful=number in doubtful or index is None or not found.complete,
                probability=share,
                options=options,
            )
        )
        position = rules.play(position, move)
    return Reading(
        plies=tuple(plies),
        certain=found.certain,
        certain_up_to_order=found.certain_up_to_order,
        confidence=found.confidence,
        left_over=left_over,
    )


def _placed(best: rules.Candidate, count: int) -> tuple[dict[int, int], tuple[int, ...]]:
    """Which cell of the first copy stands for which ply, and the cells that stand for none."""
    mine = [change for change in best.changes if change.sheet == 0]
    missing = {change.ply for change in mine if change.kind is rules.ChangeKind.MISSING}
    beside = {
        change.index
        for change in mine
        if change.kind in {rules.ChangeKind.EXTRA, rules.ChangeKind.TWICE} and change.index is not None
    }
    moved = {
        change.ply: change.index for change in mine if change.index is not None and change.index not in beside
    }
    waiting = iter(index for index in range(count) if index not in beside)
    placed = {}
    for ply in range(1, len(best.moves) + 1):
        if ply in missing:
            continue
        index = next(waiting, None)
        if index is not None:
            placed[ply] = moved.get(ply, index)
    return placed, tuple(sorted(beside))


def _options(position: rules.Position, cell: rules.Cell) -> tuple[tuple[str, float], ...]:
    """Likely readings: the legal moves first, by what the picture says, then what it says most of all."""
    legal = {}
    for move in rules.legal_moves(position):
        odds = exp(-cell.shown(move.origin, move.destination))
        legal[rules.write(position, move)] = odds
    ranked = sorted(legal.items(), key=lambda item: -item[1])[:OPTIONS]
    if cell.written not in {text.replace("x", "-") for text, _ in ranked}:
        ranked.append((cell.written, exp(-cell.least)))
    return tuple((text, round(odds, 4)) for text, odds in ranked)


def _as_read(cells: Sequence[rules.Cell]) -> Reading:
    """No game fits: what the picture says, cell by cell, all of it doubtful."""
    plies = [
        Ply(
            move=cell.written,
            cell=index,
            doubtful=True,
            probability=round(exp(-cell.least), 4),
            options=((cell.written, round(exp(-cell.least), 4)),),
        )
        for index, cell in enumerate(cells)
    ]
    return Reading(plies=tuple(plies), certain=False, certain_up_to_order=False, confidence=0.0)
