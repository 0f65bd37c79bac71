"""The checker: a round against the absolute criteria, and against what the engine pairs from the rounds before it.

Promises to name every difference and every breach, as codes and values. It judges pairings, not results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournaments.engine.swiss import RoundPairing, pair_round
from tournaments.engine.swiss.state import Field, read_field
from tournaments.engine.types import Board, InvalidState, NoLegalPairing, Outcome, Tournament


class Rule(StrEnum):
    """An absolute rule that a board or a round may break."""

    REMATCH = "C1"
    SECOND_BYE = "C2"
    COLOURS = "C3"
    FORBIDDEN = "forbidden-pair"
    TWO_BYES = "two-byes"
    NOT_PAIRED = "not-paired"
    NOT_PRESENT = "not-present"
    PAIRED_TWICE = "paired-twice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """`players` break `rule` in `round`; `earlier` is the round of the first meeting, of the win without play, or 0."""

    round: int
    rule: Rule
    players: tuple[int, ...]
    earlier: int = 0


class DifferenceKind(StrEnum):
    PAIRS = "pairs"
    COLOURS = "colours"  # the same two, the other way round
    NO_LEGAL_PAIRING = "no-legal-pairing"  # the engine finds none


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Boards as (white, black); black is 0 for the pairing-allocated bye."""

    round: int
    kind: DifferenceKind
    engine: tuple[tuple[int, int], ...]
    found: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCheck:
    """`pairing` is what the engine says, None where it finds no legal pairing."""

    round: int
    differences: tuple[Difference, ...]
    breaches: tuple[Breach, ...]
    pairing: RoundPairing | None

    @property
    def clean(self) -> bool:
        return not (self.differences or self.breaches)


def find_breaches(
    tournament: Tournament, boards: Sequence[Board], *, absent: Collection[int] = ()
) -> tuple[Breach, ...]:
    """Breaches of the absolute rules by `boards` as the next round of `tournament`.

    `boards` holds pairs and at most one bye, which is taken as the pairing-allocated one; `absent` as in `pair_round`.
    Raises InvalidState where the earlier rounds contradict themselves.
    """
    field = read_field(tournament, absent=absent)
    return tuple(_breaches(tournament, field, boards))


def _breaches(tournament: Tournament, field: Field, boards: Sequence[Board]) -> Iterator[Breach]:
    number = field.round
    index_of = {c.number: c.index for c in field.contenders}
    seen: set[int] = set()
    for board in boards:
        players = [board.white] if board.black is None else [board.white, board.black]
        for player in players:
            if player in seen:
                yield Breach(round=number, rule=Rule.PAIRED_TWICE, players=(player,))
            elif player not in index_of:
                yield Breach(round=number, rule=Rule.NOT_PRESENT, players=(player,))
            seen.add(player)
        if all(player in index_of for player in players):
            yield from _board_breaches(tournament, field, [index_of[p] for p in players])
    byes = tuple(board.white for board in boards if board.black is None)
    if len(byes) > 1:
        yield Breach(round=number, rule=Rule.TWO_BYES, players=byes)
    if left := tuple(sorted(set(index_of) - seen)):
        yield Breach(round=number, rule=Rule.NOT_PAIRED, players=left)


def _board_breaches(tournament: Tournament, field: Field, indices: list[int]) -> Iterator[Breach]:
    numbers = tuple(field.contenders[i].number for i in indices)
    if len(indices) == 1:
        if not field.contenders[indices[0]].bye_allowed:
            earlier = _first_round(tournament, lambda board: _won_unplayed(board, numbers[0]))
            yield Breach(round=field.round, rule=Rule.SECOND_BYE, players=numbers, earlier=earlier)
        return
    i, j = indices
    if j in field.met[i]:
        earlier = _first_round(tournament, lambda board: {board.white, board.black} == set(numbers))
        yield Breach(round=field.round, rule=Rule.REMATCH, players=numbers, earlier=earlier)
    if j in field.written_out[i] or field.circles[i] & field.circles[j]:
        yield Breach(round=field.round, rule=Rule.FORBIDDEN, players=numbers)
    if field.clashes(i, j):
        yield Breach(round=field.round, rule=Rule.COLOURS, players=numbers)


def _first_round(tournament: Tournament, matches: Callable[[Board], bool]) -> int:
    return next((r.number for r in tournament.rounds if any(matches(board) for board in r.boards)), 0)


