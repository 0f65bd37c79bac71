"""`python -m rules`: judging, repairing and counting without Django, as `manage.py` does."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]
GAME = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 23-29 5. 31-27"


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "rules", *arguments], cwd=ROOT, input=stdin, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_a_game_is_judged_in_codes_and_as_json_like_the_site_does(tmp_path: Path) -> None:
    path = tmp_path / "game.pdn"
    path.write_text(GAME)
    code, printed, _ = run("validate", str(path))
    assert code == 1
    assert printed.splitlines()[:2] == [
        "Game 1: illegal, 8 legal single moves",
        "  ply 9: 31-27: capture-mandatory (6.2, 6.3, 7.4.6)",
    ]
    code, printed, _ = run("validate", "--json", str(path))
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("validate", str(path), "--json", stdout=out)
    assert (code, json.loads(printed)) == (1, json.loads(out.getvalue()))


def test_counting_and_repairing() -> None:
    assert run("perft", "W:W31-50:B1-20", "3")[:2] == (0, "658\n")
    assert run("reconstruct", "-", stdin='{"sheet_white": ["32-28", "19-23"]}')[1].startswith(
        "line 1: 2 plies"
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "says"),
    [
        (["validate", "nowhere.pdn"], "", "nowhere.pdn"),
        (["validate", "-"], '{"move": 1}\n', "moves as a list of texts"),
        (["validate", "-"], '{"moves": ["32-28"]}\n{', "line 2 is no JSON"),
        (["perft", "nonsense", "2"], "", "FEN"),
        (["perft", "W:W31-50:B1-20", "-1"], "", "0 or more"),
        (["reconstruct", "-"], "[]", "line 1"),
        (["play"], "", "invalid choice"),
    ],
)
def test_what_cannot_be_read_ends_with_two_and_a_sentence(
    arguments: list[str], stdin: str, says: str
) -> None:
    code, printed, told = run(*arguments, stdin=stdin)
    assert (code, printed) == (2, "")
    assert says in told and "Traceback" not in told


def test_it_starts_without_django_and_at_once() -> None:
    """Processor time, which other programs on the machine do not lengthen: the best of some."""
    code = "import runpy, sys\ntry:\n    runpy.run_module('rules', run_name='__main__', alter_sys=True)\n"
    code += "except SystemExit:\n    pass\nassert not {'django', 'tournaments', 'games'} & set(sys.modules)"
    seconds = []
    for _turn in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", code, "validate", "-"], cwd=ROOT, input=GAME.encode(), capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0, done.stderr
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(seconds) < 1, seconds
