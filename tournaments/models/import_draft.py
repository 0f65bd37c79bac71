"""Files that were read and wait for a yes."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from tournaments.models.event import Event, User
from tournaments.models.section import Section


class ImportDraft(models.Model):
    """A file that was read and shown, and waits for a yes."""

    event = models.ForeignKey(Event, null=True, on_delete=models.CASCADE, related_name="+")
    section = models.ForeignKey(Section, null=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    filename = models.CharField(max_length=200, blank=True, default="")
    content = models.BinaryField()
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.kind} {self.filename}"
