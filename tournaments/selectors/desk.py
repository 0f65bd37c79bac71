"""What the desk reads beside what the public sees: drafts, open boards, roles, the log. Nothing here writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import formats
from tournaments.audit import Actor
from tournaments.engine.types import Colour, Outcome
from tournaments.errors import BadInput, NotFound
from tournaments.models import (
    Absence,
    Adjustment,
    AuditEntry,
    Entry,
    Event,
    ForbiddenPair,
    ImportDraft,
    Job,
    Notice,
    Pairing,
    Role,
    Round,
    Section,
    User,
)
from tournaments.permissions import TABLE, Action, require, roles_in


def permissions(user: User | None, event: Event) -> dict[str, bool]:
    """What a person may do at an event, by action, in the spelling templates need."""
    kinds = roles_in(user, event)
    return {action.value.replace("-", "_"): bool(TABLE[action] & kinds) for action in Action}


def events_of(user: User) -> list[Event]:
    """Every event at whose desk the person has a place, the latest first."""
    desk_kinds = TABLE[Action.VIEW_DESK]
    found = Event.objects.all()
    if not user.is_superuser:
        found = found.filter(roles__user=user, roles__kind__in=desk_kinds)
    return list(found.distinct().prefetch_related("sections"))


def is_of_committee(user: User) -> bool:
    """Whether the person sits on the arbitration committee of an event."""
    return user.roles.filter(kind=Role.Kind.COMMITTEE).exists()


def event_for(actor: Actor, event_id: int, action: Action = Action.VIEW_DESK) -> Event:
    """The event, when the actor may do this there. Raises NotFound for strangers, NotAllowed for lesser roles."""
    event = Event.objects.filter(pk=event_id).first()
    if event is None:
        raise NotFound
    require(actor, action, event)
    return event


def section_for(actor: Actor, section_id: int, action: Action = Action.VIEW_DESK) -> Section:
    section = Section.objects.select_related("event").filter(pk=section_id).first()
    if section is None:
        raise NotFound
    require(actor, action, section.event)
    return section


def entry_for(actor: Actor, entry_id: int, action: Action = Action.VIEW_DESK) -> Entry:
    entry = Entry.objects.select_related("player", "section__event").filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    require(actor, action, entry.section.event)
    return entry


def round_for(actor: Actor, section_id: int, number: int, action: Action = Action.VIEW_DESK) -> Round:
    """The round of that number; one that nobody touched yet comes unsaved, in state OPEN."""
    section = section_for(actor, section_id, action)
    found = section.rounds.filter(number=number).first()
    if found is None and not 1 <= number <= section.rounds_total:
        raise NotFound
    found = found or Round(section=section, number=number)
    found.section = section
    return found


def draft_for(actor: Actor, section_id: int, number: int, action: Action = Action.VIEW_DESK) -> Round:
    """A round that has boards. Raises NotFound for one that is not paired."""
    found = round_for(actor, section_id, number, action)
    if found.pk is None or found.state == Round.State.OPEN:
        raise NotFound
    return found


def pairing_for(actor: Actor, pairing_id: int, action: Action = Action.VIEW_DESK) -> Pairing:
    found = Pairing.objects.select_related("round__section__event").filter(pk=pairing_id).first()
    if found is None:
        raise NotFound
    require(actor, action, found.round.section.event)
    return found


def job_for(actor: Actor, job_id: int) -> Job:
    job = Job.objects.select_related("section__event").filter(pk=job_id).first()
    if job is None:
        raise NotFound
    require(actor, Action.VIEW_DESK, job.section.event)
    return job


def officials(event: Event) -> list[Role]:
    return list(event.roles.select_related("user").order_by("kind", "user__username"))


def notices(event: Event) -> list[Notice]:
    return list(event.notices.select_related("section", "posted_by"))


def notice_for(actor: Actor, notice_id: int) -> Notice:
    found = Notice.objects.select_related("event").filter(pk=notice_id).first()
    if found is None:
        raise NotFound
    require(actor, Action.POST_NOTICES, found.event)
    return found


def event_of_role(role_id: int) -> int | None:
    return Role.objects.filter(pk=role_id).values_list("event_id", flat=True).first()


def entry_of_absence(absence_id: int) -> int | None:
    return Absence.objects.filter(pk=absence_id).values_list("entry_id", flat=True).first()


def was_paired(entry: Entry) -> bool:
    return Pairing.objects.filter(Q(white=entry) | Q(black=entry)).exists()


def import_for(actor: Actor, draft_id: int) -> ImportDraft:
    """The file a person holds for a section, without its content."""
    found = (
        ImportDraft.objects.defer("content").select_related("section__event")
        .filter(pk=draft_id, user=actor.user).first()
    )  # fmt: skip
    if found is None or found.section is None:
        raise NotFound
    require(actor, Action.EDIT_ENTRIES, found.section.event)
    return found


def section_of_pair(pair_id: int) -> int | None:
    return ForbiddenPair.objects.filter(pk=pair_id).values_list("section_id", flat=True).first()


def forbidden_pairs(section: Section) -> list[ForbiddenPair]:
    return list(section.forbidden_pairs.select_related("first__player", "second__player").order_by("pk"))


def adjustments(section: Section) -> list[Adjustment]:
    return list(section.adjustments.select_related("entry__player").order_by("after_round", "pk"))


def still_open(usernames: Sequence[str]) -> list[str]:
    """Which of these accounts can still log in."""
    found = User.objects.filter(username__in=usernames, is_active=True).order_by("username")
    return list(found.values_list("username", flat=True))


def accounts() -> list[User]:
    """Every account of the site, those that may make events first."""
    return list(User.objects.filter(removed_at=None).order_by("-is_staff", "username"))


def entries(section: Section) -> list[Entry]:
    return list(
        section.entries.select_related("player")
        .prefetch_related("absences")
        .order_by("number", "-player__rating", "player__name", "pk")
    )


def numbered_choices(section: Section) -> list[tuple[int, str]]:
    """Entries for a choice list: "12 Name"."""
    rows = section.entries.order_by("number", "pk").values_list("pk", "number", "player__name")
    return [(pk, f"{number} {name}" if number else name) for pk, number, name in rows]


def seated_choices(round_: Round) -> list[tuple[int, str]]:
    """The players on the boards of a round, and those with its bye."""
    rows = round_.pairings.exclude(outcome__in=[Outcome.HALF_BYE, Outcome.ZERO_BYE]).values_list(
        "white_id", "black_id"
    )
    seated = {pk for pair in rows for pk in pair}
    return [choice for choice in numbered_choices(round_.section) if choice[0] in seated]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One player's place in a round. `colour` is "" without an opponent."""

    entry: Entry
    board: int
    colour: str
    opponent: Entry | None
    pairing: Pairing


