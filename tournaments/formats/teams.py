"""Formats whose entries are teams: a pairing is a match of theirs over several boards."""

from __future__ import annotations

from tournaments.engine.micromatch import MatchRule
from tournaments.formats.base import Strategy
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.swiss import Swiss
from tournaments.models import Section


class Teams(Strategy):
    enters_teams = True

    def match_rule(self, section: Section) -> MatchRule | None:
        return None

    def has_matches(self, section: Section) -> bool:
        return True


class TeamSwiss(Teams, Swiss):
    accelerates = False
    chooses_ranking = False
    report_words = "Teams, one line each: Swiss system"
    report_code = "CUSTOM_SWISS"


class TeamRoundRobin(Teams, RoundRobin):
    report_words = "Teams, one line each: round robin"
    report_code = "CUSTOM_ROUNDROBIN"
