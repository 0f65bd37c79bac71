"""What a case holds in the ledger: under appeal until it is decided, and for good once it is (articles 13.1.5, 16.2)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from tournaments.models.entry import Entry
from tournaments.models.round import Pairing
from tournaments.models.section import Section


class Hold(models.Model):
    """One fact that stays as `values` has it until the case lets go of it. Never deleted, only ended."""

    class Kind(models.TextChoices):
        RESULT = "RESULT"  # the result of a board or, with a number, of one game of a match; its players and colours
        TO_PLAY = "TO_PLAY"  # a forfeit was lifted: `values["not"]` lists the results that cannot come back
        SEATS = "SEATS"  # who has which colour
        STATUS = "STATUS"  # whether a player is disqualified
        POINTS = "POINTS"  # the sum of a player's adjustments

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="holds")
    case = models.CharField(max_length=20)  # as the event calls it: A7
    is_final = models.BooleanField(default=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.SET_NULL, related_name="holds"
    )
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    round_number = models.PositiveSmallIntegerField(default=0)
    board = models.PositiveSmallIntegerField(default=0)
    entry = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    values = models.JSONField(default=dict)
    since = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [
            models.Index(fields=["section"], name="holds_in_force", condition=Q(ended_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.section} {self.case} {self.kind}"
