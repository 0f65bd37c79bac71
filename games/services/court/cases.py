"""A case as rows under the gate, and for whom somebody may act in it. Shared by the verbs of appeals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Appeal, Delivery, PanelSeat, Party
from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import NotFound, WrongState
from tournaments.gate import lock_section
from tournaments.models import Entry, Event, Role, TeamMember

PARTIES = (Party.APPELLANT, Party.OPPONENT, Party.ARBITER)


def hold(appeal_id: int) -> Appeal:
    """The case, its section's gate taken. Nothing is checked yet."""
    section_id = Appeal.objects.filter(pk=appeal_id).values_list("section_id", flat=True).first()
    if section_id is None:
        raise NotFound
    section = lock_section(section_id)
    appeal = Appeal.objects.select_related(
        "ruling__incident__white__player",
        "ruling__incident__black__player",
        "appellant__player",
        "opponent__player",
        "joined_to",
        "revises",
    ).get(pk=appeal_id)
    appeal.section, appeal.event = section, section.event
    appeal.ruling.event = appeal.ruling.incident.event = section.event
    appeal.ruling.incident.section = section
    return appeal


def need(appeal: Appeal, *states: str) -> None:
    if appeal.state not in states:
        raise WrongState(
            _("This is not possible now. The case is at: %(state)s."), state=str(appeal.get_state_display())
        )


def need_leading(appeal: Appeal) -> None:
    """Raises WrongState for a case that is joined to another: that one is heard and decided for both."""
    if appeal.joined_to is not None:
        raise WrongState(
            _(
                "This appeal is joined to appeal %(number)s, against the same ruling: they are heard and decided there."
            ),
            code="joined",
            number=appeal.joined_to.number,
        )


def leading(appeal: Appeal) -> Appeal:
    """The case in which this one is heard: itself, or the one it is joined to."""
    return appeal if appeal.joined_to_id is None else hold(appeal.joined_to_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """For which entry somebody acts, and by what right."""

    entry: Entry
    by_captain: bool
    name: str


def acts_for(actor: Actor, entries: Iterable[Entry | None], event: Event, *, link: str = "") -> Acting | None:
    """A player by personal link or account, or a captain for the players of his delegation; None for others."""
    people = [entry for entry in entries if entry is not None]
    if link:
        found = next((entry for entry in people if entry.link == link), None)
        if found is not None:
            return Acting(entry=found, by_captain=False, name=str(found))
        member = TeamMember.objects.select_related("entry").filter(link=link, entry__in=people).first()
        return Acting(entry=member.entry, by_captain=False, name=str(member)) if member else None
    if actor.user is None:
        return None
    own = next((entry for entry in people if entry.player.user_id == actor.user.pk), None)
    if own is not None:
        return Acting(entry=own, by_captain=False, name=str(own))
    role = Role.objects.filter(event=event, user=actor.user, kind=Role.Kind.CAPTAIN).first()
    led = next((e for e in people if role and role.delegation and e.player.club == role.delegation), None)
    return Acting(entry=led, by_captain=True, name=actor.name) if led else None


def entry_of(link: str, entry_id: int) -> Q:
    """The entries that a personal link, or without one a number, may mean; `acts_for` says whether he may act."""
    return Q(link=link) | Q(members__link=link) if link else Q(pk=entry_id)


def party_of(appeal: Appeal, entry: Entry) -> Party:
    return Party.APPELLANT if entry.pk == appeal.appellant_id else Party.OPPONENT


def own_seat(actor: Actor, appeal: Appeal) -> PanelSeat | None:
    if actor.user is None:
        return None
    return appeal.seats.filter(user=actor.user, state=PanelSeat.State.SITTING).first()


def sitting(appeal: Appeal) -> list[PanelSeat]:
    return list(appeal.seats.filter(state=PanelSeat.State.SITTING).select_related("user"))


def parties_of(appeal: Appeal) -> list[Party]:
    """Who is heard and told: both sides, and the arbiter whose ruling it is (article 16.2)."""
    return [
        Party.APPELLANT,
        *([Party.OPPONENT] if appeal.opponent_id else []),
        *([Party.ARBITER] if appeal.ruling.made_by_id else []),
    ]


def is_its_arbiter(actor: Actor, appeal: Appeal) -> bool:
    """Whether the actor made or approved the ruling that is appealed against."""
    return actor.user is not None and actor.user.pk in (
        appeal.ruling.made_by_id,
        appeal.ruling.approved_by_id,
    )


def tell(appeal: Appeal, kind: str) -> None:
    """Tell the parties; the time is kept, and the time when each first reads it."""
    for party in parties_of(appeal):
        Delivery.objects.get_or_create(appeal=appeal, party=party, kind=kind)


def seen(appeal: Appeal, party: str) -> None:
    """The party has opened its page of the case: everything told so far is read."""
    appeal.deliveries.filter(party=party, seen_at__isnull=True).update(seen_at=timezone.now())


def log(actor: Actor, action: AuditAction, appeal: Appeal, *, reason: str = "", **after: Any) -> None:
    audit.record(
        actor=actor, action=action, section=appeal.section, subject=appeal,
        after={"number": appeal.number, "state": appeal.state, **after}, reason=reason[:500],
    )  # fmt: skip
