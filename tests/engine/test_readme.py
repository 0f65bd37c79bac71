"""The example of the engine's guide is true, and its surface is there."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

from tournaments import engine


def test_the_example_of_the_readme_is_true() -> None:
    outcome = doctest.testfile(str(Path(engine.__file__).with_name("README.md")), module_relative=False)

    assert outcome.attempted >= 10
    assert outcome.failed == 0


def test_the_public_surface_is_there() -> None:
    assert engine.__version__
    for name in engine.__all__:
        assert import_module(f"tournaments.engine.{name}").__doc__
