"""Sections as large as a hall, made in a few statements: for tests of load, of long tables and of growth."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone

from tests import factories
from tournaments.models import Entry, Pairing, Player, Round, Section
from tournaments.wording import names


def enter(section: Section, number: int) -> list[Entry]:
    """So many entries with the pairing numbers that follow the section's last one."""
    first = section.entries.count() + 1
    people = []
    for index in range(first, first + number):
        name = f"{factories.person_name(index)} {index}"
        person = Player(
            event=section.event,
            name=name,
            family_name=names.split_family(name)[:80],
            latin_name=names.latin(name)[:120],
            rating=max(2600 - index // 5, 0),
            club=f"Club {index % 61}",
            federation="CHN",
        )
        person.search_keys = names.search_keys(person.name, person.latin_name, person.family_name)
        people.append(person)
    Player.objects.bulk_create(people)
    return Entry.objects.bulk_create(
        Entry(section=section, player=person, number=number)
        for number, person in enumerate(people, start=first)
    )


def publish(section: Section, entries: Sequence[Entry], *, outcomes: Sequence[str] = ("UNPLAYED",)) -> Round:
    """The next round with neighbours of the list on one board, turned on by one place each round; published."""
    number = section.rounds.count() + 1
    half = len(entries) // 2
    turn = (number - 1) % half
    lower = [*entries[half + turn : 2 * half], *entries[half : half + turn]]
    section.rounds.filter(state=Round.State.PUBLISHED).update(state=Round.State.CLOSED)
    round_ = Round.objects.create(
        section=section, number=number, state=Round.State.PUBLISHED, published_at=timezone.now()
    )
    Pairing.objects.bulk_create(
        Pairing(
            round=round_,
            board=board,
            white=white if (board + number) % 2 else black,
            black=black if (board + number) % 2 else white,
            outcome=outcomes[board % len(outcomes)],
        )
        for board, (white, black) in enumerate(zip(entries[:half], lower, strict=True), start=1)
    )
    factories.bump(section, public=True)
    return round_
