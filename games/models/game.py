"""A game of a pairing, and the moves that are accepted as its score."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Pairing


class Game(models.Model):
    """One game of a pairing. A pairing of a micro-match has several, by number."""

    class Stage(models.TextChoices):
        CLASSICAL = "CLASSICAL", _("classical")
        RAPID = "RAPID", _("rapid")
        BLITZ = "BLITZ", _("blitz")
        SUPER_BLITZ = "SUPER_BLITZ", _("super-blitz")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(default=1)
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.CLASSICAL)
    fen = models.CharField(max_length=300, blank=True, default="")  # "" is the start position
    moves = models.JSONField(default=list)  # the accepted game score, one written move a ply
    tags = models.JSONField(default=dict)  # the PDN tags it came with, but names, round and result
    source = models.TextField(blank=True, default="")  # the text it was read from
    white_time = models.PositiveIntegerField(null=True, blank=True)  # seconds used
    black_time = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pairing", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pairing", "number"], name="one_game_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} {self.number}"
