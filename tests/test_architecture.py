"""The rooms of the house and what none of them may do; import-linter holds the layers, this holds the rest."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("config", "rules", "tournaments", "games")

DOORS_OF_THE_LEDGER = {
    "formats",
    "services",
    "selectors",
    "models",
    "errors",
    "audit",
    "permissions",
    "gate",
    "jobs",
    "web",
    "confined",
    "encodings",
    "documents",
}
# Of the ledger's web folder the court may use what both share.
SHARED_WEB = {"http", "rest", "request_fields", "caching", "throttling", "numbers"}
PURE_FORBIDDEN = {"django", "rest_framework", "celery", "psycopg", "gettext", "locale", "secrets", "config"}
CLOCK = {"now", "utcnow", "today", "time", "time_ns", "localtime", "gmtime"}
SERVICES_FORBIDDEN = {"django.http", "django.forms", "rest_framework", "django.views", "django.shortcuts"}
SURFACES = {"web", "admin", "tasks", "urls"}
LOCKS = {"select_for_update"}
LOCK_WORDS = ("FOR UPDATE", "FOR NO KEY UPDATE", "PG_ADVISORY", "LOCK TABLE")
MANAGER_WRITES = {
    "create", "acreate", "update", "aupdate", "delete", "adelete",
    "bulk_create", "bulk_update", "get_or_create", "update_or_create",
}  # fmt: skip
ALWAYS_WRITES = {"save", "asave", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}

# What reads a page at once, or waits for a time; the helpers of the browser tests wait for what they need.
AT_ONCE = {
    "find_element",
    "find_elements",
    "page_source",
    "get_log",
    "implicitly_wait",
    "sleep",
    "WebDriverWait",
}


class Module:
    def __init__(self, path: Path) -> None:
        self.path = path.relative_to(ROOT)
        self.name = ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")
        self.tree = ast.parse(path.read_text(encoding="utf-8"))

    def at(self, node: ast.AST) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 0)}"

    def imports(self) -> Iterator[tuple[ast.AST, str]]:
        """Every imported module, and for ``from a import b`` also ``a.b``."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                yield node, base
                yield from ((node, f"{base}.{alias.name}") for alias in node.names)

    def calls(self) -> Iterator[tuple[ast.Call, str]]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield node, called(node)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".") if self.path.name == "__init__.py" else self.name.split(".")[:-1]
        parents = package[: len(package) - node.level + 1]
        return ".".join([*parents, *([node.module] if node.module else [])])


def called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def modules() -> list[Module]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [Module(path) for path in paths if "migrations" not in path.parts]


MODULES = modules()


def within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def is_pure(module: Module) -> bool:
    return any(within(module.name, room) for room in ("rules", "tournaments.engine", "games.adjudication"))


def is_surface(module: Module) -> bool:
    parts = module.name.split(".")
    return parts[0] in {"tournaments", "games"} and any(part in SURFACES for part in parts[1:2])


def is_service(module: Module) -> bool:
    parts = module.name.split(".")
    return parts[0] in {"tournaments", "games"} and len(parts) > 1 and parts[1] == "services"


def is_ledger(module: Module) -> bool:
    parts = module.name.split(".")
    rooms = {"models", "services", "selectors", "gate", "jobs"}
    return parts[0] == "tournaments" and len(parts) > 1 and parts[1] in rooms


def test_the_rooms_are_there() -> None:
    assert {module.name for module in MODULES} >= {
        "rules",
        "tournaments.engine",
        "games.adjudication",
        "tournaments.gate",
    }


def test_layers_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_pure_rooms_import_no_framework() -> None:
    broken = [
        f"{module.at(node)} imports {name}"
        for module in MODULES
        if is_pure(module)
        for node, name in module.imports()
        if name.split(".")[0] in PURE_FORBIDDEN
    ]

    assert broken == []


def test_pure_rooms_look_at_no_clock() -> None:
    broken = [
        module.at(node)
        for module in MODULES
        if is_pure(module)
        for node, name in module.calls()
        if name in CLOCK
        and isinstance(node.func, ast.Attribute)
        and _root(node.func) in {"datetime", "date", "time"}
    ]

    assert broken == []


