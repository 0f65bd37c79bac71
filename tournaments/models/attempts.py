"""The brake on guessing: what was tried, and how often."""

from __future__ import annotations

from django.db import models


class Attempts(models.Model):
    """How often something was tried, until a moment: guesses of a password, questions to the engine."""

    key = models.CharField(max_length=230, primary_key=True)
    count = models.IntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "tournaments_attempts"

    def __str__(self) -> str:
        return f"{self.key} {self.count}"
