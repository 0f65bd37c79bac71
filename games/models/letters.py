"""What players write to those who run the event, and what they are answered (articles 13.1.3 and 13.1.4)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Event, Section, TeamMember, User


class Letter(models.Model):
    """A question to the arbiter or a letter to the organizing committee, with its answer. Only both sides read it."""

    class Kind(models.TextChoices):
        QUESTION = "QUESTION", _("question to the arbiter")
        LETTER = "LETTER", _("letter to the organizing committee")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="letters")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="letters")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="letters")
    member = models.ForeignKey(
        TeamMember, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # a player of the team who wrote for himself: the others do not read it
    number = models.PositiveIntegerField()
    kind = models.CharField(_("to whom"), max_length=8, choices=Kind.choices)
    text = models.TextField(_("text"))
    sender = models.CharField(max_length=200)  # the player, a player of the team, or the captain
    sent_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    sent_at = models.DateTimeField(default=timezone.now)
    submission = models.CharField(max_length=64, unique=True)
    answer = models.TextField(_("answer"), blank=True, default="")
    answered_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    answer_read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="one_letter_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.event} L{self.number}"

    @property
    def is_answered(self) -> bool:
        return self.answered_at is not None
