"""Points of entries from outcome codes: the one place where pages, exports and the API get them from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.engine import scoring
from tournaments.engine.types import BYES, FORFEITS, Board, Colour, Outcome, ResultScheme

SCORELESS = frozenset({Outcome.UNPLAYED, Outcome.VOID})


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One board of a round by entry keys. `black` is None for a bye, and `board` then 0."""

    round: int
    board: int
    white: int
    black: int | None
    outcome: Outcome
    grade: str
    white_points: int
    black_points: int

    @property
    def is_bye(self) -> bool:
        return self.outcome in BYES

    @property
    def is_forfeit(self) -> bool:
        return self.outcome in FORFEITS

    @property
    def has_result(self) -> bool:
        return self.outcome is not Outcome.UNPLAYED

    @property
    def score(self) -> str:
        """The result as boards are read, White first: 2-0, 1-1, + -, and nothing while it is open."""
        if self.outcome in SCORELESS or self.is_bye:
            return ""
        if self.outcome is Outcome.BOTH_FORFEIT:
            return "- -"
        if self.is_forfeit:
            return "+ -" if self.outcome is Outcome.BLACK_FORFEITS else "- +"
        return f"{self.white_points}-{self.black_points}"

    def colour_of(self, entry: int) -> Colour | None:
        if self.is_bye:
            return None
        return Colour.WHITE if entry == self.white else Colour.BLACK

    def opponent_of(self, entry: int) -> int | None:
        return self.black if entry == self.white else self.white

    def points_of(self, entry: int) -> int:
        return self.white_points if entry == self.white else self.black_points


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Points given or taken by a ruling."""

    entry: int
    points: int
    after_round: int
    reason: str


def line(
    scheme: ResultScheme, *, round: int, board: int, white: int, black: int | None, outcome: str, grade: str
) -> Line:
    code = Outcome(outcome)
    # The engine's board wants two sides only to tell them apart; their points depend on code and grade alone.
    white_points, black_points = scoring.board_points(
        Board(number=board, white=1, black=None if black is None else 2, outcome=code, grade=grade), scheme
    )
    return Line(
        round=round,
        board=board,
        white=white,
        black=black,
        outcome=code,
        grade=grade,
        white_points=white_points,
        black_points=black_points,
    )


def totals(lines: Iterable[Line], extras: Iterable[Extra], *, through: int) -> dict[int, int]:
    """Points per entry after round `through`, adjustments made by then included; entries without any are absent."""
    result: dict[int, int] = {}
    for item in lines:
        if item.round > through:
            continue
        result[item.white] = result.get(item.white, 0) + item.white_points
        if item.black is not None:
            result[item.black] = result.get(item.black, 0) + item.black_points
    for extra in extras:
        if extra.after_round <= through:
            result[extra.entry] = result.get(extra.entry, 0) + extra.points
    return result
