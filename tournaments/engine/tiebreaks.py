"""Tie-breaks: a registry by code.

Labels and formulas are English source texts for the pages to translate. Refuses to order players: that is the standings'
work. Sources: FMJD and Chinese practice for draughts, Xiangqi rules 2011, KNDB, as named in each entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tournaments.engine import tiebreak_metrics as metrics
from tournaments.engine.tiebreak_metrics import Among, Metric
from tournaments.engine.types import EngineError


class UnknownTieBreak(EngineError):
    """No tie-break has that code: values name `found` and `expected`."""

    code = "unknown-tie-break"

    def __str__(self) -> str:
        return f"no tie-break is called {self.values['found']!r}; expected one of {self.values['expected']}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """One way to order equals. Exactly one of `metric` (per player) and `among` (within the tied players) is set.

    Neither is set for those that the standings themselves carry out: lots and the comparison with the round before.
    Label and formula are format strings: a numbered tie-break shows its number `k` in them.
    """

    code: str
    label: str
    formula: str
    source: str
    metric: Metric | None = None
    among: Among | None = None
    lower_is_better: bool = False
    k: int = 0


LOTS = "LOTS"
PREVIOUS_ROUND = "PREVIOUS_ROUND"
_ENTRIES = (
    TieBreak(
        code="SOLKOFF",
        label="Solkoff",
        formula="sum of the points of all opponents; a bye gives what the section says",
        source="FMJD; Buchholz in chess",
        metric=metrics.solkoff,
    ),
    TieBreak(
        code="SOLKOFF_MEDIAN",
        label="Median Solkoff",
        formula="Solkoff without the highest and the lowest opponent",
        source="FMJD; Chinese draughts association, Swiss",
        metric=metrics.median,
    ),
    TieBreak(
        code="SOLKOFF_TRUNC_SHORT",
        label="Solkoff truncated once",
        formula="Solkoff without the lowest opponent",
        source="FMJD",
        metric=metrics.truncated(1),
    ),
    TieBreak(
        code="SOLKOFF_TRUNC_FULL",
        label="Solkoff truncated",
        formula="Solkoff without the lowest opponent; if equal, without the two lowest, and so on",
        source="FMJD, Swiss; Chinese draughts association, Swiss",
        metric=metrics.truncated_full,
    ),
    TieBreak(
        code="SOLKOFF_PLUS",
        label="Solkoff plus",
        formula="sum of the Solkoffs of the opponents played",
        source="FMJD",
        metric=metrics.solkoff_plus,
    ),
    TieBreak(
        code="SB",
        label="Sonneborn-Berger",
        formula="sum of points taken from an opponent times the points of that opponent",
        source="FFJD; Xiangqi rules 2011, art. 13",
        metric=metrics.sonneborn,
    ),
    TieBreak(
        code="WINS",
        label="Wins",
        formula="number of games won; forfeits and byes as the section says",
        source="Chinese draughts association; FMJD World Cup 2017",
        metric=metrics.wins,
    ),
    TieBreak(
        code="DIRECT",
        label="Direct encounter",
        formula="points taken in the games among the tied players, if they have all met",
        source="Chinese draughts association; FMJD 5.11.1.2.2a",
        among=metrics.direct,
    ),
    TieBreak(
        code="CUM",
        label="Cumulative score",
        formula="sum of the points after each round",
        source="Xiangqi rules 2011, art. 13",
        metric=metrics.cumulative(0),
    ),
    TieBreak(
        code="CUM_FULL",
        label="Cumulative score, first rounds dropped",
        formula="sum of the points after each round; if equal, without round 1, then without rounds 1 and 2, and so on",
        source="Xiangqi rules 2011, art. 13 (variant B)",
        metric=metrics.cumulative_full,
    ),
    TieBreak(
        code="games_black",
        label="Games with Black",
        formula="number of games played with Black, the second player",
        source="Xiangqi rules 2011, art. 13",
        metric=metrics.games_black,
    ),
    TieBreak(
        code="wins_black",
        label="Wins with Black",
        formula="number of games won with Black, the second player",
        source="Xiangqi rules 2011, art. 13",
        metric=metrics.wins_black,
    ),
    TieBreak(
        code="FOULS",
        label="Warnings",
        formula="number of warnings; fewer is better",
        source="Xiangqi rules 2011, art. 13",
        metric=metrics.fouls,
        lower_is_better=True,
    ),
    TieBreak(
        code="BOARD_POINTS",
        label="Board points",
        formula="points of all games of a team",
        source="Xiangqi rules 2011, art. 13",
        metric=metrics.board_points,
    ),
    TieBreak(
        code="RATING_SUM",
        label="Ratings of the opponents",
        formula="sum of the ratings of the opponents played",
        source="FMJD 5.11.1.2.2a, Swiss on rating",
        metric=metrics.rating_sum,
    ),
    TieBreak(
        code="ARO",
        label="Average rating of the opponents",
        formula="mean of the ratings of the rated opponents played",
        source="FMJD, Swiss on rating",
        metric=metrics.average_rating,
    ),
    TieBreak(
        code="PERFORMANCE",
        label="Performance",
        formula="mean of the opponents' ratings, plus 500 for a win, minus 500 for a loss",
        source="lidraughts",
        metric=metrics.performance,
    ),
    TieBreak(
        code="PLUS_DRAWS",
        label="Balance of plus-draws",
        formula="plus-draws for the player minus plus-draws against",
        source="KNDB women's championship 2010",
        metric=metrics.plus_draws,
    ),
    TieBreak(
        code="VS_STRONGEST",
        label="Score against the strongest",
        formula="points taken from the players with the most points; if equal, from the next, and so on",
        source="KNDB women's championship 2010; FFJD",
        among=metrics.against_strongest,
    ),
    TieBreak(
        code="KOYA",
        label="Koya",
        formula="points taken from opponents who have at least half of the points of their games",
        source="FIDE C.07, for round robins",
        metric=metrics.koya,
    ),
    TieBreak(
        code=PREVIOUS_ROUND,
        label="Place after the round before",
        formula="the place in the standings one round earlier, by the same tie-breaks",
        source="Xiangqi rules 2011, art. 13 (variant A)",
        lower_is_better=True,
    ),
    TieBreak(
        code=LOTS,
        label="Drawing of lots",
        formula="a recorded drawing; the lower number goes first",
        source="Chinese draughts association",
        lower_is_better=True,
    ),
)
TIEBREAKS: Mapping[str, TieBreak] = MappingProxyType({entry.code: entry for entry in _ENTRIES})
_NUMBERED: Mapping[str, tuple[str, str, Callable[[int], Metric]]] = MappingProxyType(
    {
        "SOLKOFF_TRUNC_": (
            "Solkoff truncated {k} times",
            "Solkoff without the {k} lowest opponents",
            metrics.truncated,
        ),
        "CUM_DROP_": (
            "Cumulative score from round {k}",
            "cumulative score without the first {k} rounds",
            metrics.cumulative,
        ),
    }
)


def find(code: str) -> TieBreak:
    """The tie-break of a code in any case of letters; SOLKOFF_TRUNC_k and CUM_DROP_k exist for k of 1..999.

    Raises UnknownTieBreak.
    """
    wanted = code.strip().upper()
    for known in _ENTRIES:
        if known.code.upper() == wanted:
            return known
    for prefix, (label, formula, make) in _NUMBERED.items():
        tail = wanted.removeprefix(prefix)
        if tail != wanted and tail.isascii() and tail.isdigit() and len(tail) < 4 and int(tail) >= 1:
            k = int(tail)
            return TieBreak(
                code=f"{prefix}{k}",
                label=label,
                formula=formula,
                source=TIEBREAKS["SOLKOFF_TRUNC_FULL" if prefix.startswith("S") else "CUM_FULL"].source,
                metric=make(k),
                k=k,
            )
    raise UnknownTieBreak(
        found=code, expected=", ".join([*TIEBREAKS, *(f"{prefix}k" for prefix in _NUMBERED)])
    )


def is_known(code: object) -> bool:
    """Whether `find` has a tie-break of that code."""
    try:
        return isinstance(code, str) and bool(find(code))
    except UnknownTieBreak:
        return False
