"""How likely each of the games behind faulty copies is, compared with the others.

The search charges every error alike, as long as it does not know how many there are. Here it is known: that many errors
fall on that many of the texts in so many ways, all of them equally likely, and so is each number of errors. What
players are likely to play (`rules.habit`) is put on the scales as well, for the plies in which the games differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log
from typing import NamedTuple

from rules.board import Position
from rules.habit import move_costs
from rules.misreading import ERROR_COST, ChangeKind
from rules.moves import RawMove
from rules.search import History, Search, nodes

FAR_BEHIND = 14.0  # what costs so much more than the cheapest is left out


class Ply(NamedTuple):
    """A ply of a game as `rules.habit` looks at it."""

    position: Position
    raw: RawMove
    before: tuple[RawMove | None, RawMove | None]


class Weighed(NamedTuple):
    """A game and the negative logarithm of its odds; `written` is what the copies alone make of it, whatever players are
    likely to play."""

    cost: float
    history: History
    written: float


def written_share(games: Sequence[Weighed]) -> float:
    """The share of the first game in the odds of all by what the copies alone say."""
    return 1 / sum(exp(games[0].written - game.written) for game in games)


def weighed(search: Search, histories: Sequence[History]) -> list[Weighed]:
    """The likeliest of the histories, best first."""
    if not histories:
        return []
    cheapest = histories[0]
    if cheapest.cost == 0:
        return [Weighed(0.0, cheapest, 0.0)]  # what the copies say as they stand is not argued with
    near = [history for history in histories if history.cost <= cheapest.cost + FAR_BEHIND]
    games = [_plies(search, history) for history in near]
    shared = set.intersection(*(set(game) for game in games))
    habits: dict[tuple[object, ...], dict[RawMove, float]] = {}
    found = []
    for history, game in zip(near, games, strict=True):
        written = cost = _errors_cost(search, history, game)
        for ply in game:
            if ply in shared:
                continue
            known = habits.get((ply.position, ply.before))
            if known is None:
                known = _habits(ply, search.moves_at(ply.position))
                habits[ply.position, ply.before] = known
            cost += known[ply.raw]
        found.append(Weighed(cost, history, written))
    return sorted(found, key=lambda game: (game.cost, game.history.key))


def _habits(ply: Ply, moves: Sequence[RawMove]) -> dict[RawMove, float]:
    """What each of the moves costs by habit; now and then a player moves as nobody would."""
    costs = move_costs(ply.position, moves, ply.before)
    return {raw: -log((1 - _AT_RANDOM) * exp(-cost) + _AT_RANDOM / len(moves)) for raw, cost in costs.items()}


_AT_RANDOM = 0.05


def unseen(node: History, copies: int) -> bool:
    """Whether every copy lacks the ply."""
    return sum(kind is ChangeKind.MISSING for _number, kind, _index in node.notes) == copies


def errors_of(history: History, copy: int, copies: int) -> int:
    """How often the writer of a copy erred. Plies left out in a row are one error, and no error of the second writer
    where the first lacks them too; all that lies behind the last text is one decision to stop."""
    count = 0
    gap = True  # read from the end
    for node in reversed(nodes(history)):
        kinds = [kind for number, kind, _index in node.notes if number == copy]
        lacking = kinds == [ChangeKind.MISSING]
        if not (lacking and (gap or (copy > 0 and unseen(node, copies)))):
            count += sum(_ERRORS.get(kind, 2) for kind in kinds)
        gap = lacking
    return count // 2


_ERRORS = {ChangeKind.SWAPPED: 1, ChangeKind.REORDERED: 1, ChangeKind.DIGITS: 4, ChangeKind.SEPARATOR: 0}
"""In halves: exchanged moves are noted at both plies; the rest count two."""


def _errors_cost(search: Search, history: History, game: Sequence[Ply]) -> float:
    """What the copies cost: each number of errors is as likely as any other, and so are the texts they fall on."""
    cost = history.cost
    copies = len(search.sheets)
    for copy, sheet in enumerate(search.sheets):
        errors = errors_of(history, copy, copies)
        texts = max(len(sheet), errors)
        ways = lgamma(texts + 1) - lgamma(errors + 1) - lgamma(texts - errors + 1)
        cost += ways - ERROR_COST * errors
    plies = [node for node in nodes(history) if node.raw is not None]
    for node, ply in zip(plies, game, strict=True):
        if unseen(node, copies):
            cost -= log(
                len(search.moves_at(ply.position))
            )  # the search took all moves there for equally likely
    return cost


def _plies(search: Search, history: History) -> list[Ply]:
    position = search.start
    played: list[Ply] = []
    raws: list[RawMove] = []
    for node in nodes(history):
        if node.raw is None:
            continue
        before = (raws[-1] if raws else None, raws[-2] if len(raws) > 1 else None)
        played.append(Ply(position, node.raw, before))
        raws.append(node.raw)
        position = search.after(position, node.raw)
    return played
