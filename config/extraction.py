"""Finds every string that is marked for translation, in the Python code and the templates."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("config", "tournaments", "games")
# How many of the first arguments are the context, and how many after it are the text (singular, plural).
MARKERS = {
    "_": (0, 1),
    "gettext": (0, 1),
    "gettext_lazy": (0, 1),
    "gettext_noop": (0, 1),
    "ngettext": (0, 2),
    "ngettext_lazy": (0, 2),
    "pgettext": (1, 1),
    "pgettext_lazy": (1, 1),
    "npgettext": (1, 2),
    "npgettext_lazy": (1, 2),
}
LITERAL = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
TEMPLATE_CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*((?:{LITERAL}\s*,?\s*)+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    text: str
    plural: str = ""
    context: str | None = None
    place: str


def messages(root: Path = ROOT) -> Iterator[Message]:
    """Every marked string, with its place; raises ValueError where a marked string is not written out."""
    for path in python_files(root):
        yield from in_python(path.read_text(encoding="utf-8"), place=str(path.relative_to(root)))
    for path in template_files(root):
        yield from in_template(path.read_text(encoding="utf-8"), place=str(path.relative_to(root)))


def python_files(root: Path) -> list[Path]:
    return sorted(
        path for room in ROOMS for path in (root / room).rglob("*.py") if "migrations" not in path.parts
    )


def template_files(root: Path) -> list[Path]:
    folders = [root / "templates", *(root / room / "templates" for room in ROOMS)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


def in_python(source: str, *, place: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (marker := _marker(node.func)):
            yield from _message(marker, node.args, place=f"{place}:{node.lineno}")


def in_template(source: str, *, place: str) -> Iterator[Message]:
    from django.utils.translation.template import templatize

    code = templatize(source, origin=place)
    for call in TEMPLATE_CALL.finditer(code):
        literals = [
            ast.Constant(ast.literal_eval(text)) for text in re.findall(LITERAL, call.group(2), re.DOTALL)
        ]
        line = code.count("\n", 0, call.start()) + 1
        yield from _message(call.group(1), literals, place=f"{place}:{line}")


def _marker(function: ast.expr) -> str:
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name if name in MARKERS else ""


def _message(marker: str, arguments: Iterable[ast.expr], *, place: str) -> Iterator[Message]:
    contexts, texts = MARKERS[marker]
    written = list(arguments)[: contexts + texts]
    values = [argument.value for argument in written if isinstance(argument, ast.Constant)]
    strings = [value for value in values if isinstance(value, str)]
    if len(strings) != contexts + texts:
        raise ValueError(f"{place}: {marker}() needs its text written out, as a plain string")
    yield Message(
        context=strings[0] if contexts else None,
        text=strings[contexts],
        plural=strings[contexts + 1] if texts > 1 else "",
        place=place,
    )
