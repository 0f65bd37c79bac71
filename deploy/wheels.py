"""Builds the two libraries as wheels that need nothing: `draughts_rules` from rules/, `draughts_pairing` from tournaments/engine/.

In a wheel a library has its own name for importing too, since `rules` is another package on the index: its files are
copied with their imports renamed, and uv builds the copy. Usage: python deploy/wheels.py FOLDER
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = {
    "draughts_rules": (
        "rules",
        "The rules of international draughts: legal moves, draws, scoresheets judged and repaired.",
    ),
    "draughts_pairing": (
        "tournaments.engine",
        "Pairing, tie-breaks, standings and report files of tournaments.",
    ),
}
PROJECT = """[build-system]
requires = ["uv_build>=0.6,<1"]
build-backend = "uv_build"

[project]
name = "{name}"
version = "{version}"
description = "{description}"
readme = "README.md"
requires-python = ">=3.11"
license = "Apache-2.0"
license-files = ["LICENSE"]

[tool.uv.build-backend]
module-name = "{name}"
module-root = ""
"""


def renamed(text: str, module: str, name: str) -> str:
    """The text of a file with every import, and every command line, of `module` under its name in the wheel."""
    dotted = re.escape(module)
    text = re.sub(rf"(?m)^(\s*(?:>>> )?from ){dotted}(?=[. ])", rf"\1{name}", text)
    text = re.sub(
        rf"(?m)^(\s*(?:>>> )?)import {dotted}$", rf"\1import {name} as {module.split('.')[-1]}", text
    )
    text = re.sub(rf"(?<=python -m ){dotted}\b", name, text)
    return text.replace(f'f"{module}.', f'f"{name}.')


def build(name: str, folder: Path, *, uv: str) -> None:
    """One wheel into the folder."""
    module, description = LIBRARIES[name]
    source = ROOT / module.replace(".", "/")
    version = re.search(r'^__version__ = "(.+)"$', (source / "__init__.py").read_text(), re.MULTILINE)
    assert version is not None
    with tempfile.TemporaryDirectory() as made:
        project = Path(made)
        for path in sorted(source.rglob("*")):
            if path.suffix not in {".py", ".typed"}:
                continue
            copy = project / name / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(renamed(path.read_text(encoding="utf-8"), module, name), encoding="utf-8")
        readme = (source / "README.md").read_text(encoding="utf-8")
        (project / "README.md").write_text(renamed(readme, module, name), encoding="utf-8")
        shutil.copy(ROOT / "LICENSE", project)
        (project / "pyproject.toml").write_text(
            PROJECT.format(name=name, version=version[1], description=description), encoding="utf-8"
        )
        subprocess.run(
            [uv, "build", "--quiet", "--offline", "--wheel", "--out-dir", str(folder), str(project)],
            check=True,
        )


def find_uv() -> str:
    """The program uv: of the machine, or the one that `make` has installed. Raises FileNotFoundError."""
    own = ROOT / ".tools" / "bin" / "uv"
    found = shutil.which("uv") or (str(own) if own.exists() else None)
    if found is None:
        raise FileNotFoundError("uv is not installed: make setup installs it")
    return found


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    for each in LIBRARIES:
        build(each, target, uv=find_uv())
    print(*sorted(path.name for path in target.glob("draughts_*.whl")), sep="\n")
