"""Papers that the desk asked for: what is on each, and the printed file once its job is done."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event
from tournaments.models.job import Job
from tournaments.models.section import Section


class Paper(models.Model):
    """One PDF. `section` is None for papers of the whole event; `round_number` is set for papers of a round.

    `versions` are the versions of the sections it was made from, by section key: a paper of an older state says so.
    """

    class Kind(models.TextChoices):
        BOARDS = "BOARDS", _("Pairings by board")
        NAMES = "NAMES", _("Pairings by name")
        SLIPS = "SLIPS", _("Result slips")
        MATCHES = "MATCHES", _("Team match sheets")
        TENTS = "TENTS", _("Tent cards")
        STANDINGS = "STANDINGS", _("Standings")
        CROSS = "CROSS", _("Cross table")
        PRIZES = "PRIZES", _("Prize list")
        CERTIFICATES = "CERTIFICATES", _("Certificates")
        NUMBERS = "NUMBERS", _("Board numbers")
        ENTRIES = "ENTRIES", _("Entry list to sign")
        BADGES = "BADGES", _("Name badges")
        POSTER = "POSTER", _("Poster with code")
        BOOK = "BOOK", _("Results book of the event")

    class Language(models.TextChoices):
        BOTH = "BOTH", _("Chinese and English")
        ZH = "ZH", _("Chinese")
        EN = "EN", _("English")

    job = models.OneToOneField(Job, on_delete=models.CASCADE, related_name="paper")
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="papers")
    section = models.ForeignKey(
        Section, null=True, blank=True, on_delete=models.CASCADE, related_name="papers"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    language = models.CharField(max_length=4, choices=Language.choices, default=Language.BOTH)
    address = models.CharField(max_length=200, blank=True, default="")  # in front of paths in codes to scan
    content = models.BinaryField(null=True)
    pages = models.PositiveIntegerField(default=0)
    versions = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-id"]

    def __str__(self) -> str:
        return f"{self.event} {self.kind} {self.round_number or ''}".strip()
