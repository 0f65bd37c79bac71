"""The working of a tie-break value: which round and opponent gave what, and what was left out and why.

Promises that the lines counted add up to the value (for a mean: to its numerator over the number of lines counted; for
a list: to its first member once the lines dropped first are taken off). Reasons are codes for the pages to word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tournaments.engine import ledger as ledgers
from tournaments.engine.ledger import Entry, Kind
from tournaments.engine.policies import DEFAULT_POLICY, DirectRule, TieBreakPolicy
from tournaments.engine.scoring import PLUS_CODES
from tournaments.engine.standings import compute
from tournaments.engine.tiebreak_inputs import Inputs, Reason, meets, prepare, reason
from tournaments.engine.tiebreak_metrics import (
    Value,
    against_half,
    counts_as_black_win,
    counts_as_win,
    met_in,
    rated_opponents,
)
from tournaments.engine.tiebreaks import find
from tournaments.engine.types import Colour, Result, Tournament
from tournaments.engine.withdrawals import settle

# English source texts of the reasons, for the pages to translate.
REASON_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        Reason.OPPONENT: "points of the opponent",
        Reason.BYE: "bye",
        Reason.ABSENT: "absent",
        Reason.FORFEIT: "forfeit",
        Reason.NO_RESULT: "no result yet",
        Reason.VOID: "game annulled",
        Reason.CREDIT: "credit for a round without a game",
        "lowest": "left out: lowest",
        "highest": "left out: highest",
        "too-few": "left out: fewer than three rounds",
        "counted": "counted",
        "not-counted": "not counted",
        "running-total": "points after the round",
        "early-round": "left out: early round",
        "rating": "rating of the opponent",
        "unrated": "left out: opponent without rating",
        "under-half": "left out: opponent has under half of the points",
        "not-all-met": "not counted: the tied players have not all met",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLine:
    """One round. `opponent` is 0 without one; `taken` are the player's points from the round.

    `counted` tells whether `gave` is in the value; `reason` why it gives that or is left out. `dropped` is the step at
    which a list leaves it out (1 first), 0 for never.
    """

    round: int
    opponent: int
    taken: int
    gave: int
    counted: bool
    reason: str
    dropped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """A value with its lines. `tied` are the players that a comparison among equals looked at."""

    code: str
    player: int
    value: Value
    lines: tuple[WorkLine, ...]
    tied: tuple[int, ...] = ()


def working(
    tournament: Tournament,
    player: int,
    code: str,
    *,
    tiebreaks: Sequence[str] = (),
    policy: TieBreakPolicy = DEFAULT_POLICY,
    after_round: int | None = None,
    fouls: Mapping[int, int] | None = None,
    disqualified: Collection[int] = (),
    lot_seed: int | None = None,
    lots: Mapping[int, int] | None = None,
    board_points: Mapping[int, int] | None = None,
) -> Working:
    """How a player's value of a tie-break came about; arguments as for `standings.compute`.

    `tiebreaks` is the section's order, which decides who is tied when `code` compares among equals; without it, those
    of equal points are. Raises UnknownTieBreak, KeyError for a player that is not in the tournament.
    """
    limit = len(tournament.rounds) if after_round is None else after_round
    tiebreak = find(code)
    order = [find(each).code for each in tiebreaks] or [tiebreak.code]
    if tiebreak.code not in order:
        order.append(tiebreak.code)
    table = compute(
        tournament,
        tiebreaks=order,
        policy=policy,
        after_round=limit,
        fouls=fouls,
        disqualified=disqualified,
        lot_seed=lot_seed,
        lots=lots,
        board_points=board_points,
    )
    place = order.index(tiebreak.code)
    own = table.row(player)
    before = order[:place]
    ahead = (own.points, [own.values[each] for each in before])
    tied = tuple(
        sorted(
            row.number
            for row in table.rows
            if row.placed and (row.points, [row.values[each] for each in before]) == ahead
        )
    )
    settled, _ = settle(tournament, policy=policy, after_round=limit, disqualified=disqualified)
    inputs = prepare(ledgers.build(settled, after_round=limit), policy=policy, fouls=fouls)
    lines = _lines(inputs, player, tiebreak.code, tied)
    among = tiebreak.metric is None
    return Working(
        code=tiebreak.code,
        player=player,
        value=own.values[tiebreak.code],
        lines=tuple(lines),
        tied=tied if among else (),
    )


def _lines(inputs: Inputs, player: int, code: str, tied: tuple[int, ...]) -> Iterable[WorkLine]:
    if code.startswith("SOLKOFF_TRUNC_") and code[14:].isdigit():
        return _without_lowest(_gift_lines(inputs, player), int(code[14:]))
    if code.startswith("CUM_DROP_"):
        return _cumulative(inputs, player, drop=int(code[9:]))
    if code == "DIRECT":
        return _direct(inputs, player, tied)
    maker = _MAKERS.get(code)
    return maker(inputs, player) if maker else ()


def _line(entry: Entry, *, gave: int, counted: bool, reason: str) -> WorkLine:
    return WorkLine(
        round=entry.round,
        opponent=entry.opponent,
        taken=entry.points,
        gave=gave,
        counted=counted,
        reason=reason,
    )


def _rounds(inputs: Inputs, player: int) -> list[tuple[Entry, int, Reason]]:
    """Each round with what it gives to Solkoff, and why."""
    gifts = zip(inputs.ledger.entries[player], inputs.gifts[player], strict=True)
    return [(entry, gift, reason(entry, policy=inputs.policy, gift=gift)) for entry, gift in gifts]


def _gift_lines(inputs: Inputs, player: int) -> list[WorkLine]:
    return [_line(entry, gave=gift, counted=True, reason=why) for entry, gift, why in _rounds(inputs, player)]


def _without_lowest(lines: list[WorkLine], drop: int) -> list[WorkLine]:
    lowest = sorted(range(len(lines)), key=lambda index: lines[index].gave)[:drop]
    return [
        replace(line, counted=False, reason="lowest") if index in lowest else line
        for index, line in enumerate(lines)
    ]


def _median(inputs: Inputs, player: int) -> list[WorkLine]:
    lines = _gift_lines(inputs, player)
    if len(lines) < 3:
        return [replace(line, counted=False, reason="too-few") for line in lines]
    highest = max(range(len(lines)), key=lambda index: lines[index].gave)
    rest = _without_lowest([line for index, line in enumerate(lines) if index != highest], 1)
    return [*rest[:highest], replace(lines[highest], counted=False, reason="highest"), *rest[highest:]]


def _truncated_full(inputs: Inputs, player: int) -> list[WorkLine]:
    lines = _gift_lines(inputs, player)
    order = sorted(range(len(lines)), key=lambda index: lines[index].gave)
    steps = {index: step for step, index in enumerate(order[:-1], start=1)}
    return [
        replace(line, dropped=steps.get(index, 0), counted=steps.get(index) != 1)
        for index, line in enumerate(lines)
    ]


def _solkoff_plus(inputs: Inputs, player: int) -> list[WorkLine]:
    lines = []
    for entry, _, why in _rounds(inputs, player):
        met = meets(entry, inputs.policy)
        gave = sum(inputs.gifts[entry.opponent]) if met else 0
        lines.append(_line(entry, gave=gave, counted=met, reason=why))
    return lines


def _sonneborn(inputs: Inputs, player: int) -> list[WorkLine]:
    return [
        _line(entry, gave=entry.points * gift, counted=True, reason=why)
        for entry, gift, why in _rounds(inputs, player)
    ]


def _kind_reason(entry: Entry) -> str:
    return {
        Kind.PLAYED: "not-counted",
        Kind.FORFEIT: Reason.FORFEIT,
        Kind.NO_RESULT: Reason.NO_RESULT,
        Kind.VOID: Reason.VOID,
        Kind.ABSENT: Reason.ABSENT,
        Kind.ZERO_BYE: Reason.ABSENT,
    }.get(entry.kind, Reason.BYE)


def _counting(condition: Callable[[Inputs, Entry], bool]) -> Callable[[Inputs, int], list[WorkLine]]:
    def lines(inputs: Inputs, player: int) -> list[WorkLine]:
        found = []
        for entry in inputs.ledger.entries[player]:
            counted = condition(inputs, entry)
            why = "counted" if counted else _kind_reason(entry)
            found.append(_line(entry, gave=int(counted), counted=counted, reason=why))
        return found

    return lines


def _cumulative(inputs: Inputs, player: int, *, drop: int = 0) -> list[WorkLine]:
    running = inputs.ledger.running(player)
    return [
        _line(
            entry,
            gave=total,
            counted=entry.round > drop,
            reason="running-total" if entry.round > drop else "early-round",
        )
        for entry, total in zip(inputs.ledger.entries[player], running, strict=True)
    ]


def _cumulative_full(inputs: Inputs, player: int) -> list[WorkLine]:
    return [replace(line, dropped=line.round) for line in _cumulative(inputs, player)]


def _ratings(gain: Mapping[Result, int]) -> Callable[[Inputs, int], list[WorkLine]]:
    def lines(inputs: Inputs, player: int) -> list[WorkLine]:
        rated = {entry.round: rating for entry, rating in rated_opponents(inputs, player)}
        found = []
        for entry in inputs.ledger.entries[player]:
            if entry.round in rated:
                extra = gain.get(entry.result, 0) if entry.result else 0
                found.append(_line(entry, gave=rated[entry.round] + extra, counted=True, reason="rating"))
            else:
                why = "unrated" if entry.kind is Kind.PLAYED else _kind_reason(entry)
                found.append(_line(entry, gave=0, counted=False, reason=why))
        return found

    return lines


def _plus_draws(inputs: Inputs, player: int) -> list[WorkLine]:
    lines = []
    for entry in inputs.ledger.entries[player]:
        balance = PLUS_CODES.get(entry.grade, 0)
        gave = balance if entry.colour is Colour.WHITE else -balance
        lines.append(
            _line(entry, gave=gave, counted=gave != 0, reason="counted" if gave else _kind_reason(entry))
        )
    return lines


def _direct(inputs: Inputs, player: int, tied: tuple[int, ...]) -> list[WorkLine]:
    members = frozenset(tied)
    counted = {entry.round for entry in met_in(inputs, player, members)}
    if inputs.policy.direct is DirectRule.ALL_MET and not _all_met(inputs, tied):
        counted = set()
    lines = []
    for entry in inputs.ledger.entries[player]:
        if entry.opponent not in members:
            continue
        used = entry.round in counted
        why = "counted" if used else "not-all-met" if entry.kind is Kind.PLAYED else _kind_reason(entry)
        lines.append(_line(entry, gave=entry.points, counted=used, reason=why))
    return lines


def _all_met(inputs: Inputs, tied: tuple[int, ...]) -> bool:
    members = frozenset(tied)
    return all(
        len({entry.opponent for entry in met_in(inputs, each, members)}) == len(tied) - 1 for each in tied
    )


def _strongest(inputs: Inputs, player: int) -> list[WorkLine]:
    met = [
        entry
        for entry in inputs.ledger.entries[player]
        if entry.opponent and entry.kind in (Kind.PLAYED, Kind.FORFEIT)
    ]
    met.sort(key=lambda entry: (-inputs.ledger.points[entry.opponent], entry.round))
    return [_line(entry, gave=entry.points, counted=True, reason="counted") for entry in met]


def _koya(inputs: Inputs, player: int) -> list[WorkLine]:
    counted = {entry.round for entry in against_half(inputs, player)}
    lines = []
    for entry in inputs.ledger.entries[player]:
        used = entry.round in counted
        met = entry.kind in (Kind.PLAYED, Kind.FORFEIT)
        why = "counted" if used else "under-half" if met else _kind_reason(entry)
        lines.append(_line(entry, gave=entry.points, counted=used, reason=why))
    return lines


_MAKERS: Mapping[str, Callable[[Inputs, int], Iterable[WorkLine]]] = MappingProxyType(
    {
        "SOLKOFF": _gift_lines,
        "SOLKOFF_MEDIAN": _median,
        "SOLKOFF_TRUNC_SHORT": lambda inputs, player: _without_lowest(_gift_lines(inputs, player), 1),
        "SOLKOFF_TRUNC_FULL": _truncated_full,
        "SOLKOFF_PLUS": _solkoff_plus,
        "SB": _sonneborn,
        "WINS": _counting(lambda inputs, entry: counts_as_win(entry, inputs)),
        "CUM": _cumulative,
        "CUM_FULL": _cumulative_full,
        "games_black": _counting(lambda _, entry: entry.colour is Colour.BLACK),
        "wins_black": _counting(lambda inputs, entry: counts_as_black_win(entry, inputs)),
        "RATING_SUM": _ratings({}),
        "ARO": _ratings({}),
        "PERFORMANCE": _ratings({Result.WIN: 500, Result.LOSS: -500}),
        "PLUS_DRAWS": _plus_draws,
        "VS_STRONGEST": _strongest,
        "KOYA": _koya,
    }
)
