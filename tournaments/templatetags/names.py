"""Names in the reader's script: the English name of events, the Latin reading of Chinese names beside them."""

from __future__ import annotations

from django import template
from django.utils.translation import get_language

from tournaments.models import Event, Player, Section
from tournaments.wording.names import latin

register = template.Library()


def reads_latin() -> bool:
    return not (get_language() or "").startswith("zh")


@register.filter
def named(thing: Event | Section) -> str:
    return (thing.name_en or thing.name) if reads_latin() else thing.name


@register.filter
def reading(player: Player) -> str:
    """The name in Latin letters for readers of English, "" where the name itself is in them."""
    if not reads_latin():
        return ""
    found = player.latin_name or latin(player.name)
    return "" if found == player.name else found
