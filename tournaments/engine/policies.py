"""How byes, forfeits, absences and withdrawals count: stated choices of a section, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from tournaments.engine.types import InvalidState


class ByeOpponentScore(StrEnum):
    """What a round without a game gives to the sums over opponents."""

    ZERO = "zero"  # nothing (draughts practice: the truncated forms drop it first)
    OWN_SCORE = "own_score"  # the player's own points
    MIN_POSITIVE = "min_positive"  # the lowest points among the players that have any (Xiangqi rules 2011)
    VIRTUAL = "virtual"  # points before the round, what the player did not take from it, a draw for each later round


class DirectRule(StrEnum):
    """When the games among tied players decide."""

    ALL_MET = "all_met"  # only if each has met each
    ANY = "any"  # on the games that there are


class Treatment(StrEnum):
    """What becomes of the games of a player who leaves or is disqualified."""

    STAND = "stand"  # what was played stands, later rounds do not know the player
    FORFEIT_REST = "forfeit_rest"  # ... and games paired later are lost without play
    ANNUL_BELOW_HALF = (
        "annul_below_half"  # less than half of the games played: all annulled; else FORFEIT_REST
    )
    FORFEIT_ALL = "forfeit_all"  # every game is lost without play
    ANNUL = "annul"  # every game is annulled


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakPolicy:
    """The treatment of what is not simply a game played.

    The defaults are those of draughts: a bye gives 0 to Solkoff, a forfeit win keeps its points but is no game for
    Solkoff, and direct encounter takes a forfeit as played.
    """

    bye_opponent_score: ByeOpponentScore = ByeOpponentScore.ZERO
    credit_absences: bool = (
        False  # the same credit for absences and forfeit losses, not only byes and forfeit wins
    )
    forfeits_in_solkoff: bool = False  # a forfeited pairing gives the real opponent's points
    forfeits_in_wins: bool = False
    byes_in_wins: bool = False
    forfeits_in_direct: bool = True
    direct: DirectRule = DirectRule.ALL_MET
    adjustments_in_solkoff: bool = True  # rulings on an opponent's points reach the sums over opponents
    withdrawal: Treatment = Treatment.STAND
    disqualification: Treatment = Treatment.STAND

    def as_json(self) -> dict[str, bool | str]:
        """The choices by field name: booleans, and the words of the enumerations."""
        return {choice.name: getattr(self, choice.name) for choice in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, object], *, base: TieBreakPolicy | None = None) -> TieBreakPolicy:
        """`base` with the choices of `data` over it. Raises InvalidState for an unknown field or word."""
        start = base or cls()
        names = [choice.name for choice in fields(cls)]
        chosen: dict[str, Any] = {}
        for name, value in data.items():
            if name not in names:
                raise InvalidState("unknown-policy", field=name, expected=names)
            current = getattr(start, name)
            words = list(type(current)) if isinstance(current, StrEnum) else [True, False]
            if value not in words:
                raise InvalidState("bad-policy", field=name, found=value, expected=words)
            chosen[name] = next(word for word in words if word == value)
        return replace(start, **chosen)


# What a page asks an organizer, by field, and the words to choose from (English source texts).
CHOICE_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "bye_opponent_score": "A round without a game gives to Solkoff",
        "credit_absences": "Absences and forfeit losses get the same credit",
        "forfeits_in_solkoff": "A forfeited pairing gives the points of the opponent to Solkoff",
        "forfeits_in_wins": "Wins by forfeit count as wins",
        "byes_in_wins": "Byes count as wins",
        "forfeits_in_direct": "A forfeit counts in direct encounter",
        "direct": "Direct encounter decides",
        "adjustments_in_solkoff": "Rulings on points reach the Solkoff of the opponents",
        "withdrawal": "Games of a player who withdraws",
        "disqualification": "Games of a disqualified player",
    }
)
WORD_TEXTS: Mapping[StrEnum, str] = MappingProxyType(
    {
        ByeOpponentScore.ZERO: "nothing",
        ByeOpponentScore.OWN_SCORE: "the player's own points",
        ByeOpponentScore.MIN_POSITIVE: "the lowest points among the players that have any",
        ByeOpponentScore.VIRTUAL: "the points of a virtual opponent",
        DirectRule.ALL_MET: "only if all tied players have met",
        DirectRule.ANY: "on the games played among the tied players",
        Treatment.STAND: "stand as played",
        Treatment.FORFEIT_REST: "stand; the rest is lost by forfeit",
        Treatment.ANNUL_BELOW_HALF: "are annulled if less than half was played, else the rest is lost by forfeit",
        Treatment.FORFEIT_ALL: "are all lost by forfeit",
        Treatment.ANNUL: "are annulled",
    }
)

DEFAULT_POLICY = TieBreakPolicy()
