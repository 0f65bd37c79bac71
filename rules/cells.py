"""A cell of a photographed sheet, as probabilities: for whoever reads pictures and wants the rules to join in.

A reader of pictures hardly ever knows a cell for sure, but it knows how likely each reading is. Such a cell costs the
negative logarithm of the probability that the picture shows the move, or less where the picture shows something the
writer may have written for it by a slip: then the slip is charged too, and named. What the reader takes wrongly is no
error of the writer and is not counted as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log

from rules.board import BIT, SQUARE, SQUARES, Position
from rules.marks import Ends, Mark, Reading
from rules.misreading import EXTRA_COST, TWICE_COST, ChangeKind, cost_of
from rules.moves import RawMove

TOPS = 6  # readings that are asked what they may have been a slip for
FLOOR = 0.002  # of each square's odds, spread over all squares: no reader is ever so sure
LEAST = 1e-6  # a probability of one would end all argument
CLEAR = 0.25  # what a picture says that shows one move so clearly: four in five
BLANK = 10

_Squares = tuple[int, int]


class Cell:
    """One written cell. `costs` gives for (origin, destination) the negative natural logarithm of the probability that
    the picture shows just that, `rest` the cost of each pair that is not among them.

    Raises ValueError where no cost is given or one is no number from 0 up.
    """

    __slots__ = ("_costs", "_read", "_rest", "_tops", "ends", "least", "written")

    def __init__(self, costs: Mapping[_Squares, float], *, rest: float = 2 * -log(FLOOR / 50)) -> None:
        if not costs or not all(cost >= 0 for cost in (*costs.values(), rest)):
            raise ValueError("a cell needs costs, none below 0")
        self._costs = {squares: max(cost, LEAST) for squares, cost in costs.items()}
        self._rest = max(rest, LEAST)
        tops = sorted((cost, squares) for squares, cost in self._costs.items())[:TOPS]
        self._tops = tuple((f"{origin}-{goal}", cost) for cost, (origin, goal) in tops)
        self._read: dict[tuple[int, int, bool], Reading] = {}
        origin, goal = tops[0][1]
        self.written = f"{origin}-{goal}"
        self.ends: Ends = (BIT[origin], BIT[goal])
        self.least = tops[0][0]

    @classmethod
    def of_squares(cls, origin: Sequence[float], destination: Sequence[float]) -> Cell:
        """A cell whose squares were read apart: the log-probabilities of squares 1 to 50 for each, in this order."""
        first, last = _mixed(origin), _mixed(destination)
        return cls({(a, b): first[a] + last[b] for a in SQUARES for b in SQUARES if a != b})

    @classmethod
    def of_boxes(cls, boxes: Sequence[Sequence[float]]) -> Cell:
        """A cell of four boxes, two digits a square: for each box the log-probabilities of 0 to 9 and of an empty box."""
        if len(boxes) != 4 or any(len(box) != BLANK + 1 for box in boxes):
            raise ValueError("a cell has four boxes of eleven log-probabilities")
        return cls.of_squares(_square(*boxes[:2]), _square(*boxes[2:]))

    def read(self, position: Position, raw: RawMove) -> Reading:
        key = SQUARE[raw[0]], SQUARE[raw[1]], raw[2] != 0
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = self._meant(*key)
        return found

    def _meant(self, origin: int, destination: int, capture: bool) -> Reading:
        best: Reading = (self.shown(origin, destination), None)
        for text, cost in self._tops:
            slip, kind = cost_of(origin, destination, capture, text.replace("-", "x") if capture else text)
            if kind is not None and cost + slip < best[0]:
                best = cost + slip, kind
        return best

    def shown(self, origin: int, destination: int) -> float:
        """The negative logarithm of the probability that the picture shows just this pair."""
        return self._costs.get((origin, destination), self._rest)

    def says(self, position: Position, raw: RawMove) -> bool:
        cost, kind = self.read(position, raw)
        return kind is None and cost <= CLEAR

    def pass_over(self, before: Mark | None) -> tuple[float, ChangeKind]:
        again = before.alike(self) if isinstance(before, Cell) else None
        if again is not None and TWICE_COST + again < EXTRA_COST + self.least:
            return TWICE_COST + again, ChangeKind.TWICE
        return EXTRA_COST + self.least, ChangeKind.EXTRA

    def alike(self, other: Cell) -> float:
        """What it costs that the other cell shows the same again, by whatever both may show."""
        return min(
            cost - self.least + other._costs.get(squares, other._rest)
            for squares, cost in self._costs.items()
        )


def _mixed(logs: Sequence[float]) -> dict[int, float]:
    """Costs by square, made to sum to a probability of one and never quite sure. Raises ValueError for other than 50."""
    if len(logs) != len(SQUARES):
        raise ValueError("fifty log-probabilities are needed, one for each square")
    odds = [exp(value) for value in logs]
    whole = sum(odds)
    return {
        square: -log((1 - FLOOR) * (share / whole if whole else 1 / len(SQUARES)) + FLOOR / len(SQUARES))
        for square, share in zip(SQUARES, odds, strict=True)
    }


def _square(tens: Sequence[float], units: Sequence[float]) -> list[float]:
    """Log-probabilities of the squares from those of two boxes; 7 may be written ` 7`, `7 ` or `07`."""
    found = []
    for square in SQUARES:
        ten, unit = divmod(square, 10)
        ways = [tens[ten] + units[unit]]
        if not ten:
            ways += [tens[BLANK] + units[unit], tens[unit] + units[BLANK]]
        top = max(ways)
        found.append(top + log(sum(exp(way - top) for way in ways)) if top > float("-inf") else top)
    return found
