"""What the chief arbiter reports at the end, and what became of his proposals (articles 15.2.22 and 15.2.23)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event, User


class ArbiterReport(models.Model):
    """The words of the report; its figures are read from the ledger and the court when it is opened."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="+")
    remarks = models.TextField(_("course of the event"), blank=True, default="")
    proposals = models.TextField(_("proposals for coming events"), blank=True, default="")
    written_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    written_at = models.DateTimeField(null=True, blank=True)
    feedback = models.TextField(_("what becomes of the proposals"), blank=True, default="")
    feedback_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    feedback_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.event} report"
