"""Papers of an event: which there is something to print for, and those that were made."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments import formats
from tournaments.audit import Actor
from tournaments.errors import NotFound
from tournaments.models import PUBLIC_STATES, Event, Paper, Round, Section
from tournaments.permissions import Action, require

_SHOWN = 12
_OF_A_ROUND = (Paper.Kind.BOARDS, Paper.Kind.NAMES, Paper.Kind.SLIPS, Paper.Kind.TENTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A paper that can be asked for; `value` is what the form sends."""

    kind: Paper.Kind
    section: Section | None = None
    round_number: int | None = None

    @property
    def value(self) -> str:
        return f"{self.kind.value}:{self.section.pk if self.section else ''}:{self.round_number or ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOffers:
    round: Round
    offers: list[Offer]


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionOffers:
    """`rounds` are the paired ones, the latest first."""

    section: Section
    offers: list[Offer]
    rounds: list[RoundOffers]


def of_event(event: Event) -> list[Offer]:
    if not event.sections.exists():
        return []
    kinds = [Paper.Kind.POSTER, Paper.Kind.ENTRIES, Paper.Kind.BADGES, Paper.Kind.BOOK]
    return [Offer(kind=kind) for kind in kinds]


def of_sections(event: Event) -> list[SectionOffers]:
    return [_of_section(section) for section in event.sections.order_by("position", "id")]


def _of_section(section: Section) -> SectionOffers:
    kinds = [Paper.Kind.NUMBERS]
    rounds = list(section.rounds.exclude(state=Round.State.OPEN).order_by("-number"))
    if any(round_.state in PUBLIC_STATES for round_ in rounds):
        kinds.append(Paper.Kind.CROSS)
    if section.standings.exists():
        kinds += [Paper.Kind.STANDINGS, Paper.Kind.PRIZES, Paper.Kind.CERTIFICATES]
    of_round = (*_OF_A_ROUND, *([Paper.Kind.MATCHES] if formats.of(section).enters_teams else []))
    return SectionOffers(
        section=section,
        offers=[Offer(kind=kind, section=section) for kind in kinds],
        rounds=[
            RoundOffers(
                round=round_,
                offers=[Offer(kind=kind, section=section, round_number=round_.number) for kind in of_round],
            )
            for round_ in rounds
        ],
    )


def made(event: Event) -> list[Paper]:
    """The latest papers, without their files. One query."""
    return list(event.papers.defer("content").select_related("job", "section")[:_SHOWN])


def paper_for(actor: Actor, paper_id: int, *, with_content: bool = False) -> Paper:
    found = Paper.objects.select_related("job", "event", "section")
    if not with_content:
        found = found.defer("content")
    paper = found.filter(pk=paper_id).first()
    if paper is None:
        raise NotFound
    require(actor, Action.VIEW_DESK, paper.event)
    return paper


def last_choice(event: Event) -> tuple[str, str]:
    """The language and address that papers were last asked for in; "" for none."""
    return event.papers.order_by("-pk").values_list("language", "address").first() or ("", "")
