"""A section: one field of players under one set of options."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.characters import validate_visible
from tournaments.engine import scoring
from tournaments.engine.types import Colour, ResultScheme
from tournaments.models.codes import random_seed
from tournaments.models.event import Event


class Section(models.Model):
    class Format(models.TextChoices):
        SWISS = "SWISS", _("Swiss")
        ROUND_ROBIN = "ROUND_ROBIN", _("round robin")
        DOUBLE_ROUND_ROBIN = "DOUBLE_ROUND_ROBIN", _("double round robin")
        KNOCKOUT = "KNOCKOUT", _("knock-out")
        GROUPS_KNOCKOUT = "GROUPS_KNOCKOUT", _("groups, then knock-out")
        SCHEVENINGEN = "SCHEVENINGEN", _("Scheveningen system")
        TEAM_SWISS = "TEAM_SWISS", _("team Swiss")
        TEAM_ROUND_ROBIN = "TEAM_ROUND_ROBIN", _("team round robin")

    class Ranking(models.TextChoices):
        """The order inside a score group, from round 2 on; round 1 of SOLKOFF goes by a recorded lot."""

        RATING = "RATING", _("Swiss on rating: by starting number")
        SOLKOFF = "SOLKOFF", _("Swiss on Solkoff: round 1 by lot, then by the running tie-break")

    class Numbering(models.TextChoices):
        RATING = "RATING", _("by rating")
        LOT = "LOT", _("by drawing of lots")
        SEED = "SEED", _("by seed numbers of the list")

    class Withdrawal(models.TextChoices):
        STAND = "STAND", _("results stand")
        FORFEIT = "FORFEIT", _("remaining games are forfeited")
        ANNUL = "ANNUL", _("annulled when under half of the games were played, else forfeited")

    class State(models.TextChoices):
        SETUP = "SETUP", _("being set up")
        RUNNING = "RUNNING", _("running")
        CLOSED = "CLOSED", _("closed")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sections")
    code = models.CharField(
        _("address code"),
        max_length=12,
        validators=[RegexValidator(r"^[a-z0-9]+\Z", _("Use small letters a-z and digits only."))],
    )
    name = models.CharField(_("name"), max_length=100, validators=[validate_visible])
    name_en = models.CharField(
        _("name in English"), max_length=100, blank=True, default="", validators=[validate_visible]
    )
    position = models.PositiveSmallIntegerField(default=0)
    format = models.CharField(_("format"), max_length=20, choices=Format.choices, default=Format.SWISS)
    ranking = models.CharField(
        _("ranking order"), max_length=10, choices=Ranking.choices, default=Ranking.RATING
    )
    numbering = models.CharField(
        _("numbers"), max_length=10, choices=Numbering.choices, default=Numbering.RATING
    )
    rounds_total = models.PositiveSmallIntegerField(
        _("rounds"), default=7, validators=[MinValueValidator(1), MaxValueValidator(99)]
    )
    time_control = models.CharField(_("time control"), max_length=60, blank=True, default="4800+60")
    scheme = models.CharField(_("result scheme"), max_length=40, default="STD")
    own_points = models.JSONField(
        _("points of our own"), default=dict, blank=True
    )  # over those of the scheme: scoring.with_own_points
    preset = models.CharField(_("tie-break preset"), max_length=40, blank=True, default="CN_SWISS")
    tiebreaks = models.JSONField(_("tie-break order"), default=list, blank=True)
    policy = models.JSONField(_("treatment of byes and forfeits"), default=dict, blank=True)
    withdrawal = models.CharField(
        _("withdrawn players"), max_length=10, choices=Withdrawal.choices, default=Withdrawal.STAND
    )
    lateness_limit = models.PositiveSmallIntegerField(
        _("lateness limit (minutes)"), default=60, validators=[MaxValueValidator(60)]
    )
    appeal_fee = models.PositiveIntegerField(_("appeal fee (CNY)"), default=500)
    appeal_deadline = models.PositiveSmallIntegerField(
        _("appeal deadline (minutes after the result)"), default=30
    )
    refunds_withdrawn = models.BooleanField(
        _("the fee of an appeal that is withdrawn is given back"), default=True
    )
    protect_clubs_rounds = models.PositiveSmallIntegerField(
        _("rounds in which club-mates, and members of one family, do not meet"), default=0
    )
    match_rule = models.CharField(_("games of a match"), max_length=40, blank=True, default="")
    own_match = models.JSONField(
        _("stages of our own"), default=dict, blank=True
    )  # a match rule of the section's own: micromatch.own_rule
    third_place = models.BooleanField(_("match for the third place"), default=False)
    groups = models.PositiveSmallIntegerField(
        _("groups"), default=2, validators=[MinValueValidator(1), MaxValueValidator(64)]
    )
    group_places = models.PositiveSmallIntegerField(
        _("players of each group who go on"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(16)],
    )
    team_boards = models.PositiveSmallIntegerField(
        _("boards of a team match"), default=4, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    team_places = models.PositiveSmallIntegerField(
        _("places counted for a club"), default=0, validators=[MaxValueValidator(20)]
    )
    bracket = models.JSONField(
        default=list, blank=True
    )  # the entries of the knock-out by seed, once it is drawn
    acceleration = models.BooleanField(_("Baku acceleration"), default=False)
    virtual_points = models.JSONField(
        default=list, blank=True
    )  # of the acceleration, as drawn up with round 1: points, first and last round, entries
    drop_absent = models.BooleanField(
        _("unannounced absence: not paired next round; two in a row: out"), default=False
    )
    lots_decide = models.BooleanField(_("drawing of lots for ties that nothing breaks"), default=False)
    seed = models.BigIntegerField(default=random_seed)
    initial_colour = models.CharField(
        _("initial colour"),
        max_length=1,
        choices=[(c.value, c.name) for c in Colour],
        default=Colour.WHITE.value,
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.SETUP)
    version = models.PositiveIntegerField(default=0)  # goes up with every ledger write
    public_version = models.PositiveIntegerField(
        default=0
    )  # goes up when what the public sees may have changed

    class Meta:
        ordering: ClassVar = ["position", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "code"], name="one_section_of_a_code"),
            models.CheckConstraint(name="lateness_limit_in_range", condition=Q(lateness_limit__lte=60)),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def result_scheme(self) -> ResultScheme:
        """The points of results: those of the scheme, with the section's own over them."""
        return scoring.with_own_points(scoring.SCHEMES[self.scheme], self.own_points)
