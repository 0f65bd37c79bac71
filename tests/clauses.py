"""The table of every clause of the rules: where it stands, the tests that hold it, and whether a person tried it.

``python -m tests.clauses`` writes `docs/clauses.md` from what the tests themselves carry: ``@pytest.mark.clause("7.1", at=...)``.
A clause that no test carries is physical: it is about wood, hands and silence. Whoever tried a clause by hand writes its
number into `tests/clauses_tried.txt`, one a line with the day and the name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from games.wording.article_list import TEXTS

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "clauses.md"
TRIED = ROOT / "tests" / "clauses_tried.txt"
HEAD = """# Every clause of the rules

Written by `python -m tests.clauses`. A test carries its clauses by the marker `clause`; a clause that no test carries says
*physical*: wood, hands and silence are not for a program to hold. The last column comes from `tests/clauses_tried.txt`.

| clause | says | stands in | tests | tried by a person |
|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A test with the clauses it carries and the module where they stand."""

    test: str
    clauses: tuple[str, ...]
    at: str


def carried() -> list[Carried]:
    """What the tests carry, in the order of their files. Reads the sources; nothing is imported."""
    return [
        found
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for found in _of_test(node, path.relative_to(ROOT).as_posix())
    ]


def _of_test(node: ast.FunctionDef, path: str) -> Iterator[Carried]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause":
            at = next((ast.literal_eval(word.value) for word in mark.keywords if word.arg == "at"), "")
            clauses = tuple(str(ast.literal_eval(argument)) for argument in mark.args)
            yield Carried(test=f"{path}::{node.name}", clauses=clauses, at=str(at))


def leaves() -> list[tuple[str, str]]:
    """The clauses that have no clause below them, with their English text, in the order of the rules."""
    numbers = [number for number, _zh, _en in TEXTS]
    return [
        (number, en)
        for number, _zh, en in TEXTS
        if not any(other.startswith(f"{number}.") for other in numbers)
    ]


def rows() -> list[tuple[str, str, list[Carried]]]:
    """Every clause with the tests that carry it; headings only where a test carries them."""
    found = carried()
    of_clause = {number: [one for one in found if number in one.clauses] for number, _zh, _en in TEXTS}
    known = {number for number, _en in leaves()}
    return [
        (number, en, of_clause[number]) for number, _zh, en in TEXTS if number in known or of_clause[number]
    ]


def table() -> str:
    tried = _tried()
    lines = [_line(number, en, tests, tried.get(number, "no")) for number, en, tests in rows()]
    return HEAD + "".join(lines)


def _line(number: str, text: str, tests: list[Carried], tried: str) -> str:
    if not tests:
        return f"| {number} | {text} | | physical | {tried} |\n"
    modules = ", ".join(f"`{at}`" for at in dict.fromkeys(one.at for one in tests))
    names = ", ".join(f"`{one.test.removeprefix('tests/')}`" for one in tests)
    return f"| {number} | {text} | {modules} | {names} | {tried} |\n"


def _tried() -> dict[str, str]:
    lines = TRIED.read_text(encoding="utf-8").splitlines() if TRIED.exists() else []
    words = [line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#")]
    return {number: rest[0] if rest else "yes" for number, *rest in words}


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
