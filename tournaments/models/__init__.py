"""The ledger's tables: who entered, who met whom with which colour, what came of it, and what stands.

Points are not stored: a pairing keeps an outcome code and the section's result scheme turns it into points. The
database itself refuses two boards for one entry in a round, two rounds of one number and two active jobs of a kind.
"""

from tournaments.models.attempts import Attempts
from tournaments.models.audit import AuditEntry
from tournaments.models.codes import CODE_ALPHABET, link_token, random_code, random_seed
from tournaments.models.entry import Entry, ForbiddenPair, Player, TeamMember
from tournaments.models.event import Event, Role, User
from tournaments.models.hold import Hold
from tournaments.models.import_draft import ImportDraft
from tournaments.models.job import Heartbeat, Job
from tournaments.models.notice import Notice
from tournaments.models.registration import (
    ABSENCE_KINDS,
    AbsenceRequest,
    Payment,
    Presence,
    Registration,
    RegistrationTerms,
)
from tournaments.models.round import (
    BYE_CODES,
    OUTCOME_LABELS,
    PUBLIC_STATES,
    Absence,
    MatchGame,
    Pairing,
    Round,
    last_drafted,
    last_public,
)
from tournaments.models.section import Section
from tournaments.models.standings import Adjustment, Standings
from tournaments.models.submission import Submission
from tournaments.models.token import ApiToken

__all__ = [
    "ABSENCE_KINDS",
    "BYE_CODES",
    "CODE_ALPHABET",
    "OUTCOME_LABELS",
    "PUBLIC_STATES",
    "Absence",
    "AbsenceRequest",
    "Adjustment",
    "ApiToken",
    "Attempts",
    "AuditEntry",
    "Entry",
    "Event",
    "ForbiddenPair",
    "Heartbeat",
    "Hold",
    "ImportDraft",
    "Job",
    "MatchGame",
    "Notice",
    "Pairing",
    "Payment",
    "Player",
    "Presence",
    "Registration",
    "RegistrationTerms",
    "Role",
    "Round",
    "Section",
    "Standings",
    "Submission",
    "TeamMember",
    "User",
    "last_drafted",
    "last_public",
    "link_token",
    "random_code",
    "random_seed",
]
