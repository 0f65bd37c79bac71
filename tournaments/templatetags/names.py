"""Names in the reader's script: the English name of events, the Latin reading of Chinese names beside them."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.models import Event, Player, Section, TeamMember
from tournaments.wording import people
from tournaments.wording.names import latin_team

register = template.Library()
register.filter("reading", people.reading)
register.filter("shown", people.shown)


@register.filter
def named(thing: Event | Section) -> str:
    return (thing.name_en or thing.name) if people.reads_latin() else thing.name


@register.filter
def club_shown(club: str) -> str:
    """A club or delegation as this reader reads it: 北京队 is Beijing in English."""
    return (latin_team(club) if people.reads_latin() else "") or club


@register.simple_tag
def person(player: Player | TeamMember) -> SafeString:
    """A name in the reader's script first; for readers of English the Chinese one, smaller, behind it."""
    latin_name = people.reading(player)
    if not latin_name:
        return format_html('<span class="nm">{}</span>', player.name)
    return format_html(
        '<span class="nm">{}</span><span class="nm2" lang="zh-Hans">{}</span>', latin_name, player.name
    )
