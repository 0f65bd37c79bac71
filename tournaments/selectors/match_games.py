"""The games that a pairing holds: one, the boards of a team match, or the games of a micro-match as far as they can come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments import formats
from tournaments.engine import micromatch
from tournaments.engine.types import EngineError, Outcome
from tournaments.errors import BadInput
from tournaments.formats import match_outcome
from tournaments.models import MatchGame, Pairing, Section, TeamMember
from tournaments.wording.sections import PACES


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A game of a pairing, recorded or not. `first` and `second` sit there for the pairing's White and Black.

    Of a micro-match, `is_due` are the games that have a result and the next one; the others come only if the match
    goes on. `pace` is a code of the match rule, "" elsewhere.
    """

    number: int
    first_white: bool = True
    first: TeamMember | None = None
    second: TeamMember | None = None
    outcome: str = Outcome.UNPLAYED.value
    grade: str = ""
    is_recorded: bool = False
    is_due: bool = True
    pace: str = ""
    clock: str = ""

    @property
    def pace_words(self) -> Any:
        return PACES[self.pace] if self.pace else ""


def is_match(section: Section) -> bool:
    """Whether a pairing of the section holds several games."""
    return formats.of(section).enters_teams or formats.match_rule(section) is not None


def slots(section: Section, pairing: Pairing) -> list[Slot]:
    """The games of a pairing in their order. One query for a match (none where `match_games` are fetched), else none."""
    if pairing.black_id is None:
        return []
    if formats.of(section).enters_teams:
        return _boards(section, pairing)
    rule = formats.match_rule(section)
    if rule is None:
        return [Slot(number=1, outcome=pairing.outcome, grade=pairing.grade, is_recorded=True)]
    return _stages(rule, pairing)


def outcome_with(section: Section, pairing: Pairing, *, number: int, outcome: str) -> tuple[str, str]:
    """The outcome and grade that the pairing would have with this outcome of one of its recorded games.

    Raises BadInput where the games after it would have no place in the match.
    """
    rows = _rows(pairing)
    for row in rows:
        if row.number == number:
            row.outcome, row.grade = outcome, ""
    rule = formats.match_rule(section)
    try:
        if rule is not None and number > len(rows):
            rows.append(_next_game(rule, rows, outcome))
        return match_outcome.judged(section, rows)
    except EngineError as error:
        raise BadInput(
            _("Game %(number)s has no place in the match then."), number=error.values.get("game", "")
        ) from None


def clock_of(section: Section, pace: str) -> str:
    """The clock of the match rule's stages at a pace; "" where there is none, or several that differ."""
    rule = formats.match_rule(section)
    clocks = {stage.clock for stage in rule.stages if stage.pace == pace} if rule is not None else set()
    return clocks.pop() if len(clocks) == 1 else ""


def _boards(section: Section, pairing: Pairing) -> list[Slot]:
    rows = {row.number: row for row in _rows(pairing)}
    found = []
    for number in range(1, section.team_boards + 1):
        row = rows.get(number)
        if row is None:
            found.append(Slot(number=number, first_white=number % 2 == 1))
            continue
        found.append(
            Slot(
                number=number, first_white=row.first_white, first=row.first, second=row.second, outcome=row.outcome,
                grade=row.grade, is_recorded=True,
            )
        )  # fmt: skip
    return found


def _stages(rule: micromatch.MatchRule, pairing: Pairing) -> list[Slot]:
    rows = _rows(pairing)
    while rows and rows[-1].outcome == Outcome.UNPLAYED:
        rows.pop()
    found = [
        Slot(
            number=row.number, first_white=row.first_white, outcome=row.outcome, grade=row.grade, is_recorded=True,
            pace=rule.stages[row.stage].pace, clock=rule.stages[row.stage].clock,
        )
        for row in rows
    ]  # fmt: skip
    return [*found, *_to_come(rule, match_outcome.played(rows), after=len(rows))]


def _to_come(rule: micromatch.MatchRule, games: Sequence[micromatch.MatchGame], *, after: int) -> list[Slot]:
    """The longest way the match can take from here, up to the first game of a stage without an end."""
    found: list[Slot] = []
    played = list(games)
    while (coming := micromatch.evaluate(rule, played).next_game) is not None:
        found.append(
            Slot(
                number=after + len(found) + 1, first_white=coming.first_white, is_due=not found, pace=coming.pace,
                clock=coming.clock,
            )
        )  # fmt: skip
        if not rule.stages[coming.stage].games:
            break
        played.append(
            micromatch.MatchGame(stage=coming.stage, first_white=coming.first_white, outcome=Outcome.DRAW)
        )
    return found


def _rows(pairing: Pairing) -> list[MatchGame]:
    """The recorded games in order, fetched before or now."""
    if "match_games" in getattr(pairing, "_prefetched_objects_cache", {}):
        return sorted(pairing.match_games.all(), key=lambda row: row.number)
    return list(pairing.match_games.select_related("first", "second").order_by("number"))


def _next_game(rule: micromatch.MatchRule, rows: Sequence[MatchGame], outcome: str) -> MatchGame:
    """The game that comes after those recorded, unsaved. After the end it has no place, which judging the match says."""
    coming = micromatch.evaluate(rule, match_outcome.played(rows)).next_game
    return MatchGame(
        number=len(rows) + 1,
        stage=coming.stage if coming else 0,
        first_white=coming is None or coming.first_white,
        outcome=outcome,
    )
