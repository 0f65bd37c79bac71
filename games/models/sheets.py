"""Scoresheets: the two copies of a game, what was handed in, what it proves, and the results that followed.

What was handed in, its verdict and a result are never changed: the database refuses it. A newer row stands beside.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from tournaments.models import User


class Side(models.TextChoices):
    WHITE = "W", _("White")
    BLACK = "B", _("Black")


class Copy(models.Model):
    """One of the two copies of a game's record (articles 4.2 and 10): where it is, and what is waived for it."""

    class Status(models.TextChoices):
        ISSUED = "ISSUED", _("issued")
        RECEIVED = "RECEIVED", _("received")
        MISSING = "MISSING", _("missing")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="copies")
    side = models.CharField(max_length=1, choices=Side.choices)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.ISSUED)
    waived_reason = models.CharField(max_length=300, blank=True, default="")
    recording_waived_at = models.DateTimeField(null=True, blank=True)  # time trouble (article 10.5)
    to_complete = models.BooleanField(default=False)  # moves missed in time trouble are to be filled in

    class Meta:
        ordering: ClassVar = ["game", "-side"]  # White first
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "side"], name="one_copy_of_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.side}"

    @property
    def is_settled(self) -> bool:
        return self.status == self.Status.RECEIVED or bool(self.waived_reason)


class Scoresheet(models.Model):
    """One copy as handed in. A player may hand in again: the latest counts, all are kept."""

    class Form(models.TextChoices):
        TYPED = "TYPED", _("typed move by move")
        PASTED = "PASTED", _("pasted text")
        FILE = "FILE", _("file")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sheets")
    side = models.CharField(max_length=1, choices=Side.choices)
    submission = models.CharField(
        max_length=64, unique=True
    )  # the sender's own number: sent twice, kept once
    text = models.TextField()
    digest = models.CharField(max_length=64)  # SHA-256 of the text as UTF-8
    form = models.CharField(max_length=8, choices=Form.choices, default=Form.TYPED)
    filename = models.CharField(max_length=200, blank=True, default="")
    result = models.CharField(max_length=8, blank=True, default="")
    ended_by = models.CharField(max_length=12, blank=True, default="")
    white_seconds = models.PositiveIntegerField(null=True, blank=True)
    black_seconds = models.PositiveIntegerField(null=True, blank=True)
    white_signed = models.BooleanField(default=False)
    black_signed = models.BooleanField(default=False)
    after_result = models.BooleanField(default=False)  # handed in when a result stood already
    filed_at = models.DateTimeField(default=timezone.now)
    filed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    filer = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["game", "side", "-id"], name="latest_sheet")]

    def __str__(self) -> str:
        return f"{self.game} {self.side} {self.filed_at:%F %T}"


class Verdict(models.Model):
    """What a sheet proves by one version of the rules engine."""

    sheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="verdicts")
    rules_version = models.CharField(max_length=20)
    profile = models.CharField(max_length=12)
    status = models.CharField(max_length=16)
    plies = models.PositiveIntegerField()
    record = models.JSONField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["sheet", "rules_version", "profile"], name="one_verdict_of_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sheet} {self.status}"


class Result(models.Model):
    """A change of a game's outcome by the court: the ledger's code, where it comes from, what it supersedes and why."""

    class Source(models.TextChoices):
        SHEETS = "SHEETS", _("scoresheets")
        ARBITER = "ARBITER", _("arbiter")
        CLAIM = "CLAIM", _("draw claim")
        AGREEMENT = "AGREEMENT", _("draw by agreement")
        SEALED_MOVE = "SEALED_MOVE", _("sealed move")
        RULING = "RULING", _("ruling")
        APPEAL = "APPEAL", _("decision on an appeal")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    outcome = models.CharField(max_length=16)
    before = models.CharField(max_length=16)
    source = models.CharField(max_length=12, choices=Source.choices)
    reason = models.CharField(max_length=500, blank=True, default="")
    supersedes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="superseded_by"
    )
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.game} {self.outcome}"


class DrawOffer(models.Model):
    """A draw offered over the board (article 12.4), as the arbiter notes it."""

    class State(models.TextChoices):
        OPEN = "OPEN", _("open")
        REFUSED = "REFUSED", _("refused")
        ACCEPTED = "ACCEPTED", _("accepted")
        BREACH = "BREACH", _("not allowed (12.4)")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="draw_offers")
    side = models.CharField(max_length=1, choices=Side.choices)
    ply = models.PositiveSmallIntegerField()  # single moves made when it was offered
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(
        max_length=300, blank=True, default=""
    )  # why it is noted against 12.4 read strictly

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["game"], name="one_open_draw_offer", condition=models.Q(state="OPEN")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.side} {self.ply}"
