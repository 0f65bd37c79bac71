"""The README's example runs, and its links and commands exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert outcome.attempted >= 9
    assert outcome.failed == 0


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", TEXT)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_paths_named_in_the_tables_exist() -> None:
    named = re.findall(r"`((?:config|rules|tournaments|games|templates|locale|tests|docs)/[\w/.]*)`", TEXT)

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_commands_named_exist() -> None:
    line = TEXT.split("manage.py validate")[1].split("\n\n")[0]
    commands = {"validate", *re.findall(r"`(?:manage.py )?(\w+)", line)}

    assert commands <= set(get_commands())