def _won_unplayed(board: Board, player: int) -> bool:
    if board.white == player:
        return board.outcome in (Outcome.BYE, Outcome.BLACK_FORFEITS)
    return board.black == player and board.outcome == Outcome.WHITE_FORFEITS


def check_round(
    tournament: Tournament,
    number: int,
    *,
    order: Sequence[int] | None = None,
    full_byes: Collection[int] = (),
) -> RoundCheck:
    """Round `number` of `tournament` against the rules and against the engine, from the rounds before it.

    Who was on no board of the round, or had a half-point or zero-point bye, was not to be paired. A full-point bye counts
    as requested if `tournament.requested_byes` or `full_byes` (player numbers) say so, else as pairing-allocated; where
    several could be, the one that agrees best with the engine. Raises InvalidState.
    """
    if not 1 <= number <= len(tournament.rounds):
        raise InvalidState(round=number, why="round-not-there")
    requested = set(full_byes) | {
        bye.player for bye in tournament.requested_byes if bye.round == number and bye.kind == Outcome.BYE
    }
    boards = tournament.rounds[number - 1].boards
    pairs = [board for board in boards if board.black is not None]
    byes = [b for b in boards if b.outcome == Outcome.BYE and b.white not in requested]
    before = _before(tournament, number)
    checks = [_check(before, [*pairs, bye], order) for bye in byes] or [_check(before, pairs, order)]
    return min(checks, key=lambda check: len(check.differences) + len(check.breaches))


def check_tournament(
    tournament: Tournament,
    *,
    orders: Callable[[int], Sequence[int] | None] | None = None,
    full_byes: Collection[tuple[int, int]] = (),
    progress: Callable[[int, int], None] | None = None,
) -> tuple[RoundCheck, ...]:
    """All rounds of `tournament`, each replayed from the rounds before it.

    `orders(round)` gives the ranking order of a round where it is not that of the numbers; `full_byes` holds
    (player, round) of full-point byes known to be requested. Raises InvalidState.
    """
    checks = []
    for number in range(1, len(tournament.rounds) + 1):
        granted = [player for player, round_ in full_byes if round_ == number]
        order = orders(number) if orders is not None else None
        checks.append(check_round(tournament, number, order=order, full_byes=granted))
        if progress is not None:
            progress(number, len(tournament.rounds))
    return tuple(checks)


def _before(tournament: Tournament, number: int) -> Tournament:
    """The tournament as it was before the round; who was absent then is told by the round itself."""
    return replace(
        tournament,
        rounds=tournament.rounds[: number - 1],
        requested_byes=(),
        players=tuple(replace(p, withdrawn_after=None) for p in tournament.players),
    )


def _check(before: Tournament, boards: Sequence[Board], order: Sequence[int] | None) -> RoundCheck:
    named = {p for board in boards for p in (board.white, board.black) if p is not None}
    absent = [p.number for p in before.players if p.number not in named]
    breaches = find_breaches(before, boards, absent=absent)
    number = len(before.rounds) + 1
    try:
        pairing = pair_round(before, absent=absent, order=order, explain=False)
    except NoLegalPairing:
        found = tuple((b.white, b.black or 0) for b in boards)
        none = Difference(round=number, kind=DifferenceKind.NO_LEGAL_PAIRING, engine=(), found=found)
        return RoundCheck(round=number, differences=(none,), breaches=breaches, pairing=None)
    return RoundCheck(
        round=number,
        differences=compare_boards(number, pairing.boards, boards),
        breaches=breaches,
        pairing=pairing,
    )


def compare_boards(number: int, engine: Sequence[Board], found: Sequence[Board]) -> tuple[Difference, ...]:
    """What differs between two pairings of a round: colours board by board, all other pairs together."""
    said = {(b.white, b.black or 0) for b in engine}
    stands = {(b.white, b.black or 0) for b in found}
    extra, missing = stands - said, said - stands
    turned = {(w, b) for w, b in missing if (b, w) in extra}
    differences = [
        Difference(round=number, kind=DifferenceKind.COLOURS, engine=((w, b),), found=((b, w),))
        for w, b in sorted(turned)
    ]
    missing -= turned
    extra -= {(b, w) for w, b in turned}
    if missing or extra:
        differences.append(
            Difference(
                round=number,
                kind=DifferenceKind.PAIRS,
                engine=tuple(sorted(missing)),
                found=tuple(sorted(extra)),
            )
        )
    return tuple(differences)