def seats(round_: Round) -> list[Seat]:
    found = []
    for pairing in round_.pairings.select_related("white__player", "black__player"):
        colour = Colour.WHITE.value if pairing.black else ""
        found.append(
            Seat(
                entry=pairing.white,
                board=pairing.board,
                colour=colour,
                opponent=pairing.black,
                pairing=pairing,
            )
        )
        if pairing.black is not None:
            found.append(
                Seat(
                    entry=pairing.black,
                    board=pairing.board,
                    colour=Colour.BLACK.value,
                    opponent=pairing.white,
                    pairing=pairing,
                )
            )
    return found


def opponents_reversed(round_: Round, entry_id: int) -> tuple[int, int]:
    """(Black, White) of the entry's board: its seats with the colours exchanged."""
    pairing = round_.pairings.filter(Q(white=entry_id) | Q(black=entry_id), black__isnull=False).first()
    if pairing is None or pairing.black_id is None:
        raise BadInput(_("Choose players who are paired in this round."))
    return pairing.black_id, pairing.white_id


def later_drafts(round_: Round) -> int:
    return round_.section.rounds.filter(number__gt=round_.number, state=Round.State.PAIRED).count()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """A round as the desk lists it. `boards` and `missing` count real boards, not byes."""

    round: Round
    boards: int
    missing: int

    @property
    def results(self) -> int:
        return self.boards - self.missing


def rounds_warning(section: Section) -> str:
    """A Swiss that is announced with more rounds than anybody has opponents, in a sentence; "" where it is not. One query."""
    if not formats.of(section).pairs_each_round or section.state == Section.State.CLOSED:
        return ""
    playing = section.entries.filter(withdrawn_after_round__isnull=True).count()
    if playing < 2 or section.rounds_total < playing:
        return ""
    text = ngettext(
        "%(rounds)s rounds are announced, but there is only %(count)s opponent for everybody. Nobody meets anybody twice: "
        "later rounds may be impossible to pair.",
        "%(rounds)s rounds are announced, but there are only %(count)s opponents for everybody. Nobody meets anybody twice: "
        "later rounds may be impossible to pair.",
        playing - 1,
    )
    return text % {"rounds": section.rounds_total, "count": playing - 1}


def rounds(section: Section) -> list[RoundState]:
    board = Q(pairings__black__isnull=False)
    found = section.rounds.annotate(
        boards=Count("pairings", filter=board),
        missing=Count("pairings", filter=board & Q(pairings__outcome=Outcome.UNPLAYED)),
    ).order_by("number")
    return [RoundState(round=r, boards=r.boards, missing=r.missing) for r in found]


def latest_pairing_job(section: Section) -> Job | None:
    return section.jobs.filter(kind=Job.Kind.PAIR).order_by("-pk").first()


def is_computing(section: Section) -> bool:
    return section.jobs.filter(
        kind=Job.Kind.STANDINGS, state__in=[Job.State.QUEUED, Job.State.RUNNING]
    ).exists()


def is_paired(section: Section) -> bool:
    return section.rounds.exclude(state=Round.State.OPEN).exists()


def log(
    event: Event, *, action: str = "", person: str = "", subject: str = "", object_id: int | None = None
) -> QuerySet[AuditEntry]:
    found = AuditEntry.objects.filter(event=event).select_related("section").order_by("-pk")
    if action:
        found = found.filter(action=action)
    if person:
        found = found.filter(actor_name=person)
    if subject:
        found = found.filter(object_type=subject)
    if object_id is not None:
        found = found.filter(object_id=object_id)
    return found


def log_choices(event: Event) -> dict[str, list[str]]:
    """What the log of an event can be filtered by."""
    rows = AuditEntry.objects.filter(event=event).order_by()
    return {
        "actions": sorted(rows.values_list("action", flat=True).distinct()),
        "people": sorted(name for name in rows.values_list("actor_name", flat=True).distinct() if name),
        "subjects": sorted(name for name in rows.values_list("object_type", flat=True).distinct() if name),
    }
