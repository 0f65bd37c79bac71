"""Two copies of one game side by side: where they agree, where they differ first, and what each proves.

Promises: every text of both copies stands in one row, in order; the same move written in two ways is the same. Decides
nothing: which copy is right is for an arbiter (articles 10.6 and 15).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.misreading import cost_of
from rules.notation import parse
from rules.sheet import Sheet
from rules.verdict import Status, Verdict, validate

MISSING = 5.0  # as dear as a clear misreading: neighbours are paired before anything is called missing
FAR = 12.0
WINDOW = 40  # how far the copies may run apart


class Agreement(StrEnum):
    AGREE = "agree"
    DIFFER = "differ"
    TRUNCATED = "truncated"  # one copy ends before the other, and they agree as far as it goes
    LACKS_PLIES = "lacks-plies"  # one copy leaves plies out in the middle
    NO_MOVES = "no-moves"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the comparison. `white` and `black` are what the copies say, "" where a copy has nothing; the plies are
    1-based places in each copy, 0 for none. `same` is whether both mean the same move."""

    white: str
    black: str
    white_ply: int
    black_ply: int
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """`differ_at` is the ply of White's copy (of Black's, where White's has none) in the first row that differs, else None.

    `illegal` names the copies, `white` or `black`, that are not legal; a copy that is legal while the other is not stands.
    """

    agreement: Agreement
    rows: tuple[Row, ...]
    differ_at: int | None
    white: Verdict
    black: Verdict
    illegal: tuple[str, ...]
    shorter: str | None = None
    same_result: bool | None = None

    @property
    def differences(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.same)


def reconcile(white_sheet: Sheet, black_sheet: Sheet) -> Reconciliation:
    """Compare White's copy with Black's (article 10.2, both keep one)."""
    white, black = validate(white_sheet), validate(black_sheet)
    rows = align(white_sheet.moves, black_sheet.moves)
    first = next((row for row in rows if not row.same), None)
    shorter = _shorter(rows)
    return Reconciliation(
        agreement=_agreement(rows, first, shorter),
        rows=rows,
        differ_at=None if first is None else first.white_ply or first.black_ply,
        white=white,
        black=black,
        illegal=tuple(
            name for name, verdict in (("white", white), ("black", black)) if verdict.status is Status.ILLEGAL
        ),
        shorter=shorter,
        same_result=None if white.result is None or black.result is None else white.result == black.result,
    )


def align(white: Sequence[str], black: Sequence[str]) -> tuple[Row, ...]:
    """Rows that pair the texts of both copies at the least cost; a text alone stands against an empty place."""
    steps = _table(white, black)
    rows: list[Row] = []
    i, j = len(white), len(black)
    while i or j:
        step = steps[i, j]
        i, j = i - (step != "black"), j - (step != "white")
        rows.append(
            Row(
                white=white[i] if step != "black" else "",
                black=black[j] if step != "white" else "",
                white_ply=i + 1 if step != "black" else 0,
                black_ply=j + 1 if step != "white" else 0,
                same=step == "both" and same_move(white[i], black[j]),
            )
        )
    return tuple(reversed(rows))


def same_move(one: str, other: str) -> bool:
    """Whether two texts mean the same move: squares alike; where both give the whole road, that too."""
    first, second = parse(one), parse(other)
    if first.fault or second.fault:
        return one.strip() == other.strip() and not first.fault
    if (first.origin, first.destination) != (second.origin, second.destination):
        return False
    return len(first.path) == 2 or len(second.path) == 2 or set(first.path) == set(second.path)


def _table(white: Sequence[str], black: Sequence[str]) -> dict[tuple[int, int], str]:
    """For each pair of places the last step of the cheapest way there, in a band around the diagonal."""
    band = abs(len(white) - len(black)) + WINDOW
    costs: dict[tuple[int, int], float] = {(0, 0): 0.0}
    steps: dict[tuple[int, int], str] = {}
    for i in range(len(white) + 1):
        for j in range(max(0, i - band), min(len(black), i + band) + 1):
            options = []
            if i and j and (i - 1, j - 1) in costs:
                options.append((costs[i - 1, j - 1] + _apart(white[i - 1], black[j - 1]), "both"))
            if i and (i - 1, j) in costs:
                options.append((costs[i - 1, j] + MISSING, "white"))
            if j and (i, j - 1) in costs:
                options.append((costs[i, j - 1] + MISSING, "black"))
            if options:
                costs[i, j], steps[i, j] = min(options)
    return steps


def _apart(one: str, other: str) -> float:
    if one == other or same_move(one, other):
        return 0.0
    meant = parse(one)
    if meant.fault is not None:
        return FAR / 2
    return min(cost_of(meant.origin, meant.destination, meant.takes, other)[0], FAR)


def _shorter(rows: tuple[Row, ...]) -> str | None:
    """The copy that ends before the other, `white` or `black`."""
    if not rows or rows[-1].same:
        return None
    if not rows[-1].white_ply:
        return "white"
    return "black" if not rows[-1].black_ply else None


def _agreement(rows: tuple[Row, ...], first: Row | None, shorter: str | None) -> Agreement:
    if not rows:
        return Agreement.NO_MOVES
    if first is None:
        return Agreement.AGREE
    if any(row.white_ply and row.black_ply and not row.same for row in rows):
        return Agreement.DIFFER
    alone = [n for n, row in enumerate(rows) if not row.same]
    if shorter is not None and alone == list(range(alone[0], len(rows))):
        return Agreement.TRUNCATED
    sides = {bool(rows[n].white_ply) for n in alone}
    return Agreement.LACKS_PLIES if len(sides) == 1 else Agreement.DIFFER
