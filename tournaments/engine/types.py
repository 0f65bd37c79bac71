"""The words of the ledger, as values: outcomes, result schemes, players, boards, rounds, tournaments.

This module promises frozen values only. Points are integers (a win is 2 in the standard scheme), times are not known
here, colours are the colours of the pieces. It refuses to know Django, the clock, global randomness and languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Colour(StrEnum):
    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Outcome(StrEnum):
    """What happened on a board: a code, never points (Chinese rules 12.2, 12.6, 8.3, 14.2)."""

    UNPLAYED = "UNPLAYED"  # no result yet
    WHITE = "WHITE"  # White won
    DRAW = "DRAW"
    BLACK = "BLACK"  # Black won
    WHITE_FORFEITS = "WHITE_FORFEITS"  # White did not appear: Black wins without play
    BLACK_FORFEITS = "BLACK_FORFEITS"  # Black did not appear: White wins without play
    BOTH_FORFEIT = "BOTH_FORFEIT"  # neither appeared (8.3.2)
    BOTH_LOSE = "BOTH_LOSE"  # played, and ruled lost for both (14.2.4)
    BYE = "BYE"  # pairing-allocated or granted full-point bye: win points, no opponent, no colour
    HALF_BYE = "HALF_BYE"  # requested: draw points
    ZERO_BYE = "ZERO_BYE"  # requested or absent: loss points
    VOID = "VOID"  # the game is annulled: no points, as if never paired


PLAYED = frozenset({Outcome.WHITE, Outcome.DRAW, Outcome.BLACK, Outcome.BOTH_LOSE})
FORFEITS = frozenset({Outcome.WHITE_FORFEITS, Outcome.BLACK_FORFEITS, Outcome.BOTH_FORFEIT})
BYES = frozenset({Outcome.BYE, Outcome.HALF_BYE, Outcome.ZERO_BYE})
MIRROR = {
    Outcome.WHITE: Outcome.BLACK,
    Outcome.BLACK: Outcome.WHITE,
    Outcome.WHITE_FORFEITS: Outcome.BLACK_FORFEITS,
    Outcome.BLACK_FORFEITS: Outcome.WHITE_FORFEITS,
}  # with the colours exchanged; other outcomes stay as they are


class Result(StrEnum):
    """What a player took from a round: the classical equivalent that tie-breaks count."""

    WIN = "WIN"
    DRAW = "DRAW"
    LOSS = "LOSS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One allowed pair of points of a scheme with more results than three, such as 8-4 or plus-draw 1+ 1-.

    `is_full_win` is False where the tie-breaks that count wins do not count it (3-2 of the World Cup final 2017).
    """

    code: str
    white: int
    black: int
    outcome: Outcome
    is_full_win: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultScheme:
    """Points for each outcome. `grades` names further allowed pairs, by code; a board may carry one."""

    code: str
    win: int = 2
    draw: int = 1
    loss: int = 0
    bye: int = 2
    half_bye: int = 1
    zero_bye: int = 0
    forfeit_win: int = 2
    forfeit_loss: int = 0
    grades: Mapping[str, Grade] = field(default_factory=lambda: MappingProxyType({}))


STANDARD = ResultScheme(code="STD")


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A participant by pairing number (1..n: the order of the starting list)."""

    number: int
    name: str = ""
    rating: int = 0
    title: str = ""
    sex: str = ""
    federation: str = ""
    club: str = ""
    fide_id: str = ""
    birth: str = ""
    withdrawn_after: int | None = None  # paired in no round after this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One line of a round. `black` is None exactly when the outcome is a bye.

    `number` is the board number, 0 for a bye. `grade` is the code of a result of the scheme, "" for a plain one.
    """

    number: int
    white: int
    black: int | None
    outcome: Outcome = Outcome.UNPLAYED
    grade: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A player named on no board of a round was not paired in it: absent, zero points."""

    number: int
    boards: tuple[Board, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForbiddenGroup:
    """No two of `players` may meet in rounds first_round..last_round (both included)."""

    players: frozenset[int]
    first_round: int = 1
    last_round: int = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class VirtualPoints:
    """Acceleration: points counted for pairing only, in rounds first_round..last_round."""

    points: int
    first_round: int
    last_round: int
    players: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedBye:
    """A bye asked for ahead: kind is BYE, HALF_BYE or ZERO_BYE (an announced absence).

    `allocated`: the bye of an odd number, given to the player before the round is paired.
    """

    player: int
    round: int
    kind: Outcome = Outcome.ZERO_BYE
    allocated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """Points given or taken by a ruling; shown as a line of its own."""

    player: int
    points: int
    after_round: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """One section, whole. `rounds` are 1..k without a gap; the round to pair next is k + 1.

    Points in `virtual_points` and `adjustments` are on the scale of `scheme`.
    """

    players: tuple[Player, ...]
    rounds: tuple[Round, ...] = ()
    name: str = ""
    scheme: ResultScheme = STANDARD
    rounds_total: int = 0
    initial_colour: Colour = Colour.WHITE  # of the highest-ranked player in round 1
    forbidden: tuple[ForbiddenGroup, ...] = ()
    virtual_points: tuple[VirtualPoints, ...] = ()
    requested_byes: tuple[RequestedBye, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()


class EngineError(Exception):
    """Base of the engine's errors. `code` is stable, `values` hold what a message needs; texts live elsewhere."""

    code = "engine-error"

    def __init__(self, code: str = "", **values: object) -> None:
        self.code = code or type(self).code
        self.values = values
        super().__init__(f"{self.code}: {values}" if values else self.code)


class InvalidState(EngineError):
    """The input contradicts itself: values name `player`, `round` and `why` where they apply."""

    code = "invalid-state"


class NoLegalPairing(EngineError):
    """No pairing satisfies the absolute criteria: values name `players` that cannot all be matched."""

    code = "no-legal-pairing"
