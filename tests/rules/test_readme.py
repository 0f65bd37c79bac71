from __future__ import annotations

import doctest
from pathlib import Path

import rules

README = Path(rules.__file__).with_name("README.md")


def test_the_example_of_the_readme_is_true():
    result = doctest.testfile(str(README), module_relative=False)

    assert result.attempted == 8
    assert result.failed == 0


def test_the_public_surface_is_complete():
    assert all(hasattr(rules, name) for name in rules.__all__)
    assert {"validate", "Verdict", "Problem", "Position", "VERSION"} <= set(rules.__all__)
