"""The court's rows: incidents, rulings, appeals, panels, ballots, decisions.

Rows are added and closed, never deleted, and keep the names of round and board beside the pairing they speak of. What a
ruling or a decision changed is written on it (`applied`), so that it can be put back.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.game import Game
from games.models.sheets import Side
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

    def __str__(self) -> str:
        return f"{self.event} {self.incidents} {self.rulings} {self.appeals}"


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


class Relation(models.Model):
    """An interest that a committee member declared: family or other ties with a player, for the whole event."""

    class Kind(models.TextChoices):
        FAMILY = "FAMILY", _("family")
        OTHER = "OTHER", _("other interest")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices, default=Kind.FAMILY)
    note = models.CharField(_("note"), max_length=300, blank=True, default="")
    declared_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user} {self.kind} {self.entry}"


class Appeal(models.Model):
    """A case: what is appealed and asked for, with the deadline and fee that held when it was filed."""

    class State(models.TextChoices):
        FILED = "FILED", _("filed")
        REFUSED = "REFUSED", _("not accepted")
        ADMITTED = "ADMITTED", _("accepted, hearing to be opened")
        HEARING = "HEARING", _("hearing")
        DELIBERATION = "DELIBERATION", _("deliberation")
        VOTED = "VOTED", _("voted, decision to be written")
        DECIDED = "DECIDED", _("decided")
        WITHDRAWN = "WITHDRAWN", _("withdrawn")

    class Fee(models.TextChoices):
        NONE = "NONE", _("no fee")
        DUE = "DUE", _("to be paid")
        PAID = "PAID", _("paid")
        REFUNDED = "REFUNDED", _("refunded")
        KEPT = "KEPT", _("kept")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="appeals")
    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="appeals")
    ruling = models.ForeignKey(Ruling, on_delete=models.PROTECT, related_name="appeals")
    number = models.PositiveIntegerField()
    appellant = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="appeals")
    opponent = models.ForeignKey(Entry, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(_("about"), max_length=16, choices=Category.choices)
    article = models.CharField(max_length=12)
    grounds = models.TextField(_("grounds"))
    request = models.TextField(_("request"))
    state = models.CharField(max_length=12, choices=State.choices, default=State.FILED)
    reasons = models.JSONField(default=list)  # codes: why it is not accepted
    note = models.CharField(max_length=1000, blank=True, default="")
    deadline_minutes = models.PositiveSmallIntegerField()
    deadline_at = models.DateTimeField(null=True, blank=True)  # None while the game is still open
    fee = models.PositiveIntegerField()
    fee_state = models.CharField(max_length=8, choices=Fee.choices)
    fee_paid_at = models.DateTimeField(null=True, blank=True)
    fee_settled_at = models.DateTimeField(null=True, blank=True)
    submission = models.CharField(max_length=64, unique=True)
    filed_at = models.DateTimeField(default=timezone.now)
    filed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    filer = models.CharField(max_length=200, blank=True, default="")
    by_captain = models.BooleanField(default=False)
    copy_to_chief_at = models.DateTimeField(default=timezone.now)
    copy_read_at = models.DateTimeField(null=True, blank=True)
    admitted_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    deliberated_at = models.DateTimeField(null=True, blank=True)
    ballot = models.PositiveSmallIntegerField(default=1)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["event", "number"], name="one_appeal_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.event} A{self.number}"

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.REFUSED, self.State.DECIDED, self.State.WITHDRAWN}


class Evidence(models.Model):
    """A file of a party, as it was written anew from what can be seen in it."""

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="evidence")
    party = models.CharField(max_length=10)
    filename = models.CharField(max_length=120)
    media_type = models.CharField(max_length=40)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    content = models.BinaryField()
    filed_at = models.DateTimeField(default=timezone.now)
    filer = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.filename


class PanelSeat(models.Model):
    """A member's place on the panel of a case. A substitute's seat names the one it replaces."""

    class State(models.TextChoices):
        SITTING = "SITTING", _("sits")
        RECUSED = "RECUSED", _("recused")

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    is_convenor = models.BooleanField(default=False)
    state = models.CharField(max_length=8, choices=State.choices, default=State.SITTING)
    interests = models.JSONField(default=list)  # codes found when seated or declared since
    excused_reason = models.CharField(max_length=300, blank=True, default="")
    recused_reason = models.CharField(max_length=300, blank=True, default="")
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    seated_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["appeal", "user"], name="one_seat_of_a_member"),
            models.UniqueConstraint(
                fields=["appeal"],
                name="one_convenor_of_a_panel",
                condition=Q(is_convenor=True, state="SITTING"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.appeal} {self.user}"

    @property
    def is_sitting(self) -> bool:
        return self.state == self.State.SITTING

    @property
    def must_answer(self) -> bool:
        """Has an interest and is not excused for it."""
        return self.is_sitting and bool(self.interests) and not self.excused_reason


class Party(models.TextChoices):
    APPELLANT = "APPELLANT", _("appellant")
    OPPONENT = "OPPONENT", _("opponent")
    ARBITER = "ARBITER", _("arbiter")


class Statement(models.Model):
    """What a party says at the hearing, or its recorded waiver."""

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="statements")
    party = models.CharField(max_length=10, choices=Party.choices)
    text = models.TextField(blank=True, default="")
    waived_reason = models.CharField(max_length=300, blank=True, default="")
    filer = models.CharField(max_length=200, blank=True, default="")
    filed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.appeal} {self.party}"


class Proposal(models.Model):
    """A decision the panel may vote for. `verdict` says whether the ruling stands; `effects` what else is done."""

    class Verdict(models.TextChoices):
        DISMISS = "DISMISS", _("appeal dismissed: the ruling stands")
        UPHOLD = "UPHOLD", _("appeal upheld: the ruling is taken back")
        PARTLY = "PARTLY", _("appeal upheld in part: another ruling instead")

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="proposals")
    verdict = models.CharField(_("decision"), max_length=8, choices=Verdict.choices)
    effects = models.JSONField(default=list)
    text = models.CharField(_("in words"), max_length=500, blank=True, default="")
    proposed_at = models.DateTimeField(default=timezone.now)
    proposed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return f"{self.appeal} {self.verdict}"


class Vote(models.Model):
    """One member's vote, sealed: what was chosen can be read when the ballot is closed, as a count only."""

    seat = models.ForeignKey(PanelSeat, on_delete=models.CASCADE, related_name="votes")
    ballot = models.PositiveSmallIntegerField()
    sealed = models.TextField()
    cast_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["seat", "ballot"], name="one_vote_of_a_member"),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk}"


