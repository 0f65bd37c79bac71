"""Every string a visitor can read has a Chinese translation that fits it."""

import re
from pathlib import Path

import polib
import pytest

from config import catalogues, extraction
from config.problems import OperatorProblem

PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")


def placeholders(text: str) -> set[str]:
    return {found.group(0) for found in PLACEHOLDER.finditer(text)}


def translations() -> dict[tuple[str | None, str], polib.POEntry]:
    return {(entry.msgctxt, entry.msgid): entry for entry in catalogues.merged()}


def texts(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def test_every_marked_string_is_translated() -> None:
    known = translations()

    missing = [
        f"{message.place}: {message.text!r}"
        for message in extraction.messages()
        if (message.context, message.text) not in known
    ]

    assert missing == []


def test_no_translation_is_empty_or_doubtful() -> None:
    bad = [
        entry.msgid
        for entry in translations().values()
        if entry.fuzzy or not all(texts(entry)) or not texts(entry)
    ]

    assert bad == []


def test_a_string_with_a_plural_is_translated_as_one() -> None:
    known = translations()
    plural = [m for m in extraction.messages() if m.plural and (m.context, m.text) in known]

    wrong = [
        message.place
        for message in plural
        if known[message.context, message.text].msgid_plural != message.plural
    ]

    assert wrong == []


def test_translations_use_the_placeholders_of_their_text_and_no_others() -> None:
    wrong = {
        entry.msgid: text
        for entry in translations().values()
        for text in texts(entry)
        if not placeholders(text) <= placeholders(entry.msgid) | placeholders(entry.msgid_plural or "")
        or placeholders(entry.msgid) - placeholders(text) - {"%(count)s", "%(count)d", "{count}"}
    }

    assert wrong == {}


def write(folder: Path, name: str, *entries: tuple[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    body = "\n".join(f'msgid "{text}"\nmsgstr "{translation}"\n' for text, translation in entries)
    (folder / name).write_text(
        f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n{body}', "utf-8"
    )


def test_two_fragments_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "fragments", "a.po", ("bye", "轮空"))
    write(tmp_path / "fragments", "b.po", ("bye", "再见"))

    with pytest.raises(OperatorProblem, match=r"'bye'.*a\.po.*b\.po"):
        catalogues.merged(tmp_path)


def test_folding_keeps_every_translation_and_compiles_to_the_same(tmp_path: Path) -> None:
    write(tmp_path / "fragments", "a.po", ("bye", "轮空"), ("round", "轮次"))
    write(tmp_path / "fragments", "b.po", ("bye", "轮空"), ("board", "台次"))

    catalogues.fold(tmp_path)
    catalogues.compile_catalogue(tmp_path)

    compiled = polib.mofile(str(catalogues.catalogue_path(tmp_path).with_suffix(".mo")))
    assert {entry.msgid: entry.msgstr for entry in compiled} == {
        "bye": "轮空",
        "round": "轮次",
        "board": "台次",
    }
    assert list((tmp_path / "fragments").iterdir()) == []


def test_compiling_again_does_nothing_until_a_source_changes(tmp_path: Path) -> None:
    write(tmp_path / "fragments", "a.po", ("bye", "轮空"))

    assert catalogues.compile_catalogue(tmp_path)
    assert not catalogues.compile_catalogue(tmp_path)

    write(tmp_path / "fragments", "b.po", ("round", "轮次"))
    assert catalogues.compile_catalogue(tmp_path)


def test_strings_are_found_in_code() -> None:
    source = 'x = _("one " "two")\ny = ngettext("%(n)s round", "%(n)s rounds", n)\nz = pgettext_lazy("colour", "white")'

    found = list(extraction.in_python(source, place="a.py"))

    assert [(m.context, m.text, m.plural, m.place) for m in found] == [
        (None, "one two", "", "a.py:1"),
        (None, "%(n)s round", "%(n)s rounds", "a.py:2"),
        ("colour", "white", "", "a.py:3"),
    ]


def test_a_string_put_together_at_run_time_is_refused() -> None:
    with pytest.raises(ValueError, match="written out"):
        list(extraction.in_python('_(f"round {n}")', place="a.py"))


def test_strings_are_found_in_templates() -> None:
    source = (
        '{% load i18n %}{% translate "Standings" %} {% trans "It\'s" as x %}\n'
        "{% blocktranslate count n=rounds|length %}{{ n }} round{% plural %}{{ n }} rounds{% endblocktranslate %}\n"
        '{% translate "white" context "colour" %}{{ value|default:_("none") }}'
        "{% blocktranslate trimmed with a=b %}\n  Points of\n  {{ a }}\n{% endblocktranslate %}"
    )

    found = {(m.context, m.text, m.plural) for m in extraction.in_template(source, place="a.html")}

    assert found == {
        (None, "Standings", ""),
        (None, "It's", ""),
        (None, "%(n)s round", "%(n)s rounds"),
        ("colour", "white", ""),
        (None, "none", ""),
        (None, "Points of %(a)s", ""),
    }
