"""Points: what each side of a board takes under a result scheme, and the schemes known by name.

Promises integers. A board carries a code, never points: the same boards give other points under another scheme.
Refuses to know tie-breaks and places.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tournaments.engine.types import (
    STANDARD,
    Board,
    Grade,
    InvalidState,
    Outcome,
    Result,
    ResultScheme,
    Tournament,
)


def _grades(*grades: Grade) -> Mapping[str, Grade]:
    return MappingProxyType({grade.code: grade for grade in grades})


def _mirrored(outcome: Outcome, *pairs: tuple[int, int]) -> Mapping[str, Grade]:
    """Grades "a-b" and "b-a" for each pair; `outcome` is that of "a-b" (DRAW, or WHITE turned to BLACK)."""
    other = Outcome.BLACK if outcome is Outcome.WHITE else outcome
    grades = []
    for high, low in pairs:
        grades.append(Grade(code=f"{high}-{low}", white=high, black=low, outcome=outcome))
        grades.append(Grade(code=f"{low}-{high}", white=low, black=high, outcome=other))
    return _grades(*grades)


PLUS_CODES = MappingProxyType({"1+1-": 1, "1-1+": -1})  # balance of the plus-draw for White

PLUS = ResultScheme(
    code="PLUS",
    grades=_grades(
        Grade(code="1+1-", white=1, black=1, outcome=Outcome.DRAW),
        Grade(code="1-1+", white=1, black=1, outcome=Outcome.DRAW),
    ),
)
DELFT4 = ResultScheme(
    code="DELFT4",
    win=4,
    draw=2,
    bye=4,
    half_bye=2,
    forfeit_win=4,
    grades=_mirrored(Outcome.DRAW, (3, 1)),
)
GRAD12 = ResultScheme(
    code="GRAD12",
    win=12,
    draw=5,
    bye=12,
    half_bye=5,
    forfeit_win=12,
    grades=_mirrored(Outcome.DRAW, (9, 1), (8, 2), (7, 3), (6, 4)),
)
MICRO12 = ResultScheme(
    code="MICRO12",
    win=12,
    draw=6,
    bye=12,
    half_bye=6,
    forfeit_win=12,
    grades=_mirrored(Outcome.WHITE, (8, 4), (7, 5)),
)
XIANGQI3 = ResultScheme(code="XQ3", win=3, bye=3, forfeit_win=3)
XIANGQI_SECOND = ResultScheme(
    code="XQ_SECOND",
    grades=_grades(Grade(code="1-2", white=1, black=2, outcome=Outcome.DRAW)),
)

# Sources: Chinese rules 12.6 and FMJD Annex 3, 5.6 (STD); KNDB women 2010 (PLUS: plus-draws are counted apart, as a
# tie-break); Delft counting (DELFT4) and its form by final material (GRAD12; a plain draw, which its list does not
# have, is 5-5); World Title Match 2020 (MICRO12); Xiangqi rules 2011, art. 13 (XQ3; XQ_SECOND: a draw is worth 2 to
# the second player, entered as the grade 1-2).
SCHEMES: Mapping[str, ResultScheme] = MappingProxyType(
    {scheme.code: scheme for scheme in (STANDARD, PLUS, DELFT4, GRAD12, MICRO12, XIANGQI3, XIANGQI_SECOND)}
)

_RESULTS: Mapping[Outcome, tuple[Result | None, Result | None]] = MappingProxyType(
    {
        Outcome.UNPLAYED: (None, None),
        Outcome.VOID: (None, None),
        Outcome.WHITE: (Result.WIN, Result.LOSS),
        Outcome.DRAW: (Result.DRAW, Result.DRAW),
        Outcome.BLACK: (Result.LOSS, Result.WIN),
        Outcome.WHITE_FORFEITS: (Result.LOSS, Result.WIN),
        Outcome.BLACK_FORFEITS: (Result.WIN, Result.LOSS),
        Outcome.BOTH_FORFEIT: (Result.LOSS, Result.LOSS),
        Outcome.BOTH_LOSE: (Result.LOSS, Result.LOSS),
        Outcome.BYE: (Result.WIN, None),
        Outcome.HALF_BYE: (Result.DRAW, None),
        Outcome.ZERO_BYE: (Result.LOSS, None),
    }
)


def points_table(scheme: ResultScheme) -> Mapping[Outcome, tuple[int, int]]:
    """Points (White, Black) of every plain outcome; the second number of a bye is 0."""
    return {
        Outcome.UNPLAYED: (0, 0),
        Outcome.VOID: (0, 0),
        Outcome.WHITE: (scheme.win, scheme.loss),
        Outcome.DRAW: (scheme.draw, scheme.draw),
        Outcome.BLACK: (scheme.loss, scheme.win),
        Outcome.WHITE_FORFEITS: (scheme.forfeit_loss, scheme.forfeit_win),
        Outcome.BLACK_FORFEITS: (scheme.forfeit_win, scheme.forfeit_loss),
        Outcome.BOTH_FORFEIT: (scheme.forfeit_loss, scheme.forfeit_loss),
        Outcome.BOTH_LOSE: (scheme.loss, scheme.loss),
        Outcome.BYE: (scheme.bye, 0),
        Outcome.HALF_BYE: (scheme.half_bye, 0),
        Outcome.ZERO_BYE: (scheme.zero_bye, 0),
    }


def board_points(board: Board, scheme: ResultScheme) -> tuple[int, int]:
    """Points (White, Black) of one board. Raises InvalidState for a grade the scheme does not have."""
    if not board.grade:
        return points_table(scheme)[board.outcome]
    grade = scheme.grades.get(board.grade)
    if grade is None:
        raise InvalidState(
            "unknown-grade", player=board.white, grade=board.grade, expected=tuple(scheme.grades)
        )
    return grade.white, grade.black


def board_results(board: Board) -> tuple[Result | None, Result | None]:
    """Classical result (White, Black); None for a side that has none (no result yet, annulled, no opponent)."""
    return _RESULTS[board.outcome]


def totals(tournament: Tournament, *, after_round: int | None = None) -> dict[int, int]:
    """Points of every player after a round (default: the last), adjustments made by then included."""
    limit = len(tournament.rounds) if after_round is None else after_round
    table = points_table(tournament.scheme)
    result = {player.number: 0 for player in tournament.players}
    for round_ in tournament.rounds[:limit]:
        for board in round_.boards:
            white, black = board_points(board, tournament.scheme) if board.grade else table[board.outcome]
            result[board.white] += white
            if board.black is not None:
                result[board.black] += black
    for adjustment in tournament.adjustments:
        if adjustment.after_round <= limit:
            result[adjustment.player] += adjustment.points
    return result
