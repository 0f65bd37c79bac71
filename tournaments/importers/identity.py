"""Who is the same person: by federation number, or by name and year of birth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from django.utils.translation import gettext_lazy as _

from tournaments.errors import BadInput
from tournaments.wording.names import plain


class Person(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def birth_year(self) -> int | None: ...
    @property
    def fmjd_id(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a file says of a person."""

    name: str
    birth_year: int | None = None
    fmjd_id: str = ""


P = TypeVar("P", bound=Person)


def number_key(fmjd_id: str) -> str:
    """Equal for one number however it is written; "" for none, which files also write as zeros."""
    return "".join(fmjd_id.split()).upper().lstrip("0")


class People(Generic[P]):
    """People seen so far, to look up whether another one is among them.

    Of one name and year of birth, two different federation numbers tell two people.
    """

    def __init__(self, people: Iterable[P] = ()) -> None:
        self._numbers: dict[str, P] = {}
        self._births: dict[tuple[str, int], list[P]] = {}
        for person in people:
            self.add(person)

    def add(self, person: P) -> None:
        if number := number_key(person.fmjd_id):
            self._numbers.setdefault(number, person)
        if person.birth_year:
            self._births.setdefault((plain(person.name), person.birth_year), []).append(person)

    def find(self, person: Person) -> P | None:
        number = number_key(person.fmjd_id)
        if number in self._numbers:
            return self._numbers[number]
        if not person.birth_year:
            return None
        namesakes = self._births.get((plain(person.name), person.birth_year), [])
        return next((other for other in namesakes if _may_be_same(number, other)), None)


def _may_be_same(number: str, other: Person) -> bool:
    known = number_key(other.fmjd_id)
    return not number or not known or number == known


def first_twice(people: Iterable[P]) -> tuple[P, P] | None:
    """Return the first person who comes twice, as both times; None when nobody does."""
    seen: People[P] = People()
    for person in people:
        if (other := seen.find(person)) is not None:
            return other, person
        seen.add(person)
    return None


def refuse_person_twice(people: Iterable[Person]) -> None:
    """Raise BadInput when somebody is in a file's section twice."""
    if (found := first_twice(people)) is not None:
        raise BadInput(
            _("The same person is in the section twice: %(first)s, %(second)s."),
            code="person-twice",
            first=found[0].name,
            second=found[1].name,
        )


def year_of(birth: str) -> int | None:
    """The year of a date such as 1990/05/01; None for no year."""
    year = birth.strip()[:4]
    return int(year) if year.isascii() and year.isdecimal() and int(year) > 0 else None
