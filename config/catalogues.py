"""Translations: merges and compiles the catalogues, in Python alone (GNU gettext need not be installed).

``python -m config.catalogues compile`` writes the ``.mo`` files that Django reads. ``fold`` merges the fragments
of ``locale/fragments`` into the catalogue of the language and removes them. Until they are folded, fragments
count just the same. ``missing`` prints the marked strings that have no translation yet, ready for a fragment.
"""

import os
import sys
from pathlib import Path

import polib

from config import extraction
from config.problems import OperatorProblem, one_sentence

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
LANGUAGE = "zh_Hans"
METADATA = {
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Language": LANGUAGE,
    "Plural-Forms": "nplurals=1; plural=0;",
}

Key = tuple[str | None, str]


def sources(locale: Path = LOCALE) -> list[Path]:
    """The catalogue and its fragments, in a fixed order."""
    catalogue = catalogue_path(locale)
    return [path for path in [catalogue, *sorted((locale / "fragments").glob("*.po"))] if path.exists()]


def catalogue_path(locale: Path = LOCALE) -> Path:
    return locale / LANGUAGE / "LC_MESSAGES" / "django.po"


def merged(locale: Path = LOCALE) -> polib.POFile:
    """All translations as one catalogue; two that contradict each other are refused with their places."""
    whole = polib.POFile(wrapwidth=110)
    whole.metadata = dict(METADATA)
    seen: dict[Key, tuple[polib.POEntry, Path]] = {}
    for path in sources(locale):
        for entry in _read(path):
            key: Key = (entry.msgctxt, entry.msgid)
            known = seen.setdefault(key, (entry, path))
            if _translation(known[0]) != _translation(entry):
                raise OperatorProblem(
                    f"{entry.msgid!r} is translated in two ways, in {known[1].name} as {_translation(known[0])} "
                    f"and in {path.name} as {_translation(entry)}: choose one."
                )
    for key in sorted(seen, key=lambda key: (key[1], key[0] or "")):
        entry = seen[key][0]
        entry.occurrences = []
        whole.append(entry)
    return whole


def fold(locale: Path = LOCALE) -> None:
    whole = merged(locale)
    path = catalogue_path(locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_whole(path, str(whole))
    for fragment in sources(locale):
        if fragment != path:
            fragment.unlink()


def compile_catalogue(locale: Path = LOCALE) -> bool:
    """Write the ``.mo`` file if a source is newer; True if it was written."""
    target = catalogue_path(locale).with_suffix(".mo")
    folders = [locale / "fragments", catalogue_path(locale).parent]
    stamps = [path.stat().st_mtime_ns for path in [*sources(locale), *folders] if path.exists()]
    if target.exists() and target.stat().st_mtime_ns >= max(stamps, default=0):
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}")
    merged(locale).save_as_mofile(str(draft))
    os.replace(draft, target)
    # The folder changes with the rename, after the file was written.
    os.utime(target)
    return True


def missing() -> list[str]:
    known: set[Key] = {(entry.msgctxt, entry.msgid) for entry in merged()}
    wanted = {(m.context, m.text): m for m in extraction.messages() if (m.context, m.text) not in known}
    entries = [
        polib.POEntry(
            comment=message.place,
            msgctxt=message.context,
            msgid=message.text,
            msgid_plural=message.plural,
            msgstr_plural={0: ""} if message.plural else {},
        )
        for message in wanted.values()
    ]
    return [str(entry) for entry in entries]


def _read(path: Path) -> polib.POFile:
    try:
        return polib.pofile(str(path), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OperatorProblem(f"the translations {path} cannot be read: {error}") from error


def _translation(entry: polib.POEntry) -> str | dict[int, str]:
    return entry.msgstr_plural or entry.msgstr


def _write_whole(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text + "\n", encoding="utf-8")
    os.replace(draft, path)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["compile"]:
            if compile_catalogue():
                print("compiled the translations", file=sys.stderr)
        case ["fold"]:
            fold()
        case ["missing"]:
            print("\n".join(missing()))
        case _:
            sys.exit("usage: python -m config.catalogues compile|fold|missing")


if __name__ == "__main__":
    with one_sentence():
        main(sys.argv[1:])
