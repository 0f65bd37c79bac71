"""Ready orders of tie-breaks with their policies, under the names that organizers know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tournaments.engine.policies import ByeOpponentScore, TieBreakPolicy, Treatment


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Tie-breaks after points, in order. `label` is an English source text for the pages to translate."""

    code: str
    label: str
    tiebreaks: tuple[str, ...]
    policy: TieBreakPolicy
    source: str


# In a round robin all have the same opponents: a forfeited game counts them too. FMJD tables (the World Cup's of 2022)
# give the points of the scheduled opponent for a forfeit.
_ROUND_ROBIN = TieBreakPolicy(
    withdrawal=Treatment.ANNUL_BELOW_HALF, forfeits_in_wins=True, forfeits_in_solkoff=True
)
_FMJD = TieBreakPolicy(forfeits_in_solkoff=True)
_XIANGQI = TieBreakPolicy(bye_opponent_score=ByeOpponentScore.MIN_POSITIVE)

_PRESETS = (
    Preset(
        code="CN_SWISS",
        label="China, Swiss",
        tiebreaks=("SOLKOFF_MEDIAN", "SOLKOFF", "SOLKOFF_TRUNC_FULL", "LOTS"),
        policy=TieBreakPolicy(),
        source="Chongqing youth championship 2024, after the handbook of the Chinese draughts association",
    ),
    Preset(
        code="CN_ROUND_ROBIN",
        label="China, round robin",
        tiebreaks=("WINS", "DIRECT", "LOTS"),
        policy=_ROUND_ROBIN,
        source="Chongqing youth championship 2024, after the handbook of the Chinese draughts association",
    ),
    Preset(
        code="FMJD_SWISS",
        label="FMJD, Swiss",
        tiebreaks=("SOLKOFF_TRUNC_FULL", "WINS", "DIRECT", "LOTS"),
        policy=_FMJD,
        source="FMJD standard (full truncated Solkoff), then wins, direct encounter and lots",
    ),
    Preset(
        code="FMJD_SWISS_RATING",
        label="FMJD, Swiss on rating",
        tiebreaks=("DIRECT", "RATING_SUM", "LOTS"),
        policy=_FMJD,
        source="FMJD 5.11.1.2.2a",
    ),
    Preset(
        code="FMJD_ROUND_ROBIN",
        label="FMJD, round robin",
        tiebreaks=("WINS", "DIRECT", "SB", "LOTS"),
        policy=_ROUND_ROBIN,
        source="FMJD World Cup final 2017 (wins, direct encounter), then Sonneborn-Berger and lots",
    ),
    Preset(
        code="XIANGQI_2011",
        label="Xiangqi 2011",
        tiebreaks=("SOLKOFF", "WINS", "FOULS", "games_black", "PREVIOUS_ROUND"),
        policy=_XIANGQI,
        source="Xiangqi rules 2011, art. 13, Swiss, variant A",
    ),
    Preset(
        code="XIANGQI_2011_CUMULATIVE",
        label="Xiangqi 2011, cumulative",
        tiebreaks=("CUM_FULL",),
        policy=_XIANGQI,
        source="Xiangqi rules 2011, art. 13, Swiss, variant B",
    ),
    Preset(
        code="XIANGQI_2011_ROUND_ROBIN",
        label="Xiangqi 2011, round robin",
        tiebreaks=("SB", "WINS", "DIRECT", "FOULS", "games_black"),
        policy=_ROUND_ROBIN,
        source="Xiangqi rules 2011, art. 13, round robin",
    ),
    Preset(
        code="TEAM",
        label="Teams",
        tiebreaks=("BOARD_POINTS", "DIRECT", "SOLKOFF"),
        policy=TieBreakPolicy(),
        source="Xiangqi rules 2011, art. 13: match points, then board points",
    ),
    Preset(
        code="KNDB_ROUND_ROBIN",
        label="KNDB, round robin",
        tiebreaks=("PLUS_DRAWS", "DIRECT", "VS_STRONGEST"),
        policy=_ROUND_ROBIN,
        source="KNDB women's championship 2010 (a play-off may come before the direct encounter)",
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({preset.code: preset for preset in _PRESETS})
