"""What each round of a player gives to the sums over opponents, and why: the inputs that all tie-breaks read.

A round without a real opponent gives the credit that the section's policy says, or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tournaments.engine.ledger import Entry, Kind, Ledger
from tournaments.engine.policies import ByeOpponentScore, TieBreakPolicy
from tournaments.engine.types import Result


class Reason(StrEnum):
    """Why a round gives what it gives to a sum over opponents."""

    OPPONENT = "opponent"  # the opponent's points
    BYE = "bye"
    ABSENT = "absent"
    FORFEIT = "forfeit"
    NO_RESULT = "no-result"
    VOID = "void"
    CREDIT = "credit"  # no game; the credit the section's rules give for it


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """All that tie-breaks read. `gifts` are what each round of a player gives to Solkoff, worked out once for all forms."""

    ledger: Ledger
    policy: TieBreakPolicy
    gifts: Mapping[int, tuple[int, ...]]
    opponent_points: Mapping[int, int]
    fouls: Mapping[int, int]
    board_points: Mapping[int, int]


def prepare(
    ledger: Ledger,
    *,
    policy: TieBreakPolicy,
    fouls: Mapping[int, int] | None = None,
    board_points: Mapping[int, int] | None = None,
) -> Inputs:
    """The inputs of all tie-breaks; linear in the games. `fouls` counts warnings by player, `board_points` by team."""
    opponent_points = ledger.points if policy.adjustments_in_solkoff else ledger.earned
    positive = [points for points in ledger.points.values() if points > 0]
    lowest = min(positive, default=0)
    gifts = {
        player: tuple(
            _gift(entry, ledger=ledger, policy=policy, player=player, points=opponent_points, lowest=lowest)
            for entry in row
        )
        for player, row in ledger.entries.items()
    }
    return Inputs(
        ledger=ledger,
        policy=policy,
        gifts=gifts,
        opponent_points=opponent_points,
        fouls=fouls or {},
        board_points=board_points or {},
    )


def meets(entry: Entry, policy: TieBreakPolicy) -> bool:
    """Whether the round gives the points of a real opponent."""
    return entry.kind is Kind.PLAYED or (entry.kind is Kind.FORFEIT and policy.forfeits_in_solkoff)


def reason(entry: Entry, *, policy: TieBreakPolicy, gift: int) -> Reason:
    """Why the round gives `gift`."""
    if meets(entry, policy):
        return Reason.OPPONENT
    if entry.kind is Kind.NO_RESULT:
        return Reason.NO_RESULT
    if entry.kind is Kind.VOID:
        return Reason.VOID
    if gift:
        return Reason.CREDIT
    if entry.kind is Kind.FORFEIT:
        return Reason.FORFEIT
    return Reason.ABSENT if _is_absence(entry) else Reason.BYE


def _is_absence(entry: Entry) -> bool:
    lost = entry.kind is Kind.FORFEIT and entry.result is Result.LOSS
    return lost or entry.kind in (Kind.ZERO_BYE, Kind.ABSENT)


def _gift(
    entry: Entry,
    *,
    ledger: Ledger,
    policy: TieBreakPolicy,
    player: int,
    points: Mapping[int, int],
    lowest: int,
) -> int:
    if entry.kind is Kind.PLAYED or meets(entry, policy):
        return points[entry.opponent]
    if entry.kind in (Kind.NO_RESULT, Kind.VOID):
        return 0
    if _is_absence(entry) and not policy.credit_absences:
        return 0
    return _credit(entry, ledger=ledger, policy=policy, player=player, lowest=lowest)


def _credit(entry: Entry, *, ledger: Ledger, policy: TieBreakPolicy, player: int, lowest: int) -> int:
    rule = policy.bye_opponent_score
    if rule is ByeOpponentScore.OWN_SCORE:
        return ledger.points[player]
    if rule is ByeOpponentScore.MIN_POSITIVE:
        return lowest
    if rule is ByeOpponentScore.VIRTUAL:
        before = sum(earlier.points for earlier in ledger.entries[player][: entry.round - 1])
        later = ledger.after_round - entry.round
        return before + (ledger.scheme.win - entry.points) + ledger.scheme.draw * later
    return 0
