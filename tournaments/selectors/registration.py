"""Registrations as the desk and their senders read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.models import AbsenceRequest, Entry, Event, Registration, RegistrationTerms, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What an entry owes: `fee` less `paid`."""

    entry: Entry
    fee: int
    paid: int

    @property
    def left(self) -> int:
        return max(self.fee - self.paid, 0)


def terms_of(section: Section) -> RegistrationTerms:
    """The terms; of a section that has none yet a closed registration that is not stored."""
    if hasattr(section, "registration_terms"):
        return section.registration_terms
    return RegistrationTerms(section_id=section.pk)


def open_sections(event: Event, sections: Iterable[Section]) -> list[Section]:
    """Those of the sections whose registration the organizer has opened."""
    if event.state != Event.State.OPEN:
        return []
    return [
        section for section in sections if section.state != Section.State.CLOSED and terms_of(section).is_open
    ]


def places_left(section: Section) -> int | None:
    """How many more players the section has places for; None without a limit."""
    terms = terms_of(section)
    if not terms.places:
        return None
    playing = section.entries.filter(status=Entry.Status.ACTIVE).count()
    return max(terms.places - playing, 0)


def undecided(section: Section) -> list[Registration]:
    """Those that wait for an answer first, then the waiting list, each by the time it came."""
    states = [Registration.State.REQUESTED, Registration.State.WAITING]
    found = section.registrations.filter(state__in=states)
    return sorted(found, key=lambda row: (row.state == Registration.State.WAITING, row.sent_at, row.pk))


def answered(section: Section) -> list[Registration]:
    """The last answers, newest first."""
    states = [Registration.State.ACCEPTED, Registration.State.REFUSED, Registration.State.WITHDRAWN]
    found = section.registrations.filter(state__in=states).select_related("answered_by")
    return list(found.order_by("-answered_at", "-pk")[:50])


def waiting_place(registration: Registration) -> int:
    """The place on the waiting list, from 1; 0 for who is not on it."""
    if registration.state != Registration.State.WAITING:
        return 0
    waiting = [row.pk for row in undecided(registration.section) if row.state == registration.state]
    return waiting.index(registration.pk) + 1


def by_link(link: str) -> Registration | None:
    """An unaccepted registration; an accepted one is reached as the entry whose link it gave."""
    rows = Registration.objects.select_related("section__event").exclude(state=Registration.State.ACCEPTED)
    return rows.filter(link=link).first() if link else None


def owed(section: Section) -> list[Owed]:
    """Every playing entry with what it paid; who owes most first."""
    fee = terms_of(section).fee
    if not fee:
        return []
    found = section.entries.filter(status=Entry.Status.ACTIVE).select_related("player", "payment")
    rows = [Owed(entry=e, fee=fee, paid=e.payment.amount if hasattr(e, "payment") else 0) for e in found]
    return sorted(rows, key=lambda row: (-row.left, row.entry.player.name))


def owed_by(entry: Entry) -> Owed | None:
    """The fee of one entry; None where the section asks for none."""
    fee = terms_of(entry.section).fee
    paid = entry.payment.amount if hasattr(entry, "payment") else 0
    return Owed(entry=entry, fee=fee, paid=paid) if fee else None


def absence_requests(section: Section) -> list[AbsenceRequest]:
    """Those that wait for an answer, then the last answers."""
    rows = AbsenceRequest.objects.filter(entry__section=section).select_related(
        "entry__player", "answered_by"
    )
    waiting = list(rows.filter(state=AbsenceRequest.State.WAITING))
    return waiting + list(rows.exclude(state=AbsenceRequest.State.WAITING).order_by("-answered_at")[:20])
