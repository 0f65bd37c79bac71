"""Cases as their readers see them: the committee and officials the file, a party its own side, the public the register."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Appeal, Evidence, PanelSeat, Party, Proposal, Relation, Ruling
from games.permissions import Act, require
from games.services.court import cases, effects, rulings
from games.services.court.cases import Acting
from games.services.court.effects import Measure
from games.slots import line_ups
from tournaments.audit import Actor
from tournaments.errors import NotAllowed, NotFound
from tournaments.models import Entry, Event, Role, User
from tournaments.selectors.whatif import Change

OVER = (Appeal.State.DECIDED,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A line of the time line. `inner` moments are of the deliberation: parties do not see them."""

    at: dt.datetime
    text: str
    inner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A stage of the docket with its cases."""

    name: str
    cases: list[Appeal]


def docket(found: Iterable[Appeal]) -> list[Column]:
    """Cases by stage: filed, heard, being decided, over."""
    state = Appeal.State
    stages = (
        (_("Filed"), {state.FILED, state.ADMITTED}),
        (_("Hearing"), {state.HEARING}),
        (_("Deciding"), {state.DELIBERATION, state.VOTED}),
        (_("Decided"), {state.DECIDED, state.REFUSED, state.WITHDRAWN}),
    )
    rows = list(found)
    return [Column(name=name, cases=[row for row in rows if row.state in states]) for name, states in stages]


def with_people(rows: QuerySet[Appeal]) -> QuerySet[Appeal]:
    return rows.select_related(
        "event", "section__event", "ruling__incident__white__player", "ruling__incident__black__player",
        "ruling__incident__pairing", "ruling__made_by", "appellant__player", "opponent__player",
        "decision__proposal", "filed_by", "joined_to", "revises",
    )  # fmt: skip


def case_for(actor: Actor, appeal_id: int) -> Appeal:
    """The whole file, for the committee, the organizer and the chief arbiter. A party's own page is another."""
    found = with_people(Appeal.objects.filter(pk=appeal_id)).first()
    if found is None:
        raise NotFound
    if not cases.is_its_arbiter(actor, found):
        require(actor, Act.READ_CASES, found.event)
    return found


def is_party(actor: Actor, appeal: Appeal) -> bool:
    """Whether an official is himself a party: the deliberation is closed to him."""
    return cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event) is not None


def deliberates(actor: Actor, appeal: Appeal) -> bool:
    """Whoever sits on the panel sees the deliberation; nobody else does, whatever his role."""
    return cases.own_seat(actor, appeal) is not None and not is_party(actor, appeal)


def proposals_for(actor: Actor, appeal: Appeal) -> list[Proposal]:
    """The decisions that are up for the vote. Raises NotAllowed for all but the panel."""
    if not deliberates(actor, appeal):
        raise NotAllowed
    return list(appeal.proposals.all())


def changes_of(appeal: Appeal, proposal: Proposal) -> list[Change]:
    """What a decision would change in the ledger; for what-if questions."""
    ruling = appeal.ruling
    overturned = proposal.verdict != Proposal.Verdict.DISMISS and ruling.is_in_force
    measures = [Measure.of(data) for data in proposal.effects]
    back = rulings.changes_back(ruling) if overturned else []
    return [*back, *effects.foresee(ruling.incident, measures)]


def seats(appeal: Appeal) -> list[PanelSeat]:
    return list(appeal.seats.select_related("user", "replaces__user", "replaced_by__user"))


def voted(appeal: Appeal) -> set[int]:
    """The seats that have voted in the running ballot: who, never what."""
    rows = appeal.seats.filter(votes__ballot=appeal.ballot)
    return set(rows.values_list("pk", flat=True))


def appeal_of_seat(seat_id: int) -> int:
    found = PanelSeat.objects.filter(pk=seat_id).values_list("appeal_id", flat=True).first()
    if found is None:
        raise NotFound
    return found


def relations_of(actor: Actor, event: Event) -> list[Relation]:
    rows = Relation.objects.filter(event=event, user=actor.user)
    return list(rows.select_related("entry__player"))


def members(event: Event) -> list[Role]:
    rows = event.roles.filter(kind=Role.Kind.COMMITTEE).select_related("user")
    return list(rows.order_by("user__username"))


def evidence_of(appeal: Appeal) -> list[Evidence]:
    return list(appeal.evidence.defer("content"))


