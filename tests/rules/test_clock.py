from __future__ import annotations

import pytest

from rules import Side, fischer, sudden
from rules.clock import (
    Attendance,
    FlagOutcome,
    Mode,
    TimeControl,
    charge_correction,
    flag_during_claim,
    lateness,
    recording_waived,
    restore,
    restore_initial,
)

MINUTE = 60


def used(**arguments: int | None) -> tuple[int | None, int | None]:
    charge = lateness(**arguments)
    assert charge.attendance is Attendance.PLAY
    return charge.white_seconds, charge.black_seconds


def test_both_absent_share_until_the_first_comes_then_the_absent_white_pays():
    assert used(black_arrives=20 * MINUTE, white_arrives=50 * MINUTE) == (40 * MINUTE, 10 * MINUTE)


@pytest.mark.clause("9.2", at="rules/clock.py")
def test_white_moves_and_the_absent_black_pays_from_then_on():
    charge = lateness(white_arrives=20 * MINUTE, white_moves_at=21 * MINUTE, black_arrives=50 * MINUTE)

    assert (charge.white_seconds, charge.black_seconds) == (11 * MINUTE, 39 * MINUTE)
    assert charge.white_restarted_at == 20 * MINUTE


def test_an_odd_second_goes_to_white():
    assert used(white_arrives=61, black_arrives=61) == (31, 30)


@pytest.mark.parametrize(
    ("white", "black", "charged"),
    [(0, 0, (0, 0)), (600, 0, (600, 0)), (0, 600, (0, 600)), (-30, 600, (0, 600))],
)
@pytest.mark.clause("8.3.1", at="rules/clock.py")
def test_a_late_player_pays_for_himself_alone(white, black, charged):
    assert used(white_arrives=white, black_arrives=black) == charged


@pytest.mark.parametrize(
    ("white", "black", "attendance"),
    [
        (3600, 0, Attendance.PLAY),
        (3601, 0, Attendance.WHITE_FORFEITS),
        (0, 3601, Attendance.BLACK_FORFEITS),
        (3601, 3601, Attendance.BOTH_FORFEIT),
        (None, 0, Attendance.WHITE_FORFEITS),
        (None, None, Attendance.BOTH_FORFEIT),
    ],
)
def test_more_than_the_limit_forfeits_and_exactly_the_limit_plays(white, black, attendance):
    assert lateness(white_arrives=white, black_arrives=black).attendance is attendance


def test_the_limit_is_that_of_the_event_and_counts_from_the_scheduled_start():
    late = lateness(white_arrives=16 * MINUTE, black_arrives=15 * MINUTE, limit=15 * MINUTE)

    assert late.attendance is Attendance.WHITE_FORFEITS


@pytest.mark.parametrize("limit", [-1, 3601])
def test_a_limit_beyond_the_hour_is_refused(limit):
    with pytest.raises(ValueError, match="limit"):
        lateness(white_arrives=0, black_arrives=0, limit=limit)


def test_white_cannot_move_before_arriving():
    with pytest.raises(ValueError, match="white_moves_at"):
        lateness(white_arrives=600, white_moves_at=300, black_arrives=1200)


@pytest.mark.clause("10.5.1.1", "10.5.1.2", at="rules/clock.py")
def test_recording_is_waived_under_five_minutes_of_sudden_death_only():
    assert recording_waived(sudden(4800), remaining=299)
    assert not recording_waived(sudden(4800), remaining=300)
    assert not recording_waived(fischer(4800, 60), remaining=10)


def test_a_replaced_clock_shows_what_each_had_left():
    setting = restore(fischer(4800, 60), white_used=4000, black_used=3000, white_moves=20, black_moves=19)

    assert (setting.white_left, setting.black_left) == (4800 + 1200 - 4000, 4800 + 1140 - 3000)


def test_more_used_than_there_was_is_refused_by_name():
    with pytest.raises(ValueError, match="black_used: 100 seconds"):
        restore(sudden(4800), white_used=0, black_used=4900, white_moves=1, black_moves=1)


def test_lateness_without_fault_restores_the_initial_time():
    setting = restore_initial(sudden(4800))

    assert (setting.white_left, setting.black_left) == (4800, 4800)


def test_a_flag_that_falls_during_a_claim_follows_the_claim():
    assert flag_during_claim(claim_upheld=True) is FlagOutcome.DRAW
    assert flag_during_claim(claim_upheld=False) is FlagOutcome.LOSS


def test_the_offender_pays_for_the_correction():
    assert charge_correction(white_used=100, black_used=200, offender=Side.BLACK, seconds=60) == (100, 260)
    assert charge_correction(white_used=100, black_used=200, offender=Side.WHITE, seconds=60) == (160, 200)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": Mode.SUDDEN, "base": 0}, "base"),
        ({"mode": Mode.SUDDEN, "base": 60, "increment": 5}, "increment"),
        ({"mode": Mode.FISCHER, "base": 60}, "increment"),
    ],
)
def test_a_time_control_that_is_none_is_refused_by_field(arguments, field):
    with pytest.raises(ValueError, match=field):
        TimeControl(**arguments)
