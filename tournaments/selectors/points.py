"""Points of entries from outcome codes: the one place where pages, exports and the API get them from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.engine import scoring
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.types import BYES, FORFEITS, Colour, Outcome, Tournament
from tournaments.engine.withdrawals import settle

_SCORELESS = frozenset({Outcome.UNPLAYED, Outcome.VOID})
_TOLD_BY_SCORE = frozenset({Outcome.WHITE, Outcome.DRAW, Outcome.BLACK})


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
    def needs_words(self) -> bool:
        """Whether the score alone does not tell what happened."""
        return self.outcome not in _TOLD_BY_SCORE

    @property
    def score(self) -> str:
        """The result as boards are read, White first: 2-0, 1-1, + -, and nothing while it is open."""
        if self.outcome in _SCORELESS or self.is_bye:
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


def lines(
    tournament: Tournament, *, policy: TieBreakPolicy, entry_of: Mapping[int, int], after_round: int
) -> list[Line]:
    """Every board as it counts after a round: the games of those who left as the section treats them."""
    settled, _placeless = settle(tournament, policy=policy, after_round=after_round)
    found: list[Line] = []
    for round_ in settled.rounds:
        for board in round_.boards:
            white_points, black_points = scoring.board_points(board, tournament.scheme)
            found.append(
                Line(
                    round=round_.number,
                    board=board.number,
                    white=entry_of[board.white],
                    black=entry_of[board.black] if board.black is not None else None,
                    outcome=board.outcome,
                    grade=board.grade,
                    white_points=white_points,
                    black_points=black_points,
                )
            )
    return found


def totals(
    tournament: Tournament, *, policy: TieBreakPolicy, entry_of: Mapping[int, int], after_round: int
) -> dict[int, int]:
    """Points per entry after a round, adjustments made by then included: what the standings of that round show."""
    settled, _placeless = settle(tournament, policy=policy, after_round=after_round)
    points = scoring.totals(settled, after_round=after_round)
    return {entry_of[number]: total for number, total in points.items()}