class Tally(models.Model):
    """A closed ballot: votes by proposal, of how many seats; `chosen` is None without a majority."""

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="tallies")
    ballot = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    counts = models.JSONField()  # [[proposal, votes]]
    chosen = models.ForeignKey(Proposal, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["ballot"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["appeal", "ballot"], name="one_tally_of_a_ballot"),
        ]

    def __str__(self) -> str:
        return f"{self.appeal} ballot {self.ballot}"


class AppealDecision(models.Model):
    """The final decision, with its reasons, what it did, and when the parties were told and read it."""

    appeal = models.OneToOneField(Appeal, on_delete=models.PROTECT, related_name="decision")
    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="+")
    reasons = models.TextField(_("reasons"))
    refund = models.BooleanField(default=False)
    applied = models.JSONField(default=list)
    notice = models.ForeignKey(Notice, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    written_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.appeal} decided"


class Delivery(models.Model):
    """A party was told something of the case, and when it first opened it."""

    class Kind(models.TextChoices):
        FILED = "FILED", _("the appeal was filed")
        REFUSED = "REFUSED", _("the appeal was not accepted")
        HEARING = "HEARING", _("the hearing is open")
        DECIDED = "DECIDED", _("the appeal was decided")

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="deliveries")
    party = models.CharField(max_length=10, choices=Party.choices)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    told_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["appeal", "party", "kind"], name="one_delivery_of_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.appeal} {self.party} {self.kind}"
