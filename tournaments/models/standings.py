"""The computed tables, and the points that a ruling gives or takes."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone

from tournaments.models.entry import Entry
from tournaments.models.section import Section


class Adjustment(models.Model):
    """Points given or taken by a ruling, counted from `after_round` on; a line of its own in the standings."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    points = models.SmallIntegerField()
    after_round = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.entry} {self.points:+d}"


class Standings(models.Model):
    """A computed table. Never changed: a newer version of the section gets a new row."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="standings")
    after_round = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()  # the section's ledger version it was computed from
    final = models.BooleanField(default=False)
    rows = models.JSONField()
    tiebreaks = models.JSONField(default=list)
    policy = models.JSONField(default=dict)
    lot_seed = models.BigIntegerField(null=True, blank=True)
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["section", "after_round", "version"], name="one_table_of_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} after {self.after_round}"
