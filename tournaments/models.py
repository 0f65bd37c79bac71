"""The ledger's tables: who entered, who met whom with which colour, what came of it, and what stands.

Points are not stored: a pairing keeps an outcome code and the section's result scheme turns it into points. The
database itself refuses two boards for one entry in a round, two rounds of one number and two active jobs of a kind.
"""

from __future__ import annotations

import secrets
import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Deferrable, F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.engine.types import Colour, Outcome

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i: codes are read off posters and typed


def random_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _i in range(6))


def random_seed() -> int:
    return secrets.randbelow(2**53)  # whole in JSON and in every spreadsheet


def link_token() -> str:
    return secrets.token_urlsafe(18)


class User(AbstractUser):
    language = models.CharField(_("language"), max_length=10, blank=True, default="")

    def __str__(self) -> str:
        return self.get_full_name() or self.username


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
    name = models.CharField(_("name"), max_length=200)
    name_en = models.CharField(_("name in English"), max_length=200, blank=True, default="")
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


class Section(models.Model):
    class Format(models.TextChoices):
        SWISS = "SWISS", _("Swiss")
        ROUND_ROBIN = "ROUND_ROBIN", _("round robin")
        DOUBLE_ROUND_ROBIN = "DOUBLE_ROUND_ROBIN", _("double round robin")
        KNOCKOUT = "KNOCKOUT", _("knock-out")
        GROUPS_KNOCKOUT = "GROUPS_KNOCKOUT", _("groups, then knock-out")
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
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("name in English"), max_length=100, blank=True, default="")
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
    scheme = models.CharField(_("result scheme"), max_length=12, default="STD")
    preset = models.CharField(_("tie-break preset"), max_length=20, blank=True, default="CN_SWISS")
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
    protect_clubs_rounds = models.PositiveSmallIntegerField(
        _("rounds in which club-mates, and members of one family, do not meet"), default=0
    )
    match_rule = models.CharField(_("games of a match"), max_length=24, blank=True, default="")
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
    def draws_lots(self) -> bool:
        """Whether round 1 goes by a lot, for the numbers or for the pairing order."""
        by_solkoff = self.format == self.Format.SWISS and self.ranking == self.Ranking.SOLKOFF
        return by_solkoff or self.numbering == self.Numbering.LOT

    @property
    def is_round_robin(self) -> bool:
        return self.format in {
            self.Format.ROUND_ROBIN,
            self.Format.DOUBLE_ROUND_ROBIN,
            self.Format.TEAM_ROUND_ROBIN,
        }

    @property
    def is_swiss(self) -> bool:
        return self.format in {self.Format.SWISS, self.Format.TEAM_SWISS}

    @property
    def is_team(self) -> bool:
        """The entries are teams, and a pairing is a match of theirs over several boards."""
        return self.format in {self.Format.TEAM_SWISS, self.Format.TEAM_ROUND_ROBIN}

    @property
    def has_knockout(self) -> bool:
        return self.format in {self.Format.KNOCKOUT, self.Format.GROUPS_KNOCKOUT}

    @property
    def is_drawn_whole(self) -> bool:
        """Rounds are drawn all at once from a table; of groups with a knock-out those of the groups."""
        return self.is_round_robin or self.format == self.Format.GROUPS_KNOCKOUT

    @property
    def has_matches(self) -> bool:
        """Whether a pairing may hold more than one game, or needs to be told who goes on."""
        return self.is_team or self.has_knockout or bool(self.match_rule)


class Player(models.Model):
    """A person as known to one event. Rating 0 means unrated."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="players")
    name = models.CharField(_("name"), max_length=120)
    family_name = models.CharField(_("family name"), max_length=80, blank=True, default="")
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True, default="")
    search_keys = models.CharField(max_length=400, blank=True, default="", editable=False)
    sex = models.CharField(
        _("sex"), max_length=1, blank=True, default="", choices=[("m", _("male")), ("f", _("female"))]
    )
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    federation = models.CharField(_("federation"), max_length=10, blank=True, default="")
    club = models.CharField(_("club or delegation"), max_length=120, blank=True, default="")
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


class TeamMember(models.Model):
    """A player of a team; `position` is the fixed order: 1 is the first board, those after the last board are substitutes.

    `link` is the player's own: the team's link opens no scoresheet of a board.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=120)
    rating = models.PositiveIntegerField(_("rating"), default=0, validators=[MaxValueValidator(4000)])
    link = models.CharField(max_length=40, unique=True, default=link_token, editable=False)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["entry", "position"], name="one_member_of_a_position", deferrable=Deferrable.DEFERRED
            ),
        ]

    def __str__(self) -> str:
        return self.name


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