def evidence_for(actor: Actor, evidence_id: int, *, link: str = "") -> Evidence:
    """The file, for its readers: officials who read cases, and both parties."""
    found = Evidence.objects.select_related(
        "appeal__event", "appeal__appellant__player", "appeal__opponent__player", "appeal__ruling"
    )
    row = found.filter(pk=evidence_id).first()
    if row is None:
        raise NotFound
    appeal = row.appeal
    if cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event, link=link) is not None:
        return row
    if link:
        raise NotFound
    if not cases.is_its_arbiter(actor, appeal):
        require(actor, Act.READ_CASES, appeal.event)
    return row


def own_case(actor: Actor, appeal_id: int, *, link: str = "") -> tuple[Appeal, Acting, Party]:
    """A case as one of its parties may see it. Raises NotFound for everybody else."""
    appeal = with_people(Appeal.objects.filter(pk=appeal_id)).first()
    if appeal is None:
        raise NotFound
    acting = cases.acts_for(actor, [appeal.appellant, appeal.opponent], appeal.event, link=link)
    if acting is None:
        raise NotFound
    return appeal, acting, cases.party_of(appeal, acting.entry)


def own_entries(actor: Actor) -> list[Entry]:
    """The entries a logged-in person may act for: his own, and those of his delegation."""
    if actor.user is None:
        return []
    led = Role.objects.filter(user=actor.user, kind=Role.Kind.CAPTAIN).exclude(delegation="")
    mine = Q(player__user=actor.user)
    for role in led:
        mine |= Q(section__event_id=role.event_id, player__club=role.delegation)
    rows = Entry.objects.filter(mine).exclude(section__event__state=Event.State.DRAFT)
    return list(rows.select_related("player", "section__event"))


def rulings_about(entries: Iterable[Entry]) -> list[Ruling]:
    """Rulings in force at the boards of these players, the latest first: what they may appeal against."""
    keys = [entry.pk for entry in entries]
    rows = Ruling.objects.filter(
        Q(incident__white__in=keys) | Q(incident__black__in=keys) | Q(incident__entry__in=keys),
        state__in=[Ruling.State.IN_FORCE, Ruling.State.AWAITING],
    )
    return list(
        rows.select_related("event", "incident__section__event", "incident__white__player", "incident__entry__player",
                            "incident__black__player", "incident__pairing")
    )  # fmt: skip


def cases_about(entries: Iterable[Entry]) -> list[Appeal]:
    keys = [entry.pk for entry in entries]
    return list(with_people(Appeal.objects.filter(Q(appellant__in=keys) | Q(opponent__in=keys))))


def own_ruling(actor: Actor, ruling_id: int, *, link: str = "") -> tuple[Ruling, Acting]:
    found = (
        Ruling.objects.select_related("event", "incident__section__event", "incident__white__player",
                                      "incident__black__player", "incident__entry__player", "incident__pairing")
        .filter(pk=ruling_id).first()
    )  # fmt: skip
    if found is None:
        raise NotFound
    incident = found.incident
    acting = cases.acts_for(actor, incident.parties(), found.event, link=link)
    if acting is None or found.event.state == Event.State.DRAFT:
        raise NotFound
    return found, acting


def cases_against(user: User) -> list[Appeal]:
    """Cases against what this person ruled: he is a party to them."""
    mine = Q(ruling__made_by=user) | Q(ruling__approved_by=user)
    return list(with_people(Appeal.objects.filter(mine)))


def cases_of(event: Event) -> list[Appeal]:
    return list(with_people(event.appeals.all()))


def cases_of_member(user: User) -> list[Appeal]:
    rows = Appeal.objects.filter(seats__user=user, seats__state=PanelSeat.State.SITTING)
    return list(with_people(rows).exclude(state__in=[Appeal.State.REFUSED, Appeal.State.WITHDRAWN]))


def register(event: Event, *, article: str = "", kind: str = "") -> list[Appeal]:
    """Every case with what anybody may know: number, board, article, state, decision."""
    rows = with_people(event.appeals.all()).order_by("number")
    if article:
        by_article = Q(article=article) | Q(article__startswith=f"{article}.")
        rows = rows.filter(by_article, ruling__notice__isnull=False)  # of others the article is not public
    if kind:
        rows = rows.filter(kind=kind)
    return list(_with_seats(rows, "ruling__incident"))


def _with_seats(rows: QuerySet[Any], incident: str) -> QuerySet[Any]:
    """With what names the boards of matches, fetched once for the whole list."""
    board = f"{incident}__pairing"
    found = rows.select_related(
        f"{incident}__game", f"{incident}__section", f"{board}__round__section__event",
        f"{board}__white__player", f"{board}__black__player",
    )  # fmt: skip
    return found.prefetch_related(f"{board}__games", line_ups(f"{board}__match_games"))


