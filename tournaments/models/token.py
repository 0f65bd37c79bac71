"""Keys with which programs use the REST API as a person."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import User


class ApiToken(models.Model):
    """A key's digest, never the key; what it may do, and until when.

    `mark` is of the password at the time: a changed password ends the key, through whatever door it was changed.
    """

    class Scope(models.TextChoices):
        READ = "READ", _("read only")
        RESULTS = "RESULTS", _("read, and enter results")
        ALL = "ALL", _("everything you may")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=60)
    scope = models.CharField(_("may"), max_length=10, choices=Scope.choices, default=Scope.ALL)
    digest = models.CharField(max_length=64, unique=True)
    mark = models.CharField(max_length=16)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name
