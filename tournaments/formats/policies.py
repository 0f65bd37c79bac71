"""How byes, forfeits and departures count in a section's tie-breaks."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine import standings
from tournaments.engine.policies import TieBreakPolicy, Treatment
from tournaments.models import Section


def policy_of(section: Section, *, annuls: bool) -> TieBreakPolicy:
    """The preset's treatment of byes and forfeits, with the section's own choices over it.

    What a withdrawal does to boards is written in the ledger when it happens, so that every page counts the same
    points; the engine is told of it only to leave out of the places whoever has every game annulled.
    """
    preset = standings.PRESETS.get(section.preset)
    policy = TieBreakPolicy.from_json(section.policy, base=preset.policy if preset else TieBreakPolicy())
    return replace(
        policy,
        withdrawal=Treatment.ANNUL_BELOW_HALF if annuls else Treatment.STAND,
        disqualification=Treatment.STAND,
    )
