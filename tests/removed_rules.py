"""Shows that the clauses stand in the code: takes a rule out of a copy of the tree, and the test that carries it must fail.

``python -m tests.removed_rules`` works on a copy in a temporary folder and prints a line for each rule.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = (
    "config",
    "games",
    "locale",
    "rules",
    "templates",
    "tests",
    "tournaments",
    "docs",
    "manage.py",
    "pyproject.toml",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A rule: its clause, where it stands, the code that is taken out, what stays, and the test that must notice."""

    clause: str
    module: str
    code: str
    without: str
    test: str


_COURT = "tests/games/test_court_rulings.py::"
REMOVALS = (
    Removal(
        clause="6.12", module="rules/moves.py", code="if count > best:", without="if count > best and not best:",
        test="tests/rules/test_moves.py::test_the_legal_moves_with_what_they_take",
    ),
    Removal(
        clause="7.7", module="games/court_rules.py", code="return bool(moved_on) or", without="return False and",
        test=_COURT + "test_7_4_no_penalty_before_the_choice_and_the_refusal_and_nothing_once_he_has_moved_on",
    ),
    Removal(
        clause="15.1.3", module="games/court_rules.py", code="if category not in OPPONENT_ONLY:", without="if True:",
        test=_COURT + "test_7_4_the_arbiter_cannot_open_an_irregularity_on_his_own",
    ),
    Removal(
        clause="8.2.3", module="games/court_rules.py", code="Category.CLOCK_FORGOTTEN: (Effect.NONE,),",
        without="Category.CLOCK_FORGOTTEN: (Effect.NONE, Effect.REMINDER),",
        test=_COURT + "test_8_2_3_forgetting_the_clock_is_not_punished",
    ),
    Removal(
        clause="8.3.2", module="games/selectors/lateness.py", code="if now <= limit:", without="if False:",
        test=_COURT + "test_8_2_later_than_the_limit_forfeits_and_at_the_limit_plays",
    ),
    Removal(
        clause="9.1", module="games/court_rules.py", code="Category.CLOCK_ALTERED, Category.CLOCK_MOVED,\n    }",
        without="Category.CLOCK_ALTERED, Category.CLOCK_MOVED, Category.CLOCK,\n    }",
        test=_COURT + "test_9_5_stopping_the_clocks_loses_without_a_refusal",
    ),
    Removal(
        clause="11.3.6", module="games/services/adjournments.py",
        code="row.state != Adjournment.State.OPENED or readings_of(row)", without="True",
        test="tests/games/test_adjournments.py::test_11_3_an_illegal_sealed_move_loses",
    ),
    Removal(
        clause="12.2.4", module="games/services/court/effects.py", code="return (LOST if has_begun(incident) else FORFEITS)",
        without="return (FORFEITS)",
        test=_COURT + "test_12_2_4_lost_before_the_clocks_start_is_a_forfeit_and_after_it_a_game_played",
    ),
    Removal(
        clause="12.4", module="games/services/draw_offers.py", code="return faults[0] if faults else None", without="return None",
        test="tests/games/test_slips.py::TestDrawOffers::test_whites_offer_after_his_own_40th_move_is_noted_with_a_reason",
    ),
    Removal(
        clause="14.2.4", module="games/court_rules.py", code="WARNINGS_LOSE = 2", without="WARNINGS_LOSE = 99",
        test=_COURT + "test_14_2_the_second_warning_loses_the_game_at_once",
    ),
    Removal(
        clause="14.2.5", module="games/court_rules.py",
        code="APPROVED_BY_THE_CHIEF = frozenset({Effect.DISQUALIFY})",
        without="APPROVED_BY_THE_CHIEF: frozenset[Effect] = frozenset()",
        test=_COURT + "test_14_3_disqualification_waits_for_the_chief",
    ),
    Removal(
        clause="14.5", module="games/court_rules.py", code="OF_THE_CHIEF = frozenset({Effect.EXPEL})",
        without="OF_THE_CHIEF: frozenset[Effect] = frozenset()",
        test=_COURT + "test_14_5_expulsion_is_the_chiefs_alone_ends_the_game_and_can_be_taken_back",
    ),
)  # fmt: skip


def main() -> int:
    """Return how many removals no test noticed."""
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / name)
        if _pytest(copy, *dict.fromkeys(removal.test for removal in REMOVALS)):
            raise RuntimeError("the tests fail with every rule in its place")
        for removal in REMOVALS:
            noticed = _fails_without(copy, removal)
            missed += not noticed
            print(
                f"{removal.clause:8} {'fails, as it must' if noticed else 'STILL PASSES'}  {removal.test}",
                flush=True,
            )
    return missed


def _fails_without(copy: Path, removal: Removal) -> bool:
    module = copy / removal.module
    whole = module.read_text(encoding="utf-8")
    if removal.code not in whole:
        raise LookupError(f"{removal.module} no longer says {removal.code!r}")
    module.write_text(whole.replace(removal.code, removal.without), encoding="utf-8")
    try:
        return _pytest(copy, removal.test) == 1
    finally:
        module.write_text(whole, encoding="utf-8")


def _pytest(copy: Path, *tests: str) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "VAR": os.environ.get("VAR", str(ROOT / "var"))}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
