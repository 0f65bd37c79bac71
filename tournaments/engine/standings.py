"""Standings: players in order after a round, with every value that ordered them and what separated each from the one above.

Promises the same answer for the same input: lots come from a stated seed or a recorded drawing. What nothing separates
shares the place. Linear in the games (sorting aside). Refuses to know who asks and in which language.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from tournaments.engine import ledger as ledgers
from tournaments.engine.ledger import Kind, Ledger
from tournaments.engine.policies import DEFAULT_POLICY, TieBreakPolicy
from tournaments.engine.presets import PRESETS as PRESETS
from tournaments.engine.tiebreak_inputs import Inputs, prepare
from tournaments.engine.tiebreak_metrics import Value
from tournaments.engine.tiebreaks import LOTS, PREVIOUS_ROUND, TieBreak, find
from tournaments.engine.types import Result, Tournament
from tournaments.engine.withdrawals import settle

POINTS = "POINTS"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One line, of the player with the pairing number `number`.

    Places rank..rank_to are shared (equal when not shared). The unplaced, disqualified or with all games annulled, come
    last, with `placed` False and the rank after all others. `points` hold `adjustment`, the sum of the rulings.
    `values` go by tie-break code, in order; None where the tie-break was not asked or did not apply. `separated_by` is
    what put the row below the one above: POINTS, a code, or "" for the first row, a shared place and the unplaced.
    """

    number: int
    rank: int
    rank_to: int
    points: int
    adjustment: int
    played: int
    wins: int
    draws: int
    losses: int
    values: Mapping[str, Value]
    separated_by: str
    placed: bool = True

    @property
    def shared(self) -> bool:
        return self.rank != self.rank_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """A whole table. `codes` are the tie-breaks in order; `lot_seed` and `lots` say how lots were drawn, if they were."""

    after_round: int
    codes: tuple[str, ...]
    policy: TieBreakPolicy
    rows: tuple[StandingsRow, ...]
    lot_seed: int | None = None
    lots: Mapping[int, int] = field(default_factory=dict)

    def row(self, player: int) -> StandingsRow:
        """The line of a player. Raises KeyError."""
        for row in self.rows:
            if row.number == player:
                return row
        raise KeyError(player)


@dataclass(slots=True, kw_only=True)
class _Sorting:
    """The work of one computation."""

    tournament: Tournament
    inputs: Inputs
    tiebreaks: tuple[TieBreak, ...]
    lots: Mapping[int, int] | None
    disqualified: frozenset[int]
    shown: dict[int, dict[str, Value]]
    separated: dict[int, str] = field(default_factory=dict)  # first player of a block -> what put it below
    previous: Mapping[int, int] | None = None


def compute(
    tournament: Tournament,
    *,
    tiebreaks: Sequence[str],
    policy: TieBreakPolicy = DEFAULT_POLICY,
    after_round: int | None = None,
    fouls: Mapping[int, int] | None = None,
    board_points: Mapping[int, int] | None = None,
    disqualified: Collection[int] = (),
    lot_seed: int | None = None,
    lots: Mapping[int, int] | None = None,
) -> Standings:
    """Standings after a round (default: the last).

    `tiebreaks` are codes in order (the registry, SOLKOFF_TRUNC_k, CUM_DROP_k). `fouls` are warnings by player,
    `board_points` those of teams.
    Lots are drawn with random.Random(lot_seed) over all numbers, or taken from `lots` (player -> number drawn, lower
    first) as recorded; either adds LOTS at the end of an order without it. With neither, LOTS separates nobody.
    Raises UnknownTieBreak, InvalidState.
    """
    limit = len(tournament.rounds) if after_round is None else after_round
    settled, placeless = settle(tournament, policy=policy, after_round=limit, disqualified=disqualified)
    ledger = ledgers.build(settled, after_round=limit)
    inputs = prepare(ledger, policy=policy, fouls=fouls, board_points=board_points)
    found = tuple(find(code) for code in tiebreaks)
    drawn = lots
    if drawn is None and lot_seed is not None:
        drawn = draw_lots(ledger.players, seed=lot_seed)
    if drawn is not None and all(tiebreak.code != LOTS for tiebreak in found):
        found = (*found, find(LOTS))
    sorting = _Sorting(
        tournament=tournament,
        inputs=inputs,
        tiebreaks=found,
        lots=drawn,
        disqualified=frozenset(disqualified),
        shown={player: {} for player in ledger.players},
    )
    _show(sorting)
    placed = _ordered(sorting, [player for player in ledger.players if player not in placeless])
    rest = sorted(placeless, key=lambda player: (-ledger.points[player], player))
    return Standings(
        after_round=limit,
        codes=tuple(tiebreak.code for tiebreak in found),
        policy=policy,
        rows=tuple(_rows(sorting, placed, rest)),
        lot_seed=lot_seed if lots is None else None,
        lots=dict(drawn or {}),
    )


def draw_lots(players: Collection[int], *, seed: int) -> dict[int, int]:
    """A number from 1 for every player, drawn with random.Random(seed) over the numbers in ascending order."""
    numbers = sorted(players)
    order = list(range(1, len(numbers) + 1))
    random.Random(seed).shuffle(order)
    return dict(zip(numbers, order, strict=True))


def _show(sorting: _Sorting) -> None:
    """Values of the tie-breaks that every player has, tied or not."""
    for tiebreak in sorting.tiebreaks:
        if tiebreak.metric is None:
            continue
        for player, values in sorting.shown.items():
            values[tiebreak.code] = tiebreak.metric(sorting.inputs, player)


