"""Swiss pairing: FIDE Dutch 2026 (C.04.3), exact and explained.

`pair_round` pairs the next round of a tournament; the ranking order is a parameter, so that a Swiss on rating and a Swiss
on a running tie-break are the same engine. `why_not` answers about two players. Pure functions over the values of
`tournaments.engine.types`.
"""

from tournaments.engine.swiss.acceleration import baku
from tournaments.engine.swiss.canonical import ENGINE, canonical_input, digest, read_canonical
from tournaments.engine.swiss.explain import Drop, Explanation, Float, PassedOver, Role, as_data
from tournaments.engine.swiss.refuse import Refusal
from tournaments.engine.swiss.rounds import RoundPairing, pair_round, recompute
from tournaments.engine.swiss.vector import Criterion
from tournaments.engine.swiss.wish import TimeLimit, WhyNot, why_not

__all__ = [
    "ENGINE",
    "Criterion",
    "Drop",
    "Explanation",
    "Float",
    "PassedOver",
    "Refusal",
    "Role",
    "RoundPairing",
    "TimeLimit",
    "WhyNot",
    "as_data",
    "baku",
    "canonical_input",
    "digest",
    "pair_round",
    "read_canonical",
    "recompute",
    "why_not",
]
