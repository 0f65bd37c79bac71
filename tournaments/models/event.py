"""Events, the people who have accounts, and the roles that they hold."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.characters import validate_visible
from tournaments.models.codes import random_code


class User(AbstractUser):
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True, default="")

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    def clean(self) -> None:
        super().clean()
        for name in ("first_name", "last_name"):
            try:
                validate_visible(getattr(self, name))
            except ValidationError as error:
                raise ValidationError({name: error}) from None


class Event(models.Model):
    class State(models.TextChoices):
        DRAFT = "DRAFT", _("not yet public")
        OPEN = "OPEN", _("public")
        CLOSED = "CLOSED", _("closed")

    code = models.CharField(
        _("address code"),
        max_length=24,
        unique=True,
        default=random_code,
        validators=[
            RegexValidator(
                r"^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\Z", _("Use small letters a-z, digits and hyphens only.")
            )
        ],
        help_text=_("Stands in the printed address of the event; letters a-z, digits and hyphens."),
    )
    name = models.CharField(_("name"), max_length=200, validators=[validate_visible])
    name_en = models.CharField(
        _("name in English"), max_length=200, blank=True, default="", validators=[validate_visible]
    )
    place = models.CharField(_("place"), max_length=200, blank=True, default="")
    starts_on = models.DateField(_("first day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    description = models.TextField(_("description"), blank=True, default="")
    regulations = models.TextField(_("event regulations"), blank=True, default="")
    contact = models.CharField(_("contact of the arbiters"), max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    created_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)
    notices_version = models.PositiveIntegerField(default=0)  # goes up with every notice

    class Meta:
        ordering: ClassVar = ["-starts_on", "-id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                name="event_dates_in_order",
                condition=Q(ends_on__isnull=True)
                | Q(starts_on__isnull=True)
                | Q(ends_on__gte=F("starts_on")),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        known = not {"starts_on", "ends_on"} & set(exclude or ())
        if known and self.starts_on and self.ends_on and self.ends_on < self.starts_on:
            raise ValidationError(_("The last day is before the first day."))
        super().validate_constraints(exclude=exclude)


class Role(models.Model):
    class Kind(models.TextChoices):
        ORGANIZER = "ORGANIZER", _("organizer")
        CHIEF_ARBITER = "CHIEF_ARBITER", _("chief arbiter")
        ARBITER = "ARBITER", _("arbiter")
        COMMITTEE = "COMMITTEE", _("committee member")
        CAPTAIN = "CAPTAIN", _("team captain")
        PLAYER = "PLAYER", _("player")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="roles")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="roles")
    kind = models.CharField(max_length=15, choices=Kind.choices)
    delegation = models.CharField(
        _("club or delegation"), max_length=120, blank=True, default=""
    )  # whose captain, or where a committee member belongs

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "user", "kind"], name="one_role_of_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.kind}"
