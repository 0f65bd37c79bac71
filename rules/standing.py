"""Irregular moves that stood: both players wrote the same one and went on (article 7.7).

Where both copies agree there is nothing to correct: the opponent let the move stand by moving on. Proposes, decides
nothing: an arbiter accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.reconcile import same_move
from rules.sheet import Sheet
from rules.verdict import Problem, validate

MOST = 8  # in one game; more are no slips but another game, or other rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood:
    """The game of both copies as written, and the irregular moves in it that were let stand, in order."""

    moves: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def plies(self) -> tuple[int, ...]:
        """The plies (1-based) of the irregular moves."""
        return tuple(problem.ply for problem in self.problems)


def irregular_moves_that_stood(white: Sheet, black: Sheet) -> Stood | None:
    """Return the game in which every irregular move stood, or None where the copies do not show one.

    Both copies must be read whole, say the same moves from the same position, and go on after each irregular move with
    moves that are legal once it stands. One copy may end before the other, but not at the irregular move.
    """
    both = min(len(white.moves), len(black.moves))
    if white.unread or black.unread or white.start != black.start or not both:
        return None
    if not all(map(same_move, white.moves[:both], black.moves[:both])):
        return None
    longer = max(white, black, key=lambda sheet: len(sheet.moves))
    problems = _let_stand(longer, both)
    return Stood(moves=longer.moves, problems=problems) if problems else None


def _let_stand(sheet: Sheet, both: int) -> tuple[Problem, ...]:
    """The problems of a sheet when each is let stand in turn; none when one cannot be, or too many are needed."""
    found: list[Problem] = []
    while len(found) <= MOST:
        problem = validate(replace(sheet, accepted=_plies(found))).problem
        if problem is None:
            return tuple(found)
        if problem.ply >= both or (found and problem.ply <= found[-1].ply):
            return ()
        found.append(problem)
    return ()


def _plies(problems: Sequence[Problem]) -> frozenset[int]:
    return frozenset(problem.ply for problem in problems)