def test_pure_rooms_draw_only_from_a_seeded_generator() -> None:
    broken = [
        module.at(node)
        for module in MODULES
        if is_pure(module)
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Attribute) and _root(node) == "random" and node.attr != "Random")
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "random"
            and {a.name for a in node.names} != {"Random"}
        )
    ]

    assert broken == []


def test_the_ledger_knows_neither_court_nor_law() -> None:
    broken = [
        f"{module.at(node)} imports {name}"
        for module in MODULES
        if within(module.name, "tournaments")
        for node, name in module.imports()
        if within(name, "games") or within(name, "rules")
    ]

    assert broken == []


def test_the_court_uses_the_ledger_by_its_doors_only() -> None:
    broken = [
        f"{module.at(node)} imports {name}"
        for module in MODULES
        if within(module.name, "games")
        for node, name in module.imports()
        if within(name, "tournaments")
        and name != "tournaments"
        and (
            name.split(".")[1] not in DOORS_OF_THE_LEDGER
            or (name.split(".")[1] == "web" and not SHARED_WEB & set(name.split(".")[2:3]))
        )
    ]

    assert broken == []


def test_services_know_no_request() -> None:
    broken = [
        f"{module.at(node)} imports {name}"
        for module in MODULES
        if is_service(module)
        for node, name in module.imports()
        if any(within(name, forbidden) for forbidden in SERVICES_FORBIDDEN)
        or (
            name.split(".")[0] in {"tournaments", "games"}
            and name.split(".")[1:2]
            and _is_page(name.split(".")[1])
        )
    ]

    assert broken == []


def test_the_lock_is_spelled_in_two_places_only() -> None:
    spelled = {module.name for module in MODULES if list(_locks(module))}

    assert spelled <= {"tournaments.gate", "tournaments.jobs"}
    assert "tournaments.gate" in spelled


def test_pages_api_admin_and_tasks_open_no_transaction() -> None:
    broken = [
        f"{module.at(node)} imports {name}"
        for module in MODULES
        if is_surface(module)
        for node, name in module.imports()
        if name in {"django.db.transaction", "tournaments.gate", "tournaments.gate.lock_section"}
    ]

    assert broken == []


def test_pages_api_admin_and_tasks_write_nothing() -> None:
    broken = [
        f"{module.at(node)} calls {name}()"
        for module in MODULES
        # The counts of attempts are no part of ledger or court: a request counts itself.
        if is_surface(module) and module.name != "tournaments.web.throttling"
        for node, name in module.calls()
        if isinstance(node.func, ast.Attribute)
        and (name in ALWAYS_WRITES or (name in MANAGER_WRITES and _is_query(node.func.value)))
    ]

    assert broken == []


def test_no_float_in_ledger_or_engine() -> None:
    broken = [
        module.at(node)
        for module in MODULES
        if is_ledger(module)
        or within(module.name, "tournaments.engine")
        or module.name == "games.adjudication"
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        # A float of a Swiss pairing is a word of the trade: a field may have this name.
        or (isinstance(node, ast.Name) and node.id == "float" and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == "FloatField")
    ]

    assert broken == []


def test_browser_tests_open_and_read_pages_through_their_helpers_only() -> None:
    tests = [Module(path) for path in sorted((ROOT / "tests" / "e2e").glob("test_*_browser.py"))]

    broken = [
        module.at(node)
        for module in tests
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Attribute) and node.attr in AT_ONCE)
        or (isinstance(node, ast.alias) and node.name in AT_ONCE)
        or (isinstance(node, ast.Call) and called(node) == "get" and node.args and _is_name(node.func))
    ]

    assert len(tests) >= 4
    assert broken == []


