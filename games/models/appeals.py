"""The committee's rows: interests, appeals, evidence, panels, votes, decisions, and what the parties were told."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.court import Category, Ruling
from tournaments.models import Entry, Event, Notice, Section, User


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
    on_paper = models.BooleanField(default=False)
    received_at = models.DateTimeField(null=True, blank=True)  # a sheet of paper
    received_by = models.CharField(max_length=200, blank=True, default="")
    late_cause = models.CharField(max_length=500, blank=True, default="")  # why the committee hears it late
    joined_to = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="joined"
    )  # the earlier case on the same ruling: one decision for both
    revises = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="revisions"
    )  # the decided case that the committee has taken up again
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
    ruling = models.ForeignKey(Ruling, null=True, on_delete=models.PROTECT, related_name="decisions")
    is_joined = models.BooleanField(default=False)  # the decision of the case it was joined to, told again
    ended_at = models.DateTimeField(null=True, blank=True)  # another decision of the committee names this one
    reasons = models.TextField(_("reasons"))
    refund = models.BooleanField(default=False)
    applied = models.JSONField(default=list)
    notice = models.ForeignKey(Notice, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    written_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ruling"],
                name="one_decision_on_a_ruling",
                condition=Q(is_joined=False, ended_at__isnull=True),
            ),
        ]

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
