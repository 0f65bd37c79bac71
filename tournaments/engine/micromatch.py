"""Micro-matches: games in stages (classical, rapid, blitz, super-blitz) until one side is ahead, and what that is worth.

Promises the state of a match from its games: who leads, which game comes next with which colours, and the score by the
stage that decided. Sources: World Title Match 2020, 2013 and 2015, World Cup final 2017, World Cup Portuguese 2024,
Blitz World Championship 2023.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tournaments.engine.scoring import points_table
from tournaments.engine.types import FORFEITS, PLAYED, STANDARD, InvalidState, Outcome, ResultScheme


class Pace(StrEnum):
    CLASSICAL = "CLASSICAL"
    RAPID = "RAPID"
    BLITZ = "BLITZ"
    SUPER_BLITZ = "SUPER_BLITZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """`games` are played at one pace and added up; 0 means as many as it takes to the first win.

    `first_win` ends the match at the first win inside the stage. `score` is what the winner and the loser of the match
    get when this stage decides.
    """

    pace: Pace
    clock: str
    games: int
    score: tuple[int, int]
    first_win: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRule:
    """`drawn` is the score of both when no stage decides, None where the last stage always does.

    `by_stage`: of several micro-matches the better in the earliest stage wins, whatever the scores. `scheme` is the
    code of the result scheme that has the scores; "" for a rule that says only who won, which any plain scheme rates.
    """

    code: str
    stages: tuple[Stage, ...]
    drawn: tuple[int, int] | None
    source: str
    by_stage: bool = False
    scheme: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchGame:
    """A game as played. `first_white`: the first-named side had White."""

    stage: int  # index into the stages of the rule
    first_white: bool
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class NextGame:
    stage: int
    pace: Pace
    clock: str
    first_white: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """`score` (first side, second side) is None until finished; `winner` is 1, 2, or 0 for a drawn match.

    `stage_points` are the points (2/1/0 a game) of both sides by stage.
    """

    finished: bool
    winner: int | None
    decided_in: int | None
    score: tuple[int, int] | None
    stage_points: tuple[tuple[int, int], ...]
    next_game: NextGame | None


_STANDARD_80 = "80'+1'"

RULES: Mapping[str, MatchRule] = MappingProxyType(
    {
        rule.code: rule
        for rule in (
            MatchRule(
                code="WTM_2020",
                stages=(
                    Stage(pace=Pace.CLASSICAL, clock=_STANDARD_80, games=1, score=(12, 0)),
                    Stage(pace=Pace.RAPID, clock="20'+5\"", games=1, score=(8, 4)),
                    Stage(pace=Pace.BLITZ, clock="5'+3\"", games=1, score=(7, 5)),
                ),
                drawn=(6, 6),
                source="World Title Match 2020",
                scheme="MICRO12",
            ),
            MatchRule(
                code="WTM_2013",
                stages=(
                    Stage(pace=Pace.CLASSICAL, clock=_STANDARD_80, games=1, score=(2, 0)),
                    Stage(pace=Pace.RAPID, clock="20'+5\"", games=1, score=(2, 0)),
                    Stage(pace=Pace.BLITZ, clock="5'+3\"", games=1, score=(2, 0)),
                    Stage(pace=Pace.SUPER_BLITZ, clock="5'+2\"", games=0, score=(2, 0), first_win=True),
                ),
                drawn=None,
                source="World Title Matches 2013 and 2015 (last stage: Lehmann-Georgiev)",
                by_stage=True,
            ),
            MatchRule(
                code="WORLD_CUP_FINAL_2017",
                stages=(
                    Stage(pace=Pace.CLASSICAL, clock=_STANDARD_80, games=1, score=(5, 0)),
                    Stage(pace=Pace.SUPER_BLITZ, clock="5'+2\"", games=0, score=(3, 2), first_win=True),
                ),
                drawn=None,
                source="World Cup final 2017",
                scheme="MICRO5",
            ),
            MatchRule(
                code="TWO_GAMES",
                stages=(Stage(pace=Pace.CLASSICAL, clock="", games=2, score=(2, 0)),),
                drawn=(1, 1),
                source="World Cup Portuguese 2024",
            ),
            MatchRule(
                code="BLITZ_2023",
                stages=(
                    Stage(pace=Pace.BLITZ, clock="5'+3\"", games=2, score=(2, 0), first_win=True),
                    Stage(pace=Pace.BLITZ, clock="3'+2\"", games=2, score=(2, 0), first_win=True),
                    Stage(pace=Pace.SUPER_BLITZ, clock="2'+2\"", games=0, score=(2, 0), first_win=True),
                ),
                drawn=None,
                source="Blitz World Championship 2023, play-off",
            ),
        )
    }
)


def evaluate(rule: MatchRule, games: Sequence[MatchGame], *, first_has_white: bool = True) -> MatchState:
    """The state of a match after `games`, in the order they were played. Colours alternate through the match.

    Annulled games are left out. Raises InvalidState for a game of a stage that is not reached or already over, for a
    game without a result that is not the last, and for games after the end.
    """
    totals = [[0, 0] for _ in rule.stages]
    counts = [0] * len(rule.stages)
    current, winner, decided = 0, None, None
    played = [game for game in games if game.outcome is not Outcome.VOID]
    for index, game in enumerate(played):
        if game.outcome is Outcome.UNPLAYED and index == len(played) - 1:
            played = played[:-1]
            break
        if winner is not None or game.stage != current:
            raise InvalidState("game-out-of-order", game=index + 1, stage=game.stage, expected=current)
        _add(totals[current], game, index)
        counts[current] += 1
        if not _is_over(rule.stages[current], totals[current], counts[current]):
            continue
        if totals[current][0] != totals[current][1]:
            winner, decided = 1 if totals[current][0] > totals[current][1] else 2, current
        elif current + 1 < len(rule.stages):
            current += 1
        else:
            winner = 0
    following = None
    if winner is None:
        stage = rule.stages[current]
        white = played[-1].first_white is False if played else first_has_white
        following = NextGame(stage=current, pace=stage.pace, clock=stage.clock, first_white=white)
    return MatchState(
        finished=winner is not None,
        winner=winner,
        decided_in=decided,
        score=_score(rule, winner, decided),
        stage_points=tuple((first, second) for first, second in totals),
        next_game=following,
    )


def _add(totals: list[int], game: MatchGame, index: int) -> None:
    if game.outcome not in PLAYED and game.outcome not in FORFEITS:
        raise InvalidState("game-without-result", game=index + 1, found=game.outcome.value)
    white, black = points_table(STANDARD)[game.outcome]
    first, second = (white, black) if game.first_white else (black, white)
    totals[0] += first
    totals[1] += second


def _is_over(stage: Stage, totals: Sequence[int], count: int) -> bool:
    ahead = totals[0] != totals[1]
    if stage.games == 0 or (stage.first_win and ahead):
        return ahead
    lead = abs(totals[0] - totals[1])
    return count >= stage.games or lead > STANDARD.win * (stage.games - count)


def _score(rule: MatchRule, winner: int | None, decided: int | None) -> tuple[int, int] | None:
    if winner is None:
        return None
    if winner == 0 or decided is None:
        return rule.drawn
    high, low = rule.stages[decided].score
    return (high, low) if winner == 1 else (low, high)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesState:
    """A match of several micro-matches. `winner` is 1 or 2; None while open, or when only a decider can tell."""

    score: tuple[int, int]
    finished: bool
    winner: int | None
    decided_by: str  # "", "score", or the pace that told equal scores apart


def series(rule: MatchRule, matches: Sequence[MatchState], *, planned: int) -> SeriesState:
    """The state of `planned` micro-matches, of which `matches` are begun.

    It ends as soon as one side has more than half of all points. Equal scores are told apart by the points of the
    classical games, then of the rapid ones, and so on; where nothing does, a decider is needed (World Title Match
    2020). A rule that goes `by_stage` compares only those, when all micro-matches are over.
    """
    scores = [match.score for match in matches if match.score is not None]
    score = sum(each[0] for each in scores), sum(each[1] for each in scores)
    at_stake = planned * sum(rule.stages[0].score)
    complete = len(scores) >= planned
    if not rule.by_stage and (2 * max(score) > at_stake or (complete and score[0] != score[1])):
        return SeriesState(
            score=score, finished=True, winner=1 if score[0] > score[1] else 2, decided_by="score"
        )
    if complete:
        for index, stage in enumerate(rule.stages):
            mine = sum(match.stage_points[index][0] for match in matches)
            theirs = sum(match.stage_points[index][1] for match in matches)
            if mine != theirs:
                winner = 1 if mine > theirs else 2
                return SeriesState(score=score, finished=True, winner=winner, decided_by=stage.pace.value)
    return SeriesState(score=score, finished=False, winner=None, decided_by="")


def as_board(
    state: MatchState, *, scheme: ResultScheme = STANDARD, first_is_white: bool = True
) -> tuple[Outcome, str]:
    """The outcome and grade of the pairing that the match decides; the grade is "" where the score is a plain one.

    The grade is White's score and Black's, as the scheme names it (8-4, 7-5).
    """
    if not state.finished or state.score is None:
        return Outcome.UNPLAYED, ""
    first, second = state.score
    white, black = (first, second) if first_is_white else (second, first)
    outcome = Outcome.DRAW
    if state.winner:
        outcome = Outcome.WHITE if (state.winner == 1) == first_is_white else Outcome.BLACK
    plain = points_table(scheme)[outcome]
    grade = f"{white}-{black}"
    return outcome, grade if (white, black) != plain and grade in scheme.grades else ""


def fits(rule: MatchRule, scheme: ResultScheme) -> bool:
    """Whether the scheme gives a match the scores of the rule; a plain rule (2-0, 1-1) takes any scheme without grades."""
    scores = [(stage.score, Outcome.WHITE) for stage in rule.stages]
    scores += [(rule.drawn, Outcome.DRAW)] if rule.drawn else []
    if not scheme.grades and is_plain(rule):
        return True
    table = points_table(scheme)
    return all(score == table[outcome] or _is_grade(scheme, score, outcome) for score, outcome in scores)


def is_plain(rule: MatchRule) -> bool:
    """Whether the rule says no more than who won."""
    return rule.drawn in (None, (1, 1)) and all(stage.score == (2, 0) for stage in rule.stages)


def _is_grade(scheme: ResultScheme, score: tuple[int, int], outcome: Outcome) -> bool:
    grade = scheme.grades.get(f"{score[0]}-{score[1]}")
    return grade is not None and grade.outcome is outcome


def points_for(rule: MatchRule) -> dict[str, object]:
    """A section's own points (of `scoring.with_own_points`) that give a match the scores of the rule.

    The highest score is the win; where no match can be drawn, a draw is half of it, rounded down.
    """
    best = max(stage.score for stage in rule.stages)
    drawn = rule.drawn[0] if rule.drawn else (best[0] + best[1]) // 2
    further = sorted({stage.score for stage in rule.stages} - {best}, reverse=True)
    own: dict[str, object] = {"win": best[0], "draw": drawn, "loss": best[1]}
    return own | ({"grades": [[high, low, "WIN"] for high, low in further]} if further else {})


_MOST_STAGES = 6
_MOST_GAMES = 20


def own_rule(data: Mapping[str, Any]) -> MatchRule:
    """A section's own rule from its JSON: `stages`, each with `pace`, `clock`, `games` (0: to the first win), `score`
    [winner, loser] and `first_win`, and `drawn` (points of both) where the last stage can end level.

    Raises InvalidState "own-match" with `field` and `stage` (from 1).
    """
    rows = data.get("stages")
    if set(data) - {"stages", "drawn"} or not isinstance(rows, list) or not 1 <= len(rows) <= _MOST_STAGES:
        raise InvalidState("own-match", field="stages", stage=0)
    stages = tuple(_own_stage(row, number) for number, row in enumerate(rows, start=1))
    for number, stage in enumerate(stages[:-1], start=1):
        if not stage.games:
            raise InvalidState("own-match", field="games", stage=number)
    drawn = data.get("drawn")
    if (drawn is None) != (stages[-1].games == 0):
        raise InvalidState("own-match", field="drawn", stage=0)
    if drawn is not None and not _is_points(drawn):
        raise InvalidState("own-match", field="drawn", stage=0)
    return MatchRule(code="OWN", stages=stages, drawn=None if drawn is None else (drawn, drawn), source="")


def _own_stage(row: Any, number: int) -> Stage:
    known = {"pace", "clock", "games", "score", "first_win"}
    if not isinstance(row, dict) or set(row) - known or not {"pace", "games", "score"} <= set(row):
        raise InvalidState("own-match", field="stages", stage=number)
    score, games, clock = row["score"], row["games"], row.get("clock", "")
    if row["pace"] not in list(Pace):
        raise InvalidState("own-match", field="pace", stage=number)
    if isinstance(games, bool) or not isinstance(games, int) or not 0 <= games <= _MOST_GAMES:
        raise InvalidState("own-match", field="games", stage=number)
    if (
        not isinstance(score, list)
        or len(score) != 2
        or not all(map(_is_points, score))
        or score[0] <= score[1]
    ):
        raise InvalidState("own-match", field="score", stage=number)
    if not isinstance(clock, str) or len(clock) > 40 or not isinstance(row.get("first_win", False), bool):
        raise InvalidState("own-match", field="clock", stage=number)
    return Stage(
        pace=Pace(row["pace"]),
        clock=clock,
        games=games,
        score=(score[0], score[1]),
        first_win=row.get("first_win", False) or games == 0,
    )


def _is_points(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 99
