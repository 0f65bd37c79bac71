"""The metrics of tie-breaks: the value of one player, or of the players of a tie among themselves.

Promises exact values: integers, fractions for means, tuples for lists compared from the left. Codes, labels and sources
stand in the registry of tie-breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from tournaments.engine.ledger import Entry, Kind
from tournaments.engine.policies import DirectRule
from tournaments.engine.scoring import PLUS_CODES
from tournaments.engine.tiebreak_inputs import Inputs, meets
from tournaments.engine.types import Colour, Result

Value = int | Fraction | tuple[int, ...] | None
Metric = Callable[[Inputs, int], Value]
Among = Callable[[Inputs, Collection[int]], Mapping[int, Value]]


def solkoff(inputs: Inputs, player: int) -> int:
    """The points of all opponents, with the credits of the rounds without one."""
    return sum(inputs.gifts[player])


def median(inputs: Inputs, player: int) -> int:
    """Solkoff without the highest and the lowest round; 0 with fewer than three rounds."""
    values = inputs.gifts[player]
    return sum(values) - max(values) - min(values) if len(values) > 2 else 0


def truncated(drop: int) -> Metric:
    """The metric of Solkoff without its `drop` lowest rounds."""

    def metric(inputs: Inputs, player: int) -> int:
        return sum(sorted(inputs.gifts[player])[drop:])

    return metric


def truncated_full(inputs: Inputs, player: int) -> tuple[int, ...]:
    """Solkoff without the lowest round, without the two lowest, and so on, compared from the left."""
    values = sorted(inputs.gifts[player])
    left, vector = sum(values), []
    for value in values[:-1]:
        left -= value
        vector.append(left)
    return tuple(vector)


def solkoff_plus(inputs: Inputs, player: int) -> int:
    """The Solkoffs of the opponents met."""
    return sum(
        solkoff(inputs, entry.opponent)
        for entry in inputs.ledger.entries[player]
        if meets(entry, inputs.policy)
    )


def sonneborn(inputs: Inputs, player: int) -> int:
    """Over the rounds, the points taken times what the round gives to Solkoff."""
    rounds = zip(inputs.ledger.entries[player], inputs.gifts[player], strict=True)
    return sum(entry.points * gift for entry, gift in rounds)


def counts_as_win(entry: Entry, inputs: Inputs) -> bool:
    """Whether WINS counts the entry."""
    if entry.result is not Result.WIN or not _is_full(entry, inputs):
        return False
    if entry.kind is Kind.FORFEIT:
        return inputs.policy.forfeits_in_wins
    return entry.kind is Kind.PLAYED or inputs.policy.byes_in_wins


def counts_as_black_win(entry: Entry, inputs: Inputs) -> bool:
    """Whether the entry is a game won with Black."""
    return entry.colour is Colour.BLACK and entry.result is Result.WIN and _is_full(entry, inputs)


def _is_full(entry: Entry, inputs: Inputs) -> bool:
    grade = inputs.ledger.scheme.grades.get(entry.grade)
    return grade is None or grade.is_full_win


def wins(inputs: Inputs, player: int) -> int:
    """Games won, with the forfeits and byes that the policy counts."""
    return sum(counts_as_win(entry, inputs) for entry in inputs.ledger.entries[player])


def games_black(inputs: Inputs, player: int) -> int:
    """Games with Black."""
    return sum(entry.colour is Colour.BLACK for entry in inputs.ledger.entries[player])


def wins_black(inputs: Inputs, player: int) -> int:
    """Games won with Black."""
    return sum(counts_as_black_win(entry, inputs) for entry in inputs.ledger.entries[player])


def cumulative(drop: int) -> Metric:
    """The metric of the points after each round, summed without the first `drop` rounds."""

    def metric(inputs: Inputs, player: int) -> int:
        return sum(inputs.ledger.running(player)[drop:])

    return metric


def cumulative_full(inputs: Inputs, player: int) -> tuple[int, ...]:
    """The sum of the points after each round, then without round 1, without rounds 1 and 2, and so on."""
    running = inputs.ledger.running(player)
    left, vector = sum(running), []
    for total in running:
        vector.append(left)
        left -= total
    return tuple(vector)


def fouls(inputs: Inputs, player: int) -> int:
    """Warnings of the player."""
    return inputs.fouls.get(player, 0)


def board_points(inputs: Inputs, player: int) -> int:
    """Points of all games of the team."""
    return inputs.board_points.get(player, 0)


def rated_opponents(inputs: Inputs, player: int) -> list[tuple[Entry, int]]:
    """Games played against rated opponents, with the rating: what the rating tie-breaks count."""
    players = inputs.ledger.players
    return [
        (entry, players[entry.opponent].rating)
        for entry in inputs.ledger.entries[player]
        if entry.kind is Kind.PLAYED and players[entry.opponent].rating
    ]


def rating_sum(inputs: Inputs, player: int) -> int:
    """The ratings of the rated opponents played."""
    return sum(rating for _, rating in rated_opponents(inputs, player))


def average_rating(inputs: Inputs, player: int) -> Fraction:
    """The mean rating of the rated opponents played; 0 without any."""
    ratings = [rating for _, rating in rated_opponents(inputs, player)]
    return Fraction(sum(ratings), len(ratings)) if ratings else Fraction(0)


def performance(inputs: Inputs, player: int) -> Fraction:
    """The mean over the rated opponents played of rating plus 500 for a win, minus 500 for a loss; 0 without any."""
    gain = {Result.WIN: 500, Result.DRAW: 0, Result.LOSS: -500}
    parts = [rating + gain[entry.result] for entry, rating in rated_opponents(inputs, player) if entry.result]
    return Fraction(sum(parts), len(parts)) if parts else Fraction(0)


def plus_draws(inputs: Inputs, player: int) -> int:
    """Plus-draws for the player minus those against."""
    total = 0
    for entry in inputs.ledger.entries[player]:
        balance = PLUS_CODES.get(entry.grade, 0)
        total += balance if entry.colour is Colour.WHITE else -balance
    return total


def against_strongest(inputs: Inputs, players: Collection[int]) -> Mapping[int, Value]:
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


def reached_half(inputs: Inputs, player: int) -> bool:
    """Whether the player has at least half of what wins in all games, forfeits included, would have given."""
    games = sum(entry.kind in (Kind.PLAYED, Kind.FORFEIT) for entry in inputs.ledger.entries[player])
    return 2 * inputs.ledger.points[player] >= inputs.ledger.scheme.win * games


def against_half(inputs: Inputs, player: int) -> list[Entry]:
    """The games against opponents who reached half of the points: what Koya counts."""
    return [
        entry
        for entry in inputs.ledger.entries[player]
        if entry.kind in (Kind.PLAYED, Kind.FORFEIT) and reached_half(inputs, entry.opponent)
    ]


def koya(inputs: Inputs, player: int) -> int:
    """Points taken from the opponents who reached half of the points."""
    return sum(entry.points for entry in against_half(inputs, player))


def met_in(inputs: Inputs, player: int, others: Collection[int]) -> list[Entry]:
    """The games of a player against `others` that direct encounter counts."""
    kinds = (Kind.PLAYED, Kind.FORFEIT) if inputs.policy.forfeits_in_direct else (Kind.PLAYED,)
    return [
        entry for entry in inputs.ledger.entries[player] if entry.opponent in others and entry.kind in kinds
    ]


def direct(inputs: Inputs, players: Collection[int]) -> Mapping[int, Value]:
    """Points among the tied players; None for all when the section wants all to have met and they have not."""
    tied = frozenset(players)
    games = {player: met_in(inputs, player, tied) for player in players}
    if inputs.policy.direct is DirectRule.ALL_MET:
        full = all(len({entry.opponent for entry in row}) == len(tied) - 1 for row in games.values())
        if not full:
            return dict.fromkeys(players)
    return {player: sum(entry.points for entry in row) for player, row in games.items()}