def test_only_the_formats_know_which_format_a_section_has() -> None:
    """Everywhere else a capability is asked: `formats.of(section).has_bracket`. A demo names what it shows."""
    names = {name for name, _label in _formats()}
    predicates = {f"is_{word}" for word in ("swiss", "team", "round_robin", "knockout", "groups")}
    outside = [
        module
        for module in MODULES
        if not any(
            within(module.name, room)
            for room in ("tournaments.formats", "tournaments.models", "games.demo", "rules")
        )
    ]

    broken = [
        f"{module.at(node)} {found}"
        for module in outside
        for node in ast.walk(module.tree)
        if (found := _format_asked(node, names, predicates))
    ]

    assert len(names) >= 7
    assert broken == []


def test_templates_ask_for_capabilities_that_there_are() -> None:
    from tournaments.formats import Strategy

    told = [
        (path.relative_to(ROOT), name)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for name in re.findall(r"trait:\"(\w+)\"", path.read_text(encoding="utf-8"))
    ]
    switches = [
        path.relative_to(ROOT)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if re.search(
            r"section\.format\b|\.(is_swiss|is_team|is_round_robin|has_knockout)\b",
            path.read_text(encoding="utf-8"),
        )
    ]

    assert len(told) > 20
    assert [(path, name) for path, name in told if not hasattr(Strategy, name)] == []
    assert switches == []


def test_formats_write_nothing() -> None:
    broken = [
        f"{module.at(node)} calls {name}()"
        for module in MODULES
        if within(module.name, "tournaments.formats")
        for node, name in module.calls()
        if isinstance(node.func, ast.Attribute)
        and (name in ALWAYS_WRITES or (name in MANAGER_WRITES and _is_query(node.func.value)))
    ]

    assert broken == []


def _formats() -> list[tuple[str, str]]:
    from tournaments.models import Section

    return [(value, str(label)) for value, label in Section.Format.choices]


def _format_asked(node: ast.AST, names: set[str], predicates: set[str]) -> str:
    """What in a node names a format: `Format.SWISS`, a comparison of `.format`, `"KNOCKOUT"`, `.is_swiss`."""
    if isinstance(node, ast.Attribute):
        if node.attr in predicates:
            return node.attr
        if isinstance(node.value, ast.Attribute) and node.value.attr == "Format" and node.attr in names:
            return f"Format.{node.attr}"
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        asked = [s.attr for s in sides if isinstance(s, ast.Attribute)]
        if "format" in asked and "FORMATS" not in asked and _root(node.left) in {"section", "found"}:
            return "compares .format"
    if isinstance(node, ast.Constant) and node.value in names:
        return repr(node.value)
    return ""


def _is_name(function: ast.expr) -> bool:
    """Whether it is called on a plain name: ``driver.get(...)``, not ``section.rounds.get(...)``."""
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name)


def _root(node: ast.expr) -> str:
    """The first and the last-but-one name of a dotted expression: ``datetime`` of ``datetime.datetime.now``."""
    value = node
    while isinstance(value, ast.Attribute):
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""


def _is_page(name: str) -> bool:
    return name in SURFACES


def _is_query(node: ast.expr) -> bool:
    """Whether an expression is a chain that begins at a model's manager: ``Round.objects.filter(...)``."""
    return any(
        isinstance(part, ast.Attribute)
        and (part.attr in {"objects", "_default_manager"} or part.attr.endswith("_set"))
        for part in ast.walk(node)
    )


def _locks(module: Module) -> Iterator[ast.AST]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in LOCKS:
            yield node
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_sql_lock(node.value):
            yield node


def _is_sql_lock(text: str) -> bool:
    return any(word in text for word in LOCK_WORDS) and "SELECT" in text.upper()


@pytest.mark.parametrize(
    ("source", "is_write"),
    [
        ("Round.objects.filter(pk=1).update(state=2)", True),
        ("section.round_set.all().delete()", True),
        ("context.update(a=1)", False),
        ("cache.delete(key)", False),
    ],
)
def test_a_write_is_told_from_its_namesakes(source: str, is_write: bool) -> None:
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)

    assert (call.func.attr in MANAGER_WRITES and _is_query(call.func.value)) is is_write
