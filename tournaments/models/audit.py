"""The log: who did what, chained by the database."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from tournaments.models.event import Event, User
from tournaments.models.section import Section


class AuditEntry(models.Model):
    """Who did what, when, from where, why, with the state before and after.

    The database refuses to change or remove a row, and chains the rows as their transaction commits: `seq` without a
    gap, each `hash` over the row and the hash before it.
    """

    seq = models.BigIntegerField(null=True, unique=True, editable=False)
    previous_hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    at = models.DateTimeField(default=timezone.now)
    event = models.ForeignKey(
        Event, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    section = models.ForeignKey(
        Section, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    actor = models.ForeignKey(
        User, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    actor_name = models.CharField(max_length=200, blank=True, default="")
    address = models.CharField(max_length=45, blank=True, default="")
    action = models.CharField(max_length=40)
    object_type = models.CharField(max_length=30, blank=True, default="")
    object_id = models.BigIntegerField(null=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [models.Index(fields=["event", "-id"], name="audit_of_event")]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.action}"