def _ordered(sorting: _Sorting, players: list[int]) -> list[list[int]]:
    """Blocks of players that nothing separates, from the top."""
    points = sorting.inputs.ledger.points
    blocks = _split(players, {player: points[player] for player in players}, lower=False)
    for block in blocks[1:]:
        sorting.separated[block[0]] = POINTS
    for tiebreak in sorting.tiebreaks:
        blocks = [part for block in blocks for part in _broken(sorting, block, tiebreak)]
    return blocks


def _broken(sorting: _Sorting, block: list[int], tiebreak: TieBreak) -> list[list[int]]:
    """A block split by one tie-break. What decides among the tied is asked again of those it leaves tied."""
    if len(block) == 1:
        return [block]
    head = sorting.separated.pop(block[0], "")
    values = _values(sorting, block, tiebreak)
    parts = _split(block, values, lower=tiebreak.lower_is_better)
    if len(parts) > 1:
        parts = [smaller for part in parts for smaller in _again(sorting, part, tiebreak)]
    for part in parts[1:]:
        sorting.separated[part[0]] = tiebreak.code
    if head:
        sorting.separated[parts[0][0]] = head
    return parts


def _again(sorting: _Sorting, part: list[int], tiebreak: TieBreak) -> list[list[int]]:
    """The same question among fewer players; the values shown stay those of the first asking."""
    if len(part) == 1 or tiebreak.among is None:
        return [part]
    smaller = _split(part, tiebreak.among(sorting.inputs, part), lower=tiebreak.lower_is_better)
    if len(smaller) == 1:
        return smaller
    return [last for each in smaller for last in _again(sorting, each, tiebreak)]


def _values(sorting: _Sorting, block: list[int], tiebreak: TieBreak) -> Mapping[int, Value]:
    if tiebreak.metric is not None:
        return {player: sorting.shown[player][tiebreak.code] for player in block}
    if tiebreak.among is not None:
        values = tiebreak.among(sorting.inputs, block)
    elif tiebreak.code == PREVIOUS_ROUND:
        places = _previous(sorting)
        values = {player: places.get(player, 0) for player in block}
    else:
        drawn = sorting.lots
        values = {player: None if drawn is None else drawn[player] for player in block}
    for player, value in values.items():
        sorting.shown[player][tiebreak.code] = value
    return values


def _previous(sorting: _Sorting) -> Mapping[int, int]:
    """Places one round earlier; nobody is before anybody where there is no earlier round."""
    if sorting.previous is None:
        earlier = sorting.inputs.ledger.after_round - 1
        places: dict[int, int] = {}
        if earlier >= 1:
            table = compute(
                sorting.tournament,
                tiebreaks=[tiebreak.code for tiebreak in sorting.tiebreaks if tiebreak.code != LOTS],
                policy=sorting.inputs.policy,
                after_round=earlier,
                fouls=sorting.inputs.fouls,
                disqualified=sorting.disqualified,
            )
            places = {row.number: row.rank for row in table.rows}
        sorting.previous = places
    return sorting.previous


def _split(players: Sequence[int], values: Mapping[int, Value], *, lower: bool) -> list[list[int]]:
    """Players in blocks of equal value, the best first, by number within a block. None separates nobody."""
    if any(values[player] is None for player in players):
        return [sorted(players)]
    by_value: dict[Any, list[int]] = {}
    for player in sorted(players):
        by_value.setdefault(values[player], []).append(player)
    return [by_value[value] for value in sorted(by_value, reverse=not lower)]


def _rows(sorting: _Sorting, blocks: list[list[int]], rest: list[int]) -> Iterator[StandingsRow]:
    rank = 1
    for block in blocks:
        for player in block:
            above = sorting.separated.get(player, "") if player == block[0] and rank > 1 else ""
            yield _row(sorting, player, rank=rank, rank_to=rank + len(block) - 1, separated_by=above)
        rank += len(block)
    for player in rest:
        yield replace(
            _row(sorting, player, rank=rank, rank_to=rank + len(rest) - 1, separated_by=""), placed=False
        )


def _row(sorting: _Sorting, player: int, *, rank: int, rank_to: int, separated_by: str) -> StandingsRow:
    ledger: Ledger = sorting.inputs.ledger
    played = [entry.result for entry in ledger.entries[player] if entry.kind is Kind.PLAYED]
    shown = sorting.shown[player]
    return StandingsRow(
        number=player,
        rank=rank,
        rank_to=rank_to,
        points=ledger.points[player],
        adjustment=ledger.adjusted[player],
        played=len(played),
        wins=played.count(Result.WIN),
        draws=played.count(Result.DRAW),
        losses=played.count(Result.LOSS),
        values=MappingProxyType({tiebreak.code: shown.get(tiebreak.code) for tiebreak in sorting.tiebreaks}),
        separated_by=separated_by,
    )


def plain(value: Value) -> int | str | list[int] | None:
    """A tie-break value for JSON: a fraction as "n/d" (or a whole number), a list as a list."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return list(value) if isinstance(value, tuple) else value


def as_data(standings: Standings) -> dict[str, Any]:
    """The table as JSON-able data, with nothing left out."""
    return {
        "after_round": standings.after_round,
        "tiebreaks": list(standings.codes),
        "lot_seed": standings.lot_seed,
        "lots": {str(player): number for player, number in sorted(standings.lots.items())},
        "rows": [
            {
                "number": row.number,
                "rank": row.rank,
                "rank_to": row.rank_to,
                "placed": row.placed,
                "points": row.points,
                "adjustment": row.adjustment,
                "played": row.played,
                "wins": row.wins,
                "draws": row.draws,
                "losses": row.losses,
                "values": {code: plain(value) for code, value in row.values.items()},
                "separated_by": row.separated_by,
            }
            for row in standings.rows
        ],
    }
