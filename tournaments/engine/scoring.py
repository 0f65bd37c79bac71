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


def _mirrored(outcome: Outcome, *pairs: tuple[int, int], full: bool = True) -> Mapping[str, Grade]:
    """Grades "a-b" and "b-a" for each pair; `outcome` is that of "a-b" (DRAW, or WHITE turned to BLACK)."""
    other = Outcome.BLACK if outcome is Outcome.WHITE else outcome
    grades = []
    for high, low in pairs:
        grades.append(Grade(code=f"{high}-{low}", white=high, black=low, outcome=outcome, is_full_win=full))
        grades.append(Grade(code=f"{low}-{high}", white=low, black=high, outcome=other, is_full_win=full))
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
MICRO5 = ResultScheme(
    code="MICRO5",
    win=5,
    draw=2,
    bye=5,
    half_bye=2,
    forfeit_win=5,
    grades=_mirrored(Outcome.WHITE, (3, 2), full=False),
)
XIANGQI3 = ResultScheme(code="XQ3", win=3, bye=3, forfeit_win=3)
XIANGQI_SECOND = ResultScheme(
    code="XQ_SECOND",
    grades=_grades(Grade(code="1-2", white=1, black=2, outcome=Outcome.DRAW)),
)

# Sources: Chinese rules 12.6 and FMJD Annex 3, 5.6 (STD); KNDB women 2010 (PLUS: plus-draws are counted apart, as a
# tie-break); Delft counting (DELFT4) and its form by final material (GRAD12; a plain draw, which its list does not
# have, is 5-5); World Title Match 2020 (MICRO12); World Cup final 2017 (MICRO5: only 5-0, won in the standard
# game, counts as a win; a match is never drawn); Xiangqi rules 2011, art. 13 (XQ3; XQ_SECOND: a draw is worth 2 to the
# second player, entered as the grade 1-2).
SCHEMES: Mapping[str, ResultScheme] = MappingProxyType(
    {
        scheme.code: scheme
        for scheme in (STANDARD, PLUS, DELFT4, GRAD12, MICRO12, MICRO5, XIANGQI3, XIANGQI_SECOND)
    }
)

OWN_POINTS = ("win", "draw", "loss", "bye", "half_bye", "zero_bye", "forfeit_win", "forfeit_loss")
_FOLLOWS = {
    "bye": "win",
    "forfeit_win": "win",
    "half_bye": "draw",
    "zero_bye": "loss",
    "forfeit_loss": "loss",
}
_MOST = 99
_MOST_GRADES = 20


def with_own_points(base: ResultScheme, own: Mapping[str, object]) -> ResultScheme:
    """`base` with a section's own points over it.

    `own` may name any of OWN_POINTS, and as `grades` further results [higher, lower, "WIN" or "DRAW"], which hold for
    either side. A bye or forfeit that `own` does not name follows the win, draw or loss whose points it has in `base`.
    Raises InvalidState "own-points" with `field` and `why`.
    """
    for name in own:
        if name not in (*OWN_POINTS, "grades"):
            raise InvalidState("own-points", field=name, why="unknown")
    values = {name: _whole(name, own[name]) if name in own else getattr(base, name) for name in OWN_POINTS}
    for name, leader in _FOLLOWS.items():
        if name not in own and getattr(base, name) == getattr(base, leader):
            values[name] = values[leader]
    if not values["loss"] <= values["draw"] <= values["win"] or values["loss"] == values["win"]:
        raise InvalidState("own-points", field="draw", why="order")
    for name in _FOLLOWS:
        if values[name] > values["win"]:
            raise InvalidState("own-points", field=name, why="above-win")
    grades = {**base.grades, **_own_grades(own.get("grades", []))}
    return ResultScheme(code=base.code, **values, grades=MappingProxyType(grades))


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST:
        raise InvalidState("own-points", field=name, why="number")
    return value


def _own_grades(rows: object) -> Mapping[str, Grade]:
    if not isinstance(rows, list) or len(rows) > _MOST_GRADES:
        raise InvalidState("own-points", field="grades", why="grades")
    found: dict[str, Grade] = {}
    for row in rows:
        if not isinstance(row, list) or len(row) != 3 or row[2] not in ("WIN", "DRAW"):
            raise InvalidState("own-points", field="grades", why="grades")
        high, low = _whole("grades", row[0]), _whole("grades", row[1])
        if high < low or (row[2] == "WIN" and high == low):
            raise InvalidState("own-points", field="grades", why="grades")
        found |= _mirrored(Outcome.WHITE if row[2] == "WIN" else Outcome.DRAW, (high, low))
    return found


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
