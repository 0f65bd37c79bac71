"""The queue of jobs, and the sign of life of the processes that work it off."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import User
from tournaments.models.section import Section


class Job(models.Model):
    """The row is the queue. A worker holds it by token until the lease runs out."""

    class Kind(models.TextChoices):
        PAIR = "PAIR", _("pairing")
        STANDINGS = "STANDINGS", _("standings")
        READ_SHEETS = "READ_SHEETS", _("reading of scoresheets")

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waiting")
        RUNNING = "RUNNING", _("running")
        DONE = "DONE", _("done")
        FAILED = "FAILED", _("failed")

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True)
    token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=60, blank=True, default="")
    error_values = models.JSONField(default=dict)
    requested_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["section", "kind"],
                name="one_active_job_of_a_kind",
                condition=Q(state__in=["QUEUED", "RUNNING"]),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state", "created_at"], name="job_waiting")]

    def __str__(self) -> str:
        return f"{self.kind} {self.section_id} {self.state}"

    @property
    def is_active(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING}


class Heartbeat(models.Model):
    """A process that must be alive says so here; /healthz reads it."""

    name = models.CharField(max_length=60, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
