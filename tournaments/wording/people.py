"""People in the reader's script: who reads no Chinese meets the names in Latin letters."""

from __future__ import annotations

from django.utils.translation import get_language

from tournaments.models import Entry, Player, TeamMember
from tournaments.wording.names import latin


def reads_latin() -> bool:
    return not (get_language() or "").startswith("zh")


def reading(person: Player | TeamMember) -> str:
    """The name in Latin letters for readers of English, "" where the name itself is in them."""
    if not reads_latin():
        return ""
    found = (person.latin_name if isinstance(person, Player) else "") or latin(person.name)
    return "" if found == person.name else found


def shown(person: Player | TeamMember | Entry | None) -> str:
    """The one name by which this reader knows a player: the Latin reading in English, the name itself in Chinese.

    Of an empty seat it is a dash.
    """
    if person is None:
        return "–"
    named = person.player if isinstance(person, Entry) else person
    return reading(named) or named.name
