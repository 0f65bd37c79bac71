"""The games proposed behind faulty copies of a scoresheet, as values."""

from __future__ import annotations

from dataclasses import dataclass

from rules.layouts import Layout
from rules.misreading import ChangeKind
from rules.moves import Move


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
    """Best first. `complete` is False when the time ran out before the copies were read to their end.

    `certain`: the best game was played. `certain_up_to_order`: so it was, but for the order of moves of one player and for
    plies at which nothing but their own text speaks. Plies of the best game (1-based): `doubtful` are those that other
    games with some weight, or with as much to be said for them, play otherwise; `likely` those that rest on one text
    which nothing else tests; `unordered` those that one copy alone gives an order to. The rest are `proved`. `copies` are
    those that the answer rests on where the other has nothing to do with it, else empty.
    `layouts` are (number of the copy, how it stood) where that was another order or numbering.
    """

    games: tuple[Candidate, ...]
    confidence: float
    certain: bool
    reliable: bool
    doubtful: tuple[int, ...]
    certain_up_to_order: bool = False
    likely: tuple[int, ...] = ()
    unordered: tuple[int, ...] = ()
    complete: bool = True
    copies: tuple[int, ...] = ()
    layouts: tuple[tuple[int, Layout], ...] = ()

    @property
    def proved(self) -> tuple[int, ...]:
        """The plies of the best game that are neither doubtful nor likely nor without a sure place."""
        open_plies = {*self.doubtful, *self.likely, *self.unordered}
        plies = 0 if self.best is None else len(self.best.moves)
        return tuple(ply for ply in range(1, plies + 1) if ply not in open_plies)

    @property
    def best(self) -> Candidate | None:
        return self.games[0] if self.games else None
