"""Tie-breaks: a registry by code, and the values of all players for each.

Promises exact values: integers, fractions for means, tuples for lists compared from the left. Labels and formulas are
English source texts for the pages to translate. Refuses to order players: that is the standings' work.
Sources: FMJD and Chinese practice for draughts, Xiangqi rules 2011, KNDB, as named in each entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType

from tournaments.engine.ledger import Entry, Kind, Ledger
from tournaments.engine.policies import ByeOpponentScore as ByeOpponentScore
from tournaments.engine.policies import DirectRule as DirectRule
from tournaments.engine.policies import TieBreakPolicy as TieBreakPolicy
from tournaments.engine.scoring import PLUS_CODES
from tournaments.engine.types import Colour, EngineError, Result

Value = int | Fraction | tuple[int, ...] | None


class UnknownTieBreak(EngineError):
    """No tie-break has that code: values name `found` and `expected`."""

    code = "unknown-tie-break"

    def __str__(self) -> str:
        return f"no tie-break is called {self.values['found']!r}; expected one of {self.values['expected']}"


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


Metric = Callable[[Inputs, int], Value]
Among = Callable[[Inputs, Collection[int]], Mapping[int, Value]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """One way to order equals. Exactly one of `metric` (per player) and `among` (within the tied players) is set.

    Neither is set for those that the standings themselves carry out: lots and the comparison with the round before.
    Label and formula are format strings: a numbered tie-break shows its number `k` in them.
    """

    code: str
    label: str
    formula: str
    source: str
    metric: Metric | None = None
    among: Among | None = None
    lower_is_better: bool = False
    k: int = 0


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


def _solkoff(inputs: Inputs, player: int) -> int:
    return sum(inputs.gifts[player])


def _median(inputs: Inputs, player: int) -> int:
    values = inputs.gifts[player]
    return sum(values) - max(values) - min(values) if len(values) > 2 else 0


def _truncated(drop: int) -> Metric:
    def metric(inputs: Inputs, player: int) -> int:
        return sum(sorted(inputs.gifts[player])[drop:])

    return metric


def _truncated_full(inputs: Inputs, player: int) -> tuple[int, ...]:
    values = sorted(inputs.gifts[player])
    left, vector = sum(values), []
    for value in values[:-1]:
        left -= value
        vector.append(left)
    return tuple(vector)


def _solkoff_plus(inputs: Inputs, player: int) -> int:
    return sum(
        _solkoff(inputs, entry.opponent)
        for entry in inputs.ledger.entries[player]
        if meets(entry, inputs.policy)
    )


def _sonneborn(inputs: Inputs, player: int) -> int:
    rounds = zip(inputs.ledger.entries[player], inputs.gifts[player], strict=True)
    return sum(entry.points * gift for entry, gift in rounds)


def counts_as_win(entry: Entry, policy: TieBreakPolicy) -> bool:
    """Whether WINS counts the entry."""
    if entry.result is not Result.WIN:
        return False
    if entry.kind is Kind.FORFEIT:
        return policy.forfeits_in_wins
    return entry.kind is Kind.PLAYED or policy.byes_in_wins


def _wins(inputs: Inputs, player: int) -> int:
    return sum(counts_as_win(entry, inputs.policy) for entry in inputs.ledger.entries[player])


def _games_black(inputs: Inputs, player: int) -> int:
    return sum(entry.colour is Colour.BLACK for entry in inputs.ledger.entries[player])


def _wins_black(inputs: Inputs, player: int) -> int:
    return sum(
        entry.colour is Colour.BLACK and entry.result is Result.WIN for entry in inputs.ledger.entries[player]
    )


def _cumulative(drop: int) -> Metric:
    def metric(inputs: Inputs, player: int) -> int:
        return sum(inputs.ledger.running(player)[drop:])

    return metric


def _cumulative_full(inputs: Inputs, player: int) -> tuple[int, ...]:
    running = inputs.ledger.running(player)
    left, vector = sum(running), []
    for total in running:
        vector.append(left)
        left -= total
    return tuple(vector)


def _fouls(inputs: Inputs, player: int) -> int:
    return inputs.fouls.get(player, 0)


def _board_points(inputs: Inputs, player: int) -> int:
    return inputs.board_points.get(player, 0)


def rated_opponents(inputs: Inputs, player: int) -> list[tuple[Entry, int]]:
    """Games played against rated opponents, with the rating: what the rating tie-breaks count."""
    players = inputs.ledger.players
    return [
        (entry, players[entry.opponent].rating)
        for entry in inputs.ledger.entries[player]
        if entry.kind is Kind.PLAYED and players[entry.opponent].rating
    ]


def _rating_sum(inputs: Inputs, player: int) -> int:
    return sum(rating for _, rating in rated_opponents(inputs, player))


def _average_rating(inputs: Inputs, player: int) -> Fraction:
    ratings = [rating for _, rating in rated_opponents(inputs, player)]
    return Fraction(sum(ratings), len(ratings)) if ratings else Fraction(0)


def _performance(inputs: Inputs, player: int) -> Fraction:
    gain = {Result.WIN: 500, Result.DRAW: 0, Result.LOSS: -500}
    parts = [rating + gain[entry.result] for entry, rating in rated_opponents(inputs, player) if entry.result]
    return Fraction(sum(parts), len(parts)) if parts else Fraction(0)


def _plus_draws(inputs: Inputs, player: int) -> int:
    total = 0
    for entry in inputs.ledger.entries[player]:
        balance = PLUS_CODES.get(entry.grade, 0)
        total += balance if entry.colour is Colour.WHITE else -balance
    return total


def _against_strongest(inputs: Inputs, players: Collection[int]) -> Mapping[int, Value]:
    """Points taken from the players of each score, the highest score first."""
    scores = sorted(set(inputs.ledger.points.values()), reverse=True)
    place = {score: index for index, score in enumerate(scores)}
    result: dict[int, Value] = {}
    for player in players:
        vector = [0] * len(scores)
        for entry in inputs.ledger.entries[player]:
            if entry.opponent and entry.kind in (Kind.PLAYED, Kind.FORFEIT):
                vector[place[inputs.ledger.points[entry.opponent]]] += entry.points
        result[player] = tuple(vector)
    return result


def met_in(inputs: Inputs, player: int, others: Collection[int]) -> list[Entry]:
    """The games of a player against `others` that direct encounter counts."""
    kinds = (Kind.PLAYED, Kind.FORFEIT) if inputs.policy.forfeits_in_direct else (Kind.PLAYED,)
    return [
        entry for entry in inputs.ledger.entries[player] if entry.opponent in others and entry.kind in kinds
    ]


def _direct(inputs: Inputs, players: Collection[int]) -> Mapping[int, Value]:
    """Points among the tied players; None for all when the section wants all to have met and they have not."""
    tied = frozenset(players)
    games = {player: met_in(inputs, player, tied) for player in players}
    if inputs.policy.direct is DirectRule.ALL_MET:
        full = all(len({entry.opponent for entry in row}) == len(tied) - 1 for row in games.values())
        if not full:
            return dict.fromkeys(players)
    return {player: sum(entry.points for entry in row) for player, row in games.items()}


LOTS = "LOTS"
PREVIOUS_ROUND = "PREVIOUS_ROUND"

_ENTRIES = (
    TieBreak(
        code="SOLKOFF",
        label="Solkoff",
        formula="sum of the points of all opponents; a bye gives what the section says",
        source="FMJD; Buchholz in chess",
        metric=_solkoff,
    ),
    TieBreak(
        code="SOLKOFF_MEDIAN",
        label="Median Solkoff",
        formula="Solkoff without the highest and the lowest opponent",
        source="FMJD; Chinese draughts association, Swiss",
        metric=_median,
    ),
    TieBreak(
        code="SOLKOFF_TRUNC_SHORT",
        label="Solkoff truncated once",
        formula="Solkoff without the lowest opponent",
        source="FMJD",
        metric=_truncated(1),
    ),
    TieBreak(
        code="SOLKOFF_TRUNC_FULL",
        label="Solkoff truncated",
        formula="Solkoff without the lowest opponent; if equal, without the two lowest, and so on",
        source="FMJD, Swiss; Chinese draughts association, Swiss",
        metric=_truncated_full,
    ),
    TieBreak(
        code="SOLKOFF_PLUS",
        label="Solkoff plus",
        formula="sum of the Solkoffs of the opponents played",
        source="FMJD",
        metric=_solkoff_plus,
    ),
    TieBreak(
        code="SB",
        label="Sonneborn-Berger",
        formula="sum of points taken from an opponent times the points of that opponent",
        source="FFJD; Xiangqi rules 2011, art. 13",
        metric=_sonneborn,
    ),
    TieBreak(
        code="WINS",
        label="Wins",
        formula="number of games won; forfeits and byes as the section says",
        source="Chinese draughts association; FMJD World Cup 2017",
        metric=_wins,
    ),
    TieBreak(
        code="DIRECT",
        label="Direct encounter",
        formula="points taken in the games among the tied players, if they have all met",
        source="Chinese draughts association; FMJD 5.11.1.2.2a",
        among=_direct,
    ),
    TieBreak(
        code="CUM",
        label="Cumulative score",
        formula="sum of the points after each round",
        source="Xiangqi rules 2011, art. 13",
        metric=_cumulative(0),
    ),
    TieBreak(
        code="CUM_FULL",
        label="Cumulative score, first rounds dropped",
        formula="sum of the points after each round; if equal, without round 1, then without rounds 1 and 2, and so on",
        source="Xiangqi rules 2011, art. 13 (variant B)",
        metric=_cumulative_full,
    ),
    TieBreak(
        code="games_black",
        label="Games with Black",
        formula="number of games played with Black, the second player",
        source="Xiangqi rules 2011, art. 13",
        metric=_games_black,
    ),
    TieBreak(
        code="wins_black",
        label="Wins with Black",
        formula="number of games won with Black, the second player",
        source="Xiangqi rules 2011, art. 13",
        metric=_wins_black,
    ),
    TieBreak(
        code="FOULS",
        label="Warnings",
        formula="number of warnings; fewer is better",
        source="Xiangqi rules 2011, art. 13",
        metric=_fouls,
        lower_is_better=True,
    ),
    TieBreak(
        code="BOARD_POINTS",
        label="Board points",
        formula="points of all games of a team",
        source="Xiangqi rules 2011, art. 13",
        metric=_board_points,
    ),
    TieBreak(
        code="RATING_SUM",
        label="Ratings of the opponents",
        formula="sum of the ratings of the opponents played",
        source="FMJD 5.11.1.2.2a, Swiss on rating",
        metric=_rating_sum,
    ),
    TieBreak(
        code="ARO",
        label="Average rating of the opponents",
        formula="mean of the ratings of the rated opponents played",
        source="FMJD, Swiss on rating",
        metric=_average_rating,
    ),
    TieBreak(
        code="PERFORMANCE",
        label="Performance",
        formula="mean of the opponents' ratings, plus 500 for a win, minus 500 for a loss",
        source="lidraughts",
        metric=_performance,
    ),
    TieBreak(
        code="PLUS_DRAWS",
        label="Balance of plus-draws",
        formula="plus-draws for the player minus plus-draws against",
        source="KNDB women's championship 2010",
        metric=_plus_draws,
    ),
    TieBreak(
        code="VS_STRONGEST",
        label="Score against the strongest",
        formula="points taken from the players with the most points; if equal, from the next, and so on",
        source="KNDB women's championship 2010; FFJD",
        among=_against_strongest,
    ),
    TieBreak(
        code=PREVIOUS_ROUND,
        label="Place after the round before",
        formula="the place in the standings one round earlier, by the same tie-breaks",
        source="Xiangqi rules 2011, art. 13 (variant A)",
        lower_is_better=True,
    ),
    TieBreak(
        code=LOTS,
        label="Drawing of lots",
        formula="a recorded drawing; the lower number goes first",
        source="Chinese draughts association",
        lower_is_better=True,
    ),
)

TIEBREAKS: Mapping[str, TieBreak] = MappingProxyType({entry.code: entry for entry in _ENTRIES})

_NUMBERED: Mapping[str, tuple[str, str, Callable[[int], Metric]]] = MappingProxyType(
    {
        "SOLKOFF_TRUNC_": (
            "Solkoff truncated {k} times",
            "Solkoff without the {k} lowest opponents",
            _truncated,
        ),
        "CUM_DROP_": (
            "Cumulative score from round {k}",
            "cumulative score without the first {k} rounds",
            _cumulative,
        ),
    }
)


def find(code: str) -> TieBreak:
    """The tie-break of a code in any case of letters; SOLKOFF_TRUNC_k and CUM_DROP_k exist for k of 1..999.

    Raises UnknownTieBreak.
    """
    wanted = code.strip().upper()
    for known in _ENTRIES:
        if known.code.upper() == wanted:
            return known
    for prefix, (label, formula, make) in _NUMBERED.items():
        tail = wanted.removeprefix(prefix)
        if tail != wanted and tail.isascii() and tail.isdigit() and len(tail) < 4 and int(tail) >= 1:
            k = int(tail)
            return TieBreak(
                code=f"{prefix}{k}",
                label=label,
                formula=formula,
                source=TIEBREAKS["SOLKOFF_TRUNC_FULL" if prefix.startswith("S") else "CUM_FULL"].source,
                metric=make(k),
                k=k,
            )
    raise UnknownTieBreak(
        found=code, expected=", ".join([*TIEBREAKS, *(f"{prefix}k" for prefix in _NUMBERED)])
    )


def is_known(code: object) -> bool:
    """Whether `find` has a tie-break of that code."""
    try:
        return isinstance(code, str) and bool(find(code))
    except UnknownTieBreak:
        return False
