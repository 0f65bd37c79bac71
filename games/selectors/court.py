"""What the court's pages read: a round's boards with their incidents, what waits, who is late, precedents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from games.models import Appeal, Category, Effect, Incident, Ruling
from games.permissions import Act, require
from games.selectors.lateness import lateness_ends
from games.slots import Seat, line_ups, seats_of, with_games
from tournaments.audit import Actor
from tournaments.errors import NotFound
from tournaments.models import Event, Pairing, Role, Round
from tournaments.selectors.match_games import is_match

SIGNED_BEFORE = dt.timedelta(minutes=30)  # article 15.2.3


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    pairing: Pairing
    incidents: list[Incident] = field(default_factory=list)
    white_warnings: int = 0
    black_warnings: int = 0
    waits: int = 0
    seats: list[Seat] = field(default_factory=list)  # the games of a match


def event_for(actor: Actor, event_id: int, act: Act = Act.READ_COURT) -> Event:
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, act, event)
    return event


def round_for(actor: Actor, section_id: int, number: int, act: Act = Act.LOG_INCIDENT) -> Round:
    found = (
        Round.objects.select_related("section__event").filter(section_id=section_id, number=number).first()
    )
    if found is None:
        raise NotFound
    require(actor, act, found.section.event)
    if not found.is_public:
        raise NotFound
    return found


def incident_for(actor: Actor, incident_id: int, act: Act = Act.READ_COURT) -> Incident:
    found = incidents_of(Incident.objects.filter(pk=incident_id)).first()
    if found is None:
        raise NotFound
    require(actor, act, found.event)
    return found


def ruling_for(actor: Actor, ruling_id: int, act: Act = Act.READ_COURT) -> Ruling:
    found = rulings_of(Ruling.objects.filter(pk=ruling_id)).first()
    if found is None:
        raise NotFound
    require(actor, act, found.event)
    return found


def incidents_of(rows: QuerySet[Incident]) -> QuerySet[Incident]:
    return rows.select_related(
        "event", "section", "game", "pairing__round__section", "pairing__white__player", "pairing__black__player",
        "white__player", "black__player", "entry__player", "member", "logged_by",
    ).prefetch_related(
        "rulings__made_by", "rulings__appeals", "pairing__games", line_ups("pairing__match_games")
    )  # fmt: skip


def rulings_of(rows: QuerySet[Ruling]) -> QuerySet[Ruling]:
    return rows.select_related(
        "event", "incident__section__event", "incident__game", "incident__pairing__round__section", "incident__white__player",
        "incident__black__player", "incident__entry__player", "incident__member", "made_by", "approved_by",
    )  # fmt: skip


def board_rows(round_: Round) -> list[BoardRow]:
    """Every board of a round with what was logged at it. Three queries, of matches two more."""
    boards = round_.pairings.filter(black__isnull=False)
    if is_match(round_.section):
        boards = with_games(boards, round_.section)
    boards = boards.select_related("round__section", "white__player", "black__player")
    logged: dict[int, list[Incident]] = {}
    for incident in incidents_of(Incident.objects.filter(pairing__round=round_)):
        logged.setdefault(incident.pairing_id or 0, []).append(incident)
    return [_board_row(pairing, logged.get(pairing.pk, [])) for pairing in boards.order_by("board")]


def of_board(pairing: Pairing) -> list[Incident]:
    return list(incidents_of(Incident.objects.filter(pairing=pairing)))


def waiting(event: Event) -> list[Ruling]:
    """Proposals to confirm and disqualifications to approve, the oldest first."""
    rows = Ruling.objects.filter(event=event, state__in=[Ruling.State.PROPOSED, Ruling.State.AWAITING])
    return list(rulings_of(rows).order_by("pk"))


def open_incidents(event: Event) -> list[Incident]:
    return list(incidents_of(Incident.objects.filter(event=event, settled="")))


def recent_rulings(event: Event, *, count: int = 50) -> list[Ruling]:
    rows = Ruling.objects.filter(event=event).exclude(state=Ruling.State.PROPOSED)
    return list(rulings_of(rows)[:count])


@dataclass(frozen=True, slots=True, kw_only=True)
class LateList:
    """The boards without a result of a round; `is_due` once the limit has passed."""

    round: Round
    ends_at: dt.datetime
    is_due: bool
    boards: list[Pairing]


def late_list(round_: Round, *, at: dt.datetime | None = None) -> LateList | None:
    """None without a start, with a result on every board, and once the round has begun for all."""
    ends = lateness_ends(round_.section, round_)
    if ends is None or round_.all_here_at is not None:
        return None
    boards = list(
        round_.pairings.filter(black__isnull=False, outcome="UNPLAYED")
        .select_related("white__player", "black__player")
        .order_by("board")
    )
    if not boards:
        return None
    return LateList(round=round_, ends_at=ends, is_due=(at or timezone.now()) > ends, boards=boards)


def late_rounds(event: Event) -> list[LateList]:
    """The rounds of an event whose lateness limit passed within the last six hours."""
    since = timezone.now() - dt.timedelta(hours=6)
    rounds = Round.objects.filter(section__event=event, state=Round.State.PUBLISHED, starts_at__gte=since)
    found = [late_list(round_) for round_ in rounds.select_related("section__event")]
    return [late for late in found if late is not None and late.is_due]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryListDue:
    """The entry list of a section that is about to begin, and by when the arbiter has it signed."""

    round: Round
    due_at: dt.datetime
    is_over: bool


def entry_lists_due(event: Event, *, at: dt.datetime | None = None) -> list[EntryListDue]:
    """Of each section whose first round is set and has not begun: half an hour before it (article 15.2.3)."""
    now = at or timezone.now()
    rounds = Round.objects.filter(
        section__event=event, number=1, starts_at__gt=now, clocks_started_at__isnull=True
    )
    found = []
    for round_ in rounds.select_related("section__event").order_by("starts_at", "section"):
        assert round_.starts_at is not None
        due = round_.starts_at - SIGNED_BEFORE
        found.append(EntryListDue(round=round_, due_at=due, is_over=now >= due))
    return found


def rounds_in_play(event: Event, *, at: dt.datetime | None = None) -> list[Round]:
    """Of each section the round being played: begun and with boards open; else the first public one with boards open; else
    the last public one.
    """
    now = at or timezone.now()
    rows = Round.objects.filter(section__event=event, state__in=["PUBLISHED", "CLOSED"])
    rows = rows.annotate(open_boards=Count("pairings", filter=Q(pairings__outcome="UNPLAYED")))
    of_section: dict[int, list[Round]] = {}
    for round_ in rows.select_related("section").order_by("section__position", "section", "number"):
        of_section.setdefault(round_.section_id, []).append(round_)
    return [_in_play(rounds, now) for rounds in of_section.values()]


def _in_play(rounds: list[Round], now: dt.datetime) -> Round:
    is_open = [round_ for round_ in rounds if round_.__dict__["open_boards"]]
    begun = [r for r in is_open if (starts := r.clocks_started_at or r.starts_at) and starts <= now]
    return begun[-1] if begun else is_open[0] if is_open else rounds[-1]


def lacks_assistant(event: Event) -> bool:
    """Article 15.2.7: somebody beside the chief arbiter must be there to carry rulings out."""
    return not event.roles.filter(kind=Role.Kind.ARBITER).exists()


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedent:
    """A ruling of a public event, with the decision of the committee where there is one."""

    ruling: Ruling
    appeal: Appeal | None


def precedents(
    events: Iterable[int],
    *,
    article: str = "",
    category: str = "",
    effect: str = "",
    words: str = "",
    count: int = 100,
) -> list[Precedent]:
    """Rulings once in force, by article (with its clauses), kind, effect and words; the latest first."""
    rows = rulings_of(Ruling.objects.filter(event__in=events, in_force_at__isnull=False))
    if article:
        rows = rows.filter(
            Q(article=article)
            | Q(article__startswith=f"{article}.")
            | Q(incident__article=article)
            | Q(incident__article__startswith=f"{article}.")
        )
    if category in Category.values:
        rows = rows.filter(incident__category=category)
    if effect in Effect.values:
        rows = rows.filter(effect=effect)
    for word in words.split():
        rows = rows.filter(Q(text__icontains=word) | Q(incident__note__icontains=word))
    found = list(rows.prefetch_related("appeals__decision__proposal")[:count])
    return [
        Precedent(ruling=r, appeal=next((a for a in r.appeals.all() if hasattr(a, "decision")), None))
        for r in found
    ]


def events_with_court(actor: Actor) -> list[Event]:
    """The events at whose court the person has a place."""
    if actor.user is None:
        return []
    kinds = [Role.Kind.ORGANIZER, Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER, Role.Kind.COMMITTEE]
    rows = Event.objects.all()
    if not actor.user.is_superuser:
        rows = rows.filter(roles__user=actor.user, roles__kind__in=kinds)
    return list(rows.distinct())


def _board_row(pairing: Pairing, logged: list[Incident]) -> BoardRow:
    rulings = [ruling for incident in logged for ruling in incident.rulings.all()]
    warned = [
        entry.pk
        for incident in logged
        for ruling in incident.rulings.all()
        if ruling.effect == Effect.WARNING and ruling.is_in_force
        if (entry := incident.entry_of(ruling.side)) is not None
    ]
    return BoardRow(
        pairing=pairing,
        incidents=logged,
        white_warnings=warned.count(pairing.white_id),
        black_warnings=warned.count(pairing.black_id or 0),
        waits=sum(r.state in (Ruling.State.PROPOSED, Ruling.State.AWAITING) for r in rulings),
        seats=seats_of(pairing) if is_match(pairing.round.section) else [],
    )
