"""Categories by sex and age that a list can be narrowed to, where the entries say enough of it.

Who is under 20 in a year is as youth draughts has it: born so late that nobody turns 20 in that year. Only that much of a
year of birth is told, and an event without a first day has no ages.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from tournaments.models import Entry, Event

WOMEN = "f"
UNDER = (8, 10, 11, 12, 14, 16, 17, 18, 20, 23, 26)
FROM = (50, 60)
KEYS = [WOMEN, *(f"u{age}" for age in UNDER), *(f"o{age}" for age in FROM)]


def offered(event: Event, entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """(key, label) of every category that holds some of the entries and not all."""
    everybody = list(entries)
    return [(key, label) for key, label in _known(event) if _is_part(key, everybody, event)]


def is_known(key: str) -> bool:
    return key in KEYS


def holds(key: str, entry: Entry, event: Event) -> bool:
    """Whether an entry is of a category; nobody is of one that there is not."""
    if not is_known(key):
        return False
    if key == WOMEN:
        return entry.player.sex == "f"
    born, year = entry.player.birth_year, _year(event)
    if born is None or year is None:
        return False
    age = int(key[1:])
    return year - born < age if key.startswith("u") else year - born >= age


def _known(event: Event) -> list[tuple[str, str]]:
    found = [(WOMEN, _("Women"))]
    year = _year(event)
    if year is None:
        return found
    young = [
        (f"u{age}", _("U%(age)s (born %(year)s or later)") % {"age": age, "year": year - age + 1})
        for age in UNDER
    ]
    old = [
        (f"o{age}", _("%(age)s+ (born %(year)s or before)") % {"age": age, "year": year - age})
        for age in FROM
    ]
    return [*found, *young, *old]


def _is_part(key: str, entries: list[Entry], event: Event) -> bool:
    held = sum(holds(key, entry, event) for entry in entries)
    return 0 < held < len(entries)


def _year(event: Event) -> int | None:
    return event.starts_on.year if event.starts_on else None
