"""Which format the results of a file are kept as."""

from __future__ import annotations

from tournaments.models import Section


def of_table(*, double: bool) -> str:
    """Of a report whose rounds are those of a table."""
    return Section.Format.DOUBLE_ROUND_ROBIN if double else Section.Format.ROUND_ROBIN


def of_meetings(*, everybody_met: bool) -> str:
    """A round robin where everybody met everybody, else a Swiss."""
    return Section.Format.ROUND_ROBIN if everybody_met else Section.Format.SWISS


def of_matches(*, everybody_met: bool) -> str:
    """The same for matches of teams."""
    return Section.Format.TEAM_ROUND_ROBIN if everybody_met else Section.Format.TEAM_SWISS
