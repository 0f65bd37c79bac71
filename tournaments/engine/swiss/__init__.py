"""Swiss pairing: FIDE Dutch 2026 (C.04.3), exact and explained.

`pair_round` pairs the next round of a tournament; the ranking order is a parameter, so that a Swiss on rating and a Swiss
on a running tie-break are the same engine. Pure functions over the values of `tournaments.engine.types`.
"""

from tournaments.engine.swiss.rounds import (
    ENGINE,
    Explanation,
    RoundPairing,
    TimeLimit,
    canonical_input,
    digest,
    pair_round,
)

__all__ = ["ENGINE", "Explanation", "RoundPairing", "TimeLimit", "canonical_input", "digest", "pair_round"]
