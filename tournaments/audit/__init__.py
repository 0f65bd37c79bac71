"""The audit log: what was done, by whom, before and after; and the chain that shows tampering."""

from tournaments.audit.actions import AuditAction
from tournaments.audit.log import SYSTEM, Actor, entry, record, record_all

__all__ = ["SYSTEM", "Actor", "AuditAction", "entry", "record", "record_all"]
