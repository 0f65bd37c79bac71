"""Rounds, their boards with what came of them, the games of a match, and who stays away."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Max, Q
from django.utils.translation import gettext_lazy as _

from tournaments.engine.types import Colour, Outcome
from tournaments.models.entry import Entry, TeamMember
from tournaments.models.section import Section


class Round(models.Model):
    class State(models.TextChoices):
        OPEN = "OPEN", _("not paired")
        PAIRED = "PAIRED", _("draft")
        PUBLISHED = "PUBLISHED", _("published")
        CLOSED = "CLOSED", _("closed")

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    starts_at = models.DateTimeField(_("start"), null=True, blank=True)
    clocks_started_at = models.DateTimeField(null=True, blank=True)  # as an arbiter in the hall says (9.1)
    all_here_at = models.DateTimeField(null=True, blank=True)  # nobody is late any more
    published_at = models.DateTimeField(null=True, blank=True)
    engine = models.CharField(max_length=60, blank=True, default="")
    canonical_input = models.TextField(blank=True, default="")
    digest = models.CharField(max_length=64, blank=True, default="")
    proposal = models.JSONField(
        default=list
    )  # the engine's boards: [[board, white number, black number | null]]
    explanations = models.JSONField(default=dict)
    numbers = models.JSONField(
        default=dict
    )  # pairing number -> entry, as they were when the round was paired
    edits = models.JSONField(default=list)  # the arbiter's changes to the proposal, each with its reason

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["section", "number"], name="one_round_of_a_number"),
            models.CheckConstraint(name="round_number_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.section} {self.number}"

    @property
    def is_public(self) -> bool:
        return self.state in PUBLIC_STATES


PUBLIC_STATES = (Round.State.PUBLISHED, Round.State.CLOSED)
BYE_CODES = [Outcome.BYE.value, Outcome.HALF_BYE.value, Outcome.ZERO_BYE.value]
OUTCOME_LABELS = {
    Outcome.UNPLAYED: _("no result yet"),
    Outcome.WHITE: _("White won"),
    Outcome.DRAW: _("draw"),
    Outcome.BLACK: _("Black won"),
    Outcome.WHITE_FORFEITS: _("White forfeits"),
    Outcome.BLACK_FORFEITS: _("Black forfeits"),
    Outcome.BOTH_FORFEIT: _("both forfeit"),
    Outcome.BOTH_LOSE: _("lost for both"),
    Outcome.BYE: _("bye"),
    Outcome.HALF_BYE: _("half-point bye"),
    Outcome.ZERO_BYE: _("absent"),
    Outcome.VOID: _("annulled"),
}


class Pairing(models.Model):
    """One board of a round. `black` is null exactly for a bye, whose board number is 0."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="pairings")
    board = models.PositiveSmallIntegerField()
    white = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="white_pairings")
    black = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="black_pairings"
    )
    outcome = models.CharField(
        max_length=16,
        choices=[(o.value, label) for o, label in OUTCOME_LABELS.items()],
        default=Outcome.UNPLAYED.value,
    )
    grade = models.CharField(max_length=12, blank=True, default="")
    advances = models.CharField(
        max_length=1, blank=True, default="", choices=[(c.value, c.name) for c in Colour]
    )  # who goes on from a knock-out match that its games leave level
    version = models.PositiveIntegerField(default=0)  # what a results form must name to change the outcome

    class Meta:
        ordering: ClassVar = ["board", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(name="no_one_meets_himself", condition=~Q(white=F("black"))),
            models.CheckConstraint(
                name="a_bye_has_no_opponent",
                condition=Q(black__isnull=True, outcome__in=BYE_CODES)
                | (Q(black__isnull=False) & ~Q(outcome__in=BYE_CODES)),
            ),
            models.CheckConstraint(name="known_outcome", condition=Q(outcome__in=[o.value for o in Outcome])),
            models.UniqueConstraint(
                fields=["round", "board"],
                name="one_pairing_of_a_board",
                condition=Q(board__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.board}"


class MatchGame(models.Model):
    """One game of a pairing that holds several: a board of a team match, or a game of a micro-match.

    `first` belongs to the side that the pairing names as White, who has White in this game when `first_white`.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="match_games")
    number = models.PositiveSmallIntegerField()  # the board, or which game of the match
    stage = models.PositiveSmallIntegerField(default=0)  # of the match rule
    first_white = models.BooleanField(default=True)
    first = models.ForeignKey(TeamMember, null=True, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(TeamMember, null=True, on_delete=models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=15, default=Outcome.UNPLAYED.value)
    grade = models.CharField(max_length=12, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pairing", "number"], name="one_match_game_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} {self.number}"


class Absence(models.Model):
    """A bye asked for, or an absence announced, for one round."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="absences")
    round_number = models.PositiveSmallIntegerField()
    kind = models.CharField(
        max_length=10,
        choices=[(o.value, OUTCOME_LABELS[o]) for o in (Outcome.ZERO_BYE, Outcome.HALF_BYE, Outcome.BYE)],
        default=Outcome.ZERO_BYE.value,
    )
    reason = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "round_number"], name="one_absence_of_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.round_number}"


def last_drafted(section: Section) -> int:
    """The last round that has boards, published or not; 0 for none."""
    return section.rounds.exclude(state=Round.State.OPEN).aggregate(last=Max("number"))["last"] or 0


def last_public(section: Section) -> int:
    """The last round that the public sees; 0 for none."""
    return section.rounds.filter(state__in=PUBLIC_STATES).aggregate(last=Max("number"))["last"] or 0
