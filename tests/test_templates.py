"""What holds for every template: its files exist, and it runs no code that the security policy forbids."""

import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import override_settings

from config import statics
from config.extraction import template_files

ROOT = Path(__file__).resolve().parent.parent
STATIC = re.compile(r"""\{%\s*static\s+["']([^"']+)["']""")
SCRIPT = re.compile(r"<script\b([^>]*)>", re.IGNORECASE)
STYLE = re.compile(r"<style\b|<[^>]*\sstyle\s*=", re.IGNORECASE)
HANDLER = re.compile(r"""<[^>]*\s(on[a-z]+|hx-on[:\w-]*)\s*=|javascript:""", re.IGNORECASE)


def lines(pattern: re.Pattern[str], text: str) -> list[int]:
    return [text.count("\n", 0, found.start()) + 1 for found in pattern.finditer(text)]


def templates() -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in template_files(ROOT)}


def test_every_static_file_a_template_names_exists() -> None:
    missing = [
        f"{name}: {found}"
        for name, text in templates().items()
        for found in STATIC.findall(text)
        if finders.find(found) is None
    ]

    assert missing == []


def test_no_template_writes_a_script_into_the_page() -> None:
    inline = [
        name
        for name, text in templates().items()
        for attributes in SCRIPT.findall(text)
        if "src=" not in attributes and "application/json" not in attributes
    ]

    assert inline == []


def test_no_element_has_a_style_of_its_own() -> None:
    styled = {name: lines(STYLE, text) for name, text in templates().items() if STYLE.search(text)}

    assert styled == {}


def test_no_element_runs_code_of_its_own() -> None:
    handlers = {name: lines(HANDLER, text) for name, text in templates().items() if HANDLER.search(text)}

    assert handlers == {}


def test_the_static_files_can_be_collected_for_serving(tmp_path: Path) -> None:
    """The storage of a real site refuses a style sheet that names a missing file."""
    storage = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": storage}, STATIC_ROOT=tmp_path):
        assert statics.collect()
        assert not statics.collect()

    assert (tmp_path / "staticfiles.json").exists()
