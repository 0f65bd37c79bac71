"""The two libraries as wheels: installed together into an empty environment, they do what their guides say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from deploy import wheels

ROOT = Path(__file__).parents[1]
STATE = ROOT / "tests" / "golden" / "trf" / "twelve_trf26.trf"

try:
    UV = wheels.find_uv()
except FileNotFoundError:
    UV = ""
pytestmark = pytest.mark.skipif(not UV, reason="uv, which builds and installs wheels, is not on this machine")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    for name in wheels.LIBRARIES:
        wheels.build(name, folder, uv=UV)
    return folder


@pytest.fixture(scope="module")
def empty(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing in it but the two wheels."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([UV, "venv", "--quiet", "--offline", "--python", sys.executable, str(folder)], check=True)
    python = folder / "bin" / "python"
    installing = [UV, "pip", "install", "--quiet", "--offline", "--no-index", "--python", str(python)]
    subprocess.run([*installing, *map(str, sorted(built.glob("*.whl")))], check=True)
    return folder


def run(empty: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "DJANGO"))}
    return subprocess.run(
        [str(empty / "bin" / "python"), *arguments],
        cwd=empty,
        input=stdin,
        capture_output=True,
        text=True,
        env=plain,
    )


def test_they_are_all_that_is_installed(empty: Path) -> None:
    listed = subprocess.run(
        [UV, "pip", "list", "--quiet", "--python", str(empty / "bin" / "python")],
        capture_output=True,
        text=True,
    )
    assert re.findall(r"(?m)^draughts-\w+", listed.stdout) == ["draughts-pairing", "draughts-rules"]
    for name in ("django", "rules", "tournaments"):
        assert run(empty, "-c", f"import {name}").returncode != 0


def test_their_guides_are_true(empty: Path) -> None:
    for name, examples in (("draughts_rules", 8), ("draughts_pairing", 10)):
        code = (
            "import doctest, importlib.metadata as m;"
            f"text = m.metadata({name!r}).get_payload();"
            "test = doctest.DocTestParser().get_doctest(text, {}, 'guide', None, 0);"
            "told = doctest.DocTestRunner().run(test); print(told.attempted, told.failed)"
        )
        done = run(empty, "-c", code)
        attempted, failed = map(int, done.stdout.split()[-2:])
        assert (attempted >= examples, failed) == (True, 0), done.stdout + done.stderr


def test_their_commands_work(empty: Path) -> None:
    game = run(
        empty, "-m", "draughts_rules", "validate", "-", stdin="1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14"
    )
    assert (game.returncode, game.stdout.splitlines()[0]) == (0, "Game 1: legal, 6 legal single moves"), (
        game.stderr
    )
    assert run(empty, "-m", "draughts_rules", "perft", "W:W31-50:B1-20", "4").stdout == "4265\n"
    sheet = '{"sheet_white": ["32-28", "19-23", "28x19"]}'
    assert run(empty, "-m", "draughts_rules", "reconstruct", "-", stdin=sheet).stdout.startswith(
        "line 1: 3 plies"
    )

    shutil.copy(STATE, empty / "state.trf")
    table = run(empty, "-m", "draughts_pairing", "standings", "state.trf", "--preset", "FMJD_SWISS")
    assert table.returncode == 0 and "preset FMJD_SWISS" in table.stdout
    for command in ("pair", "check"):
        assert run(empty, "-m", "draughts_pairing", command, "state.trf").returncode in (0, 1)
    made = run(empty, "-m", "draughts_pairing", "simulate", "--players", "6", "--rounds", "2")
    assert run(empty, "-m", "draughts_pairing", "check", "-", stdin=made.stdout).returncode == 0


def test_types_versions_and_names_are_in_them(built: Path) -> None:
    for name, (module, _description) in wheels.LIBRARIES.items():
        (path,) = built.glob(f"{name}-*.whl")
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
            texts = [wheel.read(each).decode() for each in names if each.endswith(".py")]
        assert f"{name}/py.typed" in names and any("LICENSE" in each for each in names)
        stray = re.compile(rf"(?m)^\s*(?:from|import) {re.escape(module)}\b(?! as)")
        assert [text for text in texts if stray.search(text)] == []
