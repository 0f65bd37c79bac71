"""Before a round: who registers himself, what is owed, who asks for a bye, and who is there."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.characters import validate_visible
from tournaments.engine.types import Outcome
from tournaments.models.codes import link_token
from tournaments.models.entry import Entry
from tournaments.models.event import User
from tournaments.models.round import OUTCOME_LABELS
from tournaments.models.section import Section

LARGEST_FEE = 1_000_000
ABSENCE_KINDS = [(code.value, OUTCOME_LABELS[code]) for code in (Outcome.ZERO_BYE, Outcome.HALF_BYE)]


class RegistrationTerms(models.Model):
    """Whether a section takes registrations, how many players it has places for (0: no limit), and the fee."""

    section = models.OneToOneField(Section, on_delete=models.CASCADE, related_name="registration_terms")
    is_open = models.BooleanField(_("registration is open"), default=False)
    places = models.PositiveSmallIntegerField(
        _("places"), default=0, help_text=_("0 for no limit. Who comes later stands on the waiting list.")
    )
    fee = models.PositiveIntegerField(
        _("entry fee"), default=0, validators=[MaxValueValidator(LARGEST_FEE)], help_text=_("0 for none.")
    )
    remark = models.CharField(
        _("what players should know"),
        max_length=300,
        blank=True,
        default="",
        help_text=_("How to pay, who may play. It stands above the form."),
    )

    def __str__(self) -> str:
        return f"{self.section}: {'open' if self.is_open else 'closed'}"


class Registration(models.Model):
    """What somebody sent in. `link` is the sender's own at once, and becomes the entry's when it is accepted."""

    class State(models.TextChoices):
        REQUESTED = "REQUESTED", _("waits for the arbiter")
        WAITING = "WAITING", _("on the waiting list")
        ACCEPTED = "ACCEPTED", _("accepted")
        REFUSED = "REFUSED", _("refused")
        WITHDRAWN = "WITHDRAWN", _("withdrawn")

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="registrations")
    name = models.CharField(_("name"), max_length=120, validators=[validate_visible])
    latin_name = models.CharField(
        _("name in Latin letters"), max_length=120, blank=True, default="", validators=[validate_visible]
    )
    club = models.CharField(
        _("club or delegation"), max_length=120, blank=True, default="", validators=[validate_visible]
    )
    federation = models.CharField(_("federation"), max_length=10, blank=True, default="")
    sex = models.CharField(
        _("sex"), max_length=1, blank=True, default="", choices=[("m", _("male")), ("f", _("female"))]
    )
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    rating = models.PositiveIntegerField(_("rating"), default=0, validators=[MaxValueValidator(4000)])
    fmjd_id = models.CharField(_("FMJD number"), max_length=20, blank=True, default="")
    contact = models.CharField(
        _("telephone or e-mail"),
        max_length=200,
        help_text=_("For the organizer only; never shown in public."),
    )
    message = models.CharField(_("message to the organizer"), max_length=500, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.REQUESTED)
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    link = models.CharField(max_length=40, unique=True, default=link_token, editable=False)
    submission = models.CharField(max_length=64, unique=True, editable=False)
    entry = models.OneToOneField(
        Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="registration"
    )
    sent_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering: ClassVar = ["sent_at", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_undecided(self) -> bool:
        return self.state in {self.State.REQUESTED, self.State.WAITING}


class Payment(models.Model):
    """What was paid of the entry fee."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="payment")
    amount = models.PositiveIntegerField(_("paid"), validators=[MaxValueValidator(LARGEST_FEE)])
    noted_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.entry}: {self.amount}"


class AbsenceRequest(models.Model):
    """A player asks for a bye in a round; the arbiter answers."""

    class State(models.TextChoices):
        WAITING = "WAITING", _("waits for an answer")
        GRANTED = "GRANTED", _("granted")
        REFUSED = "REFUSED", _("refused")

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absence_requests")
    round_number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(_("asked for"), max_length=12, choices=ABSENCE_KINDS)
    reason = models.CharField(_("reason"), max_length=200, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    answer = models.CharField(_("answer"), max_length=300, blank=True, default="")
    sent_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering: ClassVar = ["sent_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry", "round_number"],
                condition=models.Q(state="WAITING"),
                name="one_open_request_of_a_round",
            )
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.round_number}"


class Presence(models.Model):
    """An entry was seen before a round, or missed when the check-in was closed."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="presences")
    round_number = models.PositiveSmallIntegerField()
    seen_at = models.DateTimeField(default=timezone.now)
    seen_by = models.CharField(max_length=200, blank=True, default="")
    made_absent = models.BooleanField(default=False)  # missing when the check-in was closed

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="seen_once_before_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.round_number}"
