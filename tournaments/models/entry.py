"""Who takes part in a section, the members of a team, and who must not meet."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Deferrable, F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.characters import validate_visible
from tournaments.models.codes import link_token
from tournaments.models.event import Event, User
from tournaments.models.section import Section


class Player(models.Model):
    """A person as known to one event. Rating 0 means unrated."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="players")
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    family_name = models.CharField(
        _("family name"), max_length=80, blank=True, default="", validators=[validate_visible]
    )
    latin_name = models.CharField(
        _("name in Latin letters"), max_length=120, blank=True, default="", validators=[validate_visible]
    )
    search_keys = models.CharField(max_length=400, blank=True, default="", editable=False)
    sex = models.CharField(
        _("sex"), max_length=1, blank=True, default="", choices=[("m", _("male")), ("f", _("female"))]
    )
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    federation = models.CharField(_("federation"), max_length=10, blank=True, default="")
    club = models.CharField(
        _("club or delegation"), max_length=120, blank=True, default="", validators=[validate_visible]
    )
    rating = models.PositiveIntegerField(_("rating"), default=0, validators=[MaxValueValidator(4000)])
    title = models.CharField(_("title"), max_length=10, blank=True, default="")
    grade = models.CharField(_("grade"), max_length=30, blank=True, default="")
    family = models.CharField(
        _("declared family"),
        max_length=60,
        blank=True,
        default="",
        help_text=_("The same word for relatives who are to be kept apart; never shown in public."),
    )
    fmjd_id = models.CharField(_("FMJD number"), max_length=20, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    class Status(models.TextChoices):
        ACTIVE = "ACTIVE", _("playing")
        WITHDRAWN = "WITHDRAWN", _("withdrawn")
        DISQUALIFIED = "DISQUALIFIED", _("disqualified")

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField(_("pairing number"), null=True, blank=True)
    seed_number = models.PositiveIntegerField(_("seed number"), null=True, blank=True)
    lot_number = models.PositiveIntegerField(_("lot number"), null=True, blank=True)
    group = models.PositiveSmallIntegerField(_("group"), null=True, blank=True)
    first_round = models.PositiveSmallIntegerField(_("first round played"), default=1)
    status = models.CharField(max_length=15, choices=Status.choices, default=Status.ACTIVE)
    withdrawn_after_round = models.PositiveSmallIntegerField(null=True, blank=True)
    link = models.CharField(max_length=40, unique=True, default=link_token, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["number", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["section", "player"], name="one_entry_of_a_player"),
            models.UniqueConstraint(
                fields=["section", "number"], name="one_entry_of_a_number", deferrable=Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class TeamMember(models.Model):
    """A player of a team; `position` is the fixed order: 1 is the first board, those after the last board are substitutes.

    `link` is the player's own: the team's link opens no scoresheet of a board.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    rating = models.PositiveIntegerField(_("rating"), default=0, validators=[MaxValueValidator(4000)])
    link = models.CharField(max_length=40, unique=True, default=link_token, editable=False)
    out_from_round = models.PositiveSmallIntegerField(null=True, blank=True)  # disqualified (14.2.2)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry", "position"], name="one_member_of_a_position", deferrable=Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ForbiddenPair(models.Model):
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="forbidden_pairs")
    first = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    first_round = models.PositiveSmallIntegerField(default=1)
    last_round = models.PositiveSmallIntegerField(default=99)
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="forbidden_pair_of_two", condition=~Q(first=F("second"))),
        ]

    def __str__(self) -> str:
        return f"{self.first} - {self.second}"
