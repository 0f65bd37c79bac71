"""Clocks and lateness (articles 8 and 9). All times are whole seconds; nobody reads a real clock here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.board import Side

DEFAULT_LATENESS_LIMIT = 60 * 60
"""Article 8.3.1: one hour unless the regulations of the event say otherwise."""
LONGEST_LATENESS_LIMIT = 60 * 60
TIME_TROUBLE = 5 * 60
"""Article 10.5.1: less than five minutes left, sudden death only."""


class Mode(StrEnum):
    SUDDEN = "sudden"
    FISCHER = "fischer"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """`base` seconds for all moves (8.1.1), or `base` and `increment` more for each move made (8.1.2)."""

    mode: Mode
    base: int
    increment: int = 0

    def __post_init__(self) -> None:
        if self.base <= 0:
            raise ValueError(f"base: the time for the game is more than 0 seconds, not {self.base}")
        if self.mode is Mode.SUDDEN and self.increment:
            raise ValueError(
                "increment: sudden death adds no time; choose Fischer or leave the increment out"
            )
        if self.mode is Mode.FISCHER and self.increment <= 0:
            raise ValueError(f"increment: Fischer adds more than 0 seconds a move, not {self.increment}")

    def allowance(self, moves_made: int) -> int:
        """The seconds a player may have used after `moves_made` moves of his own."""
        return self.base + self.increment * moves_made

    def remaining(self, *, used: int, moves_made: int) -> int:
        """The seconds left; 0 or less is a fallen flag (8.2.6)."""
        return self.allowance(moves_made) - used


def sudden(base: int) -> TimeControl:
    return TimeControl(mode=Mode.SUDDEN, base=base)


def fischer(base: int, increment: int) -> TimeControl:
    return TimeControl(mode=Mode.FISCHER, base=base, increment=increment)


def recording_waived(control: TimeControl, *, remaining: int) -> bool:
    """Whether a player need not write moves down (10.5): sudden death and less than five minutes left, not exactly
    five; never with an increment."""
    return control.mode is Mode.SUDDEN and remaining < TIME_TROUBLE


class Attendance(StrEnum):
    PLAY = "play"
    WHITE_FORFEITS = "white-forfeits"
    BLACK_FORFEITS = "black-forfeits"
    BOTH_FORFEIT = "both-forfeit"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCharge:
    """What lateness costs. Seconds are those on each clock when play begins, `None` for a player who forfeits."""

    attendance: Attendance
    white_seconds: int | None
    black_seconds: int | None
    white_restarted_at: int | None
    """When White's clock starts again after the first arrival, in seconds after the scheduled start."""


def lateness(
    *,
    white_arrives: int | None,
    black_arrives: int | None,
    white_moves_at: int | None = None,
    limit: int = DEFAULT_LATENESS_LIMIT,
) -> StartCharge:
    """The clocks at the start of a game with late players (articles 8.3, 9.1, 9.2).

    Arrivals are seconds after the scheduled start, 0 or less for a player in time, `None` for one who never came.
    While both are absent the time is shared equally, an odd second to White. Then White's absence is paid by White.
    An absent Black pays from White's arrival on (9.1, 9.2); where White's clock was started instead, give
    `white_moves_at`, the moment of White's first move: White pays until then, Black afterwards. More than `limit` late
    forfeits; exactly the limit plays. The limit counts from the scheduled start.
    """
    if not 0 <= limit <= LONGEST_LATENESS_LIMIT:
        raise ValueError(
            f"limit: the limit of lateness is 0 to {LONGEST_LATENESS_LIMIT} seconds, not {limit}"
        )
    white_out = white_arrives is None or white_arrives > limit
    black_out = black_arrives is None or black_arrives > limit
    if white_out or black_out:
        attendance = (
            Attendance.BOTH_FORFEIT
            if white_out and black_out
            else Attendance.WHITE_FORFEITS
            if white_out
            else Attendance.BLACK_FORFEITS
        )
        return StartCharge(
            attendance=attendance, white_seconds=None, black_seconds=None, white_restarted_at=None
        )
    assert white_arrives is not None and black_arrives is not None
    return _charge(max(0, white_arrives), max(0, black_arrives), white_moves_at)


def _charge(white_arrives: int, black_arrives: int, white_moves_at: int | None) -> StartCharge:
    first = min(white_arrives, black_arrives)
    white, black = first - first // 2, first // 2
    if white_arrives >= black_arrives:
        white += white_arrives - first
    elif white_moves_at is None:
        black += black_arrives - first
    elif white_moves_at >= black_arrives:
        white += black_arrives - first
    else:
        if white_moves_at < white_arrives:
            raise ValueError("white_moves_at: White cannot move before arriving")
        white += white_moves_at - first
        black += black_arrives - white_moves_at
    return StartCharge(
        attendance=Attendance.PLAY, white_seconds=white, black_seconds=black, white_restarted_at=first
    )


def charge_correction(*, white_used: int, black_used: int, offender: Side, seconds: int) -> tuple[int, int]:
    """The seconds used by White and Black once the time of correcting an irregular move is put on the offender's clock
    (8.2.8)."""
    if seconds < 0:
        raise ValueError(f"seconds: a correction takes 0 seconds or more, not {seconds}")
    if offender is Side.WHITE:
        return white_used + seconds, black_used
    return white_used, black_used + seconds


class FlagOutcome(StrEnum):
    DRAW = "draw"
    LOSS = "loss"


def flag_during_claim(*, claim_upheld: bool) -> FlagOutcome:
    """The claimant's flag fell while the arbiter was judging his draw claim, his clock running (8.2.7)."""
    return FlagOutcome.DRAW if claim_upheld else FlagOutcome.LOSS


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSetting:
    """What an arbiter sets on a clock: seconds left for each player."""

    white_left: int
    black_left: int


def restore(
    control: TimeControl, *, white_used: int, black_used: int, white_moves: int, black_moves: int
) -> ClockSetting:
    """The times to set on a replaced clock (8.2.4), or on one that a player altered (9.1): what each had left.

    Raises `ValueError` naming the field when more was used than there was.
    """
    white_left = control.remaining(used=white_used, moves_made=white_moves)
    black_left = control.remaining(used=black_used, moves_made=black_moves)
    for name, left in (("white_used", white_left), ("black_used", black_left)):
        if left < 0:
            raise ValueError(f"{name}: {-left} seconds more than the player had")
    return ClockSetting(white_left=white_left, black_left=black_left)


def restore_initial(control: TimeControl) -> ClockSetting:
    """Both clocks as at the start, for a player late through no fault of his own (9.1)."""
    return ClockSetting(white_left=control.base, black_left=control.base)