def public_rulings(event: Event) -> list[Ruling]:
    """The rulings that stand on the notice board, with those taken back."""
    rows = Ruling.objects.filter(event=event, notice__isnull=False)
    found = rows.select_related("incident__section", "incident__white__player", "incident__black__player")
    return list(_with_seats(found, "incident"))


def timeline(appeal: Appeal, *, inner: bool) -> list[Moment]:
    """What happened in the case, in order; moments of the deliberation only where `inner` says so."""
    found = [*_filing(appeal), *_hearing(appeal), *_deliberation(appeal), *_deliveries(appeal)]
    return sorted((m for m in found if inner or not m.inner), key=lambda moment: moment.at)


def _filing(appeal: Appeal) -> list[Moment]:
    captain = _("by the captain") if appeal.by_captain else ""
    paper = _("on paper, received by %(name)s") % {"name": appeal.received_by} if appeal.on_paper else ""
    moments = [
        Moment(
            at=appeal.filed_at,
            text=" ".join(filter(None, [_("Filed by %(name)s") % {"name": appeal.filer}, captain, paper])),
        ),
        Moment(at=appeal.copy_to_chief_at, text=_("Copy to the chief arbiter (13.1.5)")),
    ]
    told = [
        (appeal.copy_read_at, _("The chief arbiter read the copy")),
        (appeal.fee_paid_at, _("Fee of %(fee)s paid") % {"fee": appeal.fee}),
        (appeal.admitted_at, _("Case accepted")),
        (appeal.closed_at if appeal.state == Appeal.State.REFUSED else None, _("Not accepted")),
        (appeal.closed_at if appeal.state == Appeal.State.WITHDRAWN else None, _("Withdrawn")),
        (appeal.fee_settled_at, str(appeal.get_fee_state_display())),
    ]
    moments += [Moment(at=at, text=text) for at, text in told if at is not None]
    for row in evidence_of(appeal):
        moments.append(Moment(at=row.filed_at, text=_("Evidence: %(name)s") % {"name": row.filename}))
    return moments


def _hearing(appeal: Appeal) -> list[Moment]:
    moments = []
    for seat in seats(appeal):
        role = _("convenor") if seat.is_convenor else _("member")
        instead = _("instead of %(name)s") % {"name": seat.replaces.user} if seat.replaces else ""
        text = _("%(name)s is seated as %(role)s") % {"name": seat.user, "role": role}
        moments.append(Moment(at=seat.seated_at, text=f"{text} {instead}".strip()))
        if seat.left_at is not None:
            moments.append(Moment(at=seat.left_at, text=_("%(name)s is recused") % {"name": seat.user}))
    if appeal.opened_at is not None:
        moments.append(Moment(at=appeal.opened_at, text=_("Hearing opened")))
    for row in appeal.statements.all():
        words = _("%(party)s waives a statement") if row.waived_reason else _("Statement: %(party)s")
        moments.append(Moment(at=row.filed_at, text=words % {"party": row.get_party_display()}))
    if appeal.deliberated_at is not None:
        moments.append(Moment(at=appeal.deliberated_at, text=_("Deliberation began, the parties have left")))
    return moments


def _deliberation(appeal: Appeal) -> list[Moment]:
    moments = [
        Moment(
            at=row.proposed_at, inner=True,
            text=_("Proposed: %(verdict)s %(text)s") % {"verdict": row.get_verdict_display(), "text": row.text},
        )
        for row in appeal.proposals.all()
    ]  # fmt: skip
    moments += [
        Moment(at=row.closed_at, inner=True, text=_("Ballot %(number)s closed") % {"number": row.ballot})
        for row in appeal.tallies.all()
    ]
    decision = getattr(appeal, "decision", None)
    if decision is not None:
        words = _("Decided: %(verdict)s") % {"verdict": decision.proposal.get_verdict_display()}
        moments.append(Moment(at=decision.decided_at, text=words))
    return moments


def _deliveries(appeal: Appeal) -> list[Moment]:
    moments = []
    for row in appeal.deliveries.all():
        values = {"party": row.get_party_display(), "what": row.get_kind_display()}
        moments.append(Moment(at=row.told_at, text=_("%(party)s is told: %(what)s") % values))
        if row.seen_at is not None:
            moments.append(Moment(at=row.seen_at, text=_("%(party)s has read: %(what)s") % values))
    return moments
