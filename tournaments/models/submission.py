"""Forms that were sent: what came of each, so that one sent twice makes one thing."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from tournaments.models.event import User


class Submission(models.Model):
    """The number that a form carried, who sent it where with what content, and what it made: a model's label and a key."""

    number = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    place = models.CharField(max_length=200, blank=True, default="")
    content = models.CharField(max_length=64, blank=True, default="")
    made = models.CharField(max_length=60, blank=True, default="")
    made_id = models.BigIntegerField(null=True)
    sent_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.number
