"""A game of a pairing, the moves that are accepted as its score, and what a section asks of its games."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Pairing, Section, User


class Game(models.Model):
    """One game of a pairing. `number` is the board of a team match, the game of a micro-match, and 1 elsewhere.

    A game that was void and is played again (article 7.1) is a further attempt at the same number: the last one counts.
    """

    class Stage(models.TextChoices):
        CLASSICAL = "CLASSICAL", _("classical")
        RAPID = "RAPID", _("rapid")
        BLITZ = "BLITZ", _("blitz")
        SUPER_BLITZ = "SUPER_BLITZ", _("super-blitz")

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField(default=1)
    attempt = models.PositiveSmallIntegerField(default=1)
    stage = models.CharField(max_length=12, choices=Stage.choices, default=Stage.CLASSICAL)
    fen = models.CharField(max_length=300, blank=True, default="")  # "" is the start position
    moves = models.JSONField(default=list)  # the accepted game score, one written move a ply
    accepted_plies = models.JSONField(default=list)  # irregular moves that stand (article 7.7)
    tags = models.JSONField(default=dict)  # the PDN tags it came with, but names, round and result
    source = models.TextField(blank=True, default="")  # the text it was read from
    white_time = models.PositiveIntegerField(null=True, blank=True)  # seconds used
    black_time = models.PositiveIntegerField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    accepted_from = models.CharField(max_length=12, blank=True, default="")
    accept_note = models.CharField(max_length=500, blank=True, default="")  # why result and moves differ
    finalised_at = models.DateTimeField(null=True, blank=True)
    finalise_note = models.CharField(max_length=500, blank=True, default="")
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )  # the void game that this one plays again (article 7.1)

    class Meta:
        ordering: ClassVar = ["pairing", "number", "attempt"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pairing", "number", "attempt"], name="one_game_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} {self.number}"

    @property
    def is_accepted(self) -> bool:
        return self.accepted_at is not None

    @property
    def is_final(self) -> bool:
        return self.finalised_at is not None


class GameRules(models.Model):
    """What a section asks of its games beyond the ledger's settings. Without a row the defaults hold."""

    class EarlyDraw(models.TextChoices):
        REFUSE = "REFUSE", _("not accepted (article 12.4)")
        BOTH_LOSE = "BOTH_LOSE", _("lost for both")
        ALLOW = "ALLOW", _("accepted")

    class Sheets(models.TextChoices):
        HIDDEN = "HIDDEN", _("never public")
        ACCEPTED = "ACCEPTED", _("public once a game score is accepted")

    section = models.OneToOneField(Section, on_delete=models.CASCADE, related_name="game_rules")
    early_draw = models.CharField(
        _("a draw agreed before each player has made 40 moves"),
        max_length=10,
        choices=EarlyDraw.choices,
        default=EarlyDraw.REFUSE,
    )
    sheets = models.CharField(
        _("the players' scoresheets"), max_length=10, choices=Sheets.choices, default=Sheets.ACCEPTED
    )

    def __str__(self) -> str:
        return f"{self.section}: {self.early_draw}"
