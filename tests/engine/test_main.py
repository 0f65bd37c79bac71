"""`python -m tournaments.engine`: the commands without Django, with the lines and exit codes of `manage.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATE = next(iter(sorted((ROOT / "tests" / "golden" / "swiss").glob("*mixed*.trf"))))


def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tournaments.engine", *arguments], cwd=ROOT, input=stdin, capture_output=True
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_it_starts_without_django() -> None:
    code = "import runpy, sys\ntry:\n    runpy.run_module('tournaments.engine', run_name='__main__', alter_sys=True)\n"
    code += "except SystemExit:\n    pass\nassert 'django' not in sys.modules, 'django'\nprint('without')"
    done = subprocess.run(
        [sys.executable, "-c", code, "standings", str(STATE)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.endswith("without\n"), done.stderr


def test_pairing_checking_and_standings_of_a_file() -> None:
    code, printed, _ = run("pair", str(STATE))
    boards = [line for line in printed.splitlines() if not line.startswith("#")]
    assert (code, boards) == (0, STATE.with_suffix(".pairs").read_text().splitlines())
    code, printed, _ = run("standings", "-", "--preset", "CN_SWISS", stdin=STATE.read_bytes())
    assert code == 0 and "standings after round" in printed
    code, printed, _ = run("check", str(STATE))
    assert code in (0, 1) and "rounds checked" in printed


def test_a_tournament_made_by_chance_is_paired_as_the_rules_say() -> None:
    code, text, _ = run("simulate", "--players", "12", "--rounds", "4", "--seed", "5")
    assert code == 0
    assert run("check", "-", stdin=text.encode()) == (0, "4 rounds checked: 0 differences, 0 breaches\n", "")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pair", "nowhere.trf"], "nowhere.trf"),
        (["standings", str(STATE), "--preset", "NONE"], "there is no such preset"),
        (["standings", str(STATE), "--tiebreaks", "LUCK"], "no tie-break is called"),
        (["standings", str(STATE), "--after", "99"], "--after 99"),
        (["simulate", "--draws", "101"], "0 to 100"),
        (["solve"], "invalid choice"),
        ([], "usage"),
    ],
)
def test_what_cannot_be_done_ends_with_two_and_a_sentence(arguments: list[str], says: str) -> None:
    code, printed, told = run(*arguments)
    assert (code, printed) == (2, "")
    assert says in told and "Traceback" not in told
