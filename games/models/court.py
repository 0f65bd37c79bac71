"""The court's rows: incidents, rulings, appeals, panels, ballots, decisions.

Rows are added and closed, never deleted, and keep the names of round and board beside the pairing they speak of. What a
ruling or a decision changed is written on it (`applied`), so that it can be put back.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.game import Game
from games.models.sheets import Side
from games.models.subjects import Subject
from tournaments.models import Entry, Event, Notice, Pairing, Section, TeamMember, User


class Category(models.TextChoices):
    """What an incident is about; the articles decide who may raise it and what may follow."""

    IRREGULAR = "IRREGULAR", _("irregular move (7.4)")
    UNCROWNED = "UNCROWNED", _("uncrowned king moved (5.7)")
    WRONG_BOARD = "WRONG_BOARD", _("board the wrong way (7.1)")
    WRONG_POSITION = "WRONG_POSITION", _("wrong position or piece on a light square (7.2, 7.3)")
    DISTURBED = "DISTURBED", _("position disturbed by accident (7.5)")
    CONDUCT = "CONDUCT", _("conduct in the hall (14.1)")
    TECHNICAL = "TECHNICAL", _("refusing to correct, record or sign (14.3)")
    CLOCK = "CLOCK", _("clock stopped (9.1)")
    CLOCK_ALTERED = "CLOCK_ALTERED", _("time on the clock altered (9.1)")
    CLOCK_MOVED = "CLOCK_MOVED", _("clock moved (9.1)")
    CLOCK_FAULT = "CLOCK_FAULT", _("clock out of order (8.2.4)")
    CLOCK_FORGOTTEN = "CLOCK_FORGOTTEN", _("clock not pressed (8.2.3)")
    CLOCK_SIGNAL = "CLOCK_SIGNAL", _("signal of the clock (8.2.5)")
    FLAG = "FLAG", _("time exceeded (8.2.6)")
    LATENESS = "LATENESS", _("lateness (8.3)")
    COLOURS = "COLOURS", _("colours reversed (9.3)")
    OTHER = "OTHER", _("other")


class Raiser(models.TextChoices):
    WHITE = "W", _("White")
    BLACK = "B", _("Black")
    ARBITER = "A", _("the arbiter")


class Against(models.TextChoices):
    """Whom an incident or a ruling is about: a player of the board, or the person that the incident names."""

    WHITE = "W", _("White")
    BLACK = "B", _("Black")
    PERSON = "P", _("the person named")


class PersonRole(models.TextChoices):
    """What somebody is who is named without a board (articles 14.1, 15.1.1)."""

    PLAYER = "PLAYER", _("player")
    COACH = "COACH", _("coach")
    CAPTAIN = "CAPTAIN", _("captain")
    SPECTATOR = "SPECTATOR", _("spectator")


class Asked(models.TextChoices):
    """What the opponent asks for after an irregular move (article 7.4)."""

    RECTIFY = "RECTIFY", _("to have it put right")
    STAND = "STAND", _("to let it stand")


class CourtCounter(models.Model):
    """The last numbers given at an event. Counting up holds the row, so that no number is given twice."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="+")
    incidents = models.PositiveIntegerField(default=0)
    rulings = models.PositiveIntegerField(default=0)
    appeals = models.PositiveIntegerField(default=0)
    letters = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.event} {self.incidents} {self.rulings} {self.appeals} {self.letters}"


