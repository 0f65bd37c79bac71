"""The formats of a section: one strategy each, in one dict. A new format is a module and a row.

A strategy gets a section with its snapshot and returns values; it writes nothing. It may be asked for what it has
(`of(section).has_bracket`), and no other code asks which format a section has.
"""

from __future__ import annotations

from tournaments.engine.micromatch import MatchRule
from tournaments.engine.policies import TieBreakPolicy
from tournaments.formats.base import Draft, Request, Strategy
from tournaments.formats.knockout import GroupsKnockout, Knockout
from tournaments.formats.round_robin import DoubleRoundRobin, RoundRobin
from tournaments.formats.scheveningen import Scheveningen
from tournaments.formats.swiss import Swiss
from tournaments.formats.teams import TeamRoundRobin, TeamSwiss
from tournaments.models import Section

FORMATS: dict[str, Strategy] = {
    Section.Format.SWISS: Swiss(),
    Section.Format.ROUND_ROBIN: RoundRobin(),
    Section.Format.DOUBLE_ROUND_ROBIN: DoubleRoundRobin(),
    Section.Format.KNOCKOUT: Knockout(),
    Section.Format.GROUPS_KNOCKOUT: GroupsKnockout(),
    Section.Format.SCHEVENINGEN: Scheveningen(),
    Section.Format.TEAM_SWISS: TeamSwiss(),
    Section.Format.TEAM_ROUND_ROBIN: TeamRoundRobin(),
}

__all__ = ["FORMATS", "Draft", "MatchRule", "Request", "Strategy", "match_rule", "of", "policy_of"]


def of(section: Section) -> Strategy:
    return FORMATS[section.format]


def match_rule(section: Section) -> MatchRule | None:
    """How the games of a match decide it; None where a pairing is one game, or a match of teams over its boards."""
    return of(section).match_rule(section)


def policy_of(section: Section) -> TieBreakPolicy:
    """How byes, forfeits and withdrawals count in the tie-breaks of a section."""
    return of(section).policy(section)
