"""Adjournments (article 11): the position and times that both confirm, the envelope, the sealed move, the resumption."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.sheets import Side
from tournaments.models import User


class Adjournment(models.Model):
    class State(models.TextChoices):
        CLOSING = "CLOSING", _("being closed")
        SEALED = "SEALED", _("adjourned, the move is sealed")
        OPENED = "OPENED", _("envelope opened")
        RESUMED = "RESUMED", _("resumed")
        LOST = "LOST", _("lost by the sealed move")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="adjournments")
    state = models.CharField(max_length=10, choices=State.choices, default=State.CLOSING)
    reason = models.CharField(max_length=300)
    moves = models.JSONField(default=list)
    fen = models.CharField(max_length=300)
    to_move = models.CharField(max_length=1, choices=Side.choices)
    white_seconds = models.PositiveIntegerField()  # used
    black_seconds = models.PositiveIntegerField()
    envelope = models.CharField(max_length=40, blank=True, default="")
    sealed = models.TextField(
        blank=True, default=""
    )  # encrypted; "" when the move is in the paper envelope only
    sealed_at = models.DateTimeField(null=True, blank=True)
    sealed_by = models.CharField(max_length=200, blank=True, default="")
    white_confirmed_at = models.DateTimeField(null=True, blank=True)  # the position and times at closing
    black_confirmed_at = models.DateTimeField(null=True, blank=True)
    white_again_at = models.DateTimeField(null=True, blank=True)  # the same at the resumption
    black_again_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    opened_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    written = models.CharField(max_length=120, blank=True, default="")  # the move as found at opening
    played = models.CharField(max_length=120, blank=True, default="")  # the move it stands for
    made_at = models.DateTimeField(default=timezone.now)
    resumed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game"],
                name="one_running_adjournment",
                condition=models.Q(state__in=["CLOSING", "SEALED", "OPENED"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.state}"
