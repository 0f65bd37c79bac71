"""What the games of a match make of its board: the one place that says so, for entering, checking, export and import."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine import micromatch, teams
from tournaments.engine.types import FORFEITS, Board, EngineError, Outcome
from tournaments.formats import match_rule
from tournaments.models import MatchGame, Section

# What may stand against the games: the match was not played out, or was ruled on.
BESIDE_THE_GAMES = frozenset({*FORFEITS, Outcome.BOTH_LOSE, Outcome.VOID})


def of_games(section: Section, games: Sequence[MatchGame]) -> tuple[str, str]:
    """Outcome and grade of the board, in the order of the games' numbers; UNPLAYED while the match is not over.

    So too for games that the section's match rule does not know in this order, which older documents could bring in.
    """
    try:
        return judged(section, games)
    except EngineError:
        return Outcome.UNPLAYED.value, ""


def judged(section: Section, games: Sequence[MatchGame]) -> tuple[str, str]:
    """As `of_games`, but raises EngineError for a game that has no place in the match."""
    rule = match_rule(section)
    scheme = section.result_scheme
    if rule is None:
        boards = tuple(
            Board(number=g.number, white=1, black=2, outcome=Outcome(g.outcome), grade=g.grade) for g in games
        )
        match = teams.TeamMatch(round=1, number=1, first=1, second=2, games=boards)
        return teams.match_outcome(match, scheme).value, ""
    outcome, grade = micromatch.as_board(micromatch.evaluate(rule, played(games)), scheme=scheme)
    return outcome.value, grade


def played(games: Sequence[MatchGame]) -> list[micromatch.MatchGame]:
    """The recorded games of a micro-match as the engine takes them."""
    return [
        micromatch.MatchGame(stage=g.stage, first_white=g.first_white, outcome=Outcome(g.outcome))
        for g in games
    ]


def differs(section: Section, outcome: str, grade: str, games: Sequence[MatchGame]) -> bool:
    """Whether the board's result is not what its games give; a board without games has no such."""
    return bool(games) and (outcome, grade) != of_games(section, games)