class Adjustment(models.Model):
    """Points given or taken by a ruling, counted from `after_round` on; a line of its own in the standings."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    points = models.SmallIntegerField()
    after_round = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.entry} {self.points:+d}"


class Notice(models.Model):
    """A line of the notice board (article 15.2.4). Never deleted: a withdrawn one stays, struck out.

    `texts` hold the words by language, so that a notice written by the site can be read in each; one language will do.
    """

    class Kind(models.TextChoices):
        NOTICE = "NOTICE", _("notice")
        REGULATIONS = "REGULATIONS", _("regulations")
        WARNING = "WARNING", _("public warning")
        RULING = "RULING", _("ruling")
        DECISION = "DECISION", _("decision on an appeal")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="notices")
    section = models.ForeignKey(
        Section, null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    pairing = models.ForeignKey(
        Pairing, null=True, blank=True, on_delete=models.SET_NULL, related_name="notices"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices, default=Kind.NOTICE)
    texts = models.JSONField()
    at = models.DateTimeField(default=timezone.now)
    posted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        indexes: ClassVar = [models.Index(fields=["event", "-at"], name="notices_of_event")]

    def __str__(self) -> str:
        return f"{self.event} {self.kind} {self.at:%F %T}"


class Standings(models.Model):
    """A computed table. Never changed: a newer version of the section gets a new row."""

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="standings")
    after_round = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()  # the section's ledger version it was computed from
    final = models.BooleanField(default=False)
    rows = models.JSONField()
    tiebreaks = models.JSONField(default=list)
    policy = models.JSONField(default=dict)
    lot_seed = models.BigIntegerField(null=True, blank=True)
    computed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["section", "after_round", "version"], name="one_table_of_a_version"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.section} after {self.after_round}"


class Job(models.Model):
    """The row is the queue. A worker holds it by token until the lease runs out."""

    class Kind(models.TextChoices):
        PAIR = "PAIR", _("pairing")
        STANDINGS = "STANDINGS", _("standings")

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waiting")
        RUNNING = "RUNNING", _("running")
        DONE = "DONE", _("done")
        FAILED = "FAILED", _("failed")

    section = models.ForeignKey(Section, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(null=True, blank=True)
    token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    error_code = models.CharField(max_length=60, blank=True, default="")
    error_values = models.JSONField(default=dict)
    requested_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["section", "kind"],
                name="one_active_job_of_a_kind",
                condition=Q(state__in=["QUEUED", "RUNNING"]),
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["state", "created_at"], name="job_waiting")]

    def __str__(self) -> str:
        return f"{self.kind} {self.section_id} {self.state}"

    @staticmethod
    def new_token() -> uuid.UUID:
        return uuid.uuid4()

    @property
    def is_active(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING}


class AuditEntry(models.Model):
    """Who did what, when, from where, why, with the state before and after.

    The database refuses to change or remove a row, and chains the rows as their transaction commits: `seq` without a
    gap, each `hash` over the row and the hash before it.
    """

    seq = models.BigIntegerField(null=True, unique=True, editable=False)
    previous_hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    hash = models.CharField(max_length=64, blank=True, default="", editable=False)
    at = models.DateTimeField(default=timezone.now)
    event = models.ForeignKey(
        Event, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    section = models.ForeignKey(
        Section, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    actor = models.ForeignKey(
        User, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    actor_name = models.CharField(max_length=200, blank=True, default="")
    address = models.CharField(max_length=45, blank=True, default="")
    action = models.CharField(max_length=40)
    object_type = models.CharField(max_length=30, blank=True, default="")
    object_id = models.BigIntegerField(null=True)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [models.Index(fields=["event", "-id"], name="audit_of_event")]

    def __str__(self) -> str:
        return f"{self.at:%F %T} {self.action}"


class ImportDraft(models.Model):
    """A file that was read and shown, and waits for a yes."""

    event = models.ForeignKey(Event, null=True, on_delete=models.CASCADE, related_name="+")
    section = models.ForeignKey(Section, null=True, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    filename = models.CharField(max_length=200, blank=True, default="")
    content = models.BinaryField()
    options = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.kind} {self.filename}"


class Heartbeat(models.Model):
    """A process that must be alive says so here; /healthz reads it."""

    name = models.CharField(max_length=60, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Attempts(models.Model):
    """How often something was tried, until a moment: guesses of a password, questions to the engine."""

    key = models.CharField(max_length=230, primary_key=True)
    count = models.IntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "tournaments_attempts"

    def __str__(self) -> str:
        return f"{self.key} {self.count}"
