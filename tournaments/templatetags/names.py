"""Names in the reader's script: the English name of events, the Latin reading of Chinese names beside them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
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


@register.filter
def shown(player: Player) -> str:
    """The one name by which this reader knows a player: the Latin reading in English, the name itself in Chinese."""
    return reading(player) or player.name


@register.simple_tag
def person(player: Player) -> SafeString:
    """A name in the reader's script first; for readers of English the Chinese one, smaller, behind it."""
    latin_name = reading(player)
    if not latin_name:
        return format_html('<span class="nm">{}</span>', player.name)
    return format_html(
        '<span class="nm">{}</span><span class="nm2" lang="zh-Hans">{}</span>', latin_name, player.name
    )
