"""Photographs of scoresheets: one page each, kept as evidence of what was on the paper."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.sheets import Scoresheet, Side
from tournaments.models import Pairing, Round, User


class SheetPhoto(models.Model):
    """A page as it was photographed or scanned. `content` is written anew once it is read, `digest` its SHA-256, `given`
    that of the file as it came. A photo is never a sheet: somebody files one, and `sheet` names what he filed from it.
    """

    class State(models.TextChoices):
        WAITING = "WAITING", _("waiting")
        READ = "READ", _("read")
        REFUSED = "REFUSED", _("not read")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="sheet_photos")
    asked = models.ForeignKey(Pairing, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    asked_number = models.PositiveSmallIntegerField(default=1)
    asked_side = models.CharField(max_length=1, choices=Side.choices, blank=True, default="")
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.CASCADE, related_name="sheet_photos"
    )
    number = models.PositiveSmallIntegerField(default=1)
    side = models.CharField(max_length=1, choices=Side.choices, blank=True, default="")
    page = models.PositiveSmallIntegerField(default=1)
    filename = models.CharField(max_length=200, blank=True, default="")
    file_page = models.PositiveSmallIntegerField(default=1)
    content = models.BinaryField()
    digest = models.CharField(max_length=64, blank=True, default="")
    given = models.CharField(max_length=64)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    fault = models.CharField(max_length=20, blank=True, default="")
    cells = models.JSONField(default=list)  # what the reader saw: ply, log-probabilities, picture (base64)
    reading = models.JSONField(default=dict)  # the game joined from the cells of all pages of the copy
    sheet = models.ForeignKey(
        Scoresheet, null=True, blank=True, on_delete=models.SET_NULL, related_name="photos"
    )
    uploaded_at = models.DateTimeField(default=timezone.now)
    uploaded_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    uploader = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["round", "state"], name="sheet_photo_waiting")]

    def __str__(self) -> str:
        return f"{self.filename} {self.file_page}"
