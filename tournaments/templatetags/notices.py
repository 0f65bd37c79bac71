"""Notices in the reader's language."""

from __future__ import annotations

from django import template

from tournaments.models import Notice
from tournaments.services.notices import words_of

register = template.Library()


@register.filter
def notice_text(notice: Notice) -> str:
    return words_of(notice)
