"""The notice board of an event."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event, User
from tournaments.models.round import Pairing
from tournaments.models.section import Section


class Notice(models.Model):
    """A line of the notice board (article 15.2.4). Never deleted: a withdrawn one stays, struck out.

    `texts` hold the words by language, so that a notice written by the site can be read in each; one language will do.
    """

    class Kind(models.TextChoices):
        NOTICE = "NOTICE", _("notice")
        REGULATIONS = "REGULATIONS", _("regulations")
        WARNING = "WARNING", _("public warning")
        RULING = "RULING", _("ruling")
        DECISION = "DECISION", _("decision on an appeal")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notices")
    section = models.ForeignKey(
        Section, null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.NOTICE)
    texts = models.JSONField()
    at = models.DateTimeField(default=timezone.now)
    posted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        indexes: ClassVar = [models.Index(fields=["event", "-at"], name="notices_of_event")]

    def __str__(self) -> str:
        return f"{self.event} {self.kind} {self.at:%F %T}"
