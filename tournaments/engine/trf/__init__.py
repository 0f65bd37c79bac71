"""Tournament report files (FIDE TRF16 and TRF26): `read` text into a value, `write` it back.

Promises that what is read is consistent, that every result, bye and forfeit comes back on writing, and that lines
it does not understand are kept. Refuses to guess: what contradicts itself is a TrfError with its line.
"""

from tournaments.engine.trf.columns import decode
from tournaments.engine.trf.reader import read
from tournaments.engine.trf.teams import ReportMatch, ReportTeam, TeamReport, names_teams, read_teams
from tournaments.engine.trf.values import MESSAGES, Dialect, Line, TrfError, TrfFile
from tournaments.engine.trf.writer import Loss, losses, write

__all__ = [
    "MESSAGES",
    "Dialect",
    "Line",
    "Loss",
    "ReportMatch",
    "ReportTeam",
    "TeamReport",
    "TrfError",
    "TrfFile",
    "decode",
    "losses",
    "names_teams",
    "read",
    "read_teams",
    "write",
]