class Incident(models.Model):
    """Something that happened at a board, as an arbiter logged it."""

    class Settled(models.TextChoices):
        OPEN = "", pgettext_lazy("incident", "open")
        ACCEPTED = "ACCEPTED", _("let stand by the opponent (7.7)")
        RULED = "RULED", _("ruled")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="incidents")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="incidents")
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.SET_NULL, related_name="incidents"
    )
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="incidents")
    white = models.ForeignKey(Entry, null=True, on_delete=models.SET_NULL, related_name="+")
    black = models.ForeignKey(Entry, null=True, on_delete=models.SET_NULL, related_name="+")
    number = models.PositiveIntegerField()
    round_number = models.PositiveSmallIntegerField()
    board = models.PositiveSmallIntegerField()
    category = models.CharField(_("what happened"), max_length=16, choices=Category.choices)
    article = models.CharField(_("article"), max_length=12)
    ply = models.PositiveSmallIntegerField(_("single move"), null=True, blank=True)
    plies_made = models.PositiveSmallIntegerField(null=True, blank=True)
    moved_on = models.BooleanField(_("the opponent has moved since"), null=True, blank=True)
    asked = models.CharField(
        _("the opponent asks"), max_length=8, choices=Asked.choices, blank=True, default=""
    )
    raised_by = models.CharField(_("raised by"), max_length=1, choices=Raiser.choices)
    against = models.CharField(
        _("against"), max_length=1, choices=[*Against.choices, ("", _("nobody in particular"))], blank=True
    )
    entry = models.ForeignKey(
        Entry, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # the entry of the person named
    member = models.ForeignKey(
        TeamMember, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )  # who it is, in a team
    person = models.CharField(_("person"), max_length=200, blank=True, default="")
    person_role = models.CharField(
        _("role"), max_length=10, choices=PersonRole.choices, blank=True, default=""
    )
    refused = models.BooleanField(_("refuses, or it cannot be put right"), default=False)
    flag_fell = models.BooleanField(_("raised after the flag fell"), default=False)
    note = models.CharField(_("note"), max_length=1000, blank=True, default="")
    settled = models.CharField(max_length=10, choices=Settled.choices, blank=True, default="")
    submission = models.CharField(
        max_length=64, unique=True, null=True, blank=True
    )  # sent twice, logged once
    happened_at = models.DateTimeField(default=timezone.now)
    logged_at = models.DateTimeField(default=timezone.now)
    logged_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="one_incident_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"

    def entry_of(self, side: str) -> Entry | None:
        found = {Side.WHITE.value: self.white, Side.BLACK.value: self.black, Against.PERSON.value: self.entry}
        return found.get(side)

    def parties(self) -> list[Entry]:
        """Whom it concerns: the players of the board, or the player who is named without one."""
        return [entry for entry in (self.white, self.black, self.entry) if entry is not None]

    def name_of(self, side: str) -> str:
        """Whom it is about: the person that was named, else the entry; "" for nobody in particular."""
        return self.person if self.person and side == self.against else str(self.entry_of(side) or "")


class Effect(models.TextChoices):
    """What a ruling or a decision does."""

    NONE = "NONE", _("nothing")
    UNFOUNDED = "UNFOUNDED", _("no breach found")
    RECTIFY = "RECTIFY", _("put right")
    LET_STAND = "LET_STAND", _("the move stands (7.7)")
    TIME = "TIME", _("time charged or restored")
    REMINDER = "REMINDER", _("reminder")
    WARNING = "WARNING", _("public warning")
    GAME_LOST = "GAME_LOST", _("game lost")
    BOTH_LOSE = "BOTH_LOSE", _("lost for both")
    FORFEIT = "FORFEIT", _("forfeited for lateness")
    BOTH_FORFEIT = "BOTH_FORFEIT", _("forfeited by both for lateness")
    REPLAY = "REPLAY", _("game void, to be played again")
    TURN_COLOURS = "TURN_COLOURS", _("the game stands with the colours as played (9.3)")
    DISQUALIFY = "DISQUALIFY", _("disqualification")
    EXPEL = "EXPEL", _("expulsion from the hall")
    RESULT = "RESULT", _("result set")
    POINTS = "POINTS", _("points given or taken")
    EXCHANGE = "EXCHANGE", _("seats of the next round exchanged")


class Ruling(models.Model):
    """An arbiter's answer to an incident. A newer one supersedes it; withdrawn, what it did is put back."""

    class State(models.TextChoices):
        PROPOSED = "PROPOSED", _("proposed")
        AWAITING = "AWAITING", _("waits for the chief arbiter")
        IN_FORCE = "IN_FORCE", _("in force")
        REVISED = "REVISED", _("revised")
        WITHDRAWN = "WITHDRAWN", _("withdrawn")
        OVERTURNED = "OVERTURNED", _("changed on appeal")
        REFUSED = "REFUSED", _("not confirmed")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rulings")
    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="rulings")
    number = models.PositiveIntegerField()
    article = models.CharField(_("article"), max_length=12)
    effect = models.CharField(_("effect"), max_length=14, choices=Effect.choices)
    side = models.CharField(max_length=1, choices=[*Against.choices, ("", _("both"))], blank=True, default="")
    white_seconds = models.IntegerField(default=0)  # charged, or with a minus restored
    black_seconds = models.IntegerField(default=0)
    values = models.JSONField(default=dict)  # outcome, points and the like, for decisions carried out
    text = models.CharField(_("reasons"), max_length=1000, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.IN_FORCE)
    supersedes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="superseded_by"
    )
    follows = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="consequences"
    )  # the second warning that a loss follows from
    subject = models.CharField(
        max_length=8, choices=Subject.choices, default=Subject.RULING
    )  # other than RULING: written down when it was appealed
    decided_in = models.ForeignKey(
        "Appeal", null=True, blank=True, on_delete=models.PROTECT, related_name="measures"
    )  # the case whose decision ordered it
    applied = models.JSONField(default=dict)
    notice = models.ForeignKey(Notice, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    approved_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    in_force_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    ended_reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="one_ruling_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.event} R{self.number}"

    @property
    def is_in_force(self) -> bool:
        return self.state == self.State.IN_FORCE
