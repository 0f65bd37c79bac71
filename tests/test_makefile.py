"""What the Makefile hands to the programs that it starts."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAKE = shutil.which("make")

pytestmark = pytest.mark.skipif(MAKE is None, reason="there is no make on this machine")


def told(*arguments: str, **environment: str) -> str:
    """VAR as a recipe finds it in its environment."""
    show = '--eval=show:;@printf "%s" "$$VAR"'
    done = subprocess.run(
        [MAKE or "make", "--no-print-directory", show, "show", *arguments],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "VAR"} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ("/some/dir", "/some/dir"),
        ("/some dir/with  blanks", "/some dir/with  blanks"),
        ("data", f"{ROOT}/data"),
        ("data of the site", f"{ROOT}/data of the site"),
        ("~/data", "~/data"),  # for the program, which knows whose home it is
        ("/数据 一", "/数据 一"),
    ],
)
def test_the_data_folder_may_have_any_name(given: str, folder: str) -> None:
    assert told(f"VAR={given}") == folder
    assert told(VAR=given) == folder


def test_without_a_name_it_is_in_the_project() -> None:
    assert told() == f"{ROOT}/var"
